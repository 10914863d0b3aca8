import Base
import Glibc
import Scene

/// Everything that is drawn without a font. All of it is smooth at any size.
enum Shape: Hashable {
    /// A rect with ends as round as possible.
    case pill(Ink)
    case panel(radius: Int, Ink)
    /// For rects: a column of one pixel, drawn across.
    case solid(Ink)
    /// A column that is clear at its top and dark at its foot.
    case fade
    /// White, on a dark disc.
    case badge(Marks.StateMark)
    /// White, without a background.
    case icon(Marks.StateMark)
    /// A warning sign, without a background.
    case warning
    /// A ring with a tail, on a dark disc. `turn`: step, of `Marks.Spinner.steps`.
    case spinner(turn: Int)

    struct Ink: Hashable {
        var rgb: UInt32
        var alpha: UInt32
        static let label = Ink(rgb: 0x10_1014, alpha: 176)
        static let dark = Ink(rgb: 0x10_1014, alpha: 196)
        /// Covers an outdated frame, so that it does not look new.
        static let dim = Ink(rgb: 0, alpha: 160)
        static let darkest = Ink(rgb: 0x10_1014, alpha: 232)
        static let white = Ink(rgb: 0xFF_FFFF, alpha: 255)
        static let track = Ink(rgb: 0xFF_FFFF, alpha: 84)
        /// For a key in the help.
        static let key = Ink(rgb: 0xFF_FFFF, alpha: 44)
        static let column = Ink(rgb: 0xFF_FFFF, alpha: 150)
        static let red = Ink(rgb: 0xFF_3B30, alpha: 255)
        static let amber = Ink(rgb: 0xFF_C24B, alpha: 255)
    }

    func bitmap(_ size: Size) -> TextBitmap {
        switch self {
        case .pill(let ink): rounded(size, Double(min(size.width, size.height)) / 2, ink)
        case .panel(let radius, let ink): rounded(size, Double(radius), ink)
        case .solid(let ink): drawn(size) { _, _ in ink.pixel(1) }
        case .fade:
            drawn(size) { _, y in
                let way = y / Double(size.height)
                return Ink(rgb: 0, alpha: 255).pixel(0.84 * way * (2 - way))
            }
        case .badge(let icon):
            onDisc(size, icon == .recording ? .red : .white) { p, unit in 0.5 - icon.distance(p) * unit }
        case .icon(let icon): square(size) { p, unit in Ink.white.pixel(0.5 - icon.distance(p) * unit) }
        case .warning:
            square(size) { p, unit in
                let sign = 0.5 - p.toTriangle * unit
                let stroke = p.toSegment(Spot(0, -0.2), Spot(0, 0.14)) - 0.1
                let mark = 0.5 - min(stroke, p.toDot(Spot(0, 0.4)) - 0.11) * unit
                return over(Ink(rgb: 0x20_1A08, alpha: 255).pixel(min(sign, mark)), Ink.amber.pixel(sign))
            }
        case .spinner(let turn):
            onDisc(size, .white) { p, unit in
                let turned = Double(turn) / Double(Marks.Spinner.steps), angle = 2 * Double.pi * turned
                var behind = turned - atan2(p.y, p.x) / (2 * .pi)
                behind -= behind.rounded(.down)
                let ring = 0.5 - (abs(p.length - 0.6) - 0.085) * unit
                let head = 0.5 - (p.toDot(Spot(0.6 * cos(angle), 0.6 * sin(angle))) - 0.085) * unit
                let tail = 1 - behind
                return max(head, max(0, min(1, ring)) * (0.1 + 0.9 * tail * tail))
            }
        }
    }
}

extension Shape.Ink {
    /// Returns the premultiplied pixel. `cover` is limited to 0...1.
    func pixel(_ cover: Double) -> UInt32 { premultiplied(rgb, UInt32(max(0, min(1, cover)) * Double(alpha))) }
}

extension FigurePlot {
    /// Draws PSNR as columns, SSIM as a line. Columns with the same values are computed once.
    func bitmap(_ size: Size) -> TextBitmap {
        let columns = (0..<size.width).map { x in
            [psnr, ssim].map { values -> Double? in
                let place = Int((Double(x) + 0.5) / Double(size.width) * Double(values.count))
                return values.indices.contains(place) ? values[place].map(Double.init) : nil
            }
        }
        let line = 1.5 * 255 / Double(size.height)
        let (amber, light, dark) = (Shape.Ink.amber.pixel(1), Shape.Ink.column.pixel(1), Shape.Ink.dark.pixel(0.75))
        var pixels = [UInt32](repeating: dark, count: size.width * size.height)
        var x = 0
        while x < size.width {
            let levels = columns[x]
            let end = columns[x...].firstIndex { $0 != levels } ?? size.width
            for y in 0..<size.height {
                let height = (1 - (Double(y) + 0.5) / Double(size.height)) * 255
                let isLine = levels[1].map { ($0 - height).magnitude <= line } ?? false
                let isColumn = levels[0].map { height <= max($0, line) } ?? false
                guard isLine || isColumn else { continue }
                let pixel = isLine ? amber : light
                for place in y * size.width + x..<y * size.width + end { pixels[place] = pixel }
            }
            x = end
        }
        return TextBitmap(size: size, pixels: pixels)
    }
}

/// Makes a bitmap. Calls `pixel` with the middle of each pixel.
private func drawn(_ size: Size, _ pixel: (Double, Double) -> UInt32) -> TextBitmap {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
        for x in 0..<size.width { pixels.append(pixel(Double(x) + 0.5, Double(y) + 0.5)) }
    }
    return TextBitmap(size: size, pixels: pixels)
}

private func rounded(_ size: Size, _ radius: Double, _ ink: Shape.Ink) -> TextBitmap {
    let width = Double(size.width), height = Double(size.height)
    return drawn(size) { x, y in
        let dx = max(radius - x, x - (width - radius), 0), dy = max(radius - y, y - (height - radius), 0)
        return ink.pixel(radius + 0.5 - (dx * dx + dy * dy).squareRoot())
    }
}

/// Makes a square bitmap. Calls `pixel` with places from -1 to 1, and with the number of pixels in 1.
private func square(_ size: Size, _ pixel: (Spot, Double) -> UInt32) -> TextBitmap {
    let unit = Double(size.width) / 2
    return drawn(size) { x, y in pixel(Spot(x / unit - 1, y / unit - 1), unit) }
}

/// Draws an icon on a dark disc.
private func onDisc(_ size: Size, _ ink: Shape.Ink, _ cover: (Spot, Double) -> Double) -> TextBitmap {
    square(size) { spot, unit in
        over(ink.pixel(cover(spot, unit)), Shape.Ink.dark.pixel(0.5 - (spot.length - 1) * unit))
    }
}

extension Marks.StateMark {
    /// Distance from the icon's edge, negative inside. Icons stay within 0.65 of the middle.
    fileprivate func distance(_ p: Spot) -> Double {
        switch self {
        case .recording: return p.length - 0.42
        case .microphone:
            let holder = max(abs(p.toDot(Spot(0, -0.06)) - 0.42) - 0.06, -0.06 - p.y)
            let stand = min(p.toBox(Spot(0, 0.46), Spot(0.06, 0.1)), p.toBox(Spot(0, 0.56), Spot(0.26, 0.06)))
            return min(p.toSegment(Spot(0, -0.38), Spot(0, -0.08)) - 0.22, holder, stand)
        case .paused: return min(p.toBox(Spot(-0.24, 0), Spot(0.12, 0.42)), p.toBox(Spot(0.24, 0), Spot(0.12, 0.42)))
        case .heard:
            let q = Spot(p.x + 0.02, p.y)
            // Waves are arcs of a quarter turn.
            let wedge = (abs(q.y) - q.x) * 0.7071
            return min(q.toSpeaker, max(min(abs(q.length - 0.3), abs(q.length - 0.56)) - 0.065, wedge))
        case .muted:
            let upper = Spot(0.2, -0.2), lower = Spot(0.58, 0.2)
            let cross = min(p.toSegment(upper, lower), p.toSegment(Spot(0.2, 0.2), Spot(0.58, -0.2)))
            return min(p.toSpeaker, cross - 0.07)
        case .focus:
            let bracket = abs(p.toBox(Spot(0, 0), Spot(0.4, 0.4)) - 0.1) - 0.07
            let gap = 0.2 - min(abs(p.x), abs(p.y))
            return min(max(bracket, gap), p.length - 0.15)
        case .waiting:
            // An hourglass.
            let glass = max(abs(p.x) - 0.62 * abs(p.y) - 0.03, abs(p.y) - 0.5) * 0.85
            return min(glass, p.toBox(Spot(0, -0.52), Spot(0.4, 0.07)), p.toBox(Spot(0, 0.52), Spot(0.4, 0.07)))
        case .screen: return abs(p.toBox(Spot(0, 0), Spot(0.52, 0.34))) - 0.07
        case .ownClock:
            let hands = min(p.toSegment(Spot(0, 0), Spot(0, -0.34)), p.toSegment(Spot(0, 0), Spot(0.24, 0.12)))
            return min(abs(p.length - 0.56), hands) - 0.07
        }
    }
}

/// A point, and its distance from shapes.
private struct Spot {
    var x: Double
    var y: Double
    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    var length: Double { (x * x + y * y).squareRoot() }
    func toDot(_ other: Spot) -> Double { Spot(x - other.x, y - other.y).length }

    func toBox(_ middle: Spot, _ half: Spot) -> Double {
        let dx = abs(x - middle.x) - half.x, dy = abs(y - middle.y) - half.y
        return Spot(max(dx, 0), max(dy, 0)).length + min(max(dx, dy), 0)
    }

    func toSegment(_ a: Spot, _ b: Spot) -> Double {
        let along = Spot(b.x - a.x, b.y - a.y), p = Spot(x - a.x, y - a.y)
        let way = max(0, min(1, (p.x * along.x + p.y * along.y) / (along.x * along.x + along.y * along.y)))
        return Spot(p.x - way * along.x, p.y - way * along.y).length
    }

    /// Distance from a loudspeaker in the left half: a box with a cone before it.
    var toSpeaker: Double {
        let box = toBox(Spot(-0.46, 0), Spot(0.16, 0.17))
        let slope = (abs(y) - 0.17 - 0.95 * (x + 0.36)) / 1.379
        return min(box, max(slope, x - 0.02, -0.4 - x))
    }

    /// Distance from a warning sign with round corners.
    var toTriangle: Double { max(abs(x) * 0.867 - (y + 0.66) * 0.498, y - 0.56) - 0.14 }
}

/// Cache of drawn shapes. Main thread only.
final class ShapeStore {
    private var made: [Key: TextBitmap] = [:]
    private var pixels = 0
    private static let mostPixels = 4 << 20

    private struct Key: Hashable {
        var shape: Shape
        var size: Size
    }

    /// Empties the cache. Called when the window's size changes, since all shapes change with it.
    func forget() { (made, pixels) = ([:], 0) }

    func bitmap(_ shape: Shape, _ size: Size) -> TextBitmap {
        let key = Key(shape: shape, size: size)
        if let bitmap = made[key] { return bitmap }
        let bitmap = shape.bitmap(size)
        // Safe: each `Mark` on screen keeps its bitmap alive.
        if pixels > ShapeStore.mostPixels { forget() }
        made[key] = bitmap
        pixels += bitmap.pixels.count
        return bitmap
    }
}
