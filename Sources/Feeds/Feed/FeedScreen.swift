import Base
import Layout
import Scene

/// The frame and item of a feed on the screen, and counts of its presented, late and dropped frames.
public struct FeedScreen {
    /// The frame shown last. It stays until another one is due.
    public private(set) var last: Shown?
    /// The frame that was presented last.
    public private(set) var presented: Presented?
    private var presentedSerial = 0
    /// The item on the screen, with its own counts.
    private(set) var item: PlayedItem?
    /// The item before the current one, while a fade still shows that earlier item.
    private var fadeOut: (item: PlayedItem, reason: Event.ItemEnd)?
    /// The item that items on top interrupted, until it goes on, or another item of the sequence begins.
    public private(set) var interrupted: PlayedItem?
    /// First run of the item on the screen, or of the last one if none is on the screen.
    private var lastItem: RunID?
    private var isClosed = false
    /// True if the item on the screen does not continue in the sequence that was just taken.
    private var isItemOver = false
    /// Part of the interrupted item with which the next item resumes; nil if the run determines the part.
    private var resumedNext: Resumed?
    /// Wall time until which changes of the item follow from a time in which the program did not run; nil before.
    private var stopSettles: Time?
    /// Reason with which the next item begins; nil if it follows the one before.
    private var entrance: ItemBeginning?
    /// The run that was on the screen last, to detect a seam.
    public private(set) var lastRun: RunID?
    public private(set) var lack: Lack?
    /// Wall time since when a frame is due and none can be shown; nil while none is missing.
    public private(set) var dueSince: Time?
    public private(set) var health = Health()
    /// Wall time since when the feed is neither seen nor heard; nil while it is.
    public private(set) var unseenSince: Time?
    /// True while at least one view of the feed is drawn.
    private var isDrawn = true
    /// Wall time since when a sound without frames is due and can't be heard; nil if it is heard or there is none.
    public private(set) var silentSince: Time?
    /// True if a sound without frames was heard.
    private var wasHeard = false

    public struct Shown {
        public let frame: Frame
        public let serial: Int
        /// nil if the item is no longer in the sequence.
        public fileprivate(set) var item: ItemPlace?
        /// nil if the frame is a preview, or the sequence has changed.
        public fileprivate(set) var origin: Origin?
        /// The frame from which this one fades in; nil while no seam fades.
        public fileprivate(set) var fade: Fade?

        init(_ frame: Frame, serial: Int, item: ItemPlace?, origin: Origin? = nil) {
            (self.frame, self.serial, self.item, self.origin) = (frame, serial, item, origin)
        }
    }

    /// The frame under another one, while a seam fades.
    public struct Fade {
        public let frame: Frame
        public let serial: Int
        /// nil if the item is no longer in the sequence.
        public fileprivate(set) var item: ItemPlace?
        let run: RunID?
        /// Weight of the frame above this one, from 0 to `FadedFrame.whole`.
        public let weight: Int

        init(_ shown: Shown, of run: RunID?, weight: Int) {
            (frame, serial, item) = (shown.frame, shown.serial, shown.item)
            (self.run, self.weight) = (run, weight)
        }
    }

    /// The run and time of a frame.
    public struct Origin {
        public let run: RunID
        /// Group time since the start of the run.
        public let offset: Time
        /// Media time.
        public let pts: Time
    }

    /// A presented frame. `offset`: group time since the start of the run.
    public struct Presented {
        public let run: RunID
        public let offset: Time
    }

    /// A due frame that is missing while the last one stays on the screen.
    public struct Lack {
        /// Wall time.
        public let since: Time
        fileprivate(set) var isStall = false
    }

    /// Change of the item on the screen, for which the wall emits an event.
    public enum ItemChange {
        case began(RunID, source: String)
        case ended(PlayedItem, Event.ItemEnd)
        /// An interrupted item does not go on.
        case left(PlayedItem)
        /// A still has been on the screen for another hour.
        case stands(PlayedItem)
    }

    /// An item that is a single still image: a new image, or again the image of the item before.
    public enum Still { case none, new, again }

    init() {}

    /// Copies the screen of a divided feed. The item on it continues with its counts.
    init(divided other: FeedScreen) {
        (last, lastRun, lastItem) = (other.last, other.lastRun, other.lastItem)
        (item, fadeOut, dueSince) = (other.item, other.fadeOut, other.dueSince)
        (isItemOver, unseenSince) = (other.isItemOver, other.unseenSince)
        (isDrawn, silentSince, wasHeard) = (other.isDrawn, other.silentSince, other.wasHeard)
        interrupted = other.interrupted
    }

    /// The next item does not follow the one before. `entrance`: the reason with which it begins.
    public mutating func enter(because entrance: ItemBeginning) { self.entrance = entrance }

    /// The clock jumps. A reason that was noted before and not yet used stays.
    mutating func jump() { entrance = entrance ?? .command }

    /// Part of an item that is shown after the items on top of it: its rest, or its last frame if it had already ended.
    public enum Resumed { case rest, lastFrame }

    /// The next item will resume the interrupted one.
    mutating func resumeNextItem(_ resumed: Resumed) { resumedNext = resumed }

    // MARK: the frame to show

    mutating func show(_ frame: Slot.TimedFrame, of run: RunID, outOf fade: Fade? = nil) {
        last = Shown(
            frame.frame, serial: frame.serial, item: run.place,
            origin: Origin(run: run, offset: frame.offset, pts: frame.pts))
        last?.fade = fade
        dueSince = nil
    }

    /// Keeps the last frame until the next item's first frame is decoded, or until nothing can follow.
    public mutating func leaveItem() { last?.item = nil }

    /// Drops the frame that `leaveItem` kept: nothing follows.
    mutating func dropFrameOfNoItem() { if let last, last.item == nil { self.last = nil } }

    /// The feed takes another sequence. `place`: returns the place of a run in it.
    mutating func resequence(showing frame: Shown?, _ place: (RunID) -> RunID?) {
        presented = nil
        func placed(_ item: ItemPlace?, _ run: RunID?) -> ItemPlace? {
            item.flatMap {
                place(run ?? RunID(iteration: 0, item: $0.item, part: $0.isOnTop ? .top : .sequence))?.place
            }
        }
        var shown = last ?? frame
        if let known = shown {
            shown?.item = placed(known.item, known.origin?.run)
            shown?.origin = nil
            if let fade = known.fade { shown?.fade?.item = placed(fade.item, fade.run) }
        }
        last = shown
        if let run = item?.run, let placed = place(run) {
            item?.run.item = placed.item
            item?.expected = nil
        }
        if let run = fadeOut?.item.run, let placed = place(run) {
            fadeOut?.item.run.item = placed.item
            fadeOut?.item.expected = nil
        }
        if let run = interrupted?.run, let placed = place(run) {
            interrupted?.run.item = placed.item
            interrupted?.expected = nil
        }
        if let run = lastRun { lastRun = place(run) ?? RunID(iteration: run.iteration) }
    }

    /// Records frame counts and lengths of the items on the screen, before another sequence replaces theirs.
    mutating func noteExpected(_ expected: (PlayedItem) -> PlayedItem.Expected) {
        func note(_ item: inout PlayedItem) { if item.expected == nil { item.expected = expected(item) } }
        if item != nil { note(&item!) }
        if fadeOut != nil { note(&fadeOut!.item) }
        if interrupted != nil { note(&interrupted!) }
    }

    /// Time within which the feed goes to its present place after the program did not run.
    private static let longestSettling = Time.seconds(2)

    /// The program did not run for a while. What the items before and at the present place lack was due meanwhile.
    mutating func noteStop(at now: Time) { stopSettles = isSeen ? now + Self.longestSettling : nil }

    /// Counts frames of a run that are never due.
    mutating func noteCut(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.absent.cut += frames } }

    /// Counts frames of a run that were due and never arrived.
    mutating func noteLoss(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.absent.lost += frames } }

    private mutating func change(itemOf run: RunID, _ body: (inout PlayedItem) -> Void) {
        func isOf(_ item: PlayedItem?) -> Bool {
            item.map { $0.run.isOfItem(of: run) } ?? false
        }
        if var changed = item, isOf(changed) {
            body(&changed)
            item = changed
        } else if var changed = fadeOut, isOf(changed.item) {
            body(&changed.item)
            fadeOut = changed
        }
    }

    /// The fade is over.
    mutating func endFade() { last?.fade = nil }

    /// The feed plays nothing.
    mutating func clear() { (last, lastRun, lastItem) = (nil, nil, nil) }

    /// The iterations of its group are renumbered.
    mutating func becomeIteration(_ iteration: Int) {
        lastRun?.iteration = iteration
        lastItem?.iteration = iteration
        item?.run.iteration = iteration
        interrupted?.run.iteration = iteration
    }

    /// The item of a run continues in the sequence that was just taken. If another item is still on the screen, that
    /// item ends when the continued item is shown.
    mutating func keepItem(of run: RunID) {
        guard let item else { return }
        if !item.run.isOfItem(of: run) { isItemOver = true }
    }

    /// The items on top of the sequence are gone. `expected`: frames and length of an item.
    mutating func uncover(_ expected: (PlayedItem) -> PlayedItem.Expected) {
        presented = nil
        if let item, item.isOnTop { self.item?.expected = expected(item) }
        if let item = fadeOut?.item, item.isOnTop { fadeOut?.item.expected = expected(item) }
        if last?.item?.isOnTop ?? false {
            last?.item = nil
            last?.origin = nil
        }
        if last?.fade?.item?.isOnTop ?? false { last?.fade?.item = nil }
        if let run = item?.run { item?.run = run.whole }
        if let run = lastRun { lastRun = run.part == .top ? RunID(iteration: run.iteration) : run.whole }
    }

    // MARK: presented frames and items

    /// Returns `.none` unless the run is an item of one still image; `.again` if that image was shown before.
    func still(of slot: Slot, in timeline: Timeline) -> Still {
        func isSingle(_ run: RunID) -> Bool {
            timeline.item(of: run)?.segments.count == 1
        }
        guard slot.isStill, !slot.frames.isEmpty, isSingle(slot.run) else { return .none }
        guard let before = lastRun, isSingle(before), timeline.repeats(before, slot.run) else { return .new }
        return .again
    }

    /// A frame was presented. `isLate`: clearly after it was due.
    mutating func notePresented(
        _ frame: Slot.TimedFrame, of slot: Slot, still: Still = .none, resuming resumed: Resumed? = nil,
        isCutting: Bool = false, isFading: Bool = false, isLate: Bool, at now: Time
    ) -> Presentation {
        let isSeam = lastRun.map { $0 != slot.run && slot.arrival == .follows } ?? false
        lastRun = slot.run
        // A film follows a sound that could not be heard.
        if silentSince != nil { noteSound(.heard, restsSince: nil, at: now) }
        let changes = begin(
            slot, still: still, resuming: resumed, isCutting: isCutting, isFading: isFading, at: now)
        if isSeen {
            health.presented += 1
            let place = slot.length == nil ? nil : place(of: frame, in: slot)
            item?.notePresented(at: place)
        }
        if isSeen, isLate {
            health.late += 1
            item?.late += 1
        }
        if health.startup == nil { health.startup = now }
        (presented, presentedSerial) = (Presented(run: slot.run, offset: frame.offset), frame.serial)
        return Presentation(isSeam: isSeam, changes: changes)
    }

    private func place(of frame: Slot.TimedFrame, in slot: Slot) -> PlayedItem.Place {
        PlayedItem.Place(round: slot.run.round, segment: slot.run.segment, offset: frame.offset)
    }

    public struct Presentation {
        public let isSeam: Bool
        public let changes: [ItemChange]
    }

    /// A frame of the item that a fade takes off the screen was presented.
    mutating func notePresentedLeaving(isLate: Bool) {
        guard isSeen else { return }
        health.presented += 1
        if isLate { health.late += 1 }
        // With no item in `fadeOut`, the leaving round belongs to the current item.
        if fadeOut != nil {
            fadeOut?.item.notePresented(at: nil)
            if isLate { fadeOut?.item.late += 1 }
        } else {
            item?.notePresented(at: nil)
            if isLate { item?.late += 1 }
        }
    }

    public func isOnScreen(_ serial: Int) -> Bool { presentedSerial == serial }

    /// The program ends, and with it the current item.
    public mutating func close() -> [ItemChange] {
        isClosed = true
        return endItem(.stop) + leaveInterrupted()
    }

    /// A run comes on the screen, or is heard if it has no frame.
    /// `resumed`: part of an interrupted item that the run shows. `isCutting`: true if the run interrupts the item
    /// before. `isFading`: true if the item before is shown together with the run, and ends later.
    mutating func begin(
        _ slot: Slot, still: Still = .none, resuming resumed: Resumed? = nil, isCutting: Bool = false,
        isFading: Bool = false, at now: Time
    ) -> [ItemChange] {
        if isClosed { return [] }
        if let item, !isItemOver, item.run.isOfItem(of: slot.run) { return [] }
        isItemOver = false
        let reason = isCutting ? Event.ItemEnd.stop : slot.arrival == .follows ? .eof : .skipped
        var ended = endLeavingItem()
        if isCutting { interruptItem(at: now) }
        let resumed = resumed ?? resumedNext
        var next: PlayedItem
        if let rest = takeInterrupted(by: slot.run, resumed, at: now) {
            next = rest
        } else {
            if slot.run.part != .top { ended += leaveInterrupted() }
            next = makeItem(of: slot, still: still, resuming: resumed, reason, at: now)
        }
        resumedNext = nil
        if let stopSettles, now <= stopSettles {
            self.item?.absent.isRest = true
            next.absent.isRest = true
        }
        if isFading, let item {
            fadeOut = (item, reason)
        } else {
            ended += endItem(reason)
        }
        item = next
        (lastItem, entrance) = (slot.run, nil)
        return ended + [.began(slot.run, source: slot.location)]
    }

    private mutating func makeItem(
        of slot: Slot, still: Still, resuming resumed: Resumed?, _ reason: Event.ItemEnd, at now: Time
    ) -> PlayedItem {
        var next = PlayedItem(
            run: slot.run, source: slot.location, beginning: slot.run.part == .top ? .break : beginning(of: slot),
            began: now)
        next.isStill = still != .none
        if still == .again, reason == .eof, let item, item.isStill {
            next.continueShowing(of: item)
            self.item?.goesOn = true
        }
        next.isHeld = resumed == .lastFrame || next.beginning == .break && !next.isOnTop
        return next
    }

    /// Items on top interrupt the item on the screen, whose counts are kept for its rest.
    private mutating func interruptItem(at now: Time) {
        if let unseenSince { item?.noteRest(since: unseenSince, until: now) }
        item?.interrupt(at: now)
        interrupted = item
    }

    /// Returns the interrupted item if `run` is its rest.
    private mutating func takeInterrupted(by run: RunID, _ resumed: Resumed?, at now: Time) -> PlayedItem? {
        guard var rest = interrupted, resumed == .rest || run.part == .rest, run.isOfItem(of: rest.run) else {
            return nil
        }
        interrupted = nil
        rest.resume(as: run, at: now)
        return rest
    }

    /// The interrupted item does not go on.
    public mutating func leaveInterrupted() -> [ItemChange] {
        defer { interrupted = nil }
        return interrupted.map { [.left($0)] } ?? []
    }

    /// Sets the name by which events refer to the item that has just begun.
    public mutating func nameItem(_ source: String) { item?.source = source }

    private func beginning(of slot: Slot) -> ItemBeginning {
        guard let lastItem else { return entrance ?? .start }
        if slot.arrival != .follows, let entrance { return entrance }
        return slot.run.iteration > lastItem.iteration ? .loop : .next
    }

    /// The item on the screen ends here.
    public mutating func endItem(_ reason: Event.ItemEnd) -> [ItemChange] {
        let ended = endLeavingItem()
        guard let item else { return ended }
        self.item = nil
        return ended + [.ended(item, reason)]
    }

    /// Interval at which a still that stays on the screen is reported.
    private static let longestUnreported = Time.seconds(3600)

    /// Wall time at which a still will have been seen for an hour; nil if no still is seen.
    var standsUntil: Time? {
        guard isSeen, let item, item.isStill, !isClosed, case let whole = item.wholeShowing,
            let began = whole.began
        else { return nil }
        return began + whole.rested + Self.longestUnreported
    }

    mutating func emitStanding(at now: Time) -> [ItemChange] {
        guard let until = standsUntil, until <= now, let item else { return [] }
        self.item?.restartShowing(at: now)
        return [.stands(item.wholeShowing)]
    }

    /// The fade is over. Nothing of the item before it is shown.
    mutating func endLeavingItem() -> [ItemChange] {
        guard let fadeOut else { return [] }
        self.fadeOut = nil
        if fadeOut.item.isInterrupted, interrupted != nil { interrupted = fadeOut.item }
        return [.ended(fadeOut.item, fadeOut.reason)]
    }

    /// The items that end when a tile leaves the feed: the current one, and one that still fades out.
    public var itemsOnScreen: [PlayedItem] { [fadeOut?.item, item].compactMap { $0 } }

    /// Called when a hidden wall resumes. The time from `begin` to `end` is not counted.
    public mutating func noteRest(since begin: Time, until end: Time) {
        noteUnseen(since: begin, until: min(end, unseenSince ?? end))
        beginDue()
    }

    private mutating func noteUnseen(since begin: Time, until end: Time) {
        item?.noteRest(since: begin, until: end)
        fadeOut?.item.noteRest(since: begin, until: end)
    }

    /// `isDrawn`: true if at least one view is drawn. Frames hidden behind a view that fills the wall count neither as
    /// presented nor as dropped. `restsSince`: wall time since when the wall is hidden. That time is subtracted when
    /// the wall is shown again.
    public mutating func noteDrawn(_ isDrawn: Bool, restsSince: Time?, at now: Time) {
        let comes = isDrawn && !self.isDrawn
        self.isDrawn = isDrawn
        settleSeen(restsSince: restsSince, since: now, at: now)
        // A frame that was presented while hidden behind other views is seen only now.
        guard comes, isSeen, presentedSerial != 0, last?.serial == presentedSerial else { return }
        health.presented += 1
        item?.notePresented(at: nil)
    }

    public enum Sound { case heard, failed }

    /// A sound without frames is heard, or failed.
    mutating func noteSound(_ sound: Sound, restsSince: Time?, at now: Time) {
        switch sound {
        case .heard: (silentSince, wasHeard) = (nil, true)
        // A sound that was never heard counts as silent since the item began.
        case .failed: silentSince = silentSince ?? (wasHeard ? now : item?.began ?? now)
        }
        settleSeen(restsSince: restsSince, since: silentSince ?? now, at: now)
    }

    private mutating func settleSeen(restsSince: Time?, since begin: Time, at now: Time) {
        let isSeen = isDrawn && silentSince == nil
        if isSeen == self.isSeen { return }
        if let since = unseenSince { noteUnseen(since: since, until: min(now, restsSince ?? now)) }
        unseenSince = isSeen ? nil : begin
    }

    public var isSeen: Bool { unseenSince == nil }

    /// Counts frames that were due and not shown.
    mutating func drop(_ count: Int) {
        guard isSeen else { return }
        health.dropped += count
        item?.dropped += count
    }

    /// Counts frames that the decoder left out.
    mutating func dropUndecoded(_ count: Int) {
        if isSeen { health.undecoded += count }
        drop(count)
    }

    /// Counts dropped frames of the item that a fade takes off the screen.
    mutating func dropOfFadeOut(_ count: Int) {
        guard isSeen else { return }
        health.dropped += count
        if fadeOut != nil { fadeOut?.item.dropped += count } else { item?.dropped += count }
    }

    // MARK: missing frames

    /// `isBare`: true if a frame is due and none can be shown. The frame may have been missing before.
    mutating func noteDue(isBare: Bool, at now: Time) { dueSince = isBare ? dueSince ?? lack?.since ?? now : nil }

    /// Counts the due frame as due from now on.
    mutating func beginDue() { (lack, dueSince) = (nil, nil) }

    /// Notes whether the due frame is missing. While the clock runs, a frame that is missing for the spinner's delay is
    /// a stall.
    mutating func noteLack(_ isLacking: Bool, isRunning: Bool, at now: Time) {
        guard last != nil, isLacking else {
            lack = nil
            return
        }
        var lack = lack ?? Lack(since: now)
        if isRunning, isSeen, !lack.isStall, now >= lack.since + Marks.Spinner.patience {
            lack.isStall = true
            health.stalls += 1
        }
        self.lack = lack
    }

    /// Ends the lack when a new frame is shown. While new frames arrive, even late, nothing stalls.
    mutating func endLack(with serial: Int) { if serial != last?.serial { lack = nil } }
}
