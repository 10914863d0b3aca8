// Sources that are not opened anew: those that hang, those that are on their way, and those that stayed open.
extension Wall {
    // MARK: openings that do not come back

    /// An opening that has not come back by then has failed. Sources end their calls by themselves at the same time:
    /// what does not is held by the kernel.
    private static var hangsAfter: Time { .seconds(10) }
    /// So many threads at most stand in openings that do not come back.
    static var mostHanging: Int { 24 }

    /// Why this source is not opened now: it hangs, or too many do.
    func hanging(_ location: String) -> SourceTrouble? {
        let hanging = openings.values.filter(\.hangs)
        if hanging.contains(where: { $0.location == location }) { return Self.noAnswer }
        guard hanging.count >= Self.mostHanging else { return nil }
        return SourceTrouble(.timeout, "not opened: \(hanging.count) other sources give no answer")
    }

    private static var noAnswer: SourceTrouble { SourceTrouble(.timeout, "opening: no answer in time") }

    /// An opening whose slot or poster is gone.
    func spareOpening(of location: String, for feed: FeedID, _ item: Item) -> Int? {
        openings.first { _, opening in
            guard opening.feed == feed, opening.location == location, !opening.hangs else { return false }
            guard opening.turn == item.turn, opening.flip == item.flip else { return false }
            return switch opening.purpose {
            case .slot(let id): !feeds[feed].slots.contains { $0.id == id }
            case .poster(let id): feeds[feed].poster?.id != id
            case .probe: true
            }
        }?.key
    }

    /// What has not been opened in time has failed; its thread is counted until it comes back.
    mutating func giveUpOpenings(at wall: Time) {
        for ticket in openings.keys.sorted() {
            guard let opening = openings[ticket], !opening.hangs else { continue }
            guard wall - opening.since >= Self.hangsAfter else {
                wake(at: opening.since + Self.hangsAfter)
                continue
            }
            openings[ticket]?.hangs = true
            let item = feeds[opening.feed].timeline.runs(of: opening.location).first?.item ?? 0
            report(Self.noAnswer, of: opening.feed, opening.location, item: item, pts: nil, at: wall)
            settleOpening(opening.feed, opening.location, opening.purpose, failed: Self.noAnswer, at: wall)
        }
    }

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
            wake(at: until)
            return true
        }
        return false
    }

    // MARK: sources that stay open

    private static var mostParked: Int { 4 }

    /// A film that nobody waits for now. Of a still image the source is of no use: its picture would be decoded again.
    mutating func keep(_ source: Source, _ facts: OpenedFacts, at location: String, of feed: FeedID) {
        if facts.kind == .video { park(source, of: nil, at: location, of: feed) } else { orders.close.append(source) }
    }

    /// `slot`: which it was opened for; nil: none.
    mutating func park(_ source: Source, of slot: Int?, at location: String, of feed: FeedID) {
        if let slot, feeds[feed].outdated.remove(slot) != nil { return orders.close.append(source) }
        feeds[feed].parked.append((location, source))
        while feeds[feed].parked.count > Self.mostParked {
            orders.close.append(feeds[feed].parked.removeFirst().source)
        }
    }

    mutating func unpark(_ location: String, of feed: FeedID) -> Source? {
        guard let index = feeds[feed].parked.lastIndex(where: { $0.location == location }) else { return nil }
        return feeds[feed].parked.remove(at: index).source
    }
}
