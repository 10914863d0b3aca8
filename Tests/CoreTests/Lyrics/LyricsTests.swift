import Expectations
import Testing

@testable import Base
@testable import Lyrics
@testable import SimulatedWall

/// Lyrics from UltraStar's songs, and their encodings.
@Suite struct LyricsTests {
    private let song = """
        #TITLE:Song
        #ARTIST:Somebody
        #MP3:song.mp3
        #BPM:300
        #GAP:1000,5
        #VIDEO:film.mp4
        #VIDEOGAP:-1.25
        : 0 4 5 Hel
        : 4 4 5 lo
        * 10 6 7  world
        - 20
        F 24 8 0 free
        R 40 0 3 ~
        E
        """

    private func read(_ text: String) -> (song: Song, reported: [String]) {
        let (song, mistakes) = UltraStarReader.read(Array(text.utf8))
        return (song, mistakes?.lines(path: "song.txt") ?? [])
    }

    @Test func notesHaveTheirTimesInTheSong() {
        let (song, reported) = read(song)
        expect(reported.isEmpty, "\(reported)")
        // A beat is 15 / 300 s.
        expect(
            song.lyrics.reported, equals: ["1001-1201 Hel|1201-1401 lo|1501-1801  world", "2201-3001 free"])
        expect(song.lyrics.lines[0].syllables.map(\.kind), equals: [.usual, .usual, .golden])
        expect(song.lyrics.lines[1].syllables.map(\.kind), equals: [.free])
        expect(song.lyrics.lines[0].begin, equals: .milliseconds(1000) + Time(ticks: Time.ticksPerSecond / 2000))
        expect(song.videoGap == .milliseconds(-1250) && song.files == [.audio: "song.mp3", .video: "film.mp4"])
        expect((song.title, song.artist) == ("Song", "Somebody"))
    }

    /// Irregularities of files as users have them.
    @Test func oddFilesAreReadAsTheyAreMeant() {
        let odd = """

            junk
              #mp3:song.mp3
            #Bpm:300,00
            #video:
            #TITLE: Song
            #artist:Somebody

            #videogap:-1,25
            #GAP:1000,5
            #END:0
            #VIDEO:film.mp4
            :0 4 5 Hel
            :\t4\t4\t5\tlo
            *: 10 6 7  world

            - 20 F: 24 8 0 free
            R 40 0 3
            E
            : 50 4 4 over
            """
        let (song, reported) = read(odd.replacing("\n", with: "\r\n"))
        expect(
            song.lyrics.reported, equals: ["1001-1201 Hel|1201-1401 lo|1501-1801  world", "2201-2601 free|3001-3001 "])
        expect(song.videoGap == .milliseconds(-1250) && song.files == [.audio: "song.mp3", .video: "film.mp4"])
        expect(song.end == nil && (song.title, song.artist) == ("Song", "Somebody"))
        expect(
            reported.count == 1 && reported[0].hasPrefix("song.txt:2:1: note: \"j\" is not a known kind of line"),
            "\(reported)")
    }

    @Test func aNoteOfAnUnknownKindOrOfNoLengthIsSungFreely() {
        let (song, reported) = read(song.replacingOnce("* 10 6", with: "X 10 6").replacingOnce(": 4 4", with: "* 4 0"))
        expect(song.lyrics.lines[0].syllables.map(\.kind), equals: [.usual, .free, .free])
        expect(
            reported,
            equals: [
                "song.txt:10:1: note: \"X\" is not a kind of note and is read as a free note; \":\" would be right"
            ])
    }

    /// A space after every third syllable, or none.
    @Test(arguments: [("la ", [63, 63, 24]), ("la", [64, 64, 22])])
    func aPhraseOfMoreSyllablesThanAnybodyReadsIsSeveralLines(third: String, counts: [Int]) throws {
        let notes = (0..<150).map { ": \($0 * 4) 2 0 \($0 % 3 == 2 ? third : "la")" }
        let lines = read("P2\n\(notes.joined(separator: "\n"))\nE\n").song.lyrics.lines
        try #require(lines.map(\.syllables.count) == counts)
        expect(lines.map(\.voices.numbers), equals: [[2], [2], [2]])
        // At 120 beats a minute, where notes count quarters of beats: one note each half second, a quarter of a second
        // long.
        let second = Int64(counts[0]) * 500
        expect(lines[0].begin == .zero && lines[0].end == .milliseconds(second - 250))
        expect(lines[1].begin == .milliseconds(second) && lines[2].end == .milliseconds(150 * 500 - 250))
    }

    /// Songs from usdb.animux.de.
    @Test func aSongMaySayWhereItsVideoIsToBeHadInsteadOfItsName() {
        let file = """
            #ARTIST:A-ha
            #TITLE:Song
            #MP3:A-ha - Song.mp3
            #BPM:300,5
            #GAP:2000
            #VIDEO:v=5eA3Lrs0rlM,co=a.jpg,bg=b.jpg
            #COVER:A-ha - Song [CO].jpg
            #BACKGROUND:
            #PREVIEWSTART:30.5
            #CALCMEDLEY:OFF
            : 0 4 60 La
            : 4 4 60 \u{20}
            : 8 4 60\u{20}
            * 12 4 60 ~
            -16
            :\t20\t4\t60\t la\u{20}
            - 24 30
            : 30 4 60 lu
            E and more
            : 40 4 60 over
            """
        let (song, reported) = read(file)
        expect(song.files, equals: [.audio: "A-ha - Song.mp3", .cover: "A-ha - Song [CO].jpg"])
        expect(
            reported,
            equals: [
                "song.txt:6:8: #VIDEO: \"v=5eA3Lrs0rlM,co=a.jpg,bg=b.jpg\" is usdb's note on the video's origin, not a "
                    + "file; the video's name would be right"
            ])
        expect(song.lyrics.lines.map { $0.syllables.map(\.text) }, equals: [["La", " ", ""], [" la "], ["lu"]])
        expect(song.lyrics.lines.last?.begin, equals: .seconds(2) + Time(seconds: 30 * 15 / 300.5))
        for name in ["A-ha - 1=1.mp4", "film.mp4", "x=y.mp4", "va=1.mp4"] {
            expect(read("#VIDEO:\(name)\n").song.files, equals: [.video: name])
        }
    }

    @Test func aTildeHoldsTheSyllableBeforeItAndIsNotShown() {
        let head = "#TITLE:T\n#ARTIST:A\n#MP3:a.mp3\n#BPM:300\n"
        let (song, reported) = read(head + ": 0 4 5 love\n: 4 4 7 ~\n: 8 4 5  ~\n: 16 4 5 me~\n- 24\n: 30 2 5 ~\nE\n")
        expect(reported.isEmpty, "\(reported)")
        let beat = Time.milliseconds(50)
        let syllables = song.lyrics.lines.flatMap(\.syllables)
        expect(syllables.map(\.text), equals: ["love ", "me"])
        expect(syllables.map { [$0.begin, $0.end] }, equals: [[.zero, beat * 12], [beat * 16, beat * 20]])
    }

    @Test func aSongOfALaterVersionIsRefused() {
        let long = "2." + String(repeating: "9", count: 5000)
        for version in ["2.0.0", "2", "12.1", "99999999999999999999", long] {
            let text = "#VERSION:\(version)\n" + song.replacingOnce("- 20", with: "? 20")
            let (later, reported) = read(text)
            let shown = version == long ? String(version.prefix(40)) + "…" : version
            expect(later.refusal, equals: "version \"\(shown)\" is not known; 1 would be right")
            expect(reported, equals: ["song.txt:1:10: #VERSION: \(later.refusal ?? "")"])
            expect(later.lyrics.lines.isEmpty && later.files[.audio] == "song.mp3")
            expect(UltraStarReader.isSong(Array(text.utf8)))
        }
    }

    @Test func aSongOfAnEarlierVersionOrOfNoneIsRead() {
        for version in ["", "1", "1.2.0", "0.3.0", "v2", "soon"] {
            let (found, reported) = read("#VERSION:\(version)\n" + song)
            expect(found.refusal == nil && found.lyrics.lines.count == 2 && reported.isEmpty, "\(version)")
        }
    }

    @Test func aPhraseEndsAlsoWhereItsBeatIsMissing() {
        let (song, reported) = read(song.replacingOnce("- 20", with: "-"))
        expect(song.lyrics.lines.map(\.text), equals: ["Hello world", "free"])
        expect(reported.count == 1 && reported[0].hasPrefix("song.txt:11:1: phrase: no beat"), "\(reported)")
    }

    @Test func aDuetHasItsVoices() {
        let duet = song.replacingOnce(
            ": 0 4 5 Hel", with: "P1\n: 0 4 5 Hel"
        ).replacingOnce("- 20\nF", with: "P 2\n: 0 4 0 Hey\nP3\n: 30 2 0 both\nP1\nF")
        let lyrics = read(duet).song.lyrics
        expect(lyrics.of(.init(1)).lines.map(\.text), equals: ["Hello worldfree", "both"])
        expect(lyrics.of(.init(2)).lines.map(\.text), equals: ["Hey", "both"])
        expect(lyrics.lines.last?.voices.numbers, equals: [1, 2])
        // In files with a version, voice 3 is the third voice.
        expect(read("#VERSION:1.1.0\n" + duet).song.lyrics.lines.last?.voices.numbers, equals: [3])
        expect(read(song).song.lyrics.lines[0].voices, equals: .all)
    }

    @Test func beatsMayCountFromPhraseToPhrase() {
        let relative =
            "#RELATIVE:YES\n"
            + song.replacingOnce("- 20\nF 24", with: "- 18 20\nF 4").replacingOnce("R 40", with: "R 20")
        expect(read(relative).song.lyrics.reported, equals: read(song).song.lyrics.reported)
        expect(read("#VERSION:0.3.0\n" + relative).song.lyrics.reported, equals: read(song).song.lyrics.reported)
        let reported = read("#VERSION:1.0.0\n" + relative).reported
        expect(reported.count == 1 && reported[0].contains("#RELATIVE"), "\(reported)")
    }

    @Test func olderEncodingsAreRead() {
        let songs: [(header: String, word: [UInt8], text: String)] = [
            ("", [0xE4, 0x80], "ä€"), ("#ENCODING:CP1252\n", [0xE4], "ä"),
            ("#ENCODING:CP1250\n", [0xF8], "ř"),
            ("#ENCODING:UTF8\n", [0xC5, 0x99], "ř"), (" #ENCODING:CP1250\n", [0xF8], "ř"),
            ("#ENCODING :CP1250\n", [0xF8], "ř"), ("\t# encoding\t: cp-1250\n", [0xF8], "ř"),
            // Files with a version are UTF-8, if they are valid UTF-8.
            ("#VERSION:1.0.0\n#ENCODING:CP1252\n", [0xC5, 0x99], "ř"),
            ("#ENCODING:CP1250\n# version :1.1.0\n", [0xC5, 0x99], "ř"),
            ("#VERSION:\n#ENCODING:CP1252\n", [0xC3, 0xA4], "Ã¤"), ("#VERSION:1.0.0\n", [0xE4], "ä"),
            ("#VERSION:1.0.0\n#ENCODING:CP1250\n", [0xF8], "ř"), ("#VERSION:1.0.0\n#ENCODING:UTF8\n", [0xE4], "ä"),
        ]
        for (header, word, text) in songs {
            let file =
                Array((header + "#TITLE:").utf8) + word + Array("\n#ARTIST:x\n#AUDIO:a\n#BPM:9\n: 0 1 1 a\nE\n".utf8)
            expect(UltraStarReader.read(file).song.title, equals: text, "\(header)")
        }
    }

    /// A program wrote headers in its own encoding into a file of another encoding.
    @Test func eachLineIsReadAsWhatItIs() {
        for (title, artist) in [([0xE4], [0xC3, 0xA4]), ([0xC3, 0xA4], [0xE4])] as [([UInt8], [UInt8])] {
            let file =
                Array("#TITLE:".utf8) + title + Array("\n#ARTIST:".utf8) + artist
                + Array("\n#AUDIO:a\n#BPM:9\n: 0 1 1 a\nE\n".utf8)
            let song = UltraStarReader.read(file).song
            expect(song.title == "ä" && song.artist == "ä")
        }
    }

    @Test func whatIsMissingOrOddIsNamedWithWhatWouldBeRight() {
        let file = """
            #TITLE:x
            #MP3:../a.mp3
            #BPM:fast
            #GAP:soon
            #START:9
            #END:5000
            : 0 4 x word
            : 4 -1 5 word
            : 0 4 5 a
            : 2 4 5 b
            B 12 200
            #LATE:1
            ? what
            P12
            -
            """
        expect(
            read(file).reported,
            equals: [
                "song.txt:1:1: #ARTIST: missing; #ARTIST:… would be right",
                "song.txt:2:6: #MP3: \"../a.mp3\" lies outside of the song's folder; a name within it would be right",
                "song.txt:3:6: #BPM: \"fast\" is not a tempo; a number above 0 would be right",
                "song.txt:4:6: #GAP: \"soon\" is not a number; it is ignored",
                "song.txt:6:6: #END: the song ends before it begins; milliseconds after #START would be right",
                "song.txt:7:7: note: a note without its three numbers; \": 12 4 5 word\" would be right: the beat, the length, the pitch and the word",
                "song.txt:8:5: note: a length below 0; \": 12 4 5 word\" would be right: the beat, the length, the pitch and the word",
                "song.txt:10:1: note: it begins at beat 2, before the note ahead of it ends at 4",
                "song.txt:11:1: tempo: changes of tempo are ignored; one #BPM for the whole song would be right",
                "song.txt:12:1: header: headers among the notes are ignored; a header before the first note would be "
                    + "right",
                "song.txt:13:1: note: \"?\" is not a known kind of line; \":\", \"*\", \"F\", \"R\", \"G\", \"-\", \"P\" or \"E\" would be right",
                "song.txt:14:1: voice: not a voice; P1 to P9 would be right",
                "song.txt:15:1: phrase: no beat at which the phrase ends; \"- 24\" would be right",
                "song.txt:15:1: E: missing; a line \"E\" ends a song",
            ])
        expect(read("").reported.count, equals: 6)
    }

    /// A comment continues in lines that look like a note or the end.
    @Test func whatStandsAheadOfTheFirstNoteEndsNothing() {
        let junk = ["English version", "Greetings to all", "For you", "-----", "Enough", "R\u{e9}mi", "everybody"]
        let file =
            "#TITLE:t\n#ARTIST:a\n#COMMENT:great\n" + junk.joined(separator: "\n")
            + "\n#BPM:300\n#GAP:2000\n#MP3:a\n: 0 4 0 La\nE\n: 8 4 0 no\n"
        let (song, reported) = read(file)
        expect(song.lyrics.lines.map(\.text) == ["La"] && song.lyrics.lines.first?.begin == .seconds(2))
        expect(reported.count, equals: junk.count, "\(reported)")
        expect(read("#TITLE:t\n#ARTIST:a\n#BPM:1\n#MP3:a\nE\n: 0 4 0 La\n").song.lyrics.lines.isEmpty)
    }

    @Test func aPhraseThatBeginsInTheOneBeforeIsOdd() {
        let notes = ": 0 8 0 La\n- 9\n: 6 2 0 lu\n- 10\n: 12 2 0 li\nE\n"
        let head = "#TITLE:t\n#ARTIST:a\n#BPM:300\n#MP3:a\n"
        expect(
            read(head + notes).reported,
            equals: [
                "song.txt:7:1: note: it begins at beat 6, before the note ahead of it ends at 8"
            ])
        expect(read("#RELATIVE:yes\n" + head + notes).reported.isEmpty)
    }

    @Test func onlyAFileWithHeadersIsASong() {
        for text in [song, "\r\n #A:b", "#TITLE :X", "# TITLE:X", "\t#\tTITLE \t: X"] {
            expect(UltraStarReader.isSong(Array(text.utf8)), "\(text)")
        }
        for text in ["", "words", "# a heading", "# a heading: words", "#", "#:x", "# :x", "#EXTM3U\nx", "[00:01]x"] {
            expect(!UltraStarReader.isSong(Array(text.utf8)), "\(text)")
        }
    }

    @Test(arguments: [true, false]) func aSongInUTF16IsOne(isLittle: Bool) {
        let bytes = utf16(song.replacingOnce("Hel", with: "H\u{E9}l"), isLittle: isLittle)
        expect(UltraStarReader.isSong(bytes))
        let (read, mistakes) = UltraStarReader.read(bytes)
        expect(mistakes == nil && read.title == "Song" && read.lyrics.lines[0].text == "H\u{E9}llo world")
        expect(!UltraStarReader.isSong(utf16("words", isLittle: isLittle)))
    }

    @Test func nothingTrapsWhateverIsInAFile() {
        var random = Seeded(state: 5)
        let parts = [
            song, "[00:01.00]<00:01.00>a<99:99.99>\n[offset:99999999]",
            "\n: 999999999 999999999 1 x\n- 999999999 99999999", "#RELATIVE:yes\n", "\u{0}\u{FEFF}ß", "P9\r",
            "#BPM:0.00001\n", "#GAP:1e300\n", "#END:-5\n",
        ]
        for _ in 0..<3000 {
            var bytes = (0..<random.upTo(5)).flatMap { _ in Array(parts[random.upTo(parts.count)].utf8) }
            for _ in 0..<random.upTo(20) where !bytes.isEmpty {
                bytes[random.upTo(bytes.count)] = UInt8(random.upTo(256))
            }
            let (song, _) = UltraStarReader.read(bytes)
            let lyrics = LRCReader.read(bytes)
            for line in song.lyrics.lines + lyrics.lines {
                for syllable in line.syllables { expect(syllable.end, atLeast: syllable.begin) }
            }
            _ = UltraStarReader.isSong(bytes)
        }
    }

    @Test(arguments: [true, false]) func wordsInUTF16AreReadAsTheirMarkSays(isLittle: Bool) {
        let bytes = utf16("[00:01.00]\u{5B57}a\r\n[00:03.00]b\r\n", isLittle: isLittle)
        let lines = LRCReader.read(bytes).lines
        expect(lines.map(\.text) == ["\u{5B57}a", "b"] && lines.map(\.begin) == [.seconds(1), .seconds(3)])
    }

    /// Returns the text in UTF-16, with its byte order mark.
    private func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        Array("\u{FEFF}\(text)".utf16).flatMap { unit -> [UInt8] in
            isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
    }
}

extension String {
    fileprivate func replacingOnce(_ old: String, with new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }

}
