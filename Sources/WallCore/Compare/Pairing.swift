/// Which frame of another film belongs to each frame of the reference. Asked with rising instants.
///
/// `Frame` is a handle: it is handed on.
public struct Pairing<Frame> {
    /// By how much the other film is ahead of the reference.
    private let offset: Time
    private let rule: PairingRule
    private var current: (frame: Frame, start: Time, end: Time)?
    private var isOver = false
    /// Some frame came before the current one.
    private var hasPassed = false

    public init(offset: Time, _ rule: PairingRule = .onScreen) { (self.offset, self.rule) = (offset, rule) }

    public enum Partner {
        case frame(Frame)
        /// The film's next frame is to be taken first (`take`, or `end` where there is none), then asked again.
        case unknown
        /// The film has not begun at that instant, or is over.
        case none
    }

    /// Containers round to a millisecond, and an offset is written with few digits: a frame that begins so soon is on
    /// screen already.
    private static var nearby: Time { .milliseconds(2) }

    /// In order.
    public mutating func take(_ frame: Frame, start: Time, length: Time) {
        current = (frame, start, start + length)
    }

    public mutating func end() { (current, isOver) = (nil, true) }

    /// `instant`: the start of a frame of the reference. A frame that later ones can't belong to is held no longer.
    public mutating func partner(at instant: Time) -> Partner {
        guard let current else { return isOver ? .none : .unknown }
        let length = current.end - current.start, instant = instant + offset
        // How long before its start a frame may be the partner, and how long before its end it is no more.
        let early = rule == .nearest ? length / 2 : min(Self.nearby, length / 4)
        if instant + early >= current.end {
            (self.current, hasPassed) = (nil, true)
            return isOver ? .none : .unknown
        }
        // An instant nearer to this frame than to the one before belongs to it, however long that one lasted.
        let isNearest = rule == .nearest && hasPassed
        return isNearest || instant + early >= current.start ? .frame(current.frame) : .none
    }
}

/// How frames of two films belong together.
public enum PairingRule: Sendable {
    /// The one on screen when a frame of the reference starts: for films of unlike rates.
    case onScreen
    /// The one that starts nearest to it: for films of one rate.
    case nearest
}

extension Pairing: Sendable where Frame: Sendable {}
