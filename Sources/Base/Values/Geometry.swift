import func Glibc.cos
import func Glibc.sin

/// A size in whole pixels.
public struct Size: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Larger than any display, in the shape of most films.
    public static let unlimited = Size(16 * 8192, 9 * 8192)
}

/// A point in whole pixels, counted from the top left.
public struct Point: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
}

/// A rectangle in whole pixels, origin at the top left.
public struct Rect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
    public init(_ size: Size) { self.init(0, 0, size.width, size.height) }

    public var size: Size { Size(width, height) }
    public var area: Int { width * height }
    public var maxX: Int { x + width }
    public var maxY: Int { y + height }
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    public func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x), top = max(y, other.y)
        let right = min(maxX, other.maxX), bottom = min(maxY, other.maxY)
        return right > left && bottom > top ? Rect(left, top, right - left, bottom - top) : Rect(0, 0, 0, 0)
    }
    public func intersects(_ other: Rect) -> Bool { !intersection(other).isEmpty }
    public func contains(_ other: Rect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }
    public func contains(x px: Int, y py: Int) -> Bool { px >= x && py >= y && px < maxX && py < maxY }

    /// For people, as in X's geometries: `640x360+10+20`.
    public var words: String { "\(width)x\(height)+\(x)+\(y)" }
}

/// A part of something, in fractions of its width and height.
public struct Fractions: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public static let all = Fractions(0, 0, 1, 1)

    /// This part of the same whole, in fractions of `outer`.
    public func within(_ outer: Fractions) -> Fractions {
        Fractions((x - outer.x) / outer.width, (y - outer.y) / outer.height, width / outer.width, height / outer.height)
    }

    /// This part of `outer`, in fractions of the whole that `outer` is a part of.
    public func of(_ outer: Fractions) -> Fractions {
        Fractions(
            outer.x + x * outer.width, outer.y + y * outer.height, width * outer.width, height * outer.height)
    }

    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// `part` in fractions of `whole`.
    public init(_ part: Rect, in whole: Rect) {
        let width = Double(whole.width), height = Double(whole.height)
        self.init(
            Double(part.x - whole.x) / width, Double(part.y - whole.y) / height, Double(part.width) / width,
            Double(part.height) / height)
    }
}

/// An angle in degrees, clockwise on the screen.
public struct Angle: Hashable, Sendable {
    public let degrees: Double

    public init(degrees: Double) { self.degrees = degrees }

    public var sine: Double { Angle.sine(ofDegrees: degrees) }
    public var cosine: Double { Angle.sine(ofDegrees: degrees + 90) }

    /// Exact for multiples of 90 degrees.
    private static func sine(ofDegrees degrees: Double) -> Double {
        let turns = (degrees / 90).rounded()
        let rest = (degrees - turns * 90) * .pi / 180
        switch Int(turns.truncatingRemainder(dividingBy: 4) + 4) % 4 {
        case 0: return sin(rest)
        case 1: return cos(rest)
        case 2: return -sin(rest)
        default: return -cos(rest)
        }
    }
}

/// Cosine of an angle in full turns. Whole turns are taken off first: they are exact in turns, and not in radians.
public func cosine(ofTurns turns: Double) -> Double { cos((turns - turns.rounded()) * 2 * Double.pi) }

/// Sine of an angle in full turns.
public func sine(ofTurns turns: Double) -> Double { sin((turns - turns.rounded()) * 2 * Double.pi) }
