/// One sequence on one timeline: its slots, and what it shows while they have nothing due.
///
/// What it does with itself stands in `Feed+*.swift`. Each of its parts keeps its own state; what a function answers,
/// or leaves in the orders, is for the wall to do.
struct Feed {
    let id: FeedID
    /// Whose clock it follows; a tile that was moved alone has one of its own until it comes home.
    var group: GroupID
    /// The tiles that look at it, rising.
    var tiles: [TileID] = []
    /// Tiles that compare what it shows, rising.
    private(set) var watchers: [TileID] = []
    var hasSeat = false
    var onError: OnError
    var timeline: Timeline
    var anchor: Anchor
    var phase = Phase.playing
    /// Front, back, and more while together they are shorter than the depth.
    var slots: [Slot] = []
    var history = History()
    /// What is shown under its front; nil: no seam fades.
    var fadeOut: FadeOut?
    /// A run that begins no earlier than this, whatever comes before it.
    private(set) var delayed: (run: RunID, begin: Time)?
    /// Of which its timeline knows how long its seams can fade.
    var fadeBasis: FadeBasis?
    var screen = FeedScreen()
    var preview = Preview()
    var sources = FeedSources()
    var trouble = FeedTrouble()
    var decoding = DecodeRecord()
    /// Of what is live; nil: what is on is finite.
    var edge: LiveEdge?
    var liveness = Liveness()
    /// Items that interrupt what it plays.
    var breakItems: Range<Int>?
    /// What its slots are planned for: the A-B loop of its group; nil: all.
    var abLoop: ABLoop?
    /// How much later its frames start than those of the film that it is compared with, in group time: each is shown
    /// with the nearest frame of that film. Zero while it is compared with none.
    private(set) var framePhase = Time.zero
    private var numbers = Numbers()

    enum Phase: Equatable {
        case playing
        /// Nothing follows: the last frame stays.
        case ended
        /// A whole iteration failed; tried again at this wall time.
        case barren(until: Time)
        /// Never again.
        case hopeless(SourceTrouble)
    }

    /// How many slots and frames there have been.
    private struct Numbers {
        var slots = 0
        var frames = 0
    }

    init(id: FeedID, tile: TileLayout, group: GroupID) {
        (self.id, self.group, onError) = (id, group, tile.onError)
        timeline = Timeline(items: tile.play, loop: tile.loop, transition: tile.transition)
        anchor = Anchor(offset: tile.offset)
        if tile.play.isEmpty { phase = .ended }
    }

    /// Stands for a feed that is gone: it plays nothing.
    static var missing: Feed {
        Feed(id: FeedID(number: -1), tile: Tile.missing.layout, group: GroupID(number: -1))
    }

    /// A feed of its own for some of its tiles, which shows what this one shows and decodes for itself from there.
    func divided(as id: FeedID, for tiles: [TileID]) -> Feed {
        var own = Feed(id: id, divided: self)
        own.tiles = tiles
        return own
    }

    private init(id: FeedID, divided other: Feed) {
        (self.id, group, onError) = (id, other.group, other.onError)
        (timeline, anchor, phase, breakItems) = (other.timeline, other.anchor, other.phase, other.breakItems)
        (screen, preview) = (FeedScreen(divided: other.screen), Preview(divided: other.preview))
        (sources, trouble, numbers) = (FeedSources(known: other.sources), other.trouble, other.numbers)
        liveness = other.liveness
        guard let front = other.slots.first, other.hasSeat else { return }
        // What is decoded already is shown while the rest is opened once more.
        (hasSeat, edge, abLoop) = (true, other.edge, other.abLoop)
        slots = [front.divided(id: newSlotID())]
        fadeOut = other.fadeOut
    }

    func isBreak(_ run: RunID) -> Bool { placeInBreak(of: run) != nil }

    /// Of an item of the break that is among its items; nil: it is none.
    func placeInBreak(of run: RunID) -> Int? {
        breakItems.flatMap { $0.contains(run.item) ? run.item - $0.lowerBound : nil }
    }

    /// A break that can't be played is skipped.
    func onError(in run: RunID) -> OnError { isBreak(run) ? .next : onError }

    mutating func delay(_ run: RunID, to begin: Time) { delayed = (run, begin) }

    /// So much later than it would a run of this iteration begins.
    func delay(inIteration iteration: Int) -> Time {
        guard let delayed, delayed.run.iteration == iteration, anchor.iteration == iteration else { return .zero }
        return max(.zero, delayed.begin - anchor.origin - timeline.start(ofItem: delayed.run.item))
    }

    /// How long the break lasts that is among its items.
    var breakLength: Time {
        (breakItems ?? 0..<0).reduce(.zero) { length, item in
            length + (timeline.span(ofItem: item) ?? .zero) - timeline.fade(before: RunID(iteration: 0, item: item))
        }
    }

    mutating func forgetDelay() { delayed = nil }

    /// All that show something of it.
    var viewers: [TileID] { tiles + watchers }

    mutating func setWatchers(_ watchers: [TileID]) {
        if watchers != self.watchers { self.watchers = watchers }
    }

    mutating func setFramePhase(_ phase: Time) { framePhase = phase }

    /// When its frames start; nil: it is no film of an even rate, or that is not known yet.
    func frameGrid(at groupTime: Time) -> FrameGrid? {
        guard let slot = current(at: groupTime) ?? slots.first, let start = slot.start,
            let facts = sources.facts(of: slot.location), facts.kind == .video, facts.live == nil,
            let frame = facts.frameLength, frame > .zero
        else { return nil }
        let rate = timeline.rate(of: slot.run)
        return FrameGrid(
            origin: start - timeline.segment(of: slot.run).start.lasting(at: rate), frame: frame, at: rate)
    }

    // MARK: slots

    mutating func newFrameSerial() -> Int {
        numbers.frames += 1
        return numbers.frames
    }

    mutating func newSlotID() -> Int {
        numbers.slots += 1
        return numbers.slots
    }

    mutating func makeSlot(_ run: RunID, start: Time?, entry: Time = .zero) -> Slot {
        var slot = Slot(id: newSlotID(), run, of: timeline, start: start, entry: entry)
        slot.setDueTolerance(dueTolerance(of: slot))
        return slot
    }

    /// By what is known of its source.
    func dueTolerance(of slot: Slot) -> Time {
        guard let facts = sources.facts(of: slot.location), facts.kind == .video, facts.live == nil,
            let length = facts.frameLength
        else { return .zero }
        return length.lasting(at: timeline.rate(of: slot.run)).dueTolerance
    }

    /// The least of its slots; nil while none is known.
    var dueTolerance: Time? { slots.lazy.map(\.dueTolerance).filter { $0 > .zero }.min() }

    func index(ofSlot id: Int) -> Int? { slots.firstIndex { $0.id == id } }

    /// Gives back all that it holds, except the frame that it shows.
    mutating func dropSlots(_ effects: inout Effects) {
        for slot in slots { retire(slot, &effects) }
        (slots, fadeOut) = ([], nil)
        history.keep(nil)
    }

    /// All slots from this one on.
    mutating func dropSlots(from index: Int, _ effects: inout Effects) {
        for slot in slots[index...] { retire(slot, &effects) }
        slots.removeSubrange(index...)
    }

    /// What becomes of a slot that is over: its source is kept for another run.
    mutating func retire(_ slot: Slot, _ effects: inout Effects) {
        switch slot.loading {
        case .ready(let source): sources.park(source, of: slot.id, at: slot.location, &effects)
        case .leased(let pipeline): effects.wakePipeline(pipeline)
        case .planned, .opening, .whole, .failed: break
        }
    }

    mutating func dropPreview(_ effects: inout Effects) {
        if let slot = preview.drop() { retire(slot, &effects) }
    }

    /// Nobody looks at it: it gives everything back.
    mutating func release(_ effects: inout Effects) {
        dropSlots(&effects)
        dropPreview(&effects)
        sources.keep(where: { _ in false }, &effects)
        hasSeat = false
    }

    // MARK: what is known of its sources

    /// What it plays now.
    var location: String? { slots.first?.location }

    /// At least one of its sources was opened.
    var isOpen: Bool { timeline.knowsAnything || slots.contains { $0.wasOpened } }

    /// What a tile says of its trouble: of which source, where it has several.
    func words(for trouble: SourceTrouble) -> String {
        let sources = Set(timeline.items.flatMap { $0.segments.map(\.source) })
        return sources.count > 1 ? "\(SourceName.fileName(of: self.trouble.source)): \(trouble.what)" : trouble.what
    }

    /// No source of it will ever play.
    var isHopeless: Bool {
        timeline.items.allSatisfy { item in item.segments.allSatisfy { trouble.isHopeless($0.source) } }
    }

    /// A sound is on: it has no frame of its own, and the frame before it is over.
    var playsOnlySound: Bool {
        if let preview = preview.slot, case .whole = preview.loading, screen.last == nil {
            return preview.frames.isEmpty
        }
        guard let front = slots.first, case .whole = front.loading else { return false }
        return front.isStill && front.frames.isEmpty && fadeOut == nil
    }
}
