import Expectations
import Testing

@testable import Base
@testable import Media

/// Readers that follow another reader of the same source, each left in the middle.
@Suite struct ResumePointTests {
    private let rate = FrameRate(25, 1)

    /// Numbers of the first frames from `from` on, and the number of reads and seeks made for them.
    private func jump(
        _ source: Source, _ decoder: Decoder, to from: Time, taking count: Int = 1
    ) throws -> (numbers: [Int], moves: Int) {
        let before = source.moves
        let reader = FrameReader(source: source, decoder: decoder, from: from, until: nil)
        defer { reader.leave() }
        var numbers: [Int] = []
        while numbers.count < count, case .frame(let frame) = try reader.next() {
            numbers.append(try number(of: frame.codecFrame))
        }
        return (numbers, source.moves - before)
    }

    @Test(arguments: FrameReaderTests.kinds)
    func jumpsOnAndBackAreExactInEveryContainer(_ kind: FrameReaderTests.Kind) throws {
        let folder = try Folder()
        let path = try folder.numbered(
            kind.name, frames: 60, rate: "\(kind.rate.numerator)/\(kind.rate.denominator)", kind.arguments)
        let (source, decoder) = try open(path)
        for target in [3, 4, 9, 9, 10, 8, 30, 31, 33, 45, 20, 21, 59, 59, 58, 2, 40, 57, 0, 59] {
            let at = frame(target, of: kind.rate)
            try expect(jump(source, decoder, to: at).numbers, equals: [target])
            try expect(jump(source, decoder, to: at + .milliseconds(7), taking: 2).numbers.first, equals: target)
        }
    }

    @Test func aTargetAheadInTheSameGroupNeedsNoSeek() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", frames: 240, Folder.longGroup))
        _ = try jump(source, decoder, to: frame(150, of: rate))
        for target in [150, 153, 156, 160, 176, 180, 210] {
            let before = source.moves
            try expect(jump(source, decoder, to: frame(target, of: rate), taking: 3).numbers[0], equals: target)
            expect(source.moves - before, below: 45)
        }
        // A decoded frame is returned without a read or a seek.
        try expect(jump(source, decoder, to: frame(212, of: rate)).moves, equals: 0)
    }

    @Test func aKeyFrameOnTheWayIsSoughtInstead() throws {
        let folder = try Folder()
        let arguments = Folder.x264 + ["-g", "20", "-keyint_min", "20", "-sc_threshold", "0", "-bf", "2"]
        let (source, decoder) = try open(try folder.numbered("short.mp4", frames: 240, arguments))
        _ = try jump(source, decoder, to: frame(5, of: rate))
        let far = try jump(source, decoder, to: frame(202, of: rate))
        expect(far.numbers, equals: [202])
        expect(far.moves, below: 20)
    }

    @Test func aSourceThatSomebodyElseMovedIsSoughtAgain() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", frames: 100, Folder.longGroup))
        _ = try jump(source, decoder, to: frame(20, of: rate))
        let other = try Decoder(for: source, threads: 1)
        _ = try jump(source, other, to: frame(60, of: rate))
        try expect(jump(source, decoder, to: frame(25, of: rate)).numbers, equals: [25])
        try expect(jump(source, other, to: frame(62, of: rate)).numbers, equals: [62])
    }

    @Test func frameThatNobodyWantsAnyMoreIsGivenUpAndTheNextOneIsExact() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("long.mp4", frames: 240, Folder.longGroup))
        for (asked, next) in [(50, 220), (10, 100), (30, 31), (7, 3)] {
            var questions = 0
            let reader = FrameReader(source: source, decoder: decoder, from: frame(200, of: rate), until: nil) {
                questions += 1
                return questions < asked
            }
            guard case .abandoned = try reader.next() else { return expect(Bool(false), "it went on") }
            reader.leave()
            try expect(jump(source, decoder, to: frame(next, of: rate)).numbers, equals: [next])
            _ = try jump(source, decoder, to: .zero)
        }
    }

    @Test func anUnevenFilmIsExactThoughFramesAreLeftOut() throws {
        let folder = try Folder()
        _ = try folder.numbered("even.mkv", frames: 60, Folder.longGroup)
        try folder.ffmpeg(
            ["-i", "even.mkv", "-vf", "select='not(between(n,10,29))'", "-fps_mode", "vfr"] + Folder.longGroup
                + ["vfr.mkv"])
        let (source, decoder) = try open(folder.file("vfr.mkv"))
        for (at, shown) in [(4, 4), (28, 9), (31, 31), (12, 9), (44, 44), (29, 9), (30, 30)] {
            let from = frame(at, of: rate) + .milliseconds(3)
            try expect(jump(source, decoder, to: from).numbers, equals: [shown], "at \(at)")
        }
    }
}
