import Base

/// Finds the frame of another film that belongs to each frame of the reference. The instants asked for must rise.
///
/// `Frame` is a handle, which the pairing only passes on.
public struct Pairing<Frame> {
    /// Lead of the other film over the reference.
    private let offset: Time
    private let rule: PairingRule
    private var current: (frame: Frame, start: Time, end: Time)?
    private var isOver = false
    /// True once an earlier frame was released.
    private var hasPassed = false

    public init(offset: Time, _ rule: PairingRule = .onScreen) { (self.offset, self.rule) = (offset, rule) }

    public enum Partner {
        case frame(Frame)
        /// The caller has to pass the film's next frame first (`take`, or `end` if there is none), then ask again.
        case unknown
        /// The film has not begun at that instant, or is over.
        case none
    }

    /// A frame that begins this soon counts as on screen. Containers round to a millisecond, and offsets are written
    /// with few digits.
    private static var nearby: Time { .milliseconds(2) }

    /// Takes the film's next frame.
    public mutating func take(_ frame: Frame, start: Time, length: Time) {
        current = (frame, start, start + length)
    }

    public mutating func end() { (current, isOver) = (nil, true) }

    /// `instant`: start of a frame of the reference. Releases the current frame if no later instant can belong to it.
    public mutating func partner(at instant: Time) -> Partner {
        guard let current else { return isOver ? .none : .unknown }
        let length = current.end - current.start, instant = instant + offset
        // A frame belongs to an instant from `early` before its start until `early` before its end.
        let early = rule == .nearest ? length / 2 : min(Self.nearby, length / 4)
        if instant + early >= current.end {
            (self.current, hasPassed) = (nil, true)
            return isOver ? .none : .unknown
        }
        // If a frame before was released, the instant is nearer to this frame, however long the frame before lasted.
        let isNearest = rule == .nearest && hasPassed
        return isNearest || instant + early >= current.start ? .frame(current.frame) : .none
    }
}

/// Rule by which frames of two films belong together.
public enum PairingRule: Sendable {
    /// The frame on screen when a frame of the reference starts: for films of unlike rates.
    case onScreen
    /// The frame that starts nearest to it: for films of one rate.
    case nearest
}

extension Pairing: Sendable where Frame: Sendable {}
