/// One sequence on one timeline: its slots, and what it shows while they have nothing due.
struct Feed {
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
    var slots: [Slot] = []
    /// The last pictures of the run before the front's, for a step back over the seam.
    var tail: Slot? {
        get { tailStore.first }
        set { tailStore = newValue.map { [$0] } ?? [] }
    }
    /// One at most; apart from the feed, which stays small to copy.
    private var tailStore: [Slot] = []
    /// The sound of slots that are over, while it is still heard.
    var pastRuns: [HeardRun] = []
    /// The tiles that look at it, rising.
    var views: [TileID] = []
    var hasSeat = false
    /// What was last shown: it stays until something else is due.
    var last: Shown?
    /// The first picture of its first item, for a feed that has no seat yet.
    var poster: Slot?
    var posterPicture: Shown?
    /// Sources that were read and may be wanted again: they stay open. Newest last.
    var parked: [(location: String, source: any WallSource)] = []
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
        var picture: any WallPicture
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

    mutating func makeSlot(_ run: RunID, start: Time?, entry: Time = .zero) -> Slot {
        return Slot(
            id: nextSlot(), run: run, location: timeline.piece(of: run).source, start: start,
            length: timeline.length(of: run), entry: entry,
            loading: .planned, decodedTo: entry)
    }

    // MARK: what is known of its sources

    /// What an opening is for is still there.
    func awaits(_ purpose: Opening.Purpose) -> Bool {
        switch purpose {
        case .slot(let id): slots.contains { $0.id == id }
        case .poster(let id): poster?.id == id
        case .probe: false
        }
    }

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
}
