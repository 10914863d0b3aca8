/// Clockwise rotation by quarter turns.
public enum Turn: Int, Sendable, Hashable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// True if the rotation swaps width and height.
    public var isSideways: Bool { self == .quarter || self == .threeQuarters }

    /// One rotation after the other.
    public static func + (a: Turn, b: Turn) -> Turn { Turn(rawValue: (a.rawValue + b.rawValue) % 360) ?? .none }
    /// The rotation in the other direction.
    public static prefix func - (turn: Turn) -> Turn { Turn(rawValue: (360 - turn.rawValue) % 360) ?? .none }
}
public enum Flip: String, Sendable, Hashable { case none, horizontal = "h", vertical = "v" }
public enum Fit: String, Sendable, Hashable { case contain, cover, stretch }
