import Base

/// One of the eight orientations of a frame: mirrored left to right or not, then turned clockwise.
public struct Orientation: Hashable, Sendable {
    public var mirroring = Mirroring.none
    public var turn = Turn.none

    public enum Mirroring: Sendable { case none, leftToRight }

    public static let upright = Orientation()

    public init(_ mirroring: Mirroring = .none, _ turn: Turn = .none) {
        (self.mirroring, self.turn) = (mirroring, turn)
    }

    public init(_ flip: Flip) {
        switch flip {
        case .none: self = .upright
        case .horizontal: self.init(.leftToRight)
        case .vertical: self.init(.leftToRight, .half)
        }
    }

    /// Returns this orientation followed by `next`.
    public func then(_ next: Orientation) -> Orientation {
        let quarters = (next.mirroring == .none ? turn.rawValue : -turn.rawValue) + next.turn.rawValue
        return Orientation(
            mirroring == next.mirroring ? .none : .leftToRight, Turn(rawValue: ((quarters % 360) + 360) % 360)!)
    }

    /// The orientation that reverses this one.
    public var undone: Orientation {
        // A mirroring followed by a turn is a mirroring at another axis, which is its own inverse.
        guard mirroring == .none else { return self }
        return Orientation(.none, Turn(rawValue: (360 - turn.rawValue) % 360)!)
    }
}
