import Expectations
import Foundation
import Testing

@testable import Base
@testable import Media

private let pal = FrameRate(25, 1)
private let ntsc = FrameRate(30000, 1001)

@Suite struct FrameReaderTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let rate: FrameRate
        let arguments: [String]
        var testDescription: String { name }
    }
    static let kinds = [
        Kind(name: "long.mp4", rate: pal, arguments: Folder.longGroup),
        Kind(name: "long.mkv", rate: ntsc, arguments: Folder.longGroup),
        Kind(
            name: "open.ts", rate: pal,
            arguments: Folder.x264 + [
                "-g", "12", "-bf", "2", "-x264-params", "open-gop=1",
            ]),
        Kind(name: "late.ts", rate: ntsc, arguments: Folder.longGroup + ["-output_ts_offset", "37"]),
        Kind(name: "vp9.webm", rate: ntsc, arguments: Folder.vp9 + ["-g", "250"]),
        // Padded, since a program stream stamps its packs, not each small frame.
        Kind(
            name: "two.mpg", rate: pal,
            arguments: [
                "-c:v", "mpeg2video", "-b:v", "3M", "-minrate", "3M", "-maxrate", "3M", "-bufsize", "1M", "-g", "10",
                "-bf", "2",
                // On one thread the encoder can't pad its frames.
                "-threads", "2",
            ]),
        Kind(name: "four.avi", rate: pal, arguments: ["-c:v", "mpeg4", "-q:v", "1", "-g", "20"]),
        Kind(name: "reordered.avi", rate: pal, arguments: Folder.longGroup + ["-g", "20"]),
        Kind(name: "motion.mov", rate: ntsc, arguments: ["-c:v", "mjpeg", "-q:v", "1"]),
        Kind(
            name: "hevc.mp4", rate: pal,
            arguments: [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:qp=4:keyint=20:open-gop=1",
            ]),
    ]

    @Test(arguments: kinds)
    func aWholeClipShowsEachFrameAtItsTime(_ kind: Kind) throws {
        let folder = try Folder()
        let path = try folder.numbered(
            kind.name, frames: 60, rate: "\(kind.rate.numerator)/\(kind.rate.denominator)", kind.arguments)
        let (source, decoder) = try open(path)
        let (shown, end) = try play(source, decoder)
        let expected = (0..<60).map { index in
            let start = frame(index, of: kind.rate)
            return Shown(number: index, start: start, length: frame(index + 1, of: kind.rate) - start)
        }
        expect(shown, equals: expected)
        expect(end, equals: frame(60, of: kind.rate))
        expect(source.facts.length, equals: end)
        expect(source.facts.frames.rate, equals: kind.rate)
        expect(decoder.errors, equals: 0)
    }

    @Test(arguments: kinds)
    func anInPointInTheMiddleShowsTheFrameOnScreenThere(_ kind: Kind) throws {
        let folder = try Folder()
        let path = try folder.numbered(
            kind.name, frames: 60, rate: "\(kind.rate.numerator)/\(kind.rate.denominator)", kind.arguments)
        let (source, decoder) = try open(path)
        let cases: [(from: Int, until: Int)] = [(59, 60), (31, 47), (1, 3), (12, 13), (0, 1), (50, 60), (29, 30)]
        for (from, until) in cases {
            let exact = try play(
                source, decoder, from: frame(from, of: kind.rate), until: frame(until, of: kind.rate))
            expect(exact.shown.map(\.number), equals: Array(from..<until), "\(from)..<\(until)")
            expect(exact.shown.map(\.start), equals: (from..<until).map { frame($0, of: kind.rate) })
            expect(exact.end, equals: frame(until, of: kind.rate))
            let between = try play(
                source, decoder, from: frame(from, of: kind.rate) + .milliseconds(20),
                until: frame(until, of: kind.rate) - .milliseconds(10))
            expect(between.shown.map(\.number), equals: Array(from..<until), "within \(from)..<\(until)")
        }
    }

    @Test func aLongGroupIsEnteredAnywhereAlthoughFramesAreLeftOut() throws {
        let folder = try Folder()
        let path = try folder.numbered("long.mp4", frames: 200, Folder.longGroup)
        let (source, decoder) = try open(path)
        for from in [26, 77, 120, 198] {
            let (shown, _) = try play(source, decoder, from: frame(from, of: pal), until: frame(from + 2, of: pal))
            expect(shown.map(\.number), equals: [from, from + 1])
        }
    }

    @Test func aLoopShowsTheSameFramesTwentyTimes() throws {
        let folder = try Folder()
        let path = try folder.numbered("loop.mp4", frames: 20, Folder.longGroup)
        let (source, decoder) = try open(path)
        let first = try play(source, decoder, from: frame(3, of: pal), until: frame(17, of: pal))
        expect(first.shown.map(\.number), equals: Array(3..<17))
        for _ in 1..<20 {
            let again = try play(source, decoder, from: frame(3, of: pal), until: frame(17, of: pal))
            expect(again == first)
        }
        let whole = try play(source, decoder)
        for _ in 1..<20 { try expect(play(source, decoder) == whole) }
    }

    @Test func aDecoderGoesOnWithAnEqualSource() throws {
        let folder = try Folder()
        let first = try folder.numbered("a.mp4", frames: 10, Folder.longGroup)
        let second = try folder.numbered("b.mp4", frames: 15, Folder.longGroup)
        let other = try folder.numbered("c.mp4", frames: 5, size: "80x36", Folder.longGroup)
        let (source, decoder) = try open(first)
        try expect(play(source, decoder).shown.count, equals: 10)
        let next = try Source.open(second, deadline: Deadline())
        expect(decoder.continues(with: next))
        try expect(play(next, decoder).shown.map(\.number), equals: Array(0..<15))
        expect(decoder.continues(with: try Source.open(other, deadline: Deadline())), equals: false)
    }

    @Test func anEditListCutsWhereItSays() throws {
        let folder = try Folder()
        _ = try folder.numbered("whole.mp4", frames: 60, Folder.longGroup)
        try folder.ffmpeg(["-ss", "0.8", "-i", "whole.mp4", "-c", "copy", "cut.mp4"])
        let (source, decoder) = try open(folder.file("cut.mp4"))
        let (shown, end) = try play(source, decoder)
        expect(shown.map(\.number), equals: Array(20..<60))
        expect(shown.first?.start, equals: .zero)
        expect(end, equals: frame(40, of: pal))
        expect(source.facts.length, equals: end)
        let again = try play(source, decoder, from: frame(5, of: pal), until: frame(7, of: pal))
        expect(again.shown.map(\.number), equals: [25, 26])
    }

    @Test func unevenFramesKeepTheirTimes() throws {
        let folder = try Folder()
        _ = try folder.numbered("even.mkv", frames: 40, Folder.longGroup)
        // Frames 10 to 29 are missing: frame 9 lasts until 30.
        try folder.ffmpeg(
            ["-i", "even.mkv", "-vf", "select='not(between(n,10,29))'", "-fps_mode", "vfr"] + Folder.longGroup
                + ["vfr.mp4"])
        let (source, decoder) = try open(folder.file("vfr.mp4"))
        let (shown, end) = try play(source, decoder)
        expect(shown.map(\.number), equals: Array(0..<10) + Array(30..<40))
        expect(shown[9].length, equals: frame(21, of: pal))
        expect(end, equals: frame(40, of: pal))
        let held = try play(source, decoder, from: frame(28, of: pal), until: frame(31, of: pal))
        expect(held.shown.map(\.number), equals: [9, 30])
    }

    @Test func aSourceThatEndsBeforeItsOutPointSaysWhere() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("short.mp4", frames: 10, Folder.longGroup))
        let (shown, end) = try play(source, decoder, from: frame(8, of: pal), until: .seconds(9))
        expect(shown.map(\.number), equals: [8, 9])
        expect(end, equals: frame(10, of: pal))
        let beyond = try play(source, decoder, from: .seconds(3), until: .seconds(4))
        expect(beyond.shown.isEmpty)
        expect(beyond.end, equals: frame(10, of: pal))
    }

    @Test func anAnimationIsPlayedAgain() throws {
        let folder = try Folder()
        for name in ["moving.gif", "moving.apng"] {
            let path = try folder.numbered(
                name, frames: 10, rate: "10", name.hasSuffix("apng") ? ["-f", "apng"] : [])
            let (source, decoder) = try open(path)
            expect(source.facts.kind, equals: .video)
            for _ in 0..<3 {
                let (shown, end) = try play(source, decoder)
                expect(shown.count, equals: 10, "\(name)")
                expect(end, equals: .seconds(1), "\(name)")
            }
            let middle = try play(source, decoder, from: .milliseconds(510), until: .milliseconds(800))
            expect(
                middle.shown.map(\.start), equals: [.milliseconds(500), .milliseconds(600), .milliseconds(700)],
                "\(name)")
        }
    }

    @Test func aRawStreamWithoutTimesGoesByItsRate() throws {
        let folder = try Folder()
        let (source, decoder) = try open(try folder.numbered("raw.h264", frames: 12, Folder.longGroup))
        for _ in 0..<2 {
            let (shown, end) = try play(source, decoder)
            expect(shown.map(\.number), equals: Array(0..<12))
            expect(end, equals: frame(12, of: pal))
        }
    }

    @Test func aStreamCutOutOfAnOpenGroupBeginsWithWhatCanBeDecoded() throws {
        let folder = try Folder()
        let arguments =
            Folder.x264 + [
                "-g", "10", "-bf", "3", "-x264-params", "open-gop=1:b-adapt=0", "-sc_threshold", "0",
            ]
        _ = try folder.numbered("whole.ts", frames: 40, arguments)
        try folder.ffmpeg(["-ss", "0.5", "-i", "whole.ts", "-c", "copy", "-copyts", "cut.ts"])
        let (source, decoder) = try open(folder.file("cut.ts"))
        for _ in 0..<2 {
            let (shown, end) = try play(source, decoder)
            let numbers = shown.map(\.number)
            expect(numbers, equals: Array(numbers[0]..<40))
            expect(shown[0].start, equals: .zero)
            expect(end, equals: source.facts.length)
        }
    }

    @Test func aChangeOfSizeInMidStreamIsSeenInTheFrames() throws {
        let folder = try Folder()
        let parts = try ["64x36", "32x48"].enumerated().map { index, size in
            let offset = ["-output_ts_offset", index == 0 ? "0" : "0.4"]
            let path = try folder.numbered("\(index).ts", frames: 10, size: size, Folder.longGroup + offset)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        try (parts[0] + parts[1]).write(to: URL(fileURLWithPath: folder.file("both.ts")))
        let (source, decoder) = try open(folder.file("both.ts"))
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        var sizes: [Size] = []
        while case .frame(let frame) = try reader.next() { sizes.append(frame.codecFrame.natural) }
        expect(sizes, equals: Array(repeating: Size(64, 36), count: 10) + Array(repeating: Size(32, 48), count: 10))
    }
}
