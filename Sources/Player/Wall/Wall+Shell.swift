import Base
import Feeds
import Layout

// Events and questions of the shell, for the player.
extension Wall {
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
        player.tiles.order.map { (player.tiles[$0].name, player.tileFeeds.feed(of: $0).screen.health) }
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
}
