import Base
import Layout
import Scene

/// The whole wall: takes every decision and touches nothing.
///
/// The wall passes the answers of one part on to the next. Each part keeps its own state. Every call takes the wall
/// time (CLOCK_MONOTONIC) and leaves behind what is to be done (`takeEffects`). `WallRunner` keeps the wall behind one
/// lock. Calls take microseconds. `Wall+Update` has the updates that are due without a call. The other calls come from
/// pipelines (`Wall+Leases`), openers (`Wall+OpenRequests`), the screen (`Wall+Scene`) and users (`Wall+Commands`).
public struct Wall {
    var layouts: Layouts
    var clocks = Clocks()
    var feeds = Table<FeedID, Feed>(missing: .missing)
    var tiles = Tiles()
    var pool: Pool
    var degrading: Degrading
    public internal(set) var audioState = AudioState()
    /// Text on the last command, for as long as it is shown.
    var notice: Notice?
    /// Message of the wall itself; nil if there is none.
    var announcement: Notice?
    /// True if the wall has announced that the live tiles of this layout can't all play.
    var isShortageAnnounced = false
    /// Magnified part of the frames, by name of the group; none if whole frames are shown.
    var magnified: [String: FrameZoom] = [:]
    var figures = Figures()
    /// Layout of the last comparison over the wall; nil until there was one.
    var lastComparison: ComparisonLayout?
    /// Blind test on this wall; nil on other walls.
    public internal(set) var blindTest: BlindTest?
    /// Test in which the user makes a flash and a click meet; nil on other walls.
    public internal(set) var eyeTest: EyeTest?
    /// The line of a wipe that a drag moves.
    var heldLine: HeldLine?
    var beganAt: Time?
    /// Wall time since which the clocks are paused because the wall is hidden; nil while they are not.
    var restsSince: Time?
    var output: Output
    var effects = Effects()
    var openRequests = OpenRequests()
    var posterLoads = PosterLoads()
    var breaks = Breaks()
    public internal(set) var takes = Takes()
    /// Number of changes of each file from which lyrics are read.
    var wordChanges: [String: Int] = [:]
    /// Health of tiles that were removed.
    var departed = Health()

    public enum TimeDrive: Sendable {
        /// The clock goes on even if frames are missing: a wall that is too slow degrades.
        case keepsUp
        /// The caller moves the clock and waits for every frame.
        case waits
    }

    /// A wall that plays `layout` as soon as it is begun. `start`: how its clocks start.
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

    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    public var layout: Layout { layouts.applied }
    /// Rises with every layout that is applied.
    public var layoutSerial: Int { layouts.serial }
    public var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }

    /// Sets the number of pipelines that may be used. The caller has threads for them.
    public mutating func setPipelines(_ count: Int, cores: Double? = nil, at now: Time) {
        change(at: now) {
            $0.pool.setLimit(count, cores: cores)
            $0.forgetShortage()
        }
    }

    public var pipelines: Int { pool.limit }

    /// Number of feeds that play.
    public var seatedFeeds: Int { feeds.count { $0.hasSeat && !$0.tiles.isEmpty } }

    // MARK: effects

    public mutating func takeEffects() -> Effects { effects.take() }

    /// Wall time at which the wall must be updated even if nothing happens.
    public var nextUpdate: Time? { effects.nextUpdate }

    /// Ends the wall: a pipeline that finishes its task gets no other.
    public mutating func stop() { pool.close() }

    mutating func emit(_ what: Event.What, at now: Time) {
        effects.emit(Event(at: now, what: what, focus: focus.map { tiles[$0].name }))
        switch what {
        case .clock:
            // The clock changed, so deadlines computed before are stale.
            effects.wakeEverybody(pool.pipelines.indices)
        case .focus, .seat: effects.wakeSound()
        default: break
        }
    }

    /// True if the wall cannot show anything: every source failed its first opening.
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

    /// Health of each tile, by its id. Removed tiles are in `healthOfDeparted`.
    public var health: [(tile: String, health: Health)] {
        tiles.order.map { (tiles[$0].name, feeds[tiles[$0].feed].screen.health) }
    }
    public var healthOfDeparted: Health { departed }
    public var mostOpen: Int { pool.mostOpen }
    /// Number of lookups of removed tiles, feeds or groups: 0 unless the program has a bug.
    public var missCount: Int { feeds.missCount + tiles.missCount + clocks.missCount }
}
