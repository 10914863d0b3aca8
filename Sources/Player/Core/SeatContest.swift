import Base
import Layout

/// Decides which feeds get a seat.
struct SeatContest {
    let snapshot: Snapshot

    /// Returns the number of contenders, and those that get a seat.
    func outcome() -> (contenders: Int, holders: Set<FeedID>) {
        let contenders = self.contenders, parties = parties(of: contenders)
        let areas = snapshot.layout.overflow == .largest ? parties.map { largestView(of: $0) } : []
        let places = holders(sizes: parties.map(\.count), focus: focused(of: parties), areas: areas, at: snapshot.now)
        return (contenders.count, Set(places.flatMap { parties[$0] }))
    }

    private var contenders: [FeedID] {
        snapshot.feeds.filter { snapshot.isOnStage($0) && $0.phase != .ended }.map(\.id)
    }

    private func focused(of parties: [[FeedID]]) -> Int? {
        parties.firstIndex { party in snapshot.focusedFeed.map(party.contains) ?? false }
    }

    private func holders(sizes: [Int], focus: Int?, areas: [Int], at instant: Time) -> Set<Int> {
        Seats.holders(
            sizes: sizes, seats: snapshot.pool.seats, overflow: snapshot.layout.overflow, focus: focus, areas: areas,
            at: snapshot.clocks[snapshot.clocks.main].clock.position(at: instant))
    }

    /// Chance of a seat for a feed that would be a contender.
    enum Prospect {
        /// There is a seat for every feed.
        case all
        /// The feed takes another feed's seat: it holds one now, and at the instant that was asked about.
        case takesSeat
        /// `next`: wall time at which the next turn begins; nil while the clock is paused.
        case takesTurns(next: Time?)
        case none
    }

    /// Returns the prospect of a new feed for `leaving`: tiles that are about to leave a feed that others share.
    /// `instant`: wall time at which the feed needs its seat.
    func prospect(ofTilesLeaving leaving: [TileID], at instant: Time) -> Prospect {
        // A feed off the stage needs no seat.
        guard snapshot.output.needsFrames(of: leaving, isLive: false) else { return .all }
        let parties = parties(of: contenders), own = parties.count
        let isFocused = snapshot.focus.map { leaving.contains(snapshot.tiles.playingTile(for: $0)) } ?? false
        let focused = isFocused ? own : focused(of: parties)
        var areas: [Int] = []
        if snapshot.layout.overflow == .largest {
            areas = parties.map { largestView(of: $0, without: leaving) } + [largestView(of: leaving)]
        }
        let sizes = parties.map(\.count) + [1]
        if sizes.reduce(0, +) <= snapshot.pool.seats { return .all }
        let holds = [snapshot.now, instant].allSatisfy {
            holders(sizes: sizes, focus: focused, areas: areas, at: $0).contains(own)
        }
        if holds { return .takesSeat }
        guard case .rotate = snapshot.layout.overflow, snapshot.pool.seats > focused.map({ sizes[$0] }) ?? 0 else {
            return .none
        }
        let clock = snapshot.clocks[snapshot.clocks.main].clock
        let turn = Seats.nextTurn(
            after: clock.position(at: snapshot.now), overflow: snapshot.layout.overflow, seats: snapshot.pool.seats)
        return .takesTurns(next: turn.flatMap { clock.wallTime(of: $0) })
    }

    /// Returns the contenders in parties. Feeds that a tile watches together get and lose their seats together.
    func parties(of contenders: [FeedID]) -> [[FeedID]] {
        guard !snapshot.tiles.watching.isEmpty else { return contenders.map { [$0] } }
        var parts: [[FeedID]] = []
        var left = contenders
        while let first = left.first {
            var part = [first], place = 0
            while place < part.count {
                for tile in snapshot.feeds[part[place]].watched.watchers {
                    for member in snapshot.tiles[tile].watch?.members ?? []
                    where !part.contains(snapshot.tiles[member].feed) {
                        if left.contains(snapshot.tiles[member].feed) { part.append(snapshot.tiles[member].feed) }
                    }
                }
                place += 1
            }
            left.removeAll(where: part.contains)
            parts.append(part)
        }
        return parts
    }

    private func largestView(of party: [FeedID], without leaving: [TileID] = []) -> Int {
        largestView(of: party.flatMap { snapshot.feeds[$0].viewers }.filter { !leaving.contains($0) })
    }

    private func largestView(of viewers: [TileID]) -> Int {
        viewers.map { snapshot.output.rect(of: $0).area }.max() ?? 0
    }

    /// Returns true if feeds take turns, and this feed's party fits into the seats that the focused party leaves.
    func hasTurns(_ feed: FeedID) -> Bool {
        guard case .rotate = snapshot.layout.overflow else { return false }
        let parties = parties(of: contenders)
        func size(_ feed: FeedID?) -> Int { parties.first { party in feed.map(party.contains) ?? false }?.count ?? 0 }
        return size(feed) <= snapshot.pool.seats - size(snapshot.focusedFeed)
    }
}
