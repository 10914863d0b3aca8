// What decoders leave out: what cannot be seen in small tiles, and more where the wall can't keep up.
extension Wall {
    /// A tile whose pictures last less than this is short of them.
    private static var shortage: Time { .milliseconds(200) }
    /// Of the time: a decoder that works more than this does all that it can; one below it has some to spare.
    private static var labour: Double { 0.8 }
    private static var ease: Double { 0.7 }
    private static var lookAgain: Time { .milliseconds(250) }

    /// Whether a wall that can't keep up may leave anything out. A clock that waits has no need to.
    var mayDegrade: Bool { layout.quality == .auto && degrading.isAllowed }

    /// What the decoder of a feed leaves out of pictures that are scaled to `size`.
    func skips(of feed: Feed, _ natural: Size, to size: Size) -> DecodeSkips {
        guard layout.quality == .auto else { return .none }
        let isSmall = size.width * 2 <= natural.width && size.height * 2 <= natural.height
        return DecodeSkips(
            filter: feed.degrade >= .loopFilter ? .nowhere : isSmall ? .notBidirectional : .everywhere,
            pictures: feed.degrade >= .unreferencedPictures ? .referenced : .all)
    }

    /// Looks at what every tile has; climbs or descends.
    mutating func settleDegrading(at wall: Time) {
        guard mayDegrade else { return }
        let playing = feeds.filter { $0.hasSeat && $0.phase == .playing && isRunning($0) }
        let focused = focusedFeed
        let others: Degrading.Others = playing.contains { $0.id != focused } ? .some : .none
        degrading.look(supply(of: playing, at: wall), others: others, at: wall)
        if !degrading.isAtRest { orders.scheduleUpdate(at: wall + Self.lookAgain) }
        for feed in feeds.ids where !feeds[feed].views.isEmpty {
            let step = degrading.step(of: feed == focused ? .focused : .other, others: others)
            guard step != feeds[feed].degrade else { continue }
            feeds[feed].degrade = step
            for tile in feeds[feed].views { tell(.degrade(tile: tiles[tile].name, step: step), at: wall) }
        }
    }

    private func supply(of playing: [Feed], at wall: Time) -> Degrading.Supply {
        var isPlenty = true
        var least: Time?
        for feed in playing {
            let rate = clocks[feed.group].clock.rate
            let left = feed.buffered(after: now(of: feed, at: wall)).lasting(at: rate)
            let labour = (feed.labour ?? 0) * rate.value
            let isAtWork = feed.slots.contains { $0.isLeased && !$0.pictures.isEmpty }
            if isAtWork, left < Self.shortage, labour > Self.labour { least = min(least ?? left, left) }
            if labour > Self.ease || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    private func isRunning(_ feed: Feed) -> Bool {
        clocks[feed.group].phase == .going && clocks[feed.group].clock.motion == .running
    }

    /// How many pictures the decoder left out between one that lasts so long in its source and the next: they were due
    /// and are never shown.
    func leftOut(_ feed: Feed, _ run: RunID, length: Time, at wall: Time) -> Int {
        let isBehind = feed.skippedAt.map { wall - $0 < .seconds(1) } ?? false
        guard feed.degrade >= .unreferencedPictures || isBehind,
            let usual = feed.facts[feed.timeline.piece(of: run).source]?.pictureLength
        else { return 0 }
        return max(0, Int((length + usual / 2).ticks / max(1, usual.ticks)) - 1)
    }

    /// The slot's decoder has left behind what ends before this offset.
    mutating func noteSkip(to end: Time, _ lease: Lease) {
        if let index = slotIndex(of: lease) { feeds[lease.feed].slots[index].skippedTo = end }
    }

    /// After a skip the decoder may have gone on at a key picture: what lies between was due and is never shown.
    mutating func noteLeap(to offset: Time, _ lease: Lease) {
        guard let index = slotIndex(of: lease), let end = feeds[lease.feed].slots[index].skippedTo else { return }
        let run = feeds[lease.feed].slots[index].run
        feeds[lease.feed].slots[index].skippedTo = nil
        guard let usual = feeds[lease.feed].facts[lease.location]?.pictureLength, usual > .zero else { return }
        let length = usual.lasting(at: feeds[lease.feed].timeline.rate(of: run))
        feeds[lease.feed].health.missed += max(0, Int((offset - end + length / 2).ticks / max(1, length.ticks)))
    }

    /// Whether a tile that shows every second picture leaves this one out.
    mutating func isSecond(of feed: FeedID) -> Bool {
        guard feeds[feed].degrade == .everySecondPicture else { return false }
        feeds[feed].showsNext.toggle()
        return !feeds[feed].showsNext
    }
}
