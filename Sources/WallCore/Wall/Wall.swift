/// What WallCore must know of a picture.
public protocol WallPicture {
    /// The whole upright picture in square pixels, turned, before scaling.
    var natural: Size { get }
    /// As it was scaled.
    var size: Size { get }
    /// Memory that it holds.
    var bytes: Int { get }
}

/// The whole wall: clocks, feeds, seats, leases and views. Takes every decision and touches nothing.
///
/// Every call takes the wall time (CLOCK_MONOTONIC) and leaves behind what is to be done: `takeOrders`.
/// The shell keeps it behind one lock; calls take microseconds. Its parts:
/// `Wall+Conduct` what is due when nobody calls: clocks and seats; `Wall+Passes`, `Wall+Plans` the slots of each feed;
/// `Wall+Openings` sources that are opened early; `Wall+Leases` the pipelines' side; `Wall+Scene` the screen's side.
public struct Wall<Picture: WallPicture, Source> {
    /// What was loaded last.
    var said: Layout
    /// What plays: as it was said, and changed by hand since. Its tiles are in `tiles`.
    public internal(set) var layout: Layout
    var groups = Table<GroupID, Group>()
    var feeds = Table<FeedID, Feed<Picture, Source>>()
    var tiles = Tiles<Picture>()
    var pool: Pool
    /// For `pipelines` auto: how many cores decoding may take; nil: all pipelines are used.
    let cores: Double?
    let drive: TimeDrive
    var degrading = Degrading()
    var affordableSeats: Int?
    public internal(set) var hearing = Hearing()
    public internal(set) var windowSize: Size
    var beganAt: Time?
    /// Pictures later than this after they were due count as late.
    public var refreshInterval = Time(ticks: Time.ticksPerSecond / 60)

    var orders = Orders<Source>()
    var openings: [Int: Opening] = [:]
    var openingCount = 0
    /// By pipeline: the source that goes with its new lease.
    var leasedSources: [Int: Source] = [:]
    /// When a seat changes hands, so many posters come before the new pictures.
    var posterCredit = 0
    var stage = Stage.wall
    var pictures = Pictures.all
    /// What feeds do that picture in picture hides.
    var offStage = OffStage.resting
    /// Groups whose clocks stand because nobody sees them.
    var held: Set<GroupID> = []
    var drawn: [Drawn] = []
    var scrub: HeldScrub?
    /// The tile whose group the last tap paused or let go on.
    var tapPaused: TileID?
    /// Nothing is lent any more.
    var isStopped = false
    /// When somebody must look again though nothing happened.
    var deadline: Time?
    /// How many sounds there have been.
    var soundCount = 0
    /// Rises with every layout that is applied.
    public internal(set) var layoutSerial = 0
    /// What tiles that are gone had presented.
    var departed = Health()

    struct Drawn {
        var feed: FeedID
        var slot: Int
        var serial: Int
    }

    public enum TimeDrive: Sendable {
        /// The clock goes on whatever is there: a wall that is too slow degrades.
        case keepsUp
        /// Whoever moves the clock waits for every picture.
        case waits
    }

    /// A wall that plays `layout` as soon as it is begun, its clocks from `start` on.
    public init(
        layout: Layout, pipelines: Int, cores: Double? = nil, drive: TimeDrive = .keepsUp, start: Time = .zero,
        rate: Rate = .one
    ) {
        said = Layout(title: layout.title, tiles: [])
        self.layout = said
        (self.cores, self.drive) = (cores, drive)
        windowSize = layout.window.size
        pool = Pool(count: pipelines)
        adopt(layout, at: .zero)
        for group in groups.ids { groups[group].clock = Clock(position: start, rate: rate) }
    }

    public var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }

    /// How many feeds may have a pipeline. With `cores`, as many as those can decode, by what was measured so far.
    var seats: Int {
        min(pool.limit, affordableSeats ?? .max)
    }

    /// So many pipelines may be used; whoever calls it has threads for them.
    public mutating func setPipelines(_ count: Int) {
        pool.setLimit(count)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }

    public var pipelines: Int { pool.limit }

    /// How many feeds play.
    public var seatedFeeds: Int { feeds.count { $0.hasSeat && !$0.views.isEmpty } }

    /// Fewer at once, more only when it is clearly more: seats that come and go are worse than one too few.
    mutating func countAffordableSeats() {
        let costs = feeds.compactMap(\.cost)
        guard let cores, !costs.isEmpty else { return }
        let mean = costs.reduce(0, +) / Double(costs.count)
        let count = max(1, Int(cores / max(mean, 0.001)))
        let before = affordableSeats ?? .max
        if count < before || count > before + before / 4 { affordableSeats = count }
    }

    // MARK: what is to be done

    /// What the shell is to do when it has left the lock.
    public struct Orders<Sources> {
        public var open: [OpenOrder] = []
        /// Sources that nobody needs any more: closing them may take time.
        public var close: [Sources] = []
        public var events: [Event] = []
        /// Images that tiles bring with them.
        public var posters: [PosterOrder] = []
        /// Pipelines to be woken.
        public var pipelines: Set<Int> = []
        /// For whoever has the window.
        public var window: [Command.WindowCommand] = []
        public var wakesScreen = false
        /// What is heard may be something else.
        public var wakesSound = false
        public init() {}
    }

    public mutating func takeOrders() -> Orders<Source> {
        defer { orders = Orders() }
        return orders
    }

    /// The wall ends: who comes back from its work gets no other.
    public mutating func stop() { isStopped = true }

    func now(of feed: Feed<Picture, Source>, at wall: Time) -> Time { groups[feed.group].clock.position(at: wall) }

    mutating func wake(at wall: Time?) {
        guard let wall else { return }
        deadline = deadline.map { min($0, wall) } ?? wall
    }

    mutating func tell(_ what: Event.What, at wall: Time) {
        orders.events.append(Event(at: wall, what: what, focus: focus.map { tiles[$0].name }))
        switch what {
        case .clock, .focus, .seat: orders.wakesSound = true
        default: break
        }
    }

    /// The wall cannot show anything: every source failed its first opening.
    public var isBarren: Bool {
        feeds.contains { !$0.timeline.items.isEmpty }
            && feeds.allSatisfy { feed in
                guard !feed.timeline.items.isEmpty else { return true }
                guard feed.health.startup == nil, feed.posterPicture == nil else { return false }
                switch feed.phase {
                case .barren, .given: return true
                case .ended: return feed.trouble != nil
                case .playing: return false
                }
            }
    }

    /// Of each tile, by its id; and of those that are gone.
    public var health: [(tile: String, health: Health)] {
        tiles.order.map { (tiles[$0].name, feeds[tiles[$0].feed].health) }
    }
    public var healthOfDeparted: Health { departed }
    public var mostOpen: Int { pool.mostOpen }
}
