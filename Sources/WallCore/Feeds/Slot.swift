/// The decoded frames of one run. A feed's first slot is its front (on screen), the next its back.
struct Slot {
    private(set) var id: Int
    private(set) var run: RunID
    /// What it reads.
    let location: String
    /// When the run begins, in group time; nil while something before it has no known end.
    private(set) var start: Time?
    /// When it was due, in group time, where it begins later: with its first frame.
    private(set) var dueAt: Time?
    /// Group time from which it is on screen, where that is not its beginning: an iteration of a group that loops together,
    /// or the first frame of a tile that has not begun.
    private(set) var takesOverAt: Time?
    /// Of its group's A-B loop: 0 is the one that plays, 1 the next.
    private(set) var abIteration = 0
    /// How long it plays, in group time; nil while unknown.
    private(set) var length: Time?
    /// Group time at which the next iteration takes over, however much is left.
    private(set) var cut: Time?
    /// It ends at this offset, though its source goes on: a break follows there.
    private(set) var shortenedTo: Time?
    /// For so long from its beginning the run before it is shown with it.
    private(set) var fade = Time.zero
    /// How long before its start one of its frames may be due, in group time; zero until the length of frames is known.
    private(set) var dueTolerance = Time.zero
    /// Frames that end before this offset are not wanted: the run is entered here.
    private(set) var entry: Time
    /// Whether it continues the run before it, or was entered by a start, a seek or a new seat.
    private(set) var arrival = Arrival.follows
    private(set) var loading = Loading.planned
    private(set) var absence = Absence.none
    /// The next slot begins when its first frame is there, however late that is.
    private(set) var holdsNext = false
    private(set) var how = SeamManner.reopened
    /// By offset. While the run is kept for replay, `dueIndex` walks over them; else they are dropped from the front.
    private(set) var frames: [Frame] = []
    /// The frame that is due, or will be first.
    private(set) var dueIndex = 0
    /// Where the next frame to be decoded begins.
    private(set) var decodedTo: Time
    /// Where the frame ended that was skipped last, since it was over.
    private var skippedTo: Time?
    /// Whether the pipeline is filling the slot (up to its depth) or letting it drain (by a burst).
    private(set) var isFilling = true
    private(set) var times = Times()
    /// A still image or a sound: nothing is ever decoded for it again.
    private(set) var isStill = false
    /// What its image was asked for once more.
    private(set) var askedStill: Wall.StillPlan?
    /// Some of its frames were left out.
    private(set) var hasGaps = false
    /// What is decoded to stand before its frames, and is shown when all of it is there.
    private(set) var refill: Refill?

    /// When its source was there, when a pipeline took it and when it had its first frame, in wall time.
    struct Times {
        /// Since when its source is being opened; nil until it was asked for.
        fileprivate(set) var asked: Time?
        fileprivate(set) var opened: Time?
        fileprivate(set) var leased: Time?
        fileprivate(set) var ready: Time?
    }

    struct Refill {
        /// By offset: to the first of the slot's frames.
        let from: Time
        let to: Time
        /// Nothing of the run is to be decoded behind the slot's frames.
        fileprivate(set) var wasWhole: Bool
        fileprivate(set) var frames: [Frame] = []
        fileprivate(set) var decodedTo = Time.zero
    }

    enum Arrival { case follows, entered }

    enum Loading {
        /// Not asked for yet.
        case planned
        case opening
        /// Opened: costs no pipeline.
        case ready(any WallSource)
        case leased(pipeline: Int)
        /// All that it will ever hold is here.
        case whole
        case failed(SourceTrouble)
    }

    /// How long its source has not answered, while it is planned or being opened.
    enum Absence {
        /// Not for long.
        case none
        /// For more than a second: the slots after it are decoded, and play if it failed before.
        case skipped
        /// Since the connection to it was lost in the middle. It is left alone until this wall time; nil: it is connected
        /// again now.
        case lost(until: Time?)
    }

    struct Frame {
        /// Group time from the run's beginning to the frame's.
        let offset: Time
        /// In group time; nil: as long as nothing follows.
        var length: Time?
        /// Media time, for the trace.
        let pts: Time
        let serial: Int
        let frame: any WallFrame
        fileprivate(set) var isShown = false
    }

    init(id: Int, _ run: RunID, of timeline: Timeline, start: Time?, entry: Time = .zero) {
        (self.id, self.run, location) = (id, run, timeline.segment(of: run).source)
        (self.start, self.entry, decodedTo) = (start, entry, entry)
        length = timeline.length(of: run)
    }

    /// Its last frames alone, to be entered again from behind; nil: there are none, or `count` is 0.
    func tail(of count: Int) -> Slot? {
        guard count > 0, isWhole, start != nil else { return nil }
        var tail = self
        tail.frames = frames.suffix(count)
        guard let first = tail.frames.first else { return nil }
        (tail.loading, tail.arrival, tail.takesOverAt, tail.fade) = (.whole, .entered, nil, .zero)
        (tail.entry, tail.dueIndex) = (first.offset, 0)
        return tail
    }

    /// Walks to the frame that is due, forwards or backwards; says how many went by unseen.
    /// `behind`: how many frames before it stay.
    mutating func advance(to groupTime: Time, keeping behind: Int) -> Int {
        guard let start else { return 0 }
        var dropped = 0
        while dueIndex + 1 < frames.count, start + frames[dueIndex + 1].offset <= groupTime {
            if !frames[dueIndex].isShown { dropped += 1 }
            dueIndex += 1
        }
        while dueIndex > 0, start + frames[dueIndex].offset > groupTime { dueIndex -= 1 }
        if dueIndex > behind {
            frames.removeFirst(dueIndex - behind)
            dueIndex = behind
        }
        return dropped
    }

    // MARK: its place in time

    /// All of it begins so much later.
    mutating func shift(by change: Time) {
        start = start.map { $0 + change }
        dueAt = dueAt.map { $0 + change }
        takesOverAt = takesOverAt.map { $0 == -.distantFuture ? $0 : $0 + change }
        cut = cut.map { $0 + change }
    }

    mutating func begin(at start: Time?) { self.start = start }

    /// The slot begins with its first frame, later than it was due.
    mutating func awaitFirstFrame() { (start, dueAt) = (nil, dueAt ?? start) }

    /// It is part of a iteration of its group's A-B loop.
    mutating func join(abIteration: Int) { self.abIteration = abIteration }

    /// So many iterations are over, which lasted so long.
    mutating func windBack(by abIterations: Int, lasting change: Time) {
        shift(by: .zero - change)
        abIteration -= abIterations
    }

    mutating func takeOver(at instant: Time?) { takesOverAt = instant }

    mutating func setCut(_ cut: Time?) { self.cut = cut }

    mutating func setFade(_ fade: Time) { self.fade = fade }

    mutating func setDueTolerance(_ tolerance: Time) { dueTolerance = tolerance }

    /// It is what follows in a run of which so much was played before.
    mutating func comeBack(after played: Time) {
        start = start.map { $0 - played }
        (entry, decodedTo, length) = (entry + played, decodedTo + played, length.map { $0 + played })
        frames = frames.map {
            var later = Frame(
                offset: $0.offset + played, length: $0.length, pts: $0.pts, serial: $0.serial, frame: $0.frame)
            later.isShown = $0.isShown
            return later
        }
    }

    /// What is behind this offset is not wanted any more.
    mutating func shorten(to offset: Time) {
        (length, shortenedTo) = (offset, offset)
        if decodedTo >= offset { refill?.wasWhole = true }
        frames.removeAll { $0.offset >= offset }
        dueIndex = min(dueIndex, max(0, frames.count - 1))
        decodedTo = min(decodedTo, offset)
    }

    /// It is after all, to its run's end (nil: that is not known); a lease that it has is over.
    mutating func lengthen(to length: Time?, id: Int) {
        (self.length, shortenedTo, cut) = (length, nil, nil)
        if length.map({ decodedTo < $0 }) ?? true { refill?.wasWhole = false }
        if isLeased { (self.id, loading) = (id, .planned) } else { reopen() }
    }

    /// It was entered by a start, a seek or a new seat.
    mutating func enter() { arrival = .entered }

    /// What is before this is not wanted.
    mutating func moveEntry(to entry: Time) { (self.entry, decodedTo) = (entry, entry) }

    /// It stands elsewhere in another sequence.
    mutating func become(_ run: RunID) { self.run = run }

    /// What is known of its length by now.
    mutating func setLength(_ length: Time?) { self.length = length }

    // MARK: what becomes of its source

    /// `asked`: since when its source is being opened, in wall time.
    mutating func noteOpening(since asked: Time) {
        loading = .opening
        if case .lost = absence { absence = .lost(until: nil) }
        times.asked = asked
    }

    mutating func skip() { absence = .skipped }

    mutating func holdNext() { holdsNext = true }

    mutating func take(_ source: any WallSource, at now: Time) {
        (loading, absence, holdsNext) = (.ready(source), .none, false)
        times.opened = now
    }

    mutating func lease(to pipeline: Int, at now: Time, isAnother: Bool) {
        loading = .leased(pipeline: pipeline)
        if isAnother { how = .swapped }
        if times.leased == nil { times.leased = now }
    }

    /// Its decoder stayed open.
    mutating func noteContinued() { if how == .reopened { how = .continued } }

    /// The pipeline leaves it where it stands.
    mutating func giveBack(_ source: any WallSource) { loading = .ready(source) }

    /// Its source is to be asked for once more.
    mutating func replan() { loading = .planned }

    /// Nothing of it can be played; its place lasts `length`.
    mutating func fail(_ trouble: SourceTrouble, lasting length: Time?) {
        loading = .failed(trouble)
        if let length { (self.length, decodedTo) = (length, length) }
        // Slots were planned and decoded as if it were absent, and its place lasts no time.
        if !isSkipped || self.length != .zero { absence = .none }
    }

    /// All that it will ever hold is here. `length`: what it lasts, where that is known by now.
    mutating func end(_ length: Time? = nil) {
        (loading, absence) = (.whole, .none)
        if let length { (self.length, decodedTo) = (length, length) }
    }

    /// What was cut off is wanted after all.
    mutating func reopen() {
        guard case .whole = loading, !isStill, length.map({ decodedTo < $0 }) ?? true else { return }
        loading = .planned
    }

    /// Its time is over though its source goes on; a lease that it has is over.
    mutating func end(id: Int) { (self.id, loading, absence) = (id, .whole, .none) }

    /// It ends at its last frame.
    mutating func breakOff() {
        (loading, length, refill, absence) = (.whole, decodedTo, nil, .none)
    }

    /// Its source is to be asked for once more, not before this wall time.
    mutating func reconnect(at instant: Time) {
        (loading, absence) = (.planned, .lost(until: instant))
    }

    /// Its time is over before its source was there again.
    mutating func giveUpRest() { (loading, refill, absence) = (.whole, nil, .none) }

    /// A still image, or a sound without any frame.
    mutating func fill(with still: Frame?, _ length: Time?, at now: Time) {
        (loading, isStill, how) = (.whole, true, .swapped)
        (self.length, decodedTo) = (length, length ?? .zero)
        times.ready = now
        (refill, absence) = (nil, .none)
        if let still { (frames, dueIndex) = ([still], 0) }
    }

    mutating func noteAsked(_ plan: Wall.StillPlan) { askedStill = plan }

    mutating func replaceStill(with frame: any WallFrame, serial: Int) {
        frames = frames.map { Frame(offset: $0.offset, pts: $0.pts, serial: serial, frame: frame) }
    }

    /// The same frames once more, without any decoding.
    func replayed(as run: RunID, id: Int) -> Slot {
        var again = self
        (again.id, again.run) = (id, run)
        (again.start, again.dueAt, again.takesOverAt, again.cut, again.fade) = (nil, nil, nil, nil, .zero)
        (again.arrival, again.loading, again.how, again.times) = (.follows, .whole, .replayed, Times())
        (again.dueIndex, again.isFilling, again.skippedTo, again.refill) = (0, true, nil, nil)
        for index in again.frames.indices { again.frames[index].isShown = false }
        return again
    }

    /// The same frames where another slot is planned.
    func replayed(inPlaceOf planned: Slot) -> Slot {
        var again = replayed(as: planned.run, id: planned.id)
        (again.start, again.entry, again.takesOverAt) = (planned.start, planned.entry, planned.takesOverAt)
        (again.abIteration, again.length, again.cut) = (planned.abIteration, planned.length, planned.cut)
        guard let played = again.played, !isStill else { return again }
        again.frames.removeAll { $0.offset + again.dueTolerance >= played }
        again.decodedTo = min(again.decodedTo, played)
        return again
    }

    /// What it holds, for a feed of its own, which opens the rest once more.
    func divided(id: Int) -> Slot {
        var own = self
        (own.id, own.refill, own.fade) = (id, nil, .zero)
        if !own.isWhole { own.loading = .planned }
        return own
    }

    // MARK: frames

    /// The next one in its order; `end`: where the one after it begins. Says whether it was the first.
    mutating func append(_ frame: Frame, to end: Time, at now: Time) -> Bool {
        frames.append(frame)
        decodedTo = end
        guard times.ready == nil else { return false }
        times.ready = now
        return true
    }

    /// Others follow.
    mutating func dropFrames() { (frames, dueIndex) = ([], 0) }

    mutating func setFilling(_ isFilling: Bool) { self.isFilling = isFilling }

    mutating func notePresented(_ index: Int) { frames[index].isShown = true }

    /// Its decoder has left behind what ends before this offset.
    mutating func noteSkip(to end: Time) { (skippedTo, hasGaps) = (end, true) }

    mutating func noteGap() { hasGaps = true }

    /// Where a decoder that skipped some went on; nil: it did not skip any.
    mutating func takeSkip() -> Time? {
        defer { skippedTo = nil }
        return skippedTo
    }

    // MARK: refills

    /// What is before its frames is decoded by the next lease; its own is over.
    mutating func beginRefill(id: Int, from: Time, to: Time) {
        refill = Refill(from: from, to: to, wasWhole: isWhole)
        (self.id, loading) = (id, .planned)
    }

    /// The lease for it begins, perhaps once more.
    mutating func restartRefill() {
        if let refill { self.refill = Refill(from: refill.from, to: refill.to, wasWhole: refill.wasWhole) }
    }

    /// The last `most` of them are kept.
    mutating func appendRefill(_ frame: Frame, to end: Time, keeping most: Int) {
        refill?.frames.append(frame)
        refill?.decodedTo = end
        let surplus = (refill?.frames.count ?? 0) - most
        if surplus > 0 { refill?.frames.removeFirst(surplus) }
    }

    /// All that was missing is there: the run goes on as before.
    mutating func endRefill() {
        guard let refill else { return }
        self.refill = nil
        loading = refill.wasWhole ? .whole : .planned
        guard refill.decodedTo >= refill.to else { return }
        // It may have been shortened meanwhile, and hold nothing of what was behind them.
        let missing = refill.frames.filter { frame in shortenedTo.map { frame.offset < $0 } ?? true }
        frames.insert(contentsOf: missing.map { $0.shown }, at: 0)
        dueIndex = min(dueIndex + missing.count, max(0, frames.count - 1))
    }
}

extension Slot.Frame {
    fileprivate var shown: Self {
        var shown = self
        shown.isShown = true
        return shown
    }
}
