/// What a feed has on the screen, and what became of its frames.
struct FeedScreen {
    /// It stays until something else is due.
    private(set) var last: Shown?
    /// The frame that was put on the screen last.
    private(set) var presented: Presented?
    private var presentedSerial = 0
    /// The item on the screen, with its own counts.
    private(set) var item: PlayedItem?
    /// The item before it, of which something is still shown.
    private var fadeOut: (item: PlayedItem, reason: Event.ItemEnd)?
    /// Of the item before, or the one on the screen.
    private var lastItem: RunID?
    private var isClosed = false
    /// The item on the screen is none of those that play on.
    private var isItemOver = false
    /// The item on the screen does not come to its end.
    private var isInterrupted = false
    /// Frames that were presented of the item that a break interrupted last.
    private var presentedBeforeBreak = 0
    /// How the next item resumes the one that a break interrupted; nil if it is another item.
    private var resumedNext: Resumed?
    /// Why the next item begins that does not follow the one before.
    private var entrance: ItemBeginning?
    /// The run that was on screen last, for telling a seam.
    private(set) var lastRun: RunID?
    private(set) var lack: Lack?
    /// In wall time: since when something is due and nothing of it can be shown; nil: something can, or none is due.
    private(set) var dueSince: Time?
    private(set) var health = Health()
    /// Since when nobody sees or hears anything of it, in wall time; nil: somebody does.
    private(set) var unseenSince: Time?
    /// Some view of it is drawn.
    private var isDrawn = true
    /// Since when a sound that has no frame is due and can't be heard, in wall time; nil: it can, or there is none.
    private(set) var silentSince: Time?
    /// Such a sound was heard.
    private var wasHeard = false

    struct Shown {
        let frame: any WallFrame
        let serial: Int
        /// nil: the item is none of the sequence any more.
        fileprivate(set) var item: Int?
        /// nil: it is a preview, or its sequence has changed.
        fileprivate(set) var origin: Origin?
        /// What it comes out of.
        fileprivate(set) var fade: Fade?

        init(_ frame: any WallFrame, serial: Int, item: Int?, origin: Origin? = nil) {
            (self.frame, self.serial, self.item, self.origin) = (frame, serial, item, origin)
        }
    }

    /// The frame under another one, while a seam fades.
    struct Fade {
        let frame: any WallFrame
        let serial: Int
        /// nil: the item is none of the sequence any more.
        fileprivate(set) var item: Int?
        let run: RunID?
        /// Of the frame above it: from 0 to `FadedFrame.whole`.
        let weight: Int

        init(_ shown: Shown, of run: RunID?, weight: Int) {
            (frame, serial, item) = (shown.frame, shown.serial, shown.item)
            (self.run, self.weight) = (run, weight)
        }
    }

    /// Where a frame comes from.
    struct Origin {
        let run: RunID
        /// In group time from its run's beginning.
        let offset: Time
        /// Media time.
        let pts: Time
    }

    /// In group time from its run's beginning.
    struct Presented {
        let run: RunID
        let offset: Time
    }

    /// Of the frame that is due.
    struct Lack {
        /// In wall time.
        let since: Time
        fileprivate(set) var isStall = false
    }

    /// What the wall tells of items on the screen.
    enum ItemChange {
        case began(RunID, source: String)
        case ended(PlayedItem, Event.ItemEnd)
        /// A still that stood for an hour stays on.
        case stands(PlayedItem)
    }

    /// Whether an item is a single still image, and the one that was shown before it.
    enum Still { case none, new, again }

    init() {}

    /// What another feed shows: its item goes on, with what was counted of it.
    init(divided other: FeedScreen) {
        (last, lastRun, lastItem) = (other.last, other.lastRun, other.lastItem)
        (item, fadeOut, dueSince) = (other.item, other.fadeOut, other.dueSince)
        (isItemOver, isInterrupted, unseenSince) = (other.isItemOver, other.isInterrupted, other.unseenSince)
        (isDrawn, silentSince, wasHeard) = (other.isDrawn, other.silentSince, other.wasHeard)
        presentedBeforeBreak = other.presentedBeforeBreak
    }

    /// It does not go on with what follows: this is why.
    mutating func enter(because entrance: ItemBeginning) { self.entrance = entrance }

    /// The clock jumps. What has not begun yet begins for the reason that it was entered for.
    mutating func jump() { entrance = entrance ?? .command }

    mutating func interruptItem() { isInterrupted = true }

    /// It does after all.
    mutating func goOnWithItem() { isInterrupted = false }

    /// Part of an item that resumes after a break: its rest, or its last frame if it had ended and waits.
    enum Resumed { case rest, lastFrame }

    /// The item on the screen is what comes back after a break.
    mutating func resumeItem(_ resumed: Resumed) {
        item?.before = resumed == .rest ? presentedBeforeBreak : 0
        item?.isHeld = resumed == .lastFrame
    }

    /// The next item will be that.
    mutating func resumeNextItem(_ resumed: Resumed) { resumedNext = resumed }

    // MARK: what is shown

    mutating func show(_ frame: Slot.Frame, of run: RunID, outOf fade: Fade? = nil) {
        last = Shown(
            frame.frame, serial: frame.serial, item: run.item,
            origin: Origin(run: run, offset: frame.offset, pts: frame.pts))
        last?.fade = fade
        dueSince = nil
    }

    /// The frame stays until the first one is there that follows now, or it is known that none does.
    mutating func leaveItem() { last?.item = nil }

    /// None does.
    mutating func dropFrameOfNoItem() { if let last, last.item == nil { self.last = nil } }

    /// Another sequence: `place` answers where a run stands in it.
    mutating func resequence(showing frame: Shown?, _ place: (RunID) -> RunID?) {
        presented = nil
        func placed(_ item: Int?, _ run: RunID?) -> Int? {
            item.flatMap { place(run ?? RunID(iteration: 0, item: $0))?.item }
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
            item?.due = nil
        }
        if let run = fadeOut?.item.run, let placed = place(run) {
            fadeOut?.item.run.item = placed.item
            fadeOut?.item.due = nil
        }
        if let run = lastRun { lastRun = place(run) ?? RunID(iteration: run.iteration) }
    }

    /// Records frame counts and lengths of the items on the screen, before another sequence replaces theirs.
    mutating func noteDue(_ due: PlayedItem.Due?, ofLeaving: PlayedItem.Due?) {
        if item?.due == nil { item?.due = due }
        if fadeOut?.item.due == nil { fadeOut?.item.due = ofLeaving }
    }

    /// The item before the one on the screen, while something of it is shown.
    var leavingItem: PlayedItem? { fadeOut?.item }

    /// Counts frames of a run that are never due.
    mutating func noteCut(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.cut += frames } }

    /// Counts frames of a run that were due and never arrived.
    mutating func noteLoss(_ frames: Int, of run: RunID) { change(itemOf: run) { $0.lost += frames } }

    private mutating func change(itemOf run: RunID, _ body: (inout PlayedItem) -> Void) {
        func isOf(_ item: PlayedItem?) -> Bool {
            item.map { ($0.run.iteration, $0.run.item) == (run.iteration, run.item) } ?? false
        }
        if var changed = item, isOf(changed) {
            body(&changed)
            item = changed
        } else if var changed = fadeOut, isOf(changed.item) {
            body(&changed.item)
            fadeOut = changed
        }
    }

    /// Nothing fades any more.
    mutating func endFade() { last?.fade = nil }

    /// Nothing is played any more.
    mutating func clear() { (last, lastRun, lastItem) = (nil, nil, nil) }

    /// The iterations of its group are counted anew.
    mutating func becomeIteration(_ iteration: Int) {
        lastRun?.iteration = iteration
        lastItem?.iteration = iteration
        item?.run.iteration = iteration
    }

    /// The item of a run plays on in the sequence that was just taken. What is still on the screen may be another one: it
    /// is over when that is shown.
    mutating func goOn(with run: RunID) {
        guard let item else { return }
        if (item.run.iteration, item.run.item) != (run.iteration, run.item) { isItemOver = true }
    }

    // MARK: what was shown

    /// A frame was put on the screen. `isLate`: clearly after it was due.
    mutating func present(
        _ frame: Slot.Frame, of slot: Slot, still: Still = .none, placeInBreak: Int? = nil,
        isFading: Bool = false, isLate: Bool, at now: Time
    ) -> Presentation {
        let isSeam = lastRun.map { $0 != slot.run && slot.arrival == .follows } ?? false
        lastRun = slot.run
        // A film follows a sound that could not be heard.
        if silentSince != nil { noteSound(.heard, restsSince: nil, at: now) }
        let changes = begin(slot, still: still, placeInBreak: placeInBreak, isFading: isFading, at: now)
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

    private func place(of frame: Slot.Frame, in slot: Slot) -> PlayedItem.Place {
        PlayedItem.Place(round: slot.run.round, segment: slot.run.segment, offset: frame.offset)
    }

    struct Presentation {
        let isSeam: Bool
        let changes: [ItemChange]
    }

    /// A frame of the item that a fade takes off the screen was put on it.
    mutating func presentLeaving(isLate: Bool) {
        guard isSeen else { return }
        health.presented += 1
        if isLate { health.late += 1 }
        // A round that leaves is of the item that is on.
        if fadeOut != nil {
            fadeOut?.item.notePresented(at: nil)
            if isLate { fadeOut?.item.late += 1 }
        } else {
            item?.notePresented(at: nil)
            if isLate { item?.late += 1 }
        }
    }

    func isOnScreen(_ serial: Int) -> Bool { presentedSerial == serial }

    /// The program ends, and with it the item that is on.
    mutating func close() -> [ItemChange] {
        isClosed = true
        return endItem(.stop)
    }

    /// Something of this run is on the screen, or heard where it has no frame.
    /// `isFading`: the item before it is shown with it, and ends later.
    mutating func begin(
        _ slot: Slot, still: Still = .none, placeInBreak: Int? = nil, isFading: Bool = false, at now: Time
    ) -> [ItemChange] {
        if isClosed { return [] }
        if let item, !isItemOver, item.run.iteration == slot.run.iteration, item.run.item == slot.run.item { return [] }
        isItemOver = false
        let reason = isInterrupted ? Event.ItemEnd.stop : slot.arrival == .follows ? .eof : .skipped
        if isInterrupted {
            item?.isInterrupted = true
            presentedBeforeBreak = item.map { $0.before + $0.distinct } ?? 0
        }
        isInterrupted = false
        var next = PlayedItem(
            run: slot.run, source: slot.location, placeInBreak: placeInBreak,
            beginning: placeInBreak == nil ? beginning(of: slot) : .break, began: now)
        next.isStill = still != .none
        if still == .again, reason == .eof, let item, item.isStill {
            next.continueShowing(of: item)
            self.item?.goesOn = true
        }
        if resumedNext == .rest { next.before = presentedBeforeBreak }
        next.isHeld = resumedNext == .lastFrame || next.beginning == .break && placeInBreak == nil
        resumedNext = nil
        var ended = endLeavingItem()
        if isFading, let item {
            fadeOut = (item, reason)
        } else {
            ended += endItem(reason)
        }
        item = next
        (lastItem, entrance) = (slot.run, nil)
        return ended + [.began(slot.run, source: slot.location)]
    }

    /// The item that has just begun is told of by this name.
    mutating func nameItem(_ source: String) { item?.source = source }

    private func beginning(of slot: Slot) -> ItemBeginning {
        guard let lastItem else { return entrance ?? .start }
        if slot.arrival != .follows, let entrance { return entrance }
        return slot.run.iteration > lastItem.iteration ? .loop : .next
    }

    mutating func endItem(_ reason: Event.ItemEnd) -> [ItemChange] {
        let ended = endLeavingItem()
        guard let item else { return ended }
        self.item = nil
        return ended + [.ended(item, reason)]
    }

    /// A still that stands is told of once an hour.
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

    /// The seam has faded: nothing of the item before it is shown any more.
    mutating func endLeavingItem() -> [ItemChange] {
        guard let fadeOut else { return [] }
        self.fadeOut = nil
        return [.ended(fadeOut.item, fadeOut.reason)]
    }

    /// What is told where a tile leaves it: what is on, and what still fades.
    var itemsOnScreen: [PlayedItem] { [fadeOut?.item, item].compactMap { $0 } }

    /// Nobody has seen what is on since then, and does from now on.
    mutating func noteRest(since begin: Time, until end: Time) {
        noteUnseen(since: begin, until: min(end, unseenSince ?? end))
        beginDue()
    }

    private mutating func noteUnseen(since begin: Time, until end: Time) {
        item?.noteRest(since: begin, until: end)
        fadeOut?.item.noteRest(since: begin, until: end)
    }

    /// Whether some view of it is drawn: what goes on behind others that fill the wall is neither presented nor dropped.
    /// `restsSince`: the wall rests since then, which is taken off when it goes on.
    mutating func noteDrawn(_ isDrawn: Bool, restsSince: Time?, at now: Time) {
        let comes = isDrawn && !self.isDrawn
        self.isDrawn = isDrawn
        settleSeen(restsSince: restsSince, since: now, at: now)
        // A frame that was put on the screen behind others is seen only now.
        guard comes, isSeen, presentedSerial != 0, last?.serial == presentedSerial else { return }
        health.presented += 1
        item?.notePresented(at: nil)
    }

    enum Sound { case heard, failed }

    /// What became of a sound that has no frame.
    mutating func noteSound(_ sound: Sound, restsSince: Time?, at now: Time) {
        switch sound {
        case .heard: (silentSince, wasHeard) = (nil, true)
        // Nothing is known of it before.
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

    var isSeen: Bool { unseenSince == nil }

    /// So many frames were due and not shown.
    mutating func drop(_ count: Int) {
        guard isSeen else { return }
        health.dropped += count
        item?.dropped += count
    }

    /// The same of frames that its decoder left out.
    mutating func dropUndecoded(_ count: Int) {
        if isSeen { health.undecoded += count }
        drop(count)
    }

    /// And of the item that a fade takes off the screen.
    mutating func dropOfFadeOut(_ count: Int) {
        guard isSeen else { return }
        health.dropped += count
        if fadeOut != nil { fadeOut?.item.dropped += count } else { item?.dropped += count }
    }

    // MARK: what is missing

    /// `isBare`: something is due and nothing of it can be shown. Its frame may have been missing before.
    mutating func noteDue(isBare: Bool, at now: Time) { dueSince = isBare ? dueSince ?? lack?.since ?? now : nil }

    /// What is due is so from now on.
    mutating func beginDue() { (lack, dueSince) = (nil, nil) }

    /// While a clock runs, what is missing for long enough to be told is a stall.
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

    /// Too few frames, each too late, are no wait for one.
    mutating func endLack(with serial: Int) { if serial != last?.serial { lack = nil } }
}
