import Decoded
import Expectations
import Foundation
import Testing

@testable import Base
@testable import Media

/// Films that change their size, depth or rotation in the middle.
@Suite struct ChangingFramesTests {
    static let changes: [(String, [String], Size)] = [
        ("128x72", [], Size(128, 72)), ("64x36", ["-pix_fmt", "yuv420p10le"], Size(64, 36)),
        ("128x72", ["-pix_fmt", "yuv444p"], Size(128, 72)),
        ("64x36", ["-bsf:v", "h264_metadata=display_orientation=insert:rotate=90"], Size(36, 64)),
        ("16x16", [], Size(16, 16)),
    ]

    @Test(arguments: changes) func whatChangesInTheMiddleIsShownRightly(
        _ size: String, _ options: [String], _ natural: Size
    ) throws {
        let folder = try Folder()
        let plain = Folder.x264 + ["-g", "250", "-sc_threshold", "0", "-bf", "0"]
        let first = try folder.numbered("a.ts", frames: 25, plain)
        let second = try folder.numbered(
            "b.ts", frames: 25, size: size, plain + options + ["-output_ts_offset", "1"])
        let path = folder.file("joined.ts")
        try [first, second].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }.reduce(Data(), +)
            .write(to: URL(fileURLWithPath: path))
        let (source, decoder) = try open(path)
        // The second iteration goes back from one to the other.
        for _ in 0..<2 {
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            var seen: [Size] = [], numbers: [Int] = []
            while case .frame(let frame) = try reader.next() {
                seen.append(frame.codecFrame.natural)
                if natural.width >= natural.height { numbers.append(try number(of: frame.codecFrame)) }
                let small = try Scaler().frame(
                    from: frame.codecFrame, size: Size(9, 7),
                    settings: DecodeSettings(turn: .quarter, flip: .horizontal), formats: .bgra,
                    pool: FrameBufferPool())
                expect(small.size, equals: Size(9, 7))
            }
            // In a turned frame the two fields of the number lie above each other.
            if natural.width >= natural.height { expect(numbers, equals: Array(0..<25) + Array(0..<25)) }
            expect(seen, equals: Array(repeating: Size(64, 36), count: 25) + Array(repeating: natural, count: 25))
        }
    }

    @Test(arguments: ["1x1", "1x2", "2x1", "2x2", "3x1", "16x16"], ["mkv", "png"])
    func theSmallestFramesAreShown(_ size: String, _ kind: String) throws {
        let folder = try Folder()
        let codec = kind == "mkv" ? ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-frames:v", "3"] : ["-frames:v", "1"]
        let scale = ["-vf", "scale=" + size.replacingOccurrences(of: "x", with: ":")]
        try folder.ffmpeg(["-f", "lavfi", "-i", "color=white:s=32x32:r=25"] + scale + codec + ["tiny." + kind])
        let (source, decoder) = try open(folder.file("tiny." + kind))
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        guard case .frame(let frame) = try reader.next() else { throw SourceTrouble(.damaged, "no frame") }
        for formats in [FrameFormats.all, .bgra] {
            let scaled = try Scaler().frame(
                from: frame.codecFrame, size: frame.codecFrame.natural, formats: formats,
                pool: FrameBufferPool())
            expect(scaled.planes[0].base[0], above: 200)
        }
    }
}
