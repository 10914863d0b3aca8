/// An item that is or was on the screen, and what became of its pictures.
public struct PlayedItem: Sendable, Hashable {
    public var run: RunID
    public var source: String
    /// Of an item of a break: its place in that.
    var placeInBreak: Int?
    public var beginning = ItemBeginning.next
    /// In wall time; nil: nothing of it could be shown.
    public var began: Time?
    public var presented = 0
    public var missed = 0
    public var late = 0
    /// So long of it nobody could see: the wall rested.
    var rested = Time.zero

    /// How long it was to be seen, where it ended then.
    public func shown(until end: Time) -> Time { began.map { max(.zero, end - $0 - rested) } ?? .zero }

    /// The wall has rested since then, and does until now.
    mutating func noteRest(since begin: Time, until end: Time) {
        if let began { rested += max(.zero, end - max(begin, began)) }
    }
}

/// Why an item has begun.
public enum ItemBeginning: String, Sendable {
    /// The wall has.
    case start
    /// The item before it is over.
    case next
    /// The sequence has begun again.
    case loop
    /// It is one of a break.
    case `break`
    /// A layout that the schedule shows brought it.
    case schedule
    /// A user wanted it, or a layout that a user loaded or saved.
    case command
}
