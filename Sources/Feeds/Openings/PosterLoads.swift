import Base

/// The queue of poster loads: posters that wait, and loads in progress, each on its own thread.
public struct PosterLoads {
    private var waiting: [Poster] = []
    private var underWay: [Int: Load] = [:]
    private var ticketCount = 0

    public init() {}

    public struct Poster: Equatable {
        public let tile: TileID
        public let location: String

        public init(tile: TileID, location: String) { (self.tile, self.location) = (tile, location) }
    }

    private struct Load {
        let poster: Poster
        let since: Time
        /// True once the wall has counted the load as failed, although its thread has not returned.
        var hangs = false
    }

    /// Queues a poster; replaces one that the same tile has in the queue.
    public mutating func ask(for poster: Poster) {
        waiting.removeAll { $0.tile == poster.tile }
        waiting.append(poster)
    }

    /// Returns the poster to load now and its ticket; nil if none waits or too many are being loaded.
    public mutating func next(at now: Time) -> (ticket: Int, poster: Poster)? {
        let recent = underWay.values.count { now - $0.since < OpenRequests.slowAfter }
        guard !waiting.isEmpty, recent < OpenRequests.most,
            underWay.count < OpenRequests.most + OpenRequests.mostHanging
        else { return nil }
        ticketCount += 1
        let poster = waiting.removeFirst()
        underWay[ticketCount] = Load(poster: poster, since: now)
        return (ticketCount, poster)
    }

    /// Removes a load that returned. Returns true if its result is still wanted.
    public mutating func end(_ ticket: Int) -> Bool { underWay.removeValue(forKey: ticket).map { !$0.hangs } ?? false }

    /// Counts overdue loads as failed. Returns those, and the wall time at which to call again.
    public mutating func giveUp(at now: Time) -> (late: [Poster], next: Time?) {
        guard !underWay.isEmpty else { return ([], nil) }
        var late: [Poster] = []
        var next: Time?
        for (ticket, load) in underWay.sorted(by: { $0.key < $1.key }) where !load.hangs {
            let slow = load.since + OpenRequests.slowAfter, end = load.since + OpenRequests.hangsAfter
            if now >= end {
                underWay[ticket]!.hangs = true
                late.append(load.poster)
            } else {
                let instant = now < slow && !waiting.isEmpty ? slow : end
                next = next.map { min($0, instant) } ?? instant
            }
        }
        return (late, next)
    }
}
