import Foundation

/// A film or frame file, decoded by the `ffmpeg` tool: what a camera would see of it, frame by frame.
public struct Footage: Sendable {
    public let count: Int
    private let bytes: Data
    private let width: Int
    private let height: Int

    /// All of its frames, which have this size.
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

    /// What a tile shows in picture `number`.
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
