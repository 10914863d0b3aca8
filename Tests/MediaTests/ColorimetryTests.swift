import CFFmpeg
import Decoded
import Expectations
import Testing

@testable import Base
@testable import Media

/// Colours of files that do not specify their colorimetry.
@Suite struct ColorimetryTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let size: String
        let matrix: String
        let file: String
        let options: [String]
        /// Matrix tag of the file.
        var tag = "unknown"
        var testDescription: String { "\(size) \(file) \(options)" }
    }

    /// A filter that changes only the tags of frames. ffmpeg's option `-colorspace` also converts, since version 7.
    private static func tagged(_ matrix: String) -> String {
        "setparams=colorspace=\(matrix):color_primaries=unknown:color_trc=unknown:range=unknown"
    }

    static let kinds = [
        Kind(size: "1280x32", matrix: "bt709", file: "a.mp4", options: ["-c:v", "libx264"]),
        Kind(size: "1278x32", matrix: "bt601", file: "a.mp4", options: ["-c:v", "libx264"]),
        Kind(size: "32x576", matrix: "bt601", file: "a.mkv", options: ["-c:v", "ffv1"]),
        Kind(size: "32x578", matrix: "bt709", file: "a.mkv", options: ["-c:v", "ffv1"]),
        Kind(size: "1280x32", matrix: "bt709", file: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "yuv420p10le"]),
        // Formats that only swscale converts.
        Kind(size: "1280x32", matrix: "bt709", file: "a.avi", options: ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"]),
        Kind(size: "1280x32", matrix: "bt709", file: "a.mkv", options: ["-c:v", "ffv1", "-pix_fmt", "yuv411p"]),
        Kind(
            size: "1280x32", matrix: "bt601", file: "a.mp4", options: ["-c:v", "libx264"], tag: "smpte170m"),
        Kind(size: "64x32", matrix: "bt709", file: "a.mp4", options: ["-c:v", "libx264"], tag: "bt709"),
        Kind(
            size: "1280x32", matrix: "bt601", file: "a.avi",
            options: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "1"]),
        Kind(size: "1280x32", matrix: "bt601", file: "a.jpg", options: ["-pix_fmt", "yuvj420p", "-q:v", "1"]),
        Kind(size: "1280x32", matrix: "bt601", file: "a.webp", options: ["-quality", "100"]),
    ]

    @Test(arguments: kinds) func theSizeDecides(_ kind: Kind) throws {
        let folder = try Folder()
        let scale = "scale=out_color_matrix=\(kind.matrix):out_range=\(kind.options.contains("yuvj420p") ? "pc" : "tv")"
        let format = kind.options.contains("yuvj420p") ? "yuvj420p" : "yuv420p"
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "color=0x30C040:s=\(kind.size),format=gbrp", "-frames:v", "1"]
                + ["-vf", "\(scale):flags=accurate_rnd+full_chroma_inp,format=\(format),\(Self.tagged(kind.tag))"]
                + kind.options
                + [kind.file])
        let source = try Source.open(folder.file(kind.file), deadline: Deadline())
        let frame = try StillImage.load(source) { codecFrame throws(SourceTrouble) in
            try Scaler().frame(
                from: codecFrame, size: codecFrame.storage, formats: .bgra,
                pool: FrameBufferPool())
        }
        let pixel = frame.planes[0].base + 8 * frame.planes[0].stride + 4 * 8
        let colour = (0..<3).map { Int(pixel[2 - $0]) }
        for (own, wanted) in zip(colour, [48, 192, 64]) { expect(abs(own - wanted), atMost: 3, "\(colour)") }
        let expected: SourceColorimetry.Matrix = kind.matrix == "bt709" ? .bt709 : .bt601
        expect(frame.coded?.colorimetry.matrix, equals: expected)
        expect(source.facts.frames.colorimetry?.matrix, equals: expected)
        if kind.tag != "unknown" { expect(frame.coded?.colorimetry.assumed.contains(.matrix), equals: false) }
    }

    @Test func imagesOfRGBStayAsTheyAre() throws {
        for file in ["a.png", "a.gif", "a.bmp"] {
            let folder = try Folder()
            try folder.ffmpeg(["-f", "lavfi", "-i", "color=0x3FBF3F:s=1280x32,format=rgb24", "-frames:v", "1", file])
            let source = try Source.open(folder.file(file), deadline: Deadline())
            let coded = try StillImage.load(source) { $0.codedTraits }
            expect(coded.colorimetry.matrix == .rgb && coded.words == "RGB")
        }
    }

    /// Compares one colour in two matrices.
    @Test func anotherMatrixIsConvertedUnlessBothWereAssumed() throws {
        let folder = try Folder()
        func codecFrame(_ size: String, _ matrix: String, _ tag: String) throws -> CodecFrame {
            try Self.codecFrame(size, matrix, tag, in: folder)
        }
        func made(_ other: CodecFrame, as reference: CodecFrame, _ colours: FilmComparison.Colours = .asMeant) throws
            -> Int
        {
            luma(try FrameConverter().codecFrame(other, as: FrameShape(of: reference).comparable(in: colours)))
        }
        let hd = try codecFrame("1280x32", "bt709", "bt709"), sd = try codecFrame("64x32", "bt601", "smpte170m")
        expect(abs(luma(hd) - luma(sd)), above: 10)
        expect(abs(try made(sd, as: hd) - luma(hd)), atMost: 2)
        expect(abs(try made(hd, as: sd) - luma(sd)), atMost: 2)
        try expect(made(sd, as: hd, .asCoded), equals: luma(sd))
        // Scaled without a matrix: the code values are compared.
        let large = try codecFrame("1280x32", "bt709", "unknown"), small = try codecFrame("64x32", "bt709", "unknown")
        try expect(made(small, as: large), equals: luma(large))
        expect(abs(try made(sd, as: large) - luma(large)), atMost: 2)
    }

    /// swscale knows SMPTE 240M, and no YCgCo.
    @Test func whatCanNotBeConvertedIsComparedByItsCodes() throws {
        let folder = try Folder()
        let hd = try Self.codecFrame("1280x32", "bt709", "bt709", in: folder)
        let old = try Self.codecFrame("1280x32", "smpte240m", "smpte240m", in: folder)
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=0x30C040:s=1280x32", "-frames:v", "1", "-pix_fmt", "yuv444p", "-c:v", "libx264",
            "-bsf:v", "h264_metadata=matrix_coefficients=8", "other.mp4",
        ])
        let other = try StillImage.load(try Source.open(folder.file("other.mp4"), deadline: Deadline())) { $0 }
        expect(FrameShape(of: other).matrix, equals: .other("ycgco"))
        let shape = FrameShape(of: hd).comparable
        let converted = luma(try FrameConverter().codecFrame(old, as: shape))
        expect(luma(old) != luma(hd) && abs(converted - luma(hd)) <= 2, "\(luma(old)) \(converted) \(luma(hd))")
        let kept = luma(try FrameConverter().codecFrame(other, as: shape))
        expect(kept, equals: luma(other))
    }

    /// A turn makes a small frame high, and its matrix stays the same.
    @Test func aFrameThatIsLaidOnItsSideKeepsItsMatrix() throws {
        let folder = try Folder()
        let wide = try Self.codecFrame("800x64", "bt601", "unknown", in: folder)
        let before = FrameShape(of: wide)
        let oriented = try wide.oriented(Orientation(.none, .quarter))
        expect(before.matrix == .bt601 && oriented.storage == Size(64, 800))
        expect(FrameShape(of: oriented).matrix == .bt601 && oriented.colorimetry.assumed.contains(.matrix))
        let small = try FrameConverter().codecFrame(wide, as: before.comparable, oriented: Orientation(.none, .half))
        expect(small.colorimetry.assumed.contains(.matrix))
    }

    /// A frame of one colour.
    private static func codecFrame(_ size: String, _ matrix: String, _ tag: String, in folder: Folder) throws
        -> CodecFrame
    {
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=0x30C040:s=\(size),format=gbrp", "-frames:v", "1", "-vf",
            "scale=out_color_matrix=\(matrix):out_range=tv,format=yuv444p,\(tagged(tag))", "-c:v", "ffv1", "m.mkv",
        ])
        return try StillImage.load(try Source.open(folder.file("m.mkv"), deadline: Deadline())) { $0 }
    }

    private func luma(_ codecFrame: CodecFrame) -> Int { Int(qd_plane(codecFrame.av, 0)![0]) }
}
