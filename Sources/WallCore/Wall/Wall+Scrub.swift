/// A drag over a tile that moves its group's clock.
struct HeldScrub {
    let tile: TileID
    let group: GroupID
    /// Where the clock stood when the tile was grabbed.
    let grabbedAt: Time
    /// The item under it, in group time.
    let item: Range<Time>
    let width: Int
    /// How it goes on when it is let go.
    var motion: Clock.Motion
}

// Scrubbing: a drag over a tile moves its group's clock within the item under it.
extension Wall {
    mutating func scrub(_ scrub: Command.Scrub, at wall: Time) {
        switch scrub {
        case .began(let point): grab(point, at: wall)
        case .moved(let by): drag(by: by, at: wall)
        case .ended: letGo(at: wall)
        }
    }

    /// A tile that is not ready, or has no length, does not scrub. One that is still on its way is grabbed where it
    /// is to be.
    private mutating func grab(_ point: Point, at wall: Time) {
        guard scrub == nil, let tile = tile(at: point), let item = itemOnScreen(of: tiles[tile].feed) else { return }
        let index = feeds[tiles[tile].feed].group
        guard groups[index].hasStarted else { return }
        let motion = groups[index].motionToCome
        groups[index].clock.stand(at: wall)
        if case .waiting(let until, _) = groups[index].phase {
            groups[index].phase = .waiting(until: until, then: .standing)
        }
        scrub = HeldScrub(
            tile: tile, group: index, grabbedAt: destination(of: index, at: wall), item: item,
            width: max(1, frameToDecode(of: tile).width), motion: motion)
        tellClock(index, at: wall)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }

    /// The item that the tile shows, all its pieces, in group time.
    func itemOnScreen(of feed: FeedID) -> Range<Time>? {
        guard let front = feeds[feed].slots.first, let start = front.start, feeds[feed].last != nil,
            let length = feeds[feed].timeline.itemLength(front.run.item), length > .zero
        else { return nil }
        let before = feeds[feed].timeline.length(ofPiecesBefore: front.run)
        return start - before..<start - before + length
    }

    private mutating func drag(by pixels: Int, at wall: Time) {
        guard let scrub else { return }
        let length = scrub.item.upperBound - scrub.item.lowerBound
        let moved = length.part(Double(pixels) / Double(scrub.width))
        let last = scrub.item.upperBound - Time(ticks: 1)
        let target = max(.zero, min(max(scrub.grabbedAt + moved, scrub.item.lowerBound), last))
        groups[scrub.group].pendingJump = .position(target)
        continueJump(scrub.group, at: wall)
    }

    /// Goes on as before; to the newest position first.
    private mutating func letGo(at wall: Time) {
        guard let ended = scrub else { return }
        scrub = nil
        if case .position(let wanted) = groups[ended.group].pendingJump { seek(ended.group, to: wanted, at: wall) }
        if case .waiting(let until, _) = groups[ended.group].phase {
            groups[ended.group].phase = .waiting(until: until, then: ended.motion)
        } else if ended.motion == .running {
            groups[ended.group].clock.run(at: wall, after: pictureHold)
        }
        tellClock(ended.group, at: wall)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }
}
