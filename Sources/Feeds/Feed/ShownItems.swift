import Base
import Layout

/// The items of a feed on the screen, each with its own counts: the current one, the one that a fade takes off the
/// screen, and those that layers have interrupted.
public struct ShownItems {
    private(set) var current: ItemRecord?
    /// The item before the current one, while a fade still shows that earlier item.
    private var fadeOut: (item: ItemRecord, reason: Event.ItemEnd)?
    /// The items that layers have interrupted, from the lowest up, until each goes on, or another item of its layer
    /// begins.
    public private(set) var interrupted: [ItemRecord] = []
    /// First run of the item on the screen, or of the last one if none is on the screen.
    private var lastRun: RunID?
    private var isClosed = false
    /// True if the item on the screen does not continue in the sequence that was just taken.
    private var isOver = false
    /// Part of the interrupted item with which the next item resumes; nil if the run determines the part.
    var resumedNext: Resumed?
    /// Frames of items that have not begun yet that were due and not shown, by run.
    private var missedAhead: [RunID: Int] = [:]
    /// Reason with which the next item begins; nil if it follows the one before.
    private var entrance: ItemBeginning?

    /// Part of an item that is shown after a layer on top of it: its rest, or its last frame if it had already ended.
    public enum Resumed { case rest, lastFrame }

    /// Change of the item on the screen, for which the wall emits an event.
    public enum Change {
        case began(RunID, source: String)
        case ended(ItemRecord, Event.ItemEnd)
        /// An interrupted item does not go on.
        case left(ItemRecord)
        /// A still has been on the screen for another hour.
        case stands(ItemRecord)
    }

    /// An item that is a single still image: a new image, or again the image of the item before.
    public enum Still { case none, new, again }

    init() {}

    /// Copies the items of a divided feed. They continue with their counts.
    init(divided other: ShownItems) {
        (current, fadeOut, interrupted) = (other.current, other.fadeOut, other.interrupted)
        (lastRun, isOver) = (other.lastRun, other.isOver)
    }

    /// The items that end when a tile leaves the feed: the current one, and one that still fades out.
    public var onScreen: [ItemRecord] { [fadeOut?.item, current].compactMap { $0 } }

    /// True if the run's item was the last on the screen, and has ended.
    func hasEnded(_ run: RunID) -> Bool { current == nil && lastRun == run }

    // MARK: the next item

    /// The next item does not follow the one before. `entrance`: the reason with which it begins.
    public mutating func enter(because entrance: ItemBeginning) { self.entrance = entrance }

    /// The clock jumps. A reason that was noted before and not yet used stays.
    mutating func jump() { entrance = entrance ?? .command }

    /// Sets the name by which events refer to the item that has just begun.
    public mutating func name(_ source: String) { current?.source = SourceName.withoutSecrets(source) }

    // MARK: other sequences

    /// Records frame counts and lengths of the items on the screen, before another sequence replaces theirs.
    mutating func noteExpected(_ expected: (ItemRecord) -> ItemRecord.Expected) {
        changeAll { item in if item.expected == nil { item.expected = expected(item) } }
    }

    /// The feed takes another sequence, or layers are taken off. `place`: returns the place of a run after that.
    mutating func resequence(_ place: (RunID) -> RunID?) {
        missedAhead = [:]
        changeAll { item in if let placed = place(item.run) { (item.run, item.expected) = (placed, nil) } }
    }

    private mutating func changeAll(_ body: (inout ItemRecord) -> Void) {
        change(body)
        if fadeOut != nil { body(&fadeOut!.item) }
        for index in interrupted.indices { body(&interrupted[index]) }
    }

    /// The item of a run continues in the sequence that was just taken. If another item is still on the screen, that
    /// item ends when the continued item is shown.
    mutating func keep(_ run: RunID) {
        guard let current else { return }
        if !current.run.isOfItem(of: run) { isOver = true }
    }

    /// The iterations of its group are renumbered.
    mutating func becomeIteration(_ iteration: Int) {
        missedAhead = [:]
        lastRun?.iteration = iteration
        current?.run.iteration = iteration
        for index in interrupted.indices { interrupted[index].run.iteration = iteration }
    }

    /// The feed plays nothing.
    mutating func forget() { lastRun = nil }

    // MARK: counts

    /// Counts frames of a run that are never due.
    mutating func noteCut(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.counts.cut += frames } }

    /// Counts frames of a run that were due and never arrived.
    mutating func noteLoss(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.counts.lost += frames } }

    /// Counts frames of a run that were due and not shown. They are missed by the run's item, which may begin later.
    mutating func noteMissed(_ count: Int, of run: RunID) {
        if !change(itemOf: run, { $0.counts.dropped += count }) { missedAhead[run, default: 0] += count }
    }

    /// Returns false if the run's item is not on the screen.
    @discardableResult private mutating func change(itemOf run: RunID, _ body: (inout ItemRecord) -> Void) -> Bool {
        if current?.run.isOfItem(of: run) ?? false {
            body(&current!)
        } else if fadeOut?.item.run.isOfItem(of: run) ?? false {
            body(&fadeOut!.item)
        } else {
            return false
        }
        return true
    }

    /// Changes the current item.
    mutating func change(_ body: (inout ItemRecord) -> Void) { if current != nil { body(&current!) } }

    /// Changes the item that a fade takes off the screen. With none, the leaving round belongs to the current item.
    mutating func changeLeaving(_ body: (inout ItemRecord) -> Void) {
        if fadeOut != nil { body(&fadeOut!.item) } else { change(body) }
    }

    /// The time from `begin` to `end` is not counted.
    mutating func noteUnseen(since begin: Time, until end: Time) {
        current?.noteUnseen(since: begin, until: end)
        fadeOut?.item.noteUnseen(since: begin, until: end)
    }

    /// Interval at which a still that stays on the screen is reported.
    private static let longestUnreported = Time.seconds(3600)

    /// Wall time at which a still will have been on the screen for an hour; nil if there is none.
    var standsUntil: Time? {
        guard let current, current.isStill, !isClosed, case let whole = current.wholeShowing, let began = whole.began
        else { return nil }
        return began + whole.unseen + Self.longestUnreported
    }

    mutating func emitStanding(at now: Time) -> [Change] {
        guard let until = standsUntil, until <= now, let current else { return [] }
        self.current?.restartShowing(at: now)
        return [.stands(current.wholeShowing)]
    }
}

// MARK: - Beginnings and ends

extension ShownItems {
    /// A run comes on the screen, or is heard if it has no frame.
    /// `resumed`: part of an interrupted item that the run shows. `isCutting`: true if the run interrupts the item
    /// before. `isFading`: true if the item before is shown together with the run, and ends later. `unseenSince`: wall
    /// time since when the feed is not seen; nil while it is.
    mutating func begin(
        _ slot: Slot, still: Still = .none, resuming resumed: Resumed? = nil, isCutting: Bool = false,
        isFading: Bool = false, unseenSince: Time? = nil, at now: Time
    ) -> [Change] {
        if isClosed { return [] }
        if let current, !isOver, current.run.isOfItem(of: slot.run) { return [] }
        isOver = false
        let reason = isCutting ? Event.ItemEnd.stop : slot.arrival == .follows ? .eof : .skipped
        var ended = endLeaving()
        if isCutting { interrupt(unseenSince: unseenSince, at: now) }
        let resumed = resumed ?? resumedNext
        var next: ItemRecord
        if let rest = takeInterrupted(by: slot.run, resumed, at: now) {
            next = rest
        } else {
            ended += leaveInterrupted(from: slot.run.layer)
            next = makeItem(of: slot, still: still, resuming: resumed, reason, at: now)
        }
        resumedNext = nil
        for (run, count) in missedAhead where run.isOfItem(of: slot.run) { next.counts.dropped += count }
        // Items of which nothing was shown are not reported.
        missedAhead = [:]
        if isFading, let current { fadeOut = (current, reason) } else { ended += end(reason) }
        current = next
        (lastRun, entrance) = (slot.run, nil)
        return ended + [.began(slot.run, source: slot.location)]
    }

    private mutating func makeItem(
        of slot: Slot, still: Still, resuming resumed: Resumed?, _ reason: Event.ItemEnd, at now: Time
    ) -> ItemRecord {
        var next = ItemRecord(
            run: slot.run, source: slot.location, beginning: slot.run.layer > 0 ? .break : beginning(of: slot),
            began: now)
        next.still.isStill = still != .none
        if still == .again, reason == .eof, let current, current.isStill {
            next.continueShowing(of: current)
            self.current?.still.goesOn = true
        }
        next.isHeld = resumed == .lastFrame || next.beginning == .break && !next.isOnTop
        return next
    }

    private func beginning(of slot: Slot) -> ItemBeginning {
        guard let lastRun else { return entrance ?? .start }
        if slot.arrival != .follows, let entrance { return entrance }
        return slot.run.iteration > lastRun.iteration ? .loop : .next
    }

    /// A layer interrupts the item on the screen, whose counts are kept for its rest.
    private mutating func interrupt(unseenSince: Time?, at now: Time) {
        if let unseenSince { current?.noteUnseen(since: unseenSince, until: now) }
        current?.interrupt(at: now)
        guard let current else { return }
        interrupted.removeAll { $0.run.layer >= current.run.layer }
        interrupted.append(current)
    }

    /// Returns the interrupted item if `run` is its rest.
    private mutating func takeInterrupted(by run: RunID, _ resumed: Resumed?, at now: Time) -> ItemRecord? {
        guard resumed == .rest || run.isRest, let index = interrupted.lastIndex(where: { run.isOfItem(of: $0.run) })
        else { return nil }
        var rest = interrupted.remove(at: index)
        rest.resume(as: run, at: now)
        return rest
    }

    /// The interrupted items of this layer and of those above it do not go on.
    public mutating func leaveInterrupted(from layer: Int = 0) -> [Change] {
        defer { interrupted.removeAll { $0.run.layer >= layer } }
        return interrupted.reversed().filter { $0.run.layer >= layer }.map { .left($0) }
    }

    /// The item on the screen ends here.
    public mutating func end(_ reason: Event.ItemEnd) -> [Change] {
        let ended = endLeaving()
        guard let current else { return ended }
        self.current = nil
        return ended + [.ended(current, reason)]
    }

    /// The fade is over. Nothing of the item before it is shown.
    mutating func endLeaving() -> [Change] {
        guard let fadeOut else { return [] }
        self.fadeOut = nil
        let run = fadeOut.item.run
        if fadeOut.item.isInterrupted, let index = interrupted.lastIndex(where: { $0.run.isOfItem(of: run) }) {
            interrupted[index] = fadeOut.item
        }
        return [.ended(fadeOut.item, fadeOut.reason)]
    }

    /// The program ends, and with it the current item.
    public mutating func close() -> [Change] {
        isClosed = true
        return end(.stop) + leaveInterrupted()
    }
}
