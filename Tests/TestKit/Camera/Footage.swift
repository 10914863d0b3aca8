import Foundation

/// A film or image file, decoded by `ffmpeg` and read as a camera would, frame by frame.
public struct Footage: Sendable {
    public let count: Int
    private let bytes: Data
    private let width: Int
    private let height: Int

    /// Decodes all frames, which have this size.
    public init(_ file: String, width: Int, height: Int) throws {
        let raw = Scratch.path("footage.raw")
        try run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-fps_mode", "passthrough", "-f", "rawvideo",
            "-pix_fmt", "bgr0", raw,
        ])
        bytes = try Data(contentsOf: URL(fileURLWithPath: raw), options: .mappedIfSafe)
        unlink(raw)
        (self.width, self.height) = (width, height)
        count = bytes.count / (width * height * 4)
    }

    /// Reading of a tile in frame `number`.
    public func read(_ tile: Tile, _ number: Int) -> Reading {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress! + number * width * height * 4
            return tile.read(Pixels(base: base, stride: width * 4, area: Area(0, 0, width, height)))
        }
    }

    public func colour(_ x: Int, _ y: Int, _ number: Int) -> Colour {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress! + number * width * height * 4
            return Pixels(base: base, stride: width * 4, area: Area(0, 0, width, height)).colour(x, y)
        }
    }
}
