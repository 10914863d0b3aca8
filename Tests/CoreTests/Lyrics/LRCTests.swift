import Expectations
import Testing

@testable import Base
@testable import Lyrics
@testable import SimulatedWall

/// Lyrics from LRC files.
@Suite struct LRCTests {
    @Test(arguments: [
        ("[00:01.00]one\n[00:02.50]two\n[00:04]", ["1000-2500 one", "2500-4000 two"]),
        // A line sung twice, in any order, with any line ends and a byte order mark.
        (
            "\u{FEFF}[00:10.00][00:01.00] chorus \r\n[00:05.123]verse\r\n[00:12.00]\r\n",
            ["1000-5123 chorus ", "5123-10000 verse", "10000-12000 chorus "]
        ),
        ("[ti:A song]\n[offset:+500]\n[00:01.00]one\n[00:02.00]", ["500-1500 one"]),
        ("[offset: -250]\r[00:01.00]one\r[00:02.00]", ["1250-2250 one"]),
        ("[00:06:50]one\n[100:00.0]two\n[100:01.0]", ["6500-6000000 one", "6000000-6001000 two"]),
        (
            "[00:01.00]<00:01.00>one <00:01.40>two <00:02.10>\n[00:05.00]three\n[00:06]",
            ["1000-1400 one |1400-2100 two ", "5000-6000 three"]
        ),
        // The words' times move along when the line is sung again. The last word has the longest duration of a word.
        (
            "[00:01.00][00:11.00]<00:01.00>one <00:01.50>two",
            ["1000-1500 one |1500-4500 two", "11000-11500 one |11500-14500 two"]
        ),
        ("[00:01.00]a <b> [c]\n[00:02.00]", ["1000-2000 a <b> [c]"]),
        ("[00:01.00]one [00:01.50]two [00:02.00]", ["1000-1500 one |1500-2000 two "]),
        ("[01:00:01.50]late\n[01:00:02.00]", ["3601500-3602000 late"]),
        ("[00:01.00]end", ["1000-6000 end"]),
        // Lines with one time stay side by side until a later line begins.
        (
            "[00:01.00]eins\n[00:01.00]one\n[00:02.00]zwei\n[00:02.00]two\n[00:03.00]",
            ["1000-2000 eins", "1000-2000 one", "2000-3000 zwei", "2000-3000 two"]
        ),
        ("[00:01.00]one\n[00:01.00]\n[00:02.00]", ["1000-2000 one"]),
        (
            "[00:01.00]<00:01.00>one <00:01.50>two\n[00:01.00]eins zwei\n[00:02.00]",
            ["1000-1500 one |1500-2000 two", "1000-2000 eins zwei"]
        ),
        // The line states its own end, at which the next line begins.
        (
            "[00:01.00]<00:01.00>one <00:02.00>two<00:09.00>\n[00:09.00]three\n[00:10]",
            ["1000-2000 one |2000-9000 two", "9000-10000 three"]
        ),
        ("[00:01.00]a < b [c\n[00:02.00]", ["1000-2000 a < b [c"]),
        // Spaces on both sides of each time, as many files have them.
        (
            "[00:00.00] <00:00.04> When <00:00.16> the <00:00.82>  <00:01.00> truth <00:01.29> is <00:02.00>",
            ["40-160 When |160-820  the |820-1000   |1000-1290  truth |1290-2000  is "]
        ),
        ("[00:12.00] [00:45.00] Chorus\n[00:46.00]", ["12000-45000 Chorus", "45000-46000 Chorus"]),
        (" [00:01.00]one\n\t[00:02.00]", ["1000-2000 one"]),
        ("[00:10.00] [00:10.00]When [00:10.50]the [00:11.00]", ["10000-10500 When |10500-11000 the "]),
        // The words' times belong to the line's second time.
        (
            "[00:45.00][00:12.00]<00:12.00>one <00:12.50>two<00:13.00>",
            ["12000-12500 one |12500-13000 two", "45000-45500 one |45500-46000 two"]
        ),
        // Another line begins before the last word of this one.
        (
            "[00:10.00]<00:10.00>I <00:12.00>love\n[00:11.00]<00:11.00>yeah<00:11.50>",
            ["10000-12000 I |12000-15000 love", "11000-11500 yeah"]
        ),
        // A repeated time counts once.
        ("[00:10.00] [00:10.00]Oh\n[00:12.00]", ["10000-12000 Oh"]),
        // The line's first word has no time of its own.
        (
            "[01:10.00][00:10.00]Hello <00:10.50>world<00:11.00>",
            ["10000-10500 Hello |10500-11000 world", "70000-70500 Hello |70500-71000 world"]
        ),
        (
            "[00:10.00] [01:10.00] <00:10.00>Hello <00:10.50>world<00:11.00>",
            ["10000-10500 Hello |10500-11000 world", "70000-70500 Hello |70500-71000 world"]
        ),
        ("[offset:+500.0]\n[00:01,50]one\n[00:02,00]", ["1000-1500 one"]),
        ("no time\n[xx:yy]\n[00:99999999999]x\n[]\n[00:01", []), ("", []),
    ]) func linesOfLRCHaveTheirTimes(_ file: String, _ lines: [String]) {
        expect(LRCReader.read(Array(file.utf8)).reported, equals: lines)
    }

    @Test(arguments: [
        ("[ti:A song]\n[ar: Somebody ]\n[00:01.00]one", "A song", "Somebody"),
        // A byte order mark, capitals, a colon in the title, and an empty tag before another one.
        ("\u{FEFF} [TI: One: two]\r\n[AR:]\r\n[00:01.00]one\r\n[ar:Somebody]", "One: two", "Somebody"),
        ("[ti:First]\n[ti:Second]\n", "First", nil), ("[ti:\u{1B}[2J]\n", "U+001B[2J", nil),
        ("[al:Album]\n[00:01.00]ti:one\n[ti]\n[ti:   ]", nil, nil), ("", nil, nil),
    ]) func tagsOfLRCNameTheSong(_ file: String, _ title: String?, _ artist: String?) {
        let names = LRCReader.names(Array(file.utf8))
        expect([names.title, names.artist], equals: [title, artist])
    }

    @Test func anLRCFileMaySayItsWordsInAnOlderEncoding() {
        let lyrics = LRCReader.read(Array("[00:01.00]Gr".utf8) + [0xFC, 0xDF, 0x65] + Array("\n[00:02.00]".utf8))
        expect(lyrics.lines.map(\.text), equals: ["Grüße"])
    }

    @Test func aLineOfOneWordThatSaysItsEndIsTimedByWord() {
        let isTimed = ["one<00:02.00>", "one"].map { words in
            LRCReader.read(Array("[00:01.00]<00:01.00>\(words)\n[00:02.00]".utf8)).lines.map(\.isTimedByWord)
        }
        expect(isTimed, equals: [[true], [false]])
    }

    @Test func aLineThatIsSungOftenIsNoMoreThanAFileMayHold() {
        let times = (0..<200).map { "[\($0 / 60):\($0 % 60)]" }.joined()
        let words = String(repeating: "<0:0.01>a ", count: 1500)
        let lyrics = LRCReader.read(Array(String(repeating: times + words + "\n", count: 4).utf8))
        let count = lyrics.lines.reduce(0) { $0 + $1.syllables.count }
        expect(count > 150_000 && count <= 200_000, "\(count)")
        // The first line is kept each time.
        expect(lyrics.lines.first?.begin, equals: .milliseconds(10))
    }

    @Test func aLineOfMoreWordsThanAnybodyReadsIsSeveral() {
        let words = (0..<100).map { "<\($0 / 60 + 1):\($0 % 60)>w " }.joined()
        let lines = LRCReader.read(Array("[01:00]\(words)<3:00>\n".utf8)).lines
        expect(lines.map(\.syllables.count) == [64, 36] && lines.map(\.isTimedByWord) == [true, true])
        expect(lines.map(\.begin), equals: [.seconds(60), .seconds(124)])
        expect(lines.map(\.end), equals: [.seconds(124), .seconds(180)])
    }
}
