import Base
import Feeds
import Layout

/// The player: tiles, feeds, clocks, slots, pipelines and views. Takes every decision and touches nothing.
///
/// Each part keeps its own state. Every call takes the wall time (CLOCK_MONOTONIC) and leaves behind work for the shell
/// (`Effects`). Calls take microseconds. The wall passes changes to it (`apply`), and commits them (`commit`).
public struct PlayerCore: TilesOnWall {
    var tileFeeds: TileFeeds
    var supply: DecodeSupply
    var sounds = Sounds()
    var posterLoads = PosterLoads()
    /// Changes since features were asked last.
    var changes = PlayerChanges.all
    let drive: TimeDrive
    /// Changes that wait for their instant.
    var scheduled = ScheduledChanges()
    /// The part of the player that has changed since the last commit.
    var touched = Touched.nothing
    private var clockReports = ClockReports()
    private var appearances = Appearances()

    public enum TimeDrive: Sendable {
        /// The clock goes on even if frames are missing: a wall that is too slow degrades.
        case keepsUp
        /// The caller moves the clock and waits for every frame.
        case waits
    }

    /// Action of a commit: nothing; an update; an update and a wake of all threads, as after each change from outside.
    enum Touched: Int { case nothing, playback, all }

    /// Notes a change for the next commit.
    mutating func touch(_ part: Touched) { if part.rawValue > touched.rawValue { touched = part } }

    init(layout: Layout, pipelines: Int, cores: Double?, drive: TimeDrive, start: Clock.Start) {
        self.drive = drive
        supply = DecodeSupply(pipelines: pipelines, cores: cores, mayDegrade: drive == .keepsUp)
        tileFeeds = TileFeeds(before: layout)
        adopt(layout, because: .start, at: .zero)
        transport.set(start, layout.groups)
        _ = clockReports.update(clocks, at: .zero)
        sounds.share(among: &tileFeeds.tiles)
    }

    var layouts: Layouts { tileFeeds.layouts }
    var needs: FeatureNeeds { tileFeeds.needs }
    var tiles: Tiles { tileFeeds.tiles }
    var output: Output {
        get { tileFeeds.output }
        _modify { yield &tileFeeds.output }
    }
    var transport: Transport { tileFeeds.transport }
    public var pool: Pool { supply.pool }
    var audioState: AudioState { sounds.state }
    var openRequests: OpenRequests { supply.openRequests }

    /// Wall time at which the wall must be updated even if nothing happens.
    var nextUpdate: Time? { outbox.nextUpdate }

    /// Values that parts of the player read for one call.
    func playout(at now: Time) -> Playout { tileFeeds.playout(at: now) }

    /// Notes what the changes since the last call did to the screen and the sound. Removes and returns their effects.
    mutating func takeEffects() -> Effects {
        let change = noteAppearances()
        if change.isSeen { outbox.wakeScreen() }
        if change.isHeard { outbox.wakeSound() }
        return outbox.take()
    }

    /// Returns the frames that were recorded since the last call.
    mutating func takeRecordedFrames() -> [TakeFrame] {
        changes.insert(.frames)
        return tileFeeds.needs.takeRecorded()
    }

    /// Returns the changes since the last call.
    mutating func takeChanges() -> PlayerChanges {
        defer { changes = [] }
        return outbox.effects.events.isEmpty ? changes : changes.union(.events)
    }

    /// Returns how the player has changed for the screen and for the sound since the last call.
    mutating func noteAppearances() -> Appearances.Change {
        appearances.update(clocks, feeds, tiles, audioState)
    }

    // MARK: events

    /// Emits an event for each clock that has changed. If a clock is paused now, watched frames are decoded again in
    /// their native size.
    mutating func reportClocks(at now: Time) {
        for group in clockReports.update(clocks, at: now) {
            if clocks[group].phase == .going, clocks[group].clock.motion == .paused {
                let playout = playout(at: now)
                playout.sharpen { $0.group == group && (!$0.watched.watchers.isEmpty || needs.keepsSamples) }
            }
            emit(
                .clock(
                    group: clocks[group].name, state: clocks[group].reportedState,
                    position: clocks[group].reportedPosition(at: now), rate: clocks[group].clock.rate,
                    isFocused: focusedFeed.map { feeds[$0].group == group } ?? false), at: now)
        }
    }

    mutating func emit(_ what: Event.What, at now: Time) {
        outbox.emit(what, at: now, focus: tiles.focusName)
        // The clock changed, so deadlines computed before are stale.
        if case .clock = what { outbox.wakeEverybody(pool.pipelines.indices) }
    }

    /// Number of lookups of removed tiles, feeds or groups: 0 unless the program has a bug.
    var missCount: Int { feeds.missCount + tiles.missCount + clocks.missCount }
}

/// Changes of the player that features follow.
struct PlayerChanges: OptionSet, Sendable {
    let rawValue: UInt8

    /// A frame was decoded, a pipeline has reported on its lease, or the recorder has taken the recorded frames.
    static let frames = PlayerChanges(rawValue: 1)
    /// Frames were chosen for a scene, or are on the screen.
    static let scenes = PlayerChanges(rawValue: 2)
    /// An event was emitted.
    static let events = PlayerChanges(rawValue: 4)
    /// The player was updated, or changed by anything else than frames and scenes.
    static let state = PlayerChanges(rawValue: 8)
    static let all: PlayerChanges = [.frames, .scenes, .events, .state]
}
