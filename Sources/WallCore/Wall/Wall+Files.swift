// Files that change while the wall plays.
extension Wall {
    /// What its tiles play from files, as it is written.
    public var files: Set<String> {
        let sources = tiles.order.flatMap { tiles[$0].play.flatMap { $0.pieces.map(\.source) } }
        return Set(sources.filter { !$0.contains("://") })
    }

    /// There is another file at this place: it is opened anew from the next run on. What plays from the one before it
    /// plays on.
    public mutating func fileChanged(_ location: String, at wall: Time) {
        for feed in feeds.ids where feeds[feed].views.contains(where: { tiles[$0].plays(location) }) {
            forget(location, of: feed)
            switch feeds[feed].phase {
            case .barren: feeds[feed].phase = .barren(until: wall)
            case .given: feeds[feed].phase = .barren(until: wall)
            case .playing, .ended: break
            }
        }
        update(at: wall)
    }

    private mutating func forget(_ location: String, of feed: FeedID) {
        feeds[feed].hopeless.remove(location)
        feeds[feed].said[location] = nil
        for source in feeds[feed].parked.filter { $0.location == location }.map(\.source) { orders.close(source) }
        feeds[feed].parked.removeAll { $0.location == location }
        for place in feeds[feed].slots.indices where feeds[feed].slots[place].location == location {
            let slot = feeds[feed].slots[place]
            if case .ready(let source) = slot.loading, slot.pictures.isEmpty, place > 0 {
                orders.close(source)
                feeds[feed].slots[place].loading = .planned
            } else {
                feeds[feed].outdated.insert(slot.id)
            }
        }
        for pipeline in pool.pipelines {
            if let lease = pipeline.lease, lease.feed == feed, lease.location == location {
                feeds[feed].outdated.insert(lease.slot)
            }
        }
    }
}
