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

extension Size {
    /// The size after a turn.
    public func turned(_ turn: Turn) -> Size { turn.isSideways ? Size(height, width) : self }
}

extension Fractions {
    /// The same part after the frame was turned clockwise.
    public func turned(_ turn: Turn) -> Fractions {
        switch turn {
        case .none: self
        case .quarter: Fractions(max(0, 1 - (y + height)), x, height, width)
        case .half: Fractions(max(0, 1 - (x + width)), max(0, 1 - (y + height)), width, height)
        case .threeQuarters: Fractions(y, max(0, 1 - (x + width)), height, width)
        }
    }

    /// The same part after the frame was mirrored.
    public func flipped(_ flip: Flip) -> Fractions {
        switch flip {
        case .none: self
        case .horizontal: Fractions(max(0, 1 - (x + width)), y, width, height)
        case .vertical: Fractions(x, max(0, 1 - (y + height)), width, height)
        }
    }
}

public enum ComparisonMode: String, Sendable, Hashable, CaseIterable {
    case wipe, difference, signed, heat, blink, overlay

    /// Returns the mode `count` places further, wrapping around.
    public func moved(by count: Int) -> ComparisonMode {
        let all = ComparisonMode.allCases, place = all.firstIndex(of: self)!
        return all[((place + count) % all.count + all.count) % all.count]
    }
}
