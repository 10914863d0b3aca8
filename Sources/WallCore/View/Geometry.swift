/// A size in whole pixels.
public struct Size: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    public var isEmpty: Bool { width <= 0 || height <= 0 }
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
}

/// A part of something, in fractions of its width and height.
public struct Fractions: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public static let all = Fractions(0, 0, 1, 1)
    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// 0 to 255 a channel.
public struct Color: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public static let black = Color(red: 0, green: 0, blue: 0)
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }
    /// As the window's pixels are kept: 0xFFRRGGBB.
    public var argb: UInt32 { 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// Clockwise, in quarters of a full turn.
public enum Turn: Int, Sendable, Hashable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// Width and height change places.
    var isSideways: Bool { self == .quarter || self == .threeQuarters }
}
public enum Flip: String, Sendable, Hashable { case none, horizontal = "h", vertical = "v" }
public enum Fit: String, Sendable, Hashable { case contain, cover, stretch }
