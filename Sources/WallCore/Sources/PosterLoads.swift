/// The images that tiles bring with them: which are being loaded, each on a thread of its own, and which wait for that.
struct PosterLoads {
    private var waiting: [Poster] = []
    private var underWay: [Int: Load] = [:]
    private var ticketCount = 0

    struct Poster: Equatable {
        let tile: TileID
        let location: String
    }

    private struct Load {
        let poster: Poster
        let since: Time
        /// It has failed for the wall, though its thread is not back yet.
        var hangs = false
    }

    /// Instead of another for the same tile that waits.
    mutating func ask(for poster: Poster) {
        waiting.removeAll { $0.tile == poster.tile }
        waiting.append(poster)
    }

    /// Which is to be loaded now, and by which ticket; nil: none, or as many are as may be.
    mutating func next(at now: Time) -> (ticket: Int, poster: Poster)? {
        let recent = underWay.values.count { now - $0.since < OpenRequests.slowAfter }
        guard !waiting.isEmpty, recent < OpenRequests.most,
            underWay.count < OpenRequests.most + OpenRequests.mostHanging
        else {
            return nil
        }
        ticketCount += 1
        let poster = waiting.removeFirst()
        underWay[ticketCount] = Load(poster: poster, since: now)
        return (ticketCount, poster)
    }

    /// It is back, whatever came of it. Says whether it is still of use.
    mutating func end(_ ticket: Int) -> Bool { underWay.removeValue(forKey: ticket).map { !$0.hangs } ?? false }

    /// What was not loaded in time has failed. Answers those, and when to look again.
    mutating func giveUp(at now: Time) -> (late: [Poster], next: Time?) {
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
