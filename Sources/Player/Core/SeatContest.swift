import Base
import Feeds
import Layout
import Scene

/// Which feeds get a seat.
struct SeatContest: Report {
    let snapshot: Snapshot

    /// Returns the number of contenders, and those that get a seat.
    func outcome() -> (contenders: Int, holders: Set<FeedID>) {
        let contenders = feeds.ids.filter { isOnStage($0) && feeds[$0].phase != .ended }
        let parties = comparedTogether(contenders)
        let focused = parties.firstIndex { party in focusedFeed.map(party.contains) ?? false }
        let areas = layout.overflow == .largest ? parties.map(largestView) : []
        let places = Seats.holders(
            sizes: parties.map(\.count), seats: pool.seats, overflow: layout.overflow, focus: focused, areas: areas,
            at: clocks[clocks.main].clock.position(at: now))
        return (contenders.count, Set(places.flatMap { parties[$0] }))
    }

    /// Returns the contenders in parties. Feeds that are compared with each other get and lose their seats together.
    func comparedTogether(_ contenders: [FeedID]) -> [[FeedID]] {
        guard !tiles.comparing.isEmpty else { return contenders.map { [$0] } }
        var parts: [[FeedID]] = []
        var left = contenders
        while let first = left.first {
            var part = [first], place = 0
            while place < part.count {
                for tile in feeds[part[place]].compared.watchers {
                    for member in tiles[tile].comparison?.members ?? [] where !part.contains(tiles[member].feed) {
                        if left.contains(tiles[member].feed) { part.append(tiles[member].feed) }
                    }
                }
                place += 1
            }
            left.removeAll(where: part.contains)
            parts.append(part)
        }
        return parts
    }

    private func largestView(of party: [FeedID]) -> Int {
        party.flatMap { feeds[$0].viewers }.map { output.rect(of: $0).area }.max() ?? 0
    }

    /// Returns true if feeds take turns and this one fits in beside the focused one.
    func hasTurns(_ feed: FeedID) -> Bool {
        guard case .rotate = layout.overflow else { return false }
        let parties = comparedTogether(feeds.ids.filter { isOnStage($0) && feeds[$0].phase != .ended })
        func size(_ feed: FeedID?) -> Int {
            parties.first { party in feed.map(party.contains) ?? false }?.count ?? 0
        }
        return size(feed) <= pool.seats - size(focusedFeed)
    }
}
