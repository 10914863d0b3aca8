/// An item that is or was on the screen, and what became of its frames.
public struct PlayedItem: Sendable, Hashable {
    public var run: RunID
    public var source: String
    /// Of an item of a break: its place in that.
    var placeInBreak: Int?
    public var beginning = ItemBeginning.next
    /// In wall time; nil: nothing of it could be shown.
    public var began: Time?
    /// Frames that were put on the screen; of a still at most one.
    public var presented = 0
    public var dropped = 0
    public var late = 0
    /// Frames of `presented` that lie before one that had been presented, after a jump back.
    public var repeated = 0
    /// Set when it ends: how many frames should have been presented. Of a source whose number of frames is not known,
    /// those that were due.
    public internal(set) var frames = 0
    /// Set when it ends: how long it lasts; nil if that is not known.
    public internal(set) var length: Time?
    /// Set when it ends: one of its segments could not be played.
    public internal(set) var isBroken = false
    /// A still that the next item shows again: its showing goes on.
    public internal(set) var goesOn = false

    /// So long of it nobody could see: the wall rested.
    var rested = Time.zero
    /// Its only frame is a still.
    var isStill = false
    /// Facts from its sources, kept when a sequence without it replaced its own; nil while its sequence plays.
    var due: Due?
    /// A break interrupts it.
    var isInterrupted = false
    /// Whether this is the last frame of an item that had ended before a break.
    var isHeld = false
    /// Frames of it that were presented before a break interrupted it.
    var before = 0
    /// Frames of it that are never due: its group's iteration begins later or ends earlier.
    var cut = 0
    /// Frames of it that never came, since its source broke.
    var lost = 0
    private var furthest: Place?
    /// Counts of a still's showing from before this item, without a gap; nil if the showing begins with this item.
    private var showing: Showing?

    /// Frame count and length that an item's sources name.
    struct Due: Hashable {
        /// nil if not known.
        var frames: Int?
        var length: Time?
        var isBroken = false
    }

    /// A frame's place within the item.
    struct Place: Hashable, Comparable {
        let round: Int
        let segment: Int
        let offset: Time

        static func < (a: Place, b: Place) -> Bool { (a.round, a.segment, a.offset) < (b.round, b.segment, b.offset) }
    }

    private struct Showing: Hashable {
        var began: Time?
        var beginning: ItemBeginning
        var rested: Time
        var presented: Int
        var dropped: Int
        var late: Int
    }

    init(run: RunID, source: String, placeInBreak: Int?, beginning: ItemBeginning, began: Time? = nil) {
        (self.run, self.source, self.placeInBreak) = (run, source, placeInBreak)
        (self.beginning, self.began) = (beginning, began)
    }

    /// Distinct frames that were presented.
    var distinct: Int { presented - repeated }

    /// `place` is nil where the source has no end, and no places to come back to.
    mutating func notePresented(at place: Place?) {
        if isStill, presented > 0 { return }
        presented += 1
        guard let place else { return }
        if let furthest, place <= furthest { repeated += 1 } else { furthest = place }
    }

    /// How long it was to be seen, where it ended then.
    public func shown(until end: Time) -> Time { began.map { max(.zero, end - $0 - rested) } ?? .zero }

    /// The wall has rested since then, and does until now.
    mutating func noteRest(since begin: Time, until end: Time) {
        if let began { rested += max(.zero, end - max(begin, began)) }
    }

    // MARK: stills

    /// With the items before it that showed the same still.
    public var wholeShowing: PlayedItem {
        guard let showing else { return self }
        var whole = self
        (whole.began, whole.beginning, whole.showing) = (showing.began, showing.beginning, nil)
        whole.rested += showing.rested
        whole.presented = max(presented, showing.presented)
        (whole.dropped, whole.late) = (dropped + showing.dropped, late + showing.late)
        return whole
    }

    /// Continues the showing of a still that the item before shows too.
    mutating func continueShowing(of item: PlayedItem) {
        let whole = item.wholeShowing
        showing = Showing(
            began: whole.began, beginning: whole.beginning, rested: whole.rested, presented: whole.presented,
            dropped: whole.dropped, late: whole.late)
    }

    /// Its showing was told of until now: the rest of it is told of later.
    mutating func restartShowing(at now: Time) {
        showing = Showing(
            began: now, beginning: .hour, rested: .zero - rested, presented: wholeShowing.presented, dropped: -dropped,
            late: -late)
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
    /// A still stays on the screen; its previous hour has been reported.
    case hour
}
