import Foundation

/// Copy of a region of the screen at one time.
public struct Photo: Sendable, Hashable {
    public let area: Area
    private let bytes: [UInt8]
    private let stride: Int

    public init(_ display: Display, _ area: Area? = nil) throws {
        self.area = area ?? Area(0, 0, display.width, display.height)
        let lens = try Lens(display, self.area)
        (stride, bytes) = withExtendedLifetime(lens) {
            let seen = lens.look()
            return (
                seen.stride, Array(UnsafeRawBufferPointer(start: seen.base, count: seen.stride * lens.area.height))
            )
        }
    }

    public func colour(_ x: Int, _ y: Int) -> Colour {
        bytes.withUnsafeBytes { Pixels(base: $0.baseAddress!, stride: stride, area: area).colour(x, y) }
    }

    /// Mean of each channel.
    public func mean(_ area: Area) -> Colour {
        var (red, green, blue) = (0, 0, 0)
        bytes.withUnsafeBytes { bytes in
            let pixels = Pixels(base: bytes.baseAddress!, stride: stride, area: self.area)
            for y in area.y..<area.y + area.height {
                for x in area.x..<area.x + area.width {
                    let colour = pixels.colour(x, y)
                    red += colour.red
                    green += colour.green
                    blue += colour.blue
                }
            }
        }
        let count = max(1, area.width * area.height)
        return Colour(red / count, green / count, blue / count)
    }

    /// The smallest rect around all pixels of this colour; nil if there are none.
    public func edges(of colour: Colour, within tolerance: Int = 24) -> Area? {
        var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
        bytes.withUnsafeBytes { bytes in
            let pixels = Pixels(base: bytes.baseAddress!, stride: stride, area: area)
            for y in area.y..<area.y + area.height {
                for x in area.x..<area.x + area.width where pixels.colour(x, y).distance(to: colour) <= tolerance {
                    (left, right) = (min(left, x), max(right, x))
                    (top, bottom) = (min(top, y), max(bottom, y))
                }
            }
        }
        return left > right ? nil : Area(left, top, right - left + 1, bottom - top + 1)
    }

    /// Reading of a tile.
    public func read(_ tile: Tile) -> Reading {
        bytes.withUnsafeBytes { tile.read(Pixels(base: $0.baseAddress!, stride: stride, area: area)) }
    }

    /// Writes a PNG for people to look at.
    public func save(_ path: String) throws {
        let raw = Scratch.path("photo.bgra")
        try Data(bytes).write(to: URL(fileURLWithPath: raw))
        try run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0", "-s",
            "\(stride / 4)x\(area.height)", "-i", raw, "-pix_fmt", "rgb24", path,
        ])
        unlink(raw)
    }
}
