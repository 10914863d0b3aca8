import Decoded
import Expectations
import Testing

@testable import Base
@testable import Media

@Suite struct DeepColoursTests {
    private func frame(_ folder: Folder, _ colour: String) throws -> Frame {
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=\(colour):s=64x36,format=gbrp10le", "-frames:v", "1", "-c:v", "ffv1", "a.mkv",
        ])
        return try StillImage.load(try Source.open(folder.file("a.mkv"), deadline: Deadline())) {
            codecFrame throws(SourceTrouble) in
            try Scaler().frame(
                from: codecFrame, size: codecFrame.storage, settings: DecodeSettings(turn: .quarter, flip: .none),
                formats: .bgra, keeping: .reduced,
                pool: FrameBufferPool())
        }
    }

    /// Planes that are held keep their contents when larger ones are made, by the same object and others.
    @Test func planesHoldTheirMemory() throws {
        let folder = try Folder()
        let white = try frame(folder, "white"), black = try frame(folder, "black")
        expect(white.isReduced)
        let size = white.size, whole = Rect(size)
        let first = DeepColours(), others = (0..<8).map { _ in DeepColours() }
        let held = try #require(first.planes(of: white, part: whole, size: size))
        let large = Size(size.width * 4, size.height * 4)
        _ = first.planes(of: black, part: whole, size: large)
        let later = others.compactMap { $0.planes(of: black, part: whole, size: size) }
        expect(later.count, equals: 8)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = y * held.stride + x
                expect(held.red[place] > 0xFE00 && held.green[place] > 0xFE00 && held.blue[place] > 0xFE00)
                expect(later[0].red[y * later[0].stride + x], below: 0x200)
            }
        }
    }
}
