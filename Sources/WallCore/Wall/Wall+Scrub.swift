/// A drag over a tile that moves its group's clock.
struct Scrub {
    let tile: Int
    let group: Int
    /// Where the clock stood when the tile was grabbed.
    let grabbedAt: Time
    /// The item under it, in group time.
    let item: Range<Time>
    let width: Int
    let motion: Clock.Motion
    /// Where the drag is; the clock goes there as soon as the seek before has its pictures.
    var wanted: Time?
}

// Scrubbing: the newest position wins, and no seek is begun before the one before has its pictures.
extension Wall {
    /// How long a picture on the way may take before the next position is tried all the same.
    private static var longestScrubWait: Time { .seconds(2) }

    mutating func scrub(_ scrub: Command.Scrub, at wall: Time) {
        switch scrub {
        case .began(let point): grab(point, at: wall)
        case .moved(let by): drag(by: by, at: wall)
        case .ended: letGo(at: wall)
        }
    }

    /// A tile that is not ready, or has no length, does not scrub.
    private mutating func grab(_ point: Point, at wall: Time) {
        guard scrub == nil, let tile = tile(at: point), let item = itemOnScreen(of: feedOfTile[tile]) else { return }
        let index = feeds[feedOfTile[tile]].group
        guard case .going = groups[index].phase else { return }
        let motion = groups[index].clock.motion
        groups[index].clock.stand(at: wall)
        scrub = Scrub(
            tile: tile, group: index, grabbedAt: groups[index].clock.position(at: wall), item: item,
            width: max(1, frames[tile].width), motion: motion)
        tellClock(index, at: wall)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }

    /// The item that the tile shows, all its pieces, in group time.
    private func itemOnScreen(of feed: Int) -> Range<Time>? {
        guard let front = feeds[feed].slots.first, let start = front.start, feeds[feed].last != nil,
            let length = feeds[feed].timeline.itemLength(front.run.item), length > .zero
        else { return nil }
        let before = (0..<front.run.piece).reduce(Time.zero) { sum, piece in
            var run = front.run
            run.piece = piece
            return sum + (feeds[feed].timeline.length(of: run) ?? .zero)
        }
        return start - before..<start - before + length
    }

    private mutating func drag(by pixels: Int, at wall: Time) {
        guard var scrub else { return }
        let length = scrub.item.upperBound - scrub.item.lowerBound
        let moved = Time(ticks: Int64(Double(length.ticks) * Double(pixels) / Double(scrub.width)))
        let last = scrub.item.upperBound - Time(ticks: 1)
        scrub.wanted = max(.zero, min(max(scrub.grabbedAt + moved, scrub.item.lowerBound), last))
        self.scrub = scrub
        followScrub(at: wall)
    }

    /// Begins the seek to the newest position, unless the one before is still under way.
    mutating func followScrub(at wall: Time) {
        guard let wanted = scrub?.wanted, let index = scrub?.group else { return }
        if let since = scrubSeekSince, !haveArrived(index, at: wall), wall < since + Self.longestScrubWait { return }
        scrub?.wanted = nil
        scrubSeekSince = wall
        seek(index, to: wanted, at: wall)
    }

    /// Every feed of the group that plays has the picture for where the clock stands.
    private func haveArrived(_ index: Int, at wall: Time) -> Bool {
        let now = groups[index].clock.position(at: wall)
        return feeds.allSatisfy { feed in
            feed.group != index || !feed.hasSeat || feed.phase != .playing || feed.covers(now)
        }
    }

    /// Goes on as before; to the newest position first.
    private mutating func letGo(at wall: Time) {
        guard let ended = scrub else { return }
        scrub = nil
        scrubSeekSince = nil
        if let wanted = ended.wanted { seek(ended.group, to: wanted, at: wall) }
        if case .waiting(let until, _) = groups[ended.group].phase {
            groups[ended.group].phase = .waiting(until: until, then: ended.motion)
        } else if ended.motion == .running {
            groups[ended.group].clock.run(at: wall, after: pictureHold)
        }
        tellClock(ended.group, at: wall)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }
}
