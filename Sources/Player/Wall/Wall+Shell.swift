import Base
import Decoded
import Feeds
import Layout
import Opened

// Events and questions of the shell, for the player.
extension Wall {
    public mutating func note(_ event: ShellEvent, at now: Time) { player.note(event, at: now) }

    /// Makes the decisions that are due. The conductor calls it at `nextUpdate`.
    public mutating func update(at now: Time) { player.update(at: now) }
    /// Wall time at which the wall must be updated even if nothing happens.
    public var nextUpdate: Time? { player.nextUpdate }
    /// Ends the wall: a pipeline that finishes its task gets no other.
    public mutating func stop() { player.stop() }

    /// The player as it is now, for reports.
    public func snapshot(at now: Time) -> Snapshot { player.snapshot(at: now) }

    // MARK: pipelines and openers (PlayerCore+Supply.swift)

    public mutating func takeTask(_ pipeline: Int) -> PipelineTask? { player.takeTask(pipeline) }
    public func deadline(of lease: Lease, at now: Time) -> Time? { player.deadline(of: lease, at: now) }
    public func isWanted(_ lease: Lease) -> Bool { player.isWanted(lease) }
    public func leaseDecision(_ lease: Lease, at now: Time) -> LeaseDecision { player.leaseDecision(lease, at: now) }
    public mutating func decide(_ lease: Lease, _ frame: DecodedFrame, at now: Time) -> FrameDecision {
        player.decide(lease, frame, at: now)
    }
    @discardableResult
    public mutating func deliver(
        _ lease: Lease, _ frame: Frame, pts: Time, length: Time, stillness: Stillness = .unknown,
        before next: DecodedFrame? = nil, at now: Time
    ) -> NextStep {
        player.deliver(lease, frame, pts: pts, length: length, stillness: stillness, before: next, at: now)
    }
    public func watchesStillness(_ order: OpenOrder) -> Bool { player.watchesStillness(order) }
    public func stillPlan(_ order: OpenOrder, natural: Size) -> StillPlan { player.stillPlan(order, natural: natural) }
    public func stillPlan(natural: Size, turn: Turn) -> StillPlan { player.stillPlan(natural: natural, turn: turn) }

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
