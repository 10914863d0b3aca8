/// One sequence on one timeline: its slots, and what it shows while they have nothing due.
struct Feed<Picture, Source> {
    let id: FeedID
    /// Whose clock it follows; a tile that was moved alone has one of its own until it comes home.
    var group: GroupID
    /// How far it is ahead of its group's clock.
    var offset: Time
    var onError: OnError
    var timeline: Timeline
    /// The pass that `origin` belongs to, and the group time at which that pass begins (offset applied).
    var pass = 0
    var origin: Time
    /// Its sequence begins when its first picture is there: nobody waits for it, and it misses nothing.
    var awaitsFirstPicture = false
    /// Front, back, and more while together they are shorter than the depth.
    var slots: [Slot<Picture, Source>] = []
    /// The last pictures of the run before the front's, for a step back over the seam.
    var tail: Slot<Picture, Source>? {
        get { tailStore.first }
        set { tailStore = newValue.map { [$0] } ?? [] }
    }
    /// One at most; apart from the feed, which stays small to copy.
    private var tailStore: [Slot<Picture, Source>] = []
    /// The sound of slots that are over, while it is still heard.
    var pastRuns: [HeardRun] = []
    /// The tiles that look at it, rising.
    var views: [TileID] = []
    var hasSeat = false
    /// What was last shown: it stays until something else is due.
    var last: Shown?
    /// The first picture of its first item, for a feed that has no seat yet.
    var poster: Slot<Picture, Source>?
    var posterPicture: Shown?
    /// Sources that were read and may be wanted again: they stay open. Newest last.
    var parked: [(location: String, source: Source)] = []
    var serial = 0
    var slotCount = 0
    var phase = Phase.playing
    /// How often a whole pass had nothing to play.
    var barrenPasses = 0
    /// Slots whose file is another one by now: nothing else is to be read from it.
    var outdated: Set<Int> = []
    /// What to say on its card, and of which source.
    var trouble: SourceTrouble?
    var troubled = ""
    /// By source: what was said of it, and is not said again until it has played.
    var said: [String: SourceTrouble] = [:]
    /// Sources that no later FFmpeg call can make playable.
    var hopeless: Set<String> = []
    var health = Health()
    /// Of the picture that was put on the screen last.
    var presentedSerial = 0
    var presented: Presented?
    /// The item on the screen, with the counts from before it.
    var playing: PlayedItem?
    /// The run that was on screen last, for telling a seam.
    var lastRun: RunID?
    /// The pipeline that decoded the run before.
    var lastPipeline: Int?
    var lack: Lack?
    /// How long it took, of late at most, from a lease to the run's first picture, in wall time.
    var warmUp = Time.zero
    /// What decoding it costs, in parts of a core; nil until measured.
    var cost: Double?
    /// For how much of its media time its pipeline works, at rate 1: waiting for room and for the file left out.
    var labour: Double?
    /// Pieces that were opened for their lengths alone: some never say.
    var probed: Set<RunID> = []
    /// When a picture was last decoded too late to be shown.
    var skippedAt: Time?
    var degrade = DegradingStep.nothing
    /// Where every second picture is left out: whether the next one is shown.
    var showsNext = true
    /// By source: what it turned out to be when it was opened.
    var facts: [String: OpenedFacts] = [:]
    /// The last picture that was scaled though it was late, in wall time.
    var lastScaled = Time.zero

    enum Phase: Equatable {
        case playing
        /// Nothing follows: the last picture stays.
        case ended
        /// A whole pass failed; tried again at this wall time.
        case barren(until: Time)
        /// Never again.
        case given(up: SourceTrouble)
    }

    /// Of the picture that is due.
    struct Lack {
        /// In wall time.
        let since: Time
        var isStall = false
    }

    /// A picture on the screen, in group time from its run's beginning.
    struct Presented {
        var run: RunID
        var offset: Time
    }

    struct Shown {
        var picture: Picture
        var serial: Int
        var item: Int
    }

    init(id: FeedID, tile: TileLayout, group: GroupID) {
        (self.id, self.group, offset, onError) = (id, group, tile.offset, tile.onError)
        timeline = Timeline(items: tile.play, loop: tile.loop)
        if tile.play.isEmpty { phase = .ended }
        origin = .zero - tile.offset
    }

    /// A feed of its own for some of its views, which shows what this one shows and decodes for itself from there.
    func divided(as id: FeedID, for tiles: [TileID]) -> Feed {
        var own = Feed(id: id, divided: self)
        own.views = tiles
        return own
    }

    private init(id: FeedID, divided other: Feed) {
        (self.id, group, offset, onError) = (id, other.group, other.offset, other.onError)
        (timeline, pass, origin, phase) = (other.timeline, other.pass, other.origin, other.phase)
        (awaitsFirstPicture, last, posterPicture) = (other.awaitsFirstPicture, other.last, other.posterPicture)
        (serial, facts, hopeless) = (other.serial, other.facts, other.hopeless)
        (trouble, troubled, said, lastRun) = (other.trouble, other.troubled, other.said, other.lastRun)
        guard let front = other.slots.first, other.hasSeat else { return }
        // What is decoded already is shown while the rest is opened once more.
        hasSeat = true
        var copy = front
        copy.id = nextSlot()
        copy.refill = nil
        if !copy.isWhole { copy.loading = .planned }
        slots = [copy]
    }

    /// It had ended, and has something to play.
    mutating func playAgain() { if phase == .ended, !timeline.items.isEmpty { phase = .playing } }

    mutating func nextSerial() -> Int {
        serial += 1
        return serial
    }

    mutating func nextSlot() -> Int {
        slotCount += 1
        return slotCount
    }

    mutating func makeSlot(_ run: RunID, start: Time?, entry: Time = .zero) -> Slot<Picture, Source> {
        return Slot(
            id: nextSlot(), run: run, location: timeline.piece(of: run).source, start: start,
            length: timeline.length(of: run), entry: entry,
            loading: .planned, decodedTo: entry)
    }

    // MARK: what is on screen

    enum Due {
        case show(slot: Int, entry: Int)
        case notYet
        case ended
    }

    /// What is due now. Slots that are over have been dropped before (`advance`).
    func due(at now: Time) -> Due {
        if let front = slots.first, let start = front.start, front.first < front.pictures.count {
            guard let instant = front.instant, instant <= now || last == nil else { return .notYet }
            let entry = front.pictures.lastIndex { start + $0.offset <= now } ?? front.first
            return .show(slot: 0, entry: entry)
        }
        if case .playing = phase, !slots.isEmpty { return slots[0].isWhole ? .ended : .notYet }
        if case .playing = phase { return .notYet }
        return .ended
    }

    /// When the picture on screen is to be followed by another, in group time.
    func nextDue(after now: Time) -> Time? {
        guard let front = slots.first, let start = front.start else { return nil }
        if let instant = front.instant, instant > now { return instant }
        if front.first + 1 < front.pictures.count { return start + front.pictures[front.first + 1].offset }
        guard slots.count > 1, let next = slots[1].instant, !slots[1].pictures.isEmpty || slots[1].isWhole else {
            return nil
        }
        return max(next, now)
    }

    /// A picture is due now, and not here: what is shown is another one.
    func lacksPicture(at now: Time) -> Bool {
        guard phase == .playing, hasSeat, let current = current(at: now), !current.isWhole else { return false }
        if current.isRefilled(at: now) { return true }
        return current.knownTo.map { $0 <= now } ?? true
    }

    /// When that will be so unless more is decoded, in group time.
    func lackBegins(after now: Time) -> Time? {
        guard let current = current(at: now), !current.isWhole, let end = current.knownTo, end > now else { return nil }
        return end
    }

    private func current(at now: Time) -> Slot<Picture, Source>? {
        slots.last { $0.instant.map { $0 <= now } ?? false }
    }

    /// Drops what is over, but for the last `behind` pictures: a step back shows them at once. Returns the sources and
    /// how many pictures were never seen.
    mutating func advance(
        to now: Time, keeping behind: Int
    ) -> (missed: Int, dropped: [Slot<Picture, Source>]) {
        var missed = 0
        var dropped: [Slot<Picture, Source>] = []
        if slots.count > 1, let current = slots.indices.last(where: { $0 > 0 && slots[$0].canTakeOver(at: now) }) {
            for index in 0..<current {
                missed += slots[index].pictures[slots[index].first...].count { !$0.isShown }
                if let shown = slots[index].pictures.last { keep(shown, of: slots[index]) }
            }
            dropped = Array(slots[..<current])
            tail = slots[current - 1].tail(of: behind)
            slots.removeFirst(current)
        }
        if !slots.isEmpty {
            missed += slots[0].advance(to: now, keeping: isReplayable(0) ? Int.max : behind)
            if let tail { self.tail = tail.tail(of: behind - slots[0].first) }
        }
        return (missed, dropped)
    }

    /// The clock goes back over the front's beginning: the pictures that were kept from before it are the front again.
    mutating func takeTail(backTo now: Time) {
        guard let tail, let first = slots.first?.instant, let instant = tail.instant, let end = tail.end,
            instant <= now, now < end, end <= first
        else { return }
        slots.insert(tail, at: 0)
        self.tail = nil
    }

    /// The picture stays on screen until something else is due.
    mutating func keep(_ entry: Slot<Picture, Source>.Entry, of slot: Slot<Picture, Source>) {
        last = Shown(picture: entry.picture, serial: entry.serial, item: slot.run.item)
    }

    // MARK: what is known of its sources

    /// What it plays now.
    var location: String? { slots.first?.location }

    /// At least one of its sources was opened.
    var isOpen: Bool { timeline.knowsAnything || slots.contains { $0.wasOpened } }

    /// What a tile says of its trouble: of which source, where it has several.
    func words(for trouble: SourceTrouble) -> String {
        let sources = Set(timeline.items.flatMap { $0.pieces.map(\.source) })
        guard sources.count > 1, let name = troubled.split(separator: "/").last else { return trouble.what }
        return "\(name): \(trouble.what)"
    }

    /// No source of it will ever play.
    var isHopeless: Bool {
        timeline.items.indices.allSatisfy { item in
            timeline.items[item].pieces.allSatisfy { hopeless.contains($0.source) }
        }
    }

    // MARK: jumps

    /// What it holds has a picture for this instant.
    func covers(_ now: Time) -> Bool {
        guard let index = slots.lastIndex(where: { $0.instant.map { $0 <= now } ?? false }) else { return false }
        let slot = slots[index]
        guard index == 0 || slots[..<index].allSatisfy(\.isWhole), let start = slot.start else { return false }
        guard let first = slot.pictures.first, start + first.offset <= max(now, start + slot.entry) else {
            return false
        }
        if let end = slot.end, now >= end {
            return slot.isWhole && index == slots.count - 1 && following(slot.run) == nil
        }
        return now < start + slot.decodedTo
    }

    /// The picture for this instant is being decoded to stand before those that it holds.
    func refills(_ now: Time) -> Bool { current(at: now)?.isRefilled(at: now) ?? false }

    /// When the picture after the one at `now` begins, across seams too; as far as it is known.
    func nextPicture(after now: Time) -> Time {
        for slot in slots {
            guard let start = slot.start else { break }
            if let next = slot.pictures.first(where: { start + $0.offset > now }) { return start + next.offset }
        }
        // Not decoded yet: as long as the ones before.
        guard let last = slots.last(where: { !$0.pictures.isEmpty }), let start = last.start else { return now }
        return max(start + last.decodedTo, now + Time(ticks: 1))
    }

    /// An instant of the picture before the one at `now`.
    func previousPicture(before now: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let current = slot.pictures.lastIndex(where: { start + $0.offset <= now }) {
                return current > 0
                    ? start + slot.pictures[current - 1].offset
                    : start + slot.pictures[current].offset - Time(ticks: 1)
            }
        }
        return now - Time(ticks: 1)
    }

    // MARK: another sequence

    /// Plays `items` from now on. `place`: where the item on screen stands among them; nil: it does not. Answers what it
    /// lets go of.
    mutating func resequence(_ items: [Item], keepingItemAt place: Int?) -> [Slot<Picture, Source>] {
        let before = timeline
        timeline = Timeline(items: items, following: before)
        (probed, barrenPasses, trouble, said, hopeless) = ([], 0, nil, [:], [])
        (tail, presented) = (nil, nil)
        if last == nil { last = posterPicture }
        posterPicture = nil
        if let shown = last {
            last?.item = shown.item < 0 ? -1 : before.place(of: RunID(pass: 0, item: shown.item), in: items) ?? -1
        }
        if let run = lastRun { lastRun?.item = before.place(of: run, in: items) ?? 0 }
        let held = slots
        slots = []
        if items.isEmpty { (last, lastRun) = (nil, nil) }
        guard let place, var run = held.first?.run else { return held }
        run.item = place
        var next: RunID? = run
        for slot in held {
            guard let run = next, run.round == slot.run.round, run.piece == slot.run.piece,
                slots.isEmpty || before.items[slot.run.item].sequenced == items[run.item].sequenced
            else { break }
            slots.append(slot)
            slots[slots.count - 1].run = run
            next = following(run)
        }
        let (front, passed) = (slots[0], timeline.offset(of: slots[0].run))
        if let start = front.start, let passed { (pass, origin) = (run.pass, start - passed) }
        return Array(held[slots.count...])
    }

    // MARK: replay

    /// A run that is followed by itself and fits into the depth is kept whole.
    func isReplayable(_ index: Int) -> Bool {
        let slot = slots[index]
        guard slot.entry == .zero, let length = slot.length, length <= Depth.usual, length > .zero else { return false }
        return following(slot.run).map { timeline.repeats(slot.run, $0) } ?? false
    }

    /// The run after `run`, over the end of its pass too; nil when nothing follows.
    func following(_ run: RunID) -> RunID? {
        if let next = timeline.next(after: run) { return next }
        return timeline.takesPart(inPass: run.pass + 1) ? RunID(pass: run.pass + 1) : nil
    }

    // MARK: how far it has decoded

    /// The slot that a pipeline would work on next: runs are decoded in their order.
    var nextToDecode: Int? {
        for (index, slot) in slots.enumerated() {
            switch slot.loading {
            case .whole, .failed, .leased: continue
            case .ready: return index
            case .planned, .opening: return nil
            }
        }
        return nil
    }

    /// What it is to decode next waits for a pipeline, and none works for what comes before.
    var starves: Bool {
        guard let next = nextToDecode else { return false }
        return !slots[..<next].contains { $0.isLeased }
    }

    /// An earlier slot has the source that this one wants, and leaves it when it is decoded.
    func inherits(_ index: Int) -> Bool {
        let location = slots[index].location
        return slots[..<index].contains { !$0.isWhole && $0.location == location }
    }

    /// How far it is decoded ahead, in wall time: half a second as a rule, more where the next run is slow to begin.
    var depth: Time {
        let isEnteredInside = slots.dropFirst().contains {
            $0.entry > .zero || timeline.piece(of: $0.run).start > .zero
        }
        let needed = warmUp == .zero && isEnteredInside ? Depth.beforeInPoint : warmUp * 2 + .milliseconds(100)
        return min(max(Depth.usual, needed), Depth.most)
    }

    /// Learns from a run that was warmed; a slow one is forgotten slowly.
    mutating func learn(warmUp measured: Time) { warmUp = max(measured, warmUp * 7 / 8) }

    /// How long it can play on without any pipeline, in group time.
    func buffered(after now: Time) -> Time {
        var until = now
        for slot in slots {
            guard let start = slot.start else { break }
            until = max(until, slot.isWhole ? slot.end ?? until : start + slot.decodedTo)
            if !slot.isWhole { break }
        }
        return until - now
    }
}

/// How far ahead of the clock pictures are decoded.
enum Depth {
    static let usual = Time.milliseconds(500)
    static let most = Time.seconds(3)
    /// What is decoded at a stretch.
    static let burst = Time.milliseconds(250)
    /// Before anything was measured, where the next run begins inside its source: that much may have to be
    /// decoded and thrown away.
    static let beforeInPoint = Time.seconds(1)
    /// So many pictures behind a clock that stands are kept.
    static let keptBehind = 30
    /// And behind one that runs: as many as a step back, or a small drag, goes back.
    static let keptPlaying = 5
    /// After a step back, or a short drag back, this much before the picture is decoded to be kept.
    static let behind = Time.seconds(1)
    /// By so much the focused feed comes before the others.
    static let focusFirst = Time.milliseconds(50)
    /// A feed that has fallen behind aims at so far ahead of its clock.
    static let catchUp = Time.milliseconds(100)
    /// A back slot is warmed up to this many pictures while the front still plays.
    static let warmPictures = 4
    /// A playing tile never has fewer than this, whatever the memory.
    static let fewestPictures = 3
}

/// What the end of a run says of a tile.
public struct Health: Sendable, Equatable {
    static func + (a: Health, b: Health) -> Health {
        var sum = a
        sum.presented += b.presented
        (sum.late, sum.missed, sum.stalls) = (a.late + b.late, a.missed + b.missed, a.stalls + b.stalls)
        return sum
    }

    public var presented = 0
    public var late = 0
    public var missed = 0
    public var startup: Time?
    public var stalls = 0
}
