/// The whole wall: takes every decision and touches nothing.
///
/// It passes on what one part says to the next; each part keeps its own state. Every call takes the wall time
/// (CLOCK_MONOTONIC) and leaves behind what is to be done (`takeEffects`). `WallRunner` keeps it behind one lock; calls
/// take microseconds. `Wall+Update` is what is due when nobody calls, `Wall+Leases` what pipelines ask and bring,
/// `Wall+OpenRequests` what openers bring, `Wall+Scene` the screen's side, `Wall+Commands` the users'.
public struct Wall {
    var layouts: Layouts
    var clocks = Clocks()
    var feeds = Table<FeedID, Feed>(missing: .missing)
    var tiles = Tiles()
    var pool: Pool
    var degrading: Degrading
    public internal(set) var audioState = AudioState()
    /// The value that a command has changed, for as long as it is shown.
    var notice: Notice?
    /// A message of the wall itself; nil: none is shown.
    var announcement: Notice?
    /// Whether the wall has announced that the live tiles of this layout can't all play.
    var isShortageAnnounced = false
    /// Which part of their frames the tiles of a group show; none: all of it.
    var magnified: [String: FrameZoom] = [:]
    var figures = Figures()
    /// How was compared over the whole wall last.
    var lastComparison: ComparisonLayout?
    /// Which of two clips is seen; nil: it is a wall like others.
    public internal(set) var blindTest: BlindTest?
    /// A flash and a click are made to meet; nil: it is a wall like others.
    public internal(set) var eyeTest: EyeTest?
    /// The line of a wipe that a drag moves.
    var heldLine: HeldLine?
    var beganAt: Time?
    /// Its clocks stand since nobody sees it, in wall time; nil: they don't.
    var restsSince: Time?
    var output: Output
    var effects = Effects()
    var openRequests = OpenRequests()
    var posterLoads = PosterLoads()
    var breaks = Breaks()
    public internal(set) var takes = Takes()
    /// How often files that words are read from have changed.
    var wordChanges: [String: Int] = [:]
    /// What tiles that are gone had presented.
    var departed = Health()

    public enum TimeDrive: Sendable {
        /// The clock goes on whatever is there: a wall that is too slow degrades.
        case keepsUp
        /// Whoever moves the clock waits for every frame.
        case waits
    }

    /// A wall that plays `layout` as soon as it is begun, its clocks as `start` says.
    public init(
        layout: Layout, pipelines: Int, cores: Double? = nil, drive: TimeDrive = .keepsUp,
        start: Clock.Start = Clock.Start()
    ) {
        layouts = Layouts(title: layout.title)
        degrading = Degrading(isAllowed: drive == .keepsUp)
        output = Output(size: layout.window.size)
        pool = Pool(count: pipelines, cores: cores)
        adopt(layout, because: .start, at: .zero)
        for group in clocks.ids {
            let stated = layout.groups.first { $0.name == clocks[group].name }
            var own = start
            if start.position == .zero, let at = stated?.at { own.position = at }
            if start.rate == .one, let rate = stated?.rate { own.rate = rate }
            clocks[group].set(own)
        }
    }

    /// As it was applied. Its tiles as they are now are in `tiles`, its volume and delay in `audioState`.
    public var layout: Layout { layouts.applied }
    /// Rises with every layout that is applied.
    public var layoutSerial: Int { layouts.serial }
    public var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }

    /// So many pipelines may be used; whoever calls it has threads for them.
    public mutating func setPipelines(_ count: Int, cores: Double? = nil, at now: Time) {
        change(at: now) {
            $0.pool.setLimit(count, cores: cores)
            $0.forgetShortage()
        }
    }

    public var pipelines: Int { pool.limit }

    /// How many feeds play.
    public var seatedFeeds: Int { feeds.count { $0.hasSeat && !$0.tiles.isEmpty } }

    // MARK: what is to be done

    public mutating func takeEffects() -> Effects { effects.take() }

    /// When the wall must be updated though nothing happened.
    public var nextUpdate: Time? { effects.nextUpdate }

    /// The wall ends: who comes back from its work gets no other.
    public mutating func stop() { pool.close() }

    mutating func emit(_ what: Event.What, at now: Time) {
        effects.emit(Event(at: now, what: what, focus: focus.map { tiles[$0].name }))
        switch what {
        case .clock:
            // Whoever waits for an instant waits for another now.
            effects.wakeEverybody(pool.pipelines.indices)
        case .focus, .seat: effects.wakeSound()
        default: break
        }
    }

    /// The wall cannot show anything: every source failed its first opening.
    public var isBarren: Bool {
        feeds.contains { !$0.timeline.items.isEmpty }
            && feeds.allSatisfy { feed in
                guard !feed.timeline.items.isEmpty else { return true }
                guard feed.screen.health.startup == nil, feed.preview.frame == nil else { return false }
                switch feed.phase {
                case .barren, .hopeless: return true
                case .ended: return feed.trouble.latest != nil
                case .playing: return false
                }
            }
    }

    /// Of each tile, by its id; and of those that are gone.
    public var health: [(tile: String, health: Health)] {
        tiles.order.map { (tiles[$0].name, feeds[tiles[$0].feed].screen.health) }
    }
    public var healthOfDeparted: Health { departed }
    public var mostOpen: Int { pool.mostOpen }
    /// How often a tile, feed or group was looked up that is gone: 0 unless there is a mistake in the program.
    public var missCount: Int { feeds.missCount + tiles.missCount + clocks.missCount }
}
