import Decoded
import Expectations
import Foundation
import Testing

import enum TestKit.PixelBytes

@testable import Base
@testable import Media

/// B, G, R, A of a pixel.
private typealias Pixel = [Int]

@Suite struct ScalerTests {
    private let pool = FrameBufferPool()

    private func make(
        _ codecFrame: CodecFrame, _ size: Size? = nil, turn: Turn = .none, flip: Flip = .none,
        _ formats: FrameFormats = .all
    ) throws -> Frame {
        let wanted = size ?? codecFrame.natural.turned(turn)
        var settings = DecodeSettings(turn: turn, flip: flip)
        settings.toneMapping = Self.off
        return try Scaler().frame(
            from: codecFrame, size: wanted, settings: settings, formats: formats, pool: pool)
    }

    /// FFmpeg's conversions, with which frames are compared, leave primaries and transfer as they are.
    private static var off: StatedToneMapping {
        var toneMapping = StatedToneMapping()
        toneMapping.curve = .off
        return toneMapping
    }

    private func pixel(_ frame: Frame, _ x: Int, _ y: Int) -> Pixel {
        let at = frame.planes[0].base + y * frame.planes[0].stride + 4 * x
        return (0..<4).map { Int(at[$0]) }
    }

    private func codecFrame(_ path: String) throws -> CodecFrame {
        try StillImage.load(try Source.open(path, deadline: Deadline())) { $0 }
    }

    struct PixelKind: Sendable, CustomTestStringConvertible {
        let format: String
        var matrix = "unknown"
        var range = "unknown"
        var made = Made.yuv420
        var testDescription: String { "\(format) \(matrix) \(range)" }
        enum Made: Sendable { case yuv420, yuv444, opaque, translucent }
    }
    static let pixels: [PixelKind] =
        ["bt709", "smpte170m", "bt2020nc"].flatMap { matrix in
            ["tv", "pc"].flatMap { range in
                [
                    PixelKind(format: "yuv420p", matrix: matrix, range: range),
                    PixelKind(format: "yuv444p", matrix: matrix, range: range, made: .yuv444),
                    PixelKind(format: "yuv420p10le", matrix: matrix, range: range),
                    PixelKind(format: "yuv410p", matrix: matrix, range: range, made: .opaque),
                ]
            }
        }
        + ["yuv420p", "nv12", "nv21", "yuvj420p", "yuv420p12le"].map { PixelKind(format: $0) }
        + [
            "yuv422p", "yuvj422p", "yuv422p10le", "yuv422p12le", "yuv444p", "yuvj444p", "yuv444p10le", "yuv444p12le",
        ].map { PixelKind(format: $0, made: .yuv444) }
        + [
            "yuv410p", "yuv411p", "yuv440p", "rgb24", "bgr24", "gbrp", "gbrp10le", "rgb48le", "gray", "gray10le",
            "bgr0", "yuyv422", "uyvy422", "p010le", "yuv420p16le", "rgb565le", "monob",
        ].map { PixelKind(format: $0, made: .opaque) }
        + ["rgba", "bgra", "argb", "gbrap", "yuva420p", "yuva444p", "ya8", "rgba64le"].map {
            PixelKind(format: $0, made: .translucent)
        }

    /// A frame of bars in each of these formats, and what ffmpeg shows of it: one process makes all of them.
    private struct Bars: Sendable {
        static let size = Size(160, 48)
        let folder: Folder

        init() throws {
            folder = try Folder()
            var sources = ["-f", "lavfi", "-i", "smptehdbars=s=\(Self.size.width)x\(Self.size.height)"]
            var (films, references): ([String], [String]) = ([], [])
            for (number, kind) in pixels.enumerated() {
                sources += [
                    "-frames:v", "1", "-vf", "format=\(kind.format)",
                    // Matroska keeps matrix and range; NUT takes any format.
                    "-c:v", kind.matrix == "unknown" ? "rawvideo" : "ffv1", "-pix_fmt", kind.format,
                    "-colorspace", kind.matrix, "-color_range", kind.range, Self.file(kind),
                ]
                films += ["-i", Self.file(kind)]
                references += [
                    "-map", "\(number)", "-sws_flags", "bicubic+accurate_rnd+full_chroma_int", "-f", "rawvideo",
                    "-pix_fmt", "bgra", Self.file(kind) + ".bgra",
                ]
            }
            try folder.ffmpeg(sources)
            try folder.ffmpeg(films + references)
        }

        private static func file(_ kind: PixelKind) -> String {
            "\(kind.format)-\(kind.matrix)-\(kind.range)." + (kind.matrix == "unknown" ? "nut" : "mkv")
        }
        func path(_ kind: PixelKind) -> String { folder.file(Self.file(kind)) }
        func reference(_ kind: PixelKind) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(kind) + ".bgra")))
        }
    }
    private static let bars = Result { try Bars() }

    /// Dolby Vision has its own tag for AV1, which FFmpeg knows since 7.0.
    @Test func av1OfDolbyVisionIsDecoded() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "libaom-av1", "-cpu-used", "8", "-usage",
            "realtime", "a.mp4",
        ])
        let file = URL(fileURLWithPath: folder.file("a.mp4"))
        var bytes = try Data(contentsOf: file)
        let tag = try #require(bytes.range(of: Data("av01".utf8), options: .backwards))
        bytes.replaceSubrange(tag, with: Data("dav1".utf8))
        try bytes.write(to: file)
        let source = try Source.open(file.path, deadline: Deadline())
        expect(source.facts.codec == "av1" && source.facts.storage == Size(64, 36))
    }

    @Test(arguments: pixels)
    func aFormatLooksAsFFmpegShowsIt(_ kind: PixelKind) throws {
        let bars = try Self.bars.get()
        let (size, reference) = (Bars.size, try bars.reference(kind))
        let codecFrame = try codecFrame(bars.path(kind))
        let native = try make(codecFrame)
        switch (kind.made, native.format) {
        case (.yuv420, .i420), (.yuv444, .i444), (.opaque, .bgra(.opaque)), (.translucent, .bgra(.translucent)): break
        default: Issue.record("made \(native.format)")
        }
        let frame = try make(codecFrame, nil, .bgra)
        var worst = 0
        // Checks the middle of each upper bar: at their edges upsampling differs.
        for x in [10, 28, 46, 63, 80, 97, 114, 131, 150] {
            for y in [4, 12, 20] {
                let index = (y * size.width + x) * 4
                for (ours, theirs) in zip(pixel(frame, x, y), reference[index..<index + 4]) {
                    worst = max(worst, abs(ours - Int(theirs)))
                }
            }
        }
        expect(worst, atMost: 3, "off by \(worst)")
    }

    static let turns: [(rotation: Int, turn: Turn, flip: Flip)] = [0, 90, 180, 270].flatMap { rotation in
        [Turn.none, .quarter, .half, .threeQuarters].flatMap { turn in
            [Flip.none, .horizontal, .vertical].map { (rotation, turn, $0) }
        }
    }

    /// Compares the corners of a frame of four coloured quarters with those of the frame that ffmpeg has turned.
    @Test func rotationTurnAndFlipAddUp() throws {
        let folder = try Folder()
        let quarters = "color=black:s=32x16,format=rgb24,geq=r='255*gt(X,15)':g='255*gt(Y,7)':b=60"
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", quarters, "-frames:v", "1"] + Folder.x264 + ["plain.mp4"])
        // ffmpeg has an option for it from version 6 on; version 5 takes a tag, which later ones do not.
        let help = String(decoding: try folder.ffmpeg(["-h", "full"]), as: UTF8.self)
        for rotation in [0, 90, 180, 270] {
            let (option, tag): ([String], [String]) =
                help.contains("display_rotation")
                ? (["-display_rotation", "\(-rotation)"], []) : ([], ["-metadata:s:v", "rotate=\(rotation)"])
            try folder.ffmpeg(option + ["-i", "plain.mp4", "-c", "copy"] + tag + ["\(rotation).mp4"])
        }
        for rotation in [0, 90, 180, 270] {
            try folder.ffmpeg(
                ["-i", "\(rotation).mp4"]
                    + ScalerTests.turns.filter { $0.rotation == rotation }.flatMap { _, turn, flip in
                        let turned = ["transpose=clock"].flatMap { Array(repeating: $0, count: turn.rawValue / 90) }
                        let flipped: [String] = flip == .none ? [] : [flip == .horizontal ? "hflip" : "vflip"]
                        let filters = (turned + flipped + ["null"]).joined(separator: ",")
                        return ["-vf", filters, "-f", "rawvideo", "-pix_fmt", "bgra", "\(rotation)-\(turn)-\(flip)"]
                    })
        }
        for (rotation, turn, flip) in ScalerTests.turns {
            let reference = [UInt8](
                try Data(contentsOf: URL(fileURLWithPath: folder.file("\(rotation)-\(turn)-\(flip)"))))
            let source = try Source.open(folder.file("\(rotation).mp4"), deadline: Deadline())
            let codecFrame = try StillImage.load(source) { $0 }
            let isUpended = rotation % 180 != 0
            expect(source.facts.natural, equals: (isUpended ? Size(16, 32) : Size(32, 16)))
            expect(codecFrame.natural, equals: source.facts.natural)
            let frame = try make(codecFrame, nil, turn: turn, flip: flip, .bgra)
            let size = codecFrame.natural.turned(turn)
            expect(frame.size == size && frame.natural == size)
            for (x, y) in [(3, 3), (size.width - 4, 3), (3, size.height - 4), (size.width - 4, size.height - 4)] {
                let index = (y * size.width + x) * 4
                let theirs = reference[index..<index + 4].map { Int($0) }
                let difference = zip(pixel(frame, x, y), theirs).map { abs($0 - $1) }.max()!
                expect(difference, below: 20, "\(rotation) \(turn) \(flip) at \(x),\(y)")
            }
        }
    }

    /// A frame of one colour, in its memory layout.
    private func flat(_ format: String, _ size: Size) -> Data {
        let (width, height) = (size.width, size.height)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let values: [(bytes: [UInt8], count: Int)] =
            switch format {
            case "yuv420p":
                [([90], width * height), ([100], halfWidth * halfHeight), ([180], halfWidth * halfHeight)]
            case "yuv422p": [([90], width * height), ([100], halfWidth * height), ([180], halfWidth * height)]
            case "nv12": [([90], width * height), ([100, 180], halfWidth * halfHeight)]
            case "yuv420p10le":
                [([90, 1], width * height), ([100, 2], halfWidth * halfHeight), ([180, 1], halfWidth * halfHeight)]
            case "yuv444p", "gbrp": [([90], width * height), ([100], width * height), ([180], width * height)]
            case "rgba": [([90, 100, 180, 200], width * height)]
            default: [([90], width * height)]
            }
        return Data(values.flatMap { value in (0..<value.count).flatMap { _ in value.bytes } })
    }

    static let sizes = [Size(1, 1), Size(3, 5), Size(17, 31), Size(1, 64), Size(64, 1), Size(2, 3), Size(33, 18)]

    @Test(arguments: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "nv12", "gbrp", "rgba", "gray"])
    func oddSizesKeepTheirColourEverywhere(_ format: String) throws {
        let folder = try Folder()
        var (films, copies): ([String], [String]) = ([], [])
        for (number, size) in ScalerTests.sizes.enumerated() {
            try flat(format, size).write(to: URL(fileURLWithPath: folder.file("\(number).raw")))
            films += [
                "-f", "rawvideo", "-pix_fmt", format, "-s", "\(size.width)x\(size.height)", "-i", "\(number).raw",
            ]
            copies += ["-map", "\(number)", "-c", "copy", "\(number).nut"]
        }
        try folder.ffmpeg(films + copies)
        for (number, size) in ScalerTests.sizes.enumerated() {
            let codecFrame = try codecFrame(folder.file("\(number).nut"))
            expect(codecFrame.natural, equals: size)
            let colour = try pixel(make(codecFrame, nil, .bgra), 0, 0)
            for wanted in ScalerTests.sizes + [size, Size(500, 500), Size(0, 0)] {
                for turn in [Turn.none, .quarter, .half] {
                    for flip in [Flip.none, .horizontal] {
                        let frame = try make(codecFrame, wanted, turn: turn, flip: flip, .bgra)
                        let limit = size.turned(turn)
                        let expected = Size(
                            max(1, min(wanted.width, limit.width)), max(1, min(wanted.height, limit.height)))
                        expect(frame.size, equals: expected)
                        let place = PixelBytes.firstUnlike(
                            colour, in: frame.planes[0].base, stride: frame.planes[0].stride, width: expected.width,
                            height: expected.height, limit: 2)
                        guard let place else { continue }
                        Issue.record("\(size) to \(expected) \(turn) \(flip): \(place)")
                        return
                    }
                }
            }
        }
    }

    @Test func shrinkingIsTheMeanOfWhatItCovers() throws {
        let folder = try Folder()
        // Stripes of one pixel: any scaler that leaves pixels out shows black or white.
        for format in ["gray", "yuv420p"] {
            try folder.ffmpeg([
                "-f", "lavfi", "-i",
                "color=black:s=240x144,format=\(format),geq=lum='255*mod(X+Y,2)':cb=128:cr=128", "-frames:v", "1",
                "-c:v", "rawvideo", "-pix_fmt", format, "-color_range", "pc", "a.nut",
            ])
            let codecFrame = try codecFrame(folder.file("a.nut"))
            for size in [Size(120, 72), Size(60, 36), Size(80, 48), Size(30, 18), Size(50, 30)] {
                let frame = try make(codecFrame, size, .bgra)
                for x in 2..<size.width - 2 {
                    let value = pixel(frame, x, size.height / 2)[1]
                    expect((100...155).contains(value), "\(format) to \(size): \(value) at \(x)")
                }
            }
        }
    }

    @Test func aFrameThatNeedsNothingIsNotCopied() throws {
        let folder = try Folder()
        let path = try folder.numbered("a.mp4", frames: 2, Folder.longGroup)
        let codecFrame = try codecFrame(path)
        let plain = try make(codecFrame)
        let (again, turned) = (try make(codecFrame), try make(codecFrame, turn: .half))
        expect(plain.planes[0].base, equals: again.planes[0].base)
        expect(plain.planes[0].base != turned.planes[0].base)
    }

    @Test func buffersAreUsedAgain() throws {
        let folder = try Folder()
        let codecFrame = try codecFrame(try folder.numbered("a.mp4", frames: 2, Folder.longGroup))
        let pool = FrameBufferPool()
        let scaler = Scaler()
        var bases: Set<UnsafePointer<UInt8>> = []
        for _ in 0..<50 {
            let frame = try scaler.frame(
                from: codecFrame, size: Size(20, 10), formats: .all, pool: pool)
            bases.insert(frame.planes[0].base)
        }
        expect(bases.count, atMost: 2)
        expect(pool.unusedBytes, above: 0)
    }

    /// Sizes that are allocated on the heap, and mapped.
    @Test(arguments: [Size(40, 30), Size(400, 300)]) func whatNobodyNeedsGoesBack(_ size: Size) throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=640x480", "-frames:v", "1", "a.png"])
        let codecFrame = try codecFrame(folder.file("a.png"))
        let pool = FrameBufferPool()
        func frames(_ count: Int) throws -> [Frame] {
            try (0..<count).map { _ in
                try Scaler().frame(
                    from: codecFrame, size: size, formats: .all, pool: pool)
            }
        }
        // Many frames, and then one at a time.
        _ = try frames(40)
        let crowd = pool.unusedBytes
        pool.giveBackUnneeded()
        expect(pool.unusedBytes, equals: crowd)
        _ = try frames(1)
        pool.giveBackUnneeded()
        let one = pool.unusedBytes
        expect(one > 0 && crowd - one >= 39 * size.width * size.height, "\(one) of \(crowd)")
        pool.giveBackUnneeded()
        expect(pool.unusedBytes, equals: 0)
        _ = try frames(2)
        expect(pool.unusedBytes, above: one)
    }

    @Test func aCanvasGetsOnlyWhatItTakes() throws {
        let folder = try Folder()
        for (matrix, range, isTaken) in [
            ("bt709", "tv", true), ("bt709", "pc", false), ("smpte170m", "pc", true), ("bt2020nc", "tv", false),
        ] {
            try folder.ffmpeg([
                "-f", "lavfi", "-i", "color=red:s=32x16", "-frames:v", "1", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
                "-colorspace", matrix, "-color_range", range, "a.mkv",
            ])
            let format = try make(try codecFrame(folder.file("a.mkv")), nil, .textures).format
            if isTaken { expect(format != .bgra(.opaque)) } else { expect(format, equals: .bgra(.opaque)) }
        }
    }

    @Test func sampleAspectStretchesTheShorterSide() {
        expect(squarePixels(Size(720, 576), aspect: .init(num: 16, den: 15)), equals: Size(768, 576))
        expect(squarePixels(Size(720, 480), aspect: .init(num: 8, den: 9)), equals: Size(720, 540))
        expect(squarePixels(Size(720, 480), aspect: .init(num: 0, den: 1)), equals: Size(720, 480))
    }
}
