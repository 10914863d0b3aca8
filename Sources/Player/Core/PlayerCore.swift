import Base
import Feeds
import Layout
import Scene

/// The player: tiles, feeds, clocks, slots, pipelines and views. Takes every decision and touches nothing.
///
/// Each part keeps its own state. Every call takes the wall time (CLOCK_MONOTONIC) and leaves behind work for the shell
/// (`Effects`). Calls take microseconds. Features change the player by `Edit`. The wall passes the other commands to
/// it.
public struct PlayerCore: PlayerParts {
    var layouts: Layouts
    var played = PlayedTiles()
    var supply: DecodeSupply
    var sounds = Sounds()
    /// Requests of features, beside the frames that are shown.
    var needs = FeatureNeeds()
    var output: Output
    /// Changes since features were asked last.
    var changes = PlayerChanges.all
    let drive: TimeDrive
    private var clockReports = ClockReports()
    private var appearances = Appearances()

    public enum TimeDrive: Sendable {
        /// The clock goes on even if frames are missing: a wall that is too slow degrades.
        case keepsUp
        /// The caller moves the clock and waits for every frame.
        case waits
    }

    init(layout: Layout, pipelines: Int, cores: Double?, drive: TimeDrive, start: Clock.Start) {
        layouts = Layouts(title: layout.title)
        self.drive = drive
        supply = DecodeSupply(pipelines: pipelines, cores: cores, mayDegrade: drive == .keepsUp)
        output = Output(size: layout.window.size)
        adopt(layout, because: .start, at: .zero)
        played.playbacks.set(start, layout.groups)
        _ = clockReports.update(clocks, at: .zero)
        sounds.share(among: &played.tiles)
    }

    var tiles: Tiles { played.tiles }
    var clocks: Clocks { played.playbacks.clocks }
    var pool: Pool { supply.pool }
    public var audioState: AudioState { sounds.state }
    var openRequests: OpenRequests { supply.openRequests }
    var feeds: Table<FeedID, Feed> { played.playbacks.feeds }
    var startDelay: Time { played.playbacks.startDelay }
    var soundLag: Time { played.playbacks.soundLag }
    var beganAt: Time? { played.playbacks.beganAt }
    var restsSince: Time? { played.playbacks.restsSince }

    /// Rises with every layout that is applied.
    public var layoutSerial: Int { layouts.serial }

    /// The layout that was given last, loaded or scheduled, with the options of the command line. It lacks changes by
    /// hand.
    public var givenLayout: Layout { layouts.given }

    /// Number of pipelines that may be lent.
    public var pipelineLimit: Int { pool.limit }

    /// Number of feeds that play.
    public var seatedFeeds: Int { feeds.count { $0.hasSeat && !$0.tiles.isEmpty } }

    /// Wall time at which the wall must be updated even if nothing happens.
    public var nextUpdate: Time? { played.playbacks.effects.nextUpdate }

    /// Finishes a change: notes what it did to the screen and the sound. Removes and returns the effects since the last
    /// call.
    mutating func finishChange() -> Effects {
        let change = noteAppearances()
        if change.isSeen { played.playbacks.effects.wakeScreen() }
        if change.isHeard { played.playbacks.effects.wakeSound() }
        return played.playbacks.effects.take()
    }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> PlayerChanges {
        defer { changes = [] }
        return played.playbacks.effects.events.isEmpty ? changes : changes.union(.events)
    }

    /// Returns how the player has changed for the screen and for the sound since the last call.
    mutating func noteAppearances() -> Appearances.Change {
        // The appearances are moved out during the call, so that reading the player does not copy them.
        var known = Appearances()
        swap(&known, &appearances)
        defer { appearances = known }
        return known.update(self)
    }

    /// Ends the wall: a pipeline that finishes its task gets no other.
    public mutating func stop() { supply.close() }

    // MARK: events

    /// Emits an event for each clock that has changed. If a clock is paused now, compared frames are decoded again in
    /// their native size.
    mutating func reportClocks(at now: Time) {
        for group in clockReports.update(clocks, at: now) {
            if clocks[group].phase == .going, clocks[group].clock.motion == .paused {
                let context = context(at: now)
                played.playbacks.sharpen(context) {
                    $0.group == group && (!$0.compared.watchers.isEmpty || context.keepsSamples)
                }
            }
            emit(
                .clock(
                    group: clocks[group].name, state: clocks[group].reportedState,
                    position: clocks[group].reportedPosition(at: now), rate: clocks[group].clock.rate,
                    isFocused: focusedFeed.map { feeds[$0].group == group } ?? false),
                at: now)
        }
    }

    mutating func emit(_ what: Event.What, at now: Time) {
        played.playbacks.effects.emit(what, at: now, focus: focusName)
        // The clock changed, so deadlines computed before are stale.
        if case .clock = what { played.playbacks.effects.wakeEverybody(pool.pipelines.indices) }
    }

    // MARK: health

    /// Health of each tile, by its id. Removed tiles are in `healthOfDeparted`.
    public var health: [(tile: String, health: Health)] {
        tiles.order.map { (tiles[$0].name, feeds[tiles[$0].feed].screen.health) }
    }
    public var healthOfDeparted: Health { played.departed }
    public var mostOpen: Int { pool.mostOpen }
    /// Number of lookups of removed tiles, feeds or groups: 0 unless the program has a bug.
    public var missCount: Int { feeds.missCount + tiles.missCount + clocks.missCount }

    // MARK: tiles

    public func tile(named name: String) -> TileID? { tiles.id(named: name) }

    /// Tiles whose layout names this group, in the layout's order.
    public func tiles(inGroup name: String) -> [TileID] { tiles.order.filter { tiles[$0].layout.group == name } }

    /// The tile that fills the wall.
    public var zoomedTile: TileID? { output.zoomed }

    /// Returns a tile's layout as it is now.
    public func layout(of tile: TileID) -> TileLayout { tiles[tile].layout }

    /// Returns the shape of a tile's frame, or of its rect until it has a frame.
    public func shape(of tile: TileID) -> Size {
        feeds[tiles[tile].feed].screen.last?.frame.natural ?? output.rect(of: tile).size
    }
}
