import Base
import Layout
import Scene

/// The player: tiles, feeds, clocks, slots, pipelines and views. Takes every decision and touches nothing.
///
/// Each part keeps its own state. Every call takes the wall time (CLOCK_MONOTONIC) and leaves behind what is to be done
/// (`Effects`). Calls take microseconds. Features change it by `Edit`; the wall calls it for plain commands.
public struct PlayerCore: PlayerParts {
    var layouts: Layouts
    var playbacks = Playbacks()
    var tiles = Tiles()
    var supply: DecodeSupply
    var sounds = Sounds()
    /// Magnified part of the frames, by name of the group; none if whole frames are shown.
    var magnified: [String: FrameZoom] = [:]
    /// What features need beside what is shown.
    var needs = FeatureNeeds()
    var beganAt: Time?
    /// Wall time since which the clocks are paused because the wall is hidden; nil while they are not.
    var restsSince: Time?
    var output: Output
    var clockReports = ClockReports()
    var appearances = Appearances()
    /// Health of tiles that were removed.
    var departed = Health()

    public enum TimeDrive: Sendable {
        /// The clock goes on even if frames are missing: a wall that is too slow degrades.
        case keepsUp
        /// The caller moves the clock and waits for every frame.
        case waits
    }

    init(layout: Layout, pipelines: Int, cores: Double?, drive: TimeDrive, start: Clock.Start) {
        layouts = Layouts(title: layout.title)
        supply = DecodeSupply(pipelines: pipelines, cores: cores, mayDegrade: drive == .keepsUp)
        output = Output(size: layout.window.size)
        adopt(layout, because: .start, at: .zero)
        for group in clocks.ids {
            let stated = layout.groups.first { $0.name == playbacks.clocks[group].name }
            var own = start
            if start.position == .zero, let at = stated?.at { own.position = at }
            if start.rate == .one, let rate = stated?.rate { own.rate = rate }
            playbacks.clocks[group].set(own)
        }
        _ = clockReports.update(clocks, at: .zero)
        sounds.share(among: &tiles)
    }

    var clocks: Clocks { playbacks.clocks }
    var pool: Pool { supply.pool }
    public var audioState: AudioState { sounds.state }
    var openRequests: OpenRequests { supply.openRequests }
    var feeds: Table<FeedID, Feed> { playbacks.feeds }

    /// Rises with every layout that is applied.
    public var layoutSerial: Int { layouts.serial }

    /// The layout as it was loaded, with the options of the command line.
    public var loadedLayout: Layout { layouts.loaded }

    public var pipelines: Int { pool.limit }

    /// Number of feeds that play.
    public var seatedFeeds: Int { feeds.count { $0.hasSeat && !$0.tiles.isEmpty } }

    /// Wall time at which the wall must be updated even if nothing happens.
    public var nextUpdate: Time? { playbacks.effects.nextUpdate }

    /// Returns what is to be done after the changes since the last call.
    mutating func takeEffects() -> Effects {
        let change = noteAppearances()
        if change.isSeen { playbacks.effects.wakeScreen() }
        if change.isHeard { playbacks.effects.wakeSound() }
        return playbacks.effects.take()
    }

    /// Returns how the player has changed for the screen and for the sound since the last call.
    mutating func noteAppearances() -> Appearances.Change {
        // They are taken out meanwhile, so that reading the player does not copy them.
        var known = Appearances()
        swap(&known, &appearances)
        defer { appearances = known }
        return known.update(self)
    }

    /// Ends the wall: a pipeline that finishes its task gets no other.
    public mutating func stop() { supply.close() }

    mutating func emit(_ what: Event.What, at now: Time) {
        playbacks.effects.emit(what, at: now, focus: focusName)
        // The clock changed, so deadlines computed before are stale.
        if case .clock = what { playbacks.effects.wakeEverybody(pool.pipelines.indices) }
    }

    /// Health of each tile, by its id. Removed tiles are in `healthOfDeparted`.
    public var health: [(tile: String, health: Health)] {
        tiles.order.map { (tiles[$0].name, playbacks.feeds[tiles[$0].feed].screen.health) }
    }
    public var healthOfDeparted: Health { departed }
    public var mostOpen: Int { pool.mostOpen }
    /// Number of lookups of removed tiles, feeds or groups: 0 unless the program has a bug.
    public var missCount: Int { feeds.missCount + tiles.missCount + clocks.missCount }

    public func tile(named name: String) -> TileID? { tiles.id(named: name) }
}
