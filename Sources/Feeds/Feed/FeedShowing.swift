import Base
import Decoded
import Layout
import Scene

/// The frame of a feed on the screen, its items, and counts of its presented, late and dropped frames.
public struct FeedShowing {
    /// The frame shown last. It stays until another one is due.
    public private(set) var last: Shown?
    /// The frame that was presented last.
    public private(set) var presented: Origin?
    private var presentedSerial = 0
    public var items = ShownItems()
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
        /// nil if the frame is a preview, or of no item of the feed.
        public fileprivate(set) var origin: Origin?
        /// The frame from which this one fades in; nil while no seam fades.
        public fileprivate(set) var fade: Fade?
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

    /// A due frame that is missing while the last one stays on the screen.
    public struct Lack {
        /// Wall time.
        public let since: Time
        fileprivate(set) var isStall = false
    }

    init() {}

    /// Copies the screen of a divided feed. The item on it continues with its counts.
    init(divided other: FeedShowing) {
        (last, lastRun, items) = (other.last, other.lastRun, ShownItems(divided: other.items))
        (dueSince, unseenSince) = (other.dueSince, other.unseenSince)
        (isDrawn, silentSince, wasHeard) = (other.isDrawn, other.silentSince, other.wasHeard)
    }

    // MARK: the frame to show

    mutating func show(_ frame: Slot.TimedFrame, of run: RunID, outOf fade: Fade? = nil) {
        last = Shown(
            frame: frame.frame, serial: frame.serial, item: run.place,
            origin: Origin(run: run, offset: frame.offset, pts: frame.pts), fade: fade)
        dueSince = nil
    }

    /// Keeps the last frame until the next item's first frame is decoded. It stays if nothing can be played.
    public mutating func leaveItem() { last?.item = nil }

    /// The feed takes another sequence, or layers are taken off. `place`: returns the place of a run after that.
    mutating func resequence(showing frame: Shown?, _ place: (RunID) -> RunID?) {
        presented = nil
        func placed(_ item: ItemPlace?, _ run: RunID?) -> ItemPlace? {
            item.flatMap { place(run ?? RunID(iteration: 0, item: $0.item, layer: $0.layer))?.place }
        }
        var shown = last ?? frame
        if let known = shown {
            shown?.item = placed(known.item, known.origin?.run)
            shown?.origin = known.origin.flatMap { origin in
                place(origin.run).map { Origin(run: $0, offset: origin.offset, pts: origin.pts) }
            }
            if let fade = known.fade { shown?.fade?.item = placed(fade.item, fade.run) }
        }
        last = shown
        items.resequence(place)
        if let run = lastRun { lastRun = place(run) ?? RunID(iteration: run.iteration) }
    }

    /// The fade is over.
    mutating func endFade() { last?.fade = nil }

    /// The feed plays nothing.
    mutating func clear() {
        (last, lastRun) = (nil, nil)
        items.forget()
    }

    /// The iterations of its group are renumbered.
    mutating func becomeIteration(_ iteration: Int) {
        lastRun?.iteration = iteration
        items.becomeIteration(iteration)
    }

    // MARK: presented frames and items

    /// Returns `.none` unless the run is an item of one still image; `.again` if that image was shown before.
    func still(of slot: Slot, in timeline: Timeline) -> ShownItems.Still {
        func isSingle(_ run: RunID) -> Bool { timeline.item(of: run)?.segments.count == 1 }
        guard slot.isStill, !slot.frames.isEmpty, isSingle(slot.run) else { return .none }
        guard let before = lastRun, isSingle(before), timeline.repeats(before, slot.run) else { return .new }
        return .again
    }

    /// A frame was presented. `isLate`: clearly after it was due. `isSeam`: true if it is the first one of a run that
    /// follows another on the screen.
    mutating func notePresented(
        _ frame: Slot.TimedFrame, of slot: Slot, still: ShownItems.Still = .none,
        resuming resumed: ShownItems.Resumed? = nil, isCutting: Bool = false, isFading: Bool = false, isLate: Bool,
        at now: Time
    ) -> (isSeam: Bool, changes: [ShownItems.Change]) {
        let isSeam = lastRun.map { $0 != slot.run && slot.arrival == .follows } ?? false
        lastRun = slot.run
        // A film follows a sound that could not be heard.
        if silentSince != nil { noteSound(.heard, restsSince: nil, at: now) }
        let changes = items.begin(
            slot, still: still, resuming: resumed, isCutting: isCutting, isFading: isFading, unseenSince: unseenSince,
            at: now)
        if isSeen {
            health.presented += 1
            let place = ItemRecord.Place(round: slot.run.round, segment: slot.run.segment, offset: frame.offset)
            items.change { $0.notePresented(at: slot.length == nil ? nil : place) }
        }
        if isSeen, isLate {
            health.late += 1
            items.change { $0.counts.late += 1 }
        }
        if health.startup == nil { health.startup = now }
        presented = Origin(run: slot.run, offset: frame.offset, pts: frame.pts)
        presentedSerial = frame.serial
        return (isSeam, changes)
    }

    /// A frame of the item that a fade takes off the screen was presented.
    mutating func notePresentedLeaving(isLate: Bool) {
        guard isSeen else { return }
        health.presented += 1
        if isLate { health.late += 1 }
        items.changeLeaving { item in
            item.notePresented(at: nil)
            if isLate { item.counts.late += 1 }
        }
    }

    public func isOnScreen(_ serial: Int) -> Bool { presentedSerial == serial }

    /// Wall time at which a still will have been seen for an hour; nil if no still is seen.
    var standsUntil: Time? { isSeen ? items.standsUntil : nil }

    mutating func emitStanding(at now: Time) -> [ShownItems.Change] { isSeen ? items.emitStanding(at: now) : [] }

    /// Called when a hidden wall resumes. The time from `begin` to `end` is not counted.
    public mutating func noteUnseen(since begin: Time, until end: Time) {
        items.noteUnseen(since: begin, until: min(end, unseenSince ?? end))
        beginDue()
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
        items.change { $0.notePresented(at: nil) }
    }

    public enum Sound { case heard, failed }

    /// A sound without frames is heard, or failed.
    mutating func noteSound(_ sound: Sound, restsSince: Time?, at now: Time) {
        switch sound {
        case .heard: (silentSince, wasHeard) = (nil, true)
        // A sound that was never heard counts as silent since the item began.
        case .failed: silentSince = silentSince ?? (wasHeard ? now : items.current?.began ?? now)
        }
        settleSeen(restsSince: restsSince, since: silentSince ?? now, at: now)
    }

    private mutating func settleSeen(restsSince: Time?, since begin: Time, at now: Time) {
        let isSeen = isDrawn && silentSince == nil
        if isSeen == self.isSeen { return }
        if let since = unseenSince { items.noteUnseen(since: since, until: min(now, restsSince ?? now)) }
        unseenSince = isSeen ? nil : begin
    }

    public var isSeen: Bool { unseenSince == nil }

    /// Counts frames that were due and not shown.
    mutating func drop(_ missed: MissedFrames) {
        guard isSeen else { return }
        for (run, frames) in missed.runs {
            health.dropped += frames.all
            health.undecoded += frames.undecoded
            items.noteMissed(frames.all, of: run)
        }
    }

    // MARK: missing frames

    /// `isBare`: true if a frame is due and none can be shown. The frame may have been missing before.
    mutating func noteDue(isBare: Bool, at now: Time) { dueSince = isBare ? dueSince ?? lack?.since ?? now : nil }

    /// Counts the due frame as due from now on.
    mutating func beginDue() { (lack, dueSince) = (nil, nil) }

    /// Notes whether the due frame is missing. While the clock runs, a frame that is missing for the spinner's delay is
    /// a stall. `patience`: time that is added to that delay.
    mutating func noteLack(_ isLacking: Bool, isRunning: Bool, patience: Time = .zero, at now: Time) {
        guard last != nil, isLacking else {
            lack = nil
            return
        }
        var lack = lack ?? Lack(since: now)
        if isRunning, isSeen, !lack.isStall, now >= lack.since + patience + Marks.Spinner.patience {
            lack.isStall = true
            health.stalls += 1
        }
        self.lack = lack
    }

    /// Ends the lack when a new frame is shown. While new frames arrive, even late, nothing stalls.
    mutating func endLack(with serial: Int) { if serial != last?.serial { lack = nil } }
}

/// A frame that is drawn in a scene.
public struct DrawnFrame {
    public let feed: FeedID
    let slot: Int
    public let serial: Int
}
