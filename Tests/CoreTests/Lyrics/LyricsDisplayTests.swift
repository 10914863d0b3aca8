import Expectations
import Testing

@testable import Base
@testable import Lyrics

/// Lines of lyrics on the screen, and the times at which they change.
struct LyricsDisplayTests {
    private func line(_ begin: Double, _ end: Double, voices: Lyrics.Voices = .all, timed: Bool = true) -> Lyrics.Line {
        let middle = (begin + end) / 2
        return Lyrics.Line(
            [
                .init("a", Time(seconds: begin), Time(seconds: middle)),
                .init(" b", Time(seconds: middle), Time(seconds: end)),
            ], voices, isTimedByWord: timed)
    }

    private func lines(_ display: LyricsDisplay, _ block: Int = 0, at time: Double) -> [Int?] {
        display.rows(of: block, at: Time(seconds: time)).lines
    }

    @Test("The first line is there from five seconds before its first word until its last has ended")
    func lead() {
        let display = LyricsDisplay(Lyrics([line(10, 12)]), rows: 2)
        expect(lines(display, at: 4.99), equals: [nil, nil])
        expect(lines(display, at: 5), equals: [0, nil])
        expect(lines(display, at: 11.99), equals: [0, nil])
        expect(lines(display, at: 12), equals: [nil, nil])
    }

    @Test("In one row a line waits for the end of the one before; in two they take turns")
    func rows() {
        let lyrics = Lyrics([line(10, 12), line(12.5, 14), line(14, 16)])
        let one = LyricsDisplay(lyrics, rows: 1)
        expect(lines(one, at: 11.9) == [0] && lines(one, at: 12) == [1] && lines(one, at: 14) == [2])
        let two = LyricsDisplay(lyrics, rows: 2)
        expect(lines(two, at: 5) == [0, 1] && lines(two, at: 11.5) == [0, 1])
        expect(lines(two, at: 12) == [2, 1] && lines(two, at: 13) == [2, 1] && lines(two, at: 14.5) == [2, nil])
    }

    @Test("While a line is sung the next one is in sight, however long the pause between them")
    func nextLine() {
        let begins = [3.0, 6, 9, 30, 33, 90, 92, 120]
        let lyrics = Lyrics(begins.map { line($0, $0 + 1.5, timed: $0 != 33) })
        for rows in 2...4 {
            let display = LyricsDisplay(lyrics, rows: rows)
            for (number, begin) in begins.enumerated() {
                for time in [begin, begin + 0.7, begin + 1.49] {
                    let shown = lines(display, at: time).compactMap { $0 }
                    expect(shown.contains(number), "\(rows) rows at \(time): \(shown)")
                    expect(
                        number == begins.count - 1 || shown.contains(number + 1), "\(rows) rows at \(time): \(shown)")
                }
            }
        }
    }

    @Test("After a long pause the line that comes first is in the first row")
    func pause() {
        let display = LyricsDisplay(Lyrics([line(2, 4), line(30, 32), line(32, 34), line(60, 61)]), rows: 2)
        expect(lines(display, at: 3), equals: [0, 1])
        expect(lines(display, at: 4) == [1, 2] && lines(display, at: 29) == [1, 2])
        expect(lines(display, at: 33), equals: [3, 2])
        expect(lines(display, at: 34), equals: [3, nil])
    }

    @Test("A line that lasts leaves its turns to the other row, and nothing that has a place is left out")
    func overlaps() {
        let lyrics = Lyrics([line(10, 18), line(14, 16), line(16.5, 17.5), line(17.6, 17.9), line(20, 21)])
        let display = LyricsDisplay(lyrics, rows: 2)
        expect(lines(display, at: 15), equals: [0, 1])
        expect(lines(display, at: 16) == [0, 2] && lines(display, at: 17.4) == [0, 2])
        expect(lines(display, at: 17.7), equals: [0, 3])
        expect(lines(display, at: 20.5).contains(4))
        expect([18.5, 19, 19.5].allSatisfy { display.rows(of: 0, at: Time(seconds: $0)).dots == 0 })
    }

    @Test("A voice without a line is named with those that have some")
    func troubles() {
        let duet = Lyrics([line(1, 2, voices: .init(1)), line(1, 3, voices: .init(2))])
        expect(duet.trouble(ofVoice: 2), equals: nil)
        expect(duet.trouble(ofVoice: 9)?.what, equals: "the lyrics have no lines for voice 9; 1, 2 would be right")
        expect(Lyrics([line(1, 2)]).trouble(ofVoice: 9) == nil && Lyrics([]).trouble(ofVoice: 9) == nil)
    }

    @Test("A long pause ends with three dots, one less each second")
    func dots() {
        let display = LyricsDisplay(Lyrics([line(2, 4), line(9, 11), line(12, 14)]), rows: 2)
        let counts = [5.9, 6, 6.5, 7.5, 8.5, 9, 11.5].map { display.rows(of: 0, at: Time(seconds: $0)).dots }
        expect(counts, equals: [0, 3, 3, 2, 1, 0, 0])
        expect(LyricsDisplay(Lyrics([line(5, 6)]), rows: 1).rows(of: 0, at: .seconds(4)).dots, equals: 1)
    }

    @Test("The voices of a duet have blocks of their own, and one voice has the only one")
    func voices() {
        let lyrics = Lyrics([line(1, 2, voices: .init(1)), line(1, 3, voices: .init(2)), line(4, 5)])
        let both = LyricsDisplay(lyrics, rows: 1)
        expect(both.blocks.map(\.voice), equals: [1, 2])
        expect(lines(both, 0, at: 1.5) == [0] && lines(both, 1, at: 1.5) == [1])
        expect(lines(both, 0, at: 4.5) == [2] && lines(both, 1, at: 4.5) == [2])
        let second = LyricsDisplay(lyrics, voice: 2, rows: 1)
        expect(second.blocks.map(\.voice) == [nil] && second.lyrics.lines.count == 2)
        expect(LyricsDisplay(Lyrics([line(1, 2)]), rows: 1).blocks.map(\.voice), equals: [nil])
    }

    @Test("While a word is sung it changes with every present, else at the next edge")
    func changes() {
        let display = LyricsDisplay(Lyrics([line(10, 12), line(30, 31, timed: false)]), rows: 1)
        let changes = [0, 7.5, 9.5, 11, 12, 27.5, 29.5, 30.5, 31].map { display.nextChange(after: Time(seconds: $0)) }
        expect(
            changes,
            equals: [
                .seconds(5), .seconds(8), .seconds(10), .seconds(11), .seconds(27), .seconds(28), .seconds(30),
                .seconds(31), nil,
            ])
    }

    @Test("How much of a syllable is sung goes by its own time; a line without times is sung at once")
    func sung() {
        let timed = line(10, 12), plain = line(10, 12, timed: false)
        expect([9, 10, 10.5, 11, 12].map { timed.sung(of: 0, at: Time(seconds: $0)) }, equals: [0, 0, 0.5, 1, 1])
        expect([9.9, 10, 11].map { plain.sung(of: 1, at: Time(seconds: $0)) }, equals: [0, 1, 1])
    }

    @Test("Thousands of lines are looked through no slower than a few")
    func many() {
        let lyrics = Lyrics((0..<20_000).map { line(Double($0) * 2, Double($0) * 2 + 1.5) })
        let display = LyricsDisplay(lyrics, rows: 2)
        for index in stride(from: 0, to: 20_000, by: 7) {
            let rows = lines(display, at: Double(index) * 2 + 0.5)
            expect(rows[index % 2], equals: index)
        }
    }
}
