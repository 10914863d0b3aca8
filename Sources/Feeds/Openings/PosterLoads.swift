import Base

/// Order to load the poster of a tile.
public struct PosterOrder: Sendable {
    public let ticket: Int
    public let tile: TileID
    public let location: String
    public let limit: FrameLimit
}

/// The queue of poster loads: posters that wait, and loads in progress, each on its own thread.
public struct PosterLoads {
    private var waiting: [(tile: TileID, location: String)] = []
    private var underWay: [Int: Load] = [:]
    private var ticketCount = 0

    public init() {}

    private struct Load {
        let order: PosterOrder
        let since: Time
        /// True once the wall has counted the load as failed, although its thread has not returned.
        var hangs = false
    }

    /// Queues a poster; replaces one that the same tile has in the queue.
    public mutating func ask(for location: String, of tile: TileID) {
        waiting.removeAll { $0.tile == tile }
        waiting.append((tile, location))
    }

    /// Returns the order for the poster to load now; nil if none waits or too many are being loaded.
    public mutating func next(limit: FrameLimit, at now: Time) -> PosterOrder? {
        let recent = underWay.values.count { now - $0.since < OpenRequests.slowAfter }
        guard !waiting.isEmpty, recent < OpenRequests.most,
            underWay.count < OpenRequests.most + OpenRequests.mostHanging
        else { return nil }
        ticketCount += 1
        let (tile, location) = waiting.removeFirst()
        let order = PosterOrder(ticket: ticketCount, tile: tile, location: location, limit: limit)
        underWay[ticketCount] = Load(order: order, since: now)
        return order
    }

    /// Removes a load that returned. Returns true if its result is still wanted.
    public mutating func end(_ ticket: Int) -> Bool { underWay.removeValue(forKey: ticket).map { !$0.hangs } ?? false }

    /// Counts overdue loads as failed. Returns those, and the wall time at which to call again.
    public mutating func giveUp(at now: Time) -> (late: [PosterOrder], next: Time?) {
        var late: [PosterOrder] = []
        var next = Earliest()
        for (ticket, load) in underWay.sorted(by: { $0.key < $1.key }) where !load.hangs {
            let slow = load.since + OpenRequests.slowAfter, end = load.since + OpenRequests.hangsAfter
            if now >= end {
                underWay[ticket]!.hangs = true
                late.append(load.order)
            } else {
                next.add(now < slow && !waiting.isEmpty ? slow : end)
            }
        }
        return (late, next.instant)
    }
}
