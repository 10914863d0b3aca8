// Sources that are not opened anew: those that come back from a pipeline, and those that stayed open.
extension Wall {
    // MARK: sources that come back

    /// A pipeline still has this source, for a slot that is gone, and leaves it at its next picture: its decoder goes on
    /// from there. A read that blocks is not waited for.
    mutating func isComingBack(_ location: String, to feed: FeedID, at wall: Time) -> Bool {
        for pipeline in pool.pipelines.indices {
            guard let lease = pool.lease(of: pipeline), lease.feed == feed, slot(of: lease) == nil,
                lease.location == location
            else { continue }
            let until = pool.noteAbandoned(pipeline, at: wall) + Self.longestSeekWait
            if wall >= until { continue }
            orders.scheduleUpdate(at: until)
            return true
        }
        return false
    }

    // MARK: sources that stay open

    private static var mostParked: Int { 4 }

    /// A film that nobody waits for now. Of a still image the source is of no use: its picture would be decoded again.
    mutating func keep(_ source: any WallSource, _ facts: OpenedFacts, at location: String, of feed: FeedID) {
        if facts.kind == .video { park(source, of: nil, at: location, of: feed) } else { orders.close(source) }
    }

    /// `slot`: which it was opened for; nil: none.
    mutating func park(_ source: any WallSource, of slot: Int?, at location: String, of feed: FeedID) {
        if let slot, feeds[feed].outdated.remove(slot) != nil { return orders.close(source) }
        feeds[feed].parked.append((location, source))
        while feeds[feed].parked.count > Self.mostParked {
            orders.close(feeds[feed].parked.removeFirst().source)
        }
    }

    mutating func unpark(_ location: String, of feed: FeedID) -> (any WallSource)? {
        guard let index = feeds[feed].parked.lastIndex(where: { $0.location == location }) else { return nil }
        return feeds[feed].parked.remove(at: index).source
    }
}
