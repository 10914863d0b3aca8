import Base
import Commands
import Layout
import Lyrics
import Scene

/// The whole wall: a player, and the features that are its clients.
///
/// `WallRunner` keeps the wall behind one lock. Pipelines, openers and the display call the player. Users and programs
/// call the wall. After each call, `takeEffects` lets the features look at what has changed.
public struct Wall {
    public var player: PlayerCore
    var features = Features()

    /// A wall that plays `layout` as soon as it is begun. `start`: how its clocks start.
    public init(
        layout: Layout, pipelines: Int, cores: Double? = nil, drive: PlayerCore.TimeDrive = .keepsUp,
        start: Clock.Start = Clock.Start()
    ) {
        player = PlayerCore(layout: layout, pipelines: pipelines, cores: cores, drive: drive, start: start)
    }

    /// Layout as it was applied.
    public var layout: Layout { player.layout }
    public var focus: TileID? { player.focus }
    public var takes: Takes { features.takes }
    /// Blind test on this wall; nil on other walls.
    public var blindTest: BlindTest? { features.blind.test }
    /// Test in which the user makes a flash and a click meet; nil on other walls.
    public var eyeTest: EyeTest? { features.eye.test }
    /// Commands of keys and pointer on this wall.
    public var keys: KeyTable { blindTest != nil ? .blind : eyeTest != nil ? .byEye : .wall }

    // MARK: effects

    /// Lets the features follow what has changed, and returns what is to be done.
    public mutating func takeEffects(at now: Time) -> Effects {
        updateFeatures(at: now)
        return player.takeEffects()
    }

    private mutating func updateFeatures(at now: Time) {
        if features.takes.session != nil { make(features.takes.update(player.snapshot(at: now)), at: now) }
        if player.tiles.overlaid != nil || features.comparison.isOverlaid {
            features.comparison.update(player.snapshot(at: now))
        }
        guard let change = features.shortage.update(player) else { return }
        switch change {
        case .announce(let text): features.notices.announce(text, for: ShortageNotice.announcementStays, at: now)
        case .withdraw: features.notices.endAnnouncement()
        }
        player.playbacks.effects.wakeScreen()
    }

    /// Makes the edits of a feature, in their order.
    mutating func make(_ edits: [Edit], at now: Time) {
        for edit in edits {
            if case .notice(let text) = edit { features.notices.show(text, at: now) }
            player.make(edit, at: now)
        }
    }

    /// Makes edits that no command asked for.
    private mutating func change(at now: Time, _ body: (inout Wall) -> [Edit]) {
        make(body(&self), at: now)
        player.settle(at: now)
    }

    // MARK: layouts and files

    /// Items that go on playing drop no frames. `cause`: reason why new items begin.
    @discardableResult
    public mutating func apply(
        _ new: Layout, pipelines: Int? = nil, cores: Double? = nil, because cause: ItemBeginning = .command,
        at now: Time
    ) -> LayoutDiff {
        features.figures.forget()
        return player.apply(new, pipelines: pipelines, cores: cores, because: cause, at: now)
    }

    /// Adds a tile that plays `items`, on a wall that has none.
    public mutating func addTile(playing items: [Item], at now: Time) {
        var next = player.layouts.loaded
        next.tiles = [TileLayout(id: "tile1", place: .cell(column: 0, row: 0, columns: 1, rows: 1), play: items)]
        apply(next, at: now)
    }

    /// Notes that the file at `location` was replaced. The next run opens the new file. Runs of the old file play on.
    public mutating func fileChanged(_ location: String, at now: Time) {
        features.lyrics.noteChange(of: location, player.snapshot(at: now))
        player.fileChanged(location, at: now)
    }

    public mutating func lyricsFailed(_ source: LyricsSource, _ trouble: SourceTrouble, at now: Time) {
        make(features.lyrics.failed(source, trouble, player.snapshot(at: now)), at: now)
    }

    // MARK: tests

    /// Starts a blind test.
    public mutating func begin(_ test: BlindTest, at now: Time) {
        change(at: now) { $0.features.blind.begin(test, $0.player.snapshot(at: now)) }
    }

    /// Starts a test in which the user makes a flash and a click meet.
    public mutating func begin(_ test: EyeTest, at now: Time) {
        change(at: now) { $0.features.eye.begin(test) }
    }

    // MARK: takes

    /// Notes that takes can be recorded. `isOffered`: true if the key `R` begins one whatever the layout states.
    public mutating func takesCanBeRecorded(isOffered: Bool) { features.takes.canBeRecorded(isOffered: isOffered) }

    /// Called when the recorder is done with a take, and its microphone is closed.
    public mutating func recordingHasEnded(_ number: Int, at now: Time) {
        make(features.takes.sessionHasEnded(number), at: now)
    }

    /// Returns the frames that came since the last call for the take of this number.
    public mutating func takeRecordedFrames(_ number: Int) -> [TakeFrame] {
        features.takes.session?.number == number ? player.needs.takeRecorded() : []
    }

    /// Notes that a file was begun, is over, or could not be written. `item`: index in the tile's sequence.
    public mutating func take(
        _ file: String, of session: TakeSession, item: Int = 0, _ state: Event.TakeState, at now: Time
    ) {
        make(features.takes.note(file, of: session, item: item, state), at: now)
    }

    // MARK: figures

    /// Takes the results of a `FiguresOrder`, in its order.
    public mutating func take(_ answers: [FiguresOrder.Answer?], at now: Time) {
        features.figures.take(answers)
        make([.draw], at: now)
    }
}
