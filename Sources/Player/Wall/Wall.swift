import Base
import Commands
import Feeds
import Layout

/// The whole wall: a player, and the features that are its clients.
///
/// `LockedWall` keeps the wall behind one lock. After each call that changes the wall, `finishChange` lets the features
/// react.
public struct Wall {
    var player: PlayerCore
    var features: Features

    /// Layout as it was applied.
    public var layout: Layout { player.layout }
    public var focus: TileID? { player.focus }
    /// Returns the topmost tile at a point of the window.
    public func tile(at point: Point) -> TileID? { player.tile(at: point) }
    /// Commands of keys and pointer on this wall.
    public var keys: KeyTable { features.firstAnswer { $0.keys } ?? .wall }
    /// Commands of keys that the user has bound. The router carries them out; the wall lists them.
    public var boundKeys: [KeyPress: KeyCommand] = [:]
    /// The help on the screen.
    var keyLines: [KeyLine] { features.firstAnswer { $0.keys }?.lines ?? KeyTable.wall.lines(with: boundKeys) }

    /// Finishes a change: makes the changes whose instant has come, lets the features react, and removes and returns the
    /// effects.
    public mutating func finishChange(at now: Time) -> Effects {
        for due in player.scheduled.takeDue(at: now) { apply(due.change, to: due.target, at: now) }
        // A change by one feature may concern the others.
        for _ in 0..<Self.mostRounds {
            let changes = player.takeChanges()
            if changes.isEmpty { break }
            make(
                features.changes { $0.follows.isDisjoint(with: changes) ? [] : $0.react(to: player, at: now) }, at: now)
            guard player.touched != .nothing else { break }
            player.commit(at: now)
        }
        return player.takeEffects()
    }

    /// Most times that features react to one change.
    private static let mostRounds = 8

    /// Makes the changes of a feature that no other change asked for, and commits them.
    mutating func change(at now: Time, _ body: (inout Wall) -> [Change]) {
        make(body(&self), at: now)
        player.touch(.all)
        player.commit(at: now)
    }

    // MARK: layouts and files

    /// Items that go on playing drop no frames. `cause`: reason why new items begin.
    @discardableResult
    public mutating func apply(
        _ new: Layout, pipelines: Int? = nil, cores: Double? = nil, because cause: ItemBeginning = .command,
        at now: Time
    ) -> LayoutDiff {
        features.forEach { $0.sequenceChanges() }
        return player.change(at: now) { player in
            if let pipelines { player.supply.pool.setLimit(pipelines, cores: cores) }
            let diff = player.adopt(new, because: cause, at: now)
            player.outbox.changeLayout()
            player.playout(at: now).sharpen()
            return diff
        }
    }

    /// Adds tiles in a grid, one for each list of items, on a wall that has none.
    public mutating func addTiles(playing sequences: [[Item]], at now: Time) {
        var next = player.layouts.given
        next.grid = GridLayout(tiles: sequences.count)
        next.tiles = sequences.enumerated().map { index, items in
            var tile = TileLayout(id: "tile\(index + 1)", place: .cell(at: index, of: next.grid), play: items)
            tile.decoding.toneMapping = next.toneMapping
            tile.loop = next.loopOfAdded
            return tile
        }
        apply(next, at: now)
    }

    /// Notes that the file at `location` was replaced. The next run opens the new file. Runs of the old file play on.
    public mutating func fileChanged(_ location: String, at now: Time) {
        let snapshot = player.snapshot(at: now)
        features.forEach { $0.fileChanges(location, snapshot) }
        let isForLayers = layout.breaks.contains { $0.play.contains { $0.segments.contains { $0.source == location } } }
        let leases = player.pool.pipelines.compactMap(\.lease)
        player.change(at: now) { $0.tileFeeds.forget(location, isForLayers: isForLayers, leases: leases, at: now) }
    }

    // MARK: events and questions of the shell, for the player

    public mutating func note(_ event: ShellEvent, at now: Time) { player.note(event, at: now) }

    /// Makes the decisions that are due. The conductor calls it at `nextUpdate`.
    public mutating func update(at now: Time) { player.update(at: now) }
    /// Wall time at which the wall must be updated even if nothing happens.
    public var nextUpdate: Time? { player.nextUpdate }
    /// Ends the wall: a pipeline that finishes its task gets no other.
    public mutating func stop() { player.supply.pool.close() }

    /// The player as it is now, for reports.
    public func snapshot(at now: Time) -> Snapshot { player.snapshot(at: now) }

    // MARK: figures of the whole wall

    /// Number of pipelines that may be lent.
    public var pipelineLimit: Int { player.pool.limit }
    /// Number of feeds that play.
    public var seatedFeeds: Int { player.feeds.count { $0.hasSeat && !$0.tiles.isEmpty } }
    public var mostOpen: Int { player.pool.mostOpen }

    // MARK: tiles and layouts

    /// Health of each tile, by its id. Removed tiles are in `healthOfDeparted`.
    public var health: [(tile: String, health: Health)] {
        player.tiles.order.map { (player.tiles[$0].name, player.feed(of: $0).screen.health) }
    }
    public var healthOfDeparted: Health { player.tileFeeds.departed }

    public func tile(named name: String) -> TileID? { player.tiles.id(named: name) }
    /// Returns a tile's layout as it is now.
    public func layout(of tile: TileID) -> TileLayout { player.tiles[tile].layout }
    /// Sets the size of the window that suits the frames known by now, and returns it. nil if no frame is known.
    public mutating func shapeWindow() -> Size? { player.shapeWindow() }

    /// The layout that was given last, loaded or scheduled, with the options of the command line. It lacks changes by
    /// hand.
    public var givenLayout: Layout { player.layouts.given }
    /// The layout that plays, with changes by hand and with the tiles that play compared sources.
    public var presentLayout: Layout { player.presentLayout }
}
