import Base
import Layout

/// An item that is or was on the screen, and its frame counts.
@dynamicMemberLookup public struct ItemRecord: Sendable, Hashable {
    public internal(set) var run: RunID
    /// Name without secrets.
    public internal(set) var source: String
    public internal(set) var beginning = ItemBeginning.next
    /// Wall time at which the item began; nil if nothing of it was shown.
    public internal(set) var began: Time?
    var counts = Counts()
    /// Number of frames that should have been presented, complete when the item ends. If the source's number of frames
    /// is unknown, the number of frames that were due.
    public internal(set) var frames = 0
    /// Frames and names that the sources stated when the item ended, with its length on the wall.
    private var outcome = Expected()
    var still = Still()
    /// Time for which the item could not be seen, for instance while the wall rested or a layer on top was shown.
    var unseen = Time.zero
    private var interruption = Interruption()
    /// Frame count and length from its sources, kept when another sequence replaced the item's own; nil while the
    /// item's sequence plays.
    var expected: Expected?
    /// True if the item had ended before the layer on top, and only its last frame is shown again.
    var isHeld = false

    /// Frames of the item.
    public struct Counts: Sendable, Hashable {
        /// Number of frames that were presented; at most one for a still.
        public internal(set) var presented = 0
        public internal(set) var dropped = 0
        public internal(set) var late = 0
        /// Presented frames that had already been presented before a jump back; `presented` includes them.
        public internal(set) var repeated = 0
        /// Frames that never become due because the group's iteration begins later or ends earlier.
        var cut = 0
        /// Frames that never arrived because the source broke.
        var lost = 0
        fileprivate var furthest: Place?
    }

    public struct Still: Sendable, Hashable {
        /// True if the item is a single still.
        var isStill = false
        /// True if the next item shows the same still, so that its showing goes on.
        public internal(set) var goesOn = false
        /// Counts from the items directly before this one that showed the same still; nil if the showing begins with
        /// this item.
        fileprivate var showing: Showing?
    }

    public subscript<Value>(dynamicMember member: KeyPath<Counts, Value>) -> Value { counts[keyPath: member] }

    public subscript<Value>(dynamicMember member: KeyPath<Expected, Value>) -> Value { outcome[keyPath: member] }

    public subscript<Value>(dynamicMember member: KeyPath<Still, Value>) -> Value { still[keyPath: member] }

    /// Frame count and length that the item's sources state.
    public struct Expected: Hashable, Sendable {
        /// nil if not known.
        var frames: Int?
        /// nil if not known.
        public internal(set) var length: Time?
        /// True if one of its segments could not be played.
        public internal(set) var isBroken = false
        /// Title and artist of the song; nil if the item is no song.
        public internal(set) var names: MediaNames?
    }

    /// A frame's place within the item.
    struct Place: Hashable, Comparable {
        let round: Int
        let segment: Int
        let offset: Time

        static func < (a: Place, b: Place) -> Bool { (a.round, a.segment, a.offset) < (b.round, b.segment, b.offset) }
    }

    /// The last interruption by a layer.
    private struct Interruption: Hashable {
        /// Wall time since which a layer interrupts the item; nil while none does.
        var since: Time?
        /// Wall time at which the item went on; nil before the first interruption's end.
        var end: Time?
        /// Frames of the parts before it. The event of the last part leaves them out.
        var (presented, dropped) = (0, 0)
    }

    fileprivate struct Showing: Hashable {
        var began: Time?
        var beginning: ItemBeginning
        var unseen: Time
        var counts: Counts
    }

    init(run: RunID, source: String, beginning: ItemBeginning, began: Time? = nil) {
        (self.run, self.source, self.beginning, self.began) = (run, SourceName.withoutSecrets(source), beginning, began)
    }

    /// True for an item of a layer on top of the tile's sequence.
    public var isOnTop: Bool { run.layer > 0 }

    /// Distinct frames that were presented.
    var distinct: Int { counts.presented - counts.repeated }

    /// `place` is nil for a source without an end, where no frame can be repeated.
    mutating func notePresented(at place: Place?) {
        if still.isStill, counts.presented > 0 { return }
        counts.presented += 1
        guard let place else { return }
        if let furthest = counts.furthest, place <= furthest { counts.repeated += 1 } else { counts.furthest = place }
    }

    /// Time for which the item was visible, if it ended at `end`.
    public func shown(until end: Time) -> Time {
        began.map { max(.zero, (interruption.since ?? end) - $0 - unseen) } ?? .zero
    }

    /// Records that the item could not be seen between the two wall times. An interruption is recorded already.
    public mutating func noteUnseen(since begin: Time, until end: Time) {
        guard !isInterrupted, let began else { return }
        unseen += max(.zero, end - max(begin, interruption.end ?? began))
    }

    // MARK: interruptions

    /// True if a layer interrupted the item. Its showing goes on after it.
    public var isInterrupted: Bool { interruption.since != nil }

    /// A layer interrupts the item, or it can no longer be seen under them.
    mutating func interrupt(at now: Time) { interruption.since = now }

    /// The item goes on with its rest, which is `run`.
    mutating func resume(as run: RunID, at now: Time) {
        self.run = run
        if let since = interruption.since { unseen += now - since }
        interruption = Interruption(end: now, presented: counts.presented, dropped: counts.dropped)
    }

    /// Frames that were presented since the last interruption.
    var presentedSinceBreak: Int { counts.presented - interruption.presented }
    /// Frames that were missed since the last interruption.
    var droppedSinceBreak: Int { max(0, counts.dropped - interruption.dropped) }

    // MARK: the end

    /// Notes how many frames were due, at most one for each `refresh` of the display. `expected`: frames and length
    /// that the item's sources state. `rate`: rate of the group's clock. `isWhole`: true if the item came to its end.
    public mutating func settle(_ expected: Expected, at rate: Rate, refresh: Time, isWhole: Bool, until end: Time) {
        // Length on the wall.
        let length = expected.length?.lasting(at: rate)
        outcome = expected
        outcome.length = length
        if isHeld {
            frames = 0
        } else if let whole = expected.frames {
            frames = max(0, whole - counts.cut)
            if whole > 1, let length {
                frames = min(frames, Int(length.ticks / max(1, refresh.ticks)) + 1)
            }
            // A frame may have been dropped again after a jump back, or with a slot that was decoded twice.
            let left = max(0, frames - distinct)
            if !still.isStill { counts.dropped = min(counts.dropped, left) }
        } else {
            frames = distinct + counts.dropped + counts.lost
            // While an item that came to its end was not seen, its frames were due at the same rate.
            let seen = shown(until: end)
            if isWhole, let length, seen > .zero, seen < length * 99 / 100 {
                frames = Int(Double(frames) * length.seconds / seen.seconds)
            }
        }
    }

    // MARK: stills

    /// This item combined with the items before it that showed the same still.
    public var wholeShowing: ItemRecord {
        guard let showing = still.showing else { return self }
        var whole = self
        (whole.began, whole.beginning, whole.still.showing) = (showing.began, showing.beginning, nil)
        whole.unseen += showing.unseen
        whole.counts.presented = max(counts.presented, showing.counts.presented)
        whole.counts.dropped += showing.counts.dropped
        whole.counts.late += showing.counts.late
        return whole
    }

    /// Continues the showing of the still that `item` shows too.
    mutating func continueShowing(of item: ItemRecord) {
        let whole = item.wholeShowing
        still.showing = Showing(
            began: whole.began, beginning: whole.beginning, unseen: whole.unseen, counts: whole.counts)
    }

    /// Starts the showing's counts anew at `now`, because the time before has been reported.
    mutating func restartShowing(at now: Time) {
        still.showing = Showing(
            began: now, beginning: .hour, unseen: .zero - unseen,
            counts: Counts(presented: wholeShowing.presented, dropped: -counts.dropped, late: -counts.late))
    }
}

/// Why an item began.
public enum ItemBeginning: String, Sendable {
    /// The wall started.
    case start
    /// The item before it ended.
    case next
    /// The sequence started again.
    case loop
    /// The item is part of a break.
    case `break`
    /// The schedule loaded a layout that has the item.
    case schedule
    /// The user chose the item, or loaded or saved a layout.
    case command
    /// A still stays on the screen after its previous hour was reported.
    case hour
}
