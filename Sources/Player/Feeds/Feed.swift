import Base
import Layout
import Measurement
import Scene

/// What one or more tiles play: a sequence on a timeline, decoded once for all of them.
///
/// Its decisions are in `Feed+*.swift`. Each part changes its own state only. The wall carries out what a function
/// returns or leaves in `Effects`.
struct Feed {
    let id: FeedID
    /// Group that provides its clock. A tile that was moved alone has a group of its own until Home.
    var group: GroupID
    /// Tiles that show this feed, ascending.
    var tiles: [TileID] = []
    private(set) var compared = Compared()
    /// True while it may use a pipeline. Feeds take turns if there are more of them than pipelines.
    var hasSeat = false
    var onError: OnError
    var timeline: Timeline
    var anchor: Anchor
    var phase = Phase.playing
    /// Front, back, and more while their total length is below the depth.
    var slots: [Slot] = []
    var seam = Seam()
    var screen = FeedScreen()
    var preview = Preview()
    var sources = FeedSources()
    var trouble = FeedTrouble()
    var decoding = DecodeRecord()
    var liveness = Liveness()
    /// The run that waits below what is on top.
    var standing = StandingRun()
    /// A-B loop of the group, for which the slots are planned; nil while the group plays without one.
    var abLoop: ABLoop?
    private var numbers = Numbers()

    enum Phase: Equatable {
        case playing
        /// Nothing follows: the last frame stays.
        case ended
        /// Nothing in a whole iteration could be played. Retried at this wall time.
        case barren(until: Time)
        /// No source can ever be played.
        case hopeless(SourceTrouble)
    }

    /// The comparisons that show it.
    struct Compared {
        /// Tiles that compare this feed with another, ascending.
        fileprivate(set) var watchers: [TileID] = []
        /// Offset of its frame times from those of the film that it is compared with, in group time. Each frame is shown
        /// with the nearest frame of that film. Zero while it is compared with none.
        fileprivate(set) var phase = Time.zero
    }

    /// Number of slots and frames made so far.
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

    /// Stands for a feed that was removed. It plays nothing.
    static var missing: Feed {
        Feed(id: FeedID(number: -1), tile: .missing, group: GroupID(number: -1))
    }

    /// Returns a feed of its own for some of the tiles. It shows what this feed shows and decodes for itself from
    /// there.
    func divided(as id: FeedID, for tiles: [TileID]) -> Feed {
        var own = Feed(id: id, divided: self)
        own.tiles = tiles
        return own
    }

    private init(id: FeedID, divided other: Feed) {
        (self.id, group, onError) = (id, other.group, other.onError)
        (timeline, anchor, phase, standing) = (other.timeline, other.anchor, other.phase, other.standing)
        (screen, preview) = (FeedScreen(divided: other.screen), Preview(divided: other.preview))
        (sources, trouble, numbers) = (FeedSources(known: other.sources), other.trouble, other.numbers)
        liveness = other.liveness
        liveness.edge = nil
        guard let front = other.slots.first, other.hasSeat else { return }
        // The decoded frames are shown while the source is opened again.
        (hasSeat, liveness.edge, abLoop) = (true, other.liveness.edge, other.abLoop)
        slots = [front.divided(id: newSlotID())]
        seam.fadeOut = other.seam.fadeOut
    }

    /// An item on top that can't be played is skipped.
    func onError(in run: RunID) -> OnError { run.part == .top ? .next : onError }

    /// Returns the delay added to the start of each run of this iteration.
    func delay(inIteration iteration: Int) -> Time {
        guard let delayed = anchor.delayed, delayed.run.iteration == iteration, anchor.iteration == iteration else {
            return .zero
        }
        return max(.zero, delayed.begin - anchor.origin - timeline.start(ofItemOf: delayed.run))
    }

    /// All tiles that show this feed or compare it.
    var viewers: [TileID] { tiles + compared.watchers }

    mutating func setWatchers(_ watchers: [TileID]) {
        if watchers != compared.watchers { compared.watchers = watchers }
    }

    mutating func setFramePhase(_ phase: Time) { compared.phase = phase }

    /// Returns the times at which its frames start; nil if it is no film of a constant frame rate, or until that is
    /// known.
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
        var slot = Slot(id: newSlotID(), run, of: timeline, start: start, entry: max(entry, timeline.entry(of: run)))
        if let cut = timeline.cut(of: run) { slot.shorten(to: cut) }
        slot.timing.setDueTolerance(dueTolerance(of: slot))
        return slot
    }

    /// Tolerance that follows from the length of the source's frames; zero if that is unknown.
    func dueTolerance(of slot: Slot) -> Time {
        guard let facts = sources.facts(of: slot.location), facts.kind == .video, facts.live == nil,
            let length = facts.frameLength
        else { return .zero }
        return length.lasting(at: timeline.rate(of: slot.run)).dueTolerance
    }

    /// Smallest tolerance of its slots; nil until one is known.
    var dueTolerance: Time? { slots.lazy.map(\.dueTolerance).filter { $0 > .zero }.min() }

    func index(ofSlot id: Int) -> Int? { slots.firstIndex { $0.id == id } }

    /// Releases everything but the frame on the screen.
    mutating func dropSlots(_ effects: inout Effects) {
        for slot in slots { retire(slot, &effects) }
        slots = []
        seam.clear()
    }

    /// Drops all slots from this one on.
    mutating func dropSlots(from index: Int, _ effects: inout Effects) {
        for slot in slots[index...] { retire(slot, &effects) }
        slots.removeSubrange(index...)
    }

    /// Keeps the source of a dropped slot for another run, or wakes the pipeline that has it.
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

    /// Drops slots, preview and sources when no tile shows the feed.
    mutating func release(_ effects: inout Effects) {
        dropSlots(&effects)
        dropPreview(&effects)
        sources.keep(where: { _ in false }, &effects)
        hasSeat = false
    }

    // MARK: what is known of its sources

    /// Source of its front.
    var location: String? { slots.first?.location }

    /// True if at least one of its sources was opened.
    var isOpen: Bool { timeline.knowsAnything || slots.contains { $0.wasOpened } }

    /// Returns the text for the card: the trouble, with the source's name if the feed has several sources.
    func words(for trouble: SourceTrouble) -> String {
        let sources = Set(timeline.items.flatMap { $0.segments.map(\.source) })
        return sources.count > 1 ? "\(SourceName.fileName(of: self.trouble.source)): \(trouble.what)" : trouble.what
    }

    /// True if no source of it can ever be played.
    var isHopeless: Bool {
        timeline.items.allSatisfy { item in item.segments.allSatisfy { trouble.isHopeless($0.source) } }
    }

    /// True while a sound without frames plays, and the frame before it is over.
    var playsOnlySound: Bool {
        if let preview = preview.slot, case .whole = preview.loading, screen.last == nil {
            return preview.frames.isEmpty
        }
        guard let front = slots.first, case .whole = front.loading else { return false }
        return front.isSound && seam.fadeOut == nil
    }
}
