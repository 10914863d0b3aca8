/// Which picture of another film belongs to each instant of the reference: the one on screen then, where both are
/// played in step. Asked with rising instants.
///
/// `Picture` is a handle: it is handed on.
public struct Pairing<Picture> {
    /// By how much the other film is ahead of the reference.
    private let offset: Time
    private var current: (picture: Picture, start: Time, end: Time)?
    private var isOver = false

    public init(offset: Time) { self.offset = offset }

    public enum Partner {
        case picture(Picture)
        /// The film's next picture is to be taken first (`take`, or `end` where there is none), then asked again.
        case unknown
        /// The film has not begun at that instant, or is over.
        case none
    }

    /// Containers round to a millisecond, and an offset is written with few digits: a picture that begins so soon is on
    /// screen already.
    private static var nearby: Time { .milliseconds(2) }

    /// In order.
    public mutating func take(_ picture: Picture, start: Time, length: Time) {
        current = (picture, start, start + length)
    }

    public mutating func end() { (current, isOver) = (nil, true) }

    /// No picture that ends by the instant is held any more.
    public mutating func partner(at instant: Time) -> Partner {
        guard let current else { return isOver ? .none : .unknown }
        let instant = instant + offset + min(Self.nearby, (current.end - current.start) / 4)
        if instant >= current.end {
            self.current = nil
            return isOver ? .none : .unknown
        }
        return instant >= current.start ? .picture(current.picture) : .none
    }
}

extension Pairing: Sendable where Picture: Sendable {}
