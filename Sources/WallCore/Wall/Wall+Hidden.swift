// A wall that nobody sees may rest.
extension Wall {
    /// `none`: no video is decoded; clocks run on, and each tile goes on where its timeline is.
    public mutating func setPictures(_ pictures: Pictures, at wall: Time) {
        output.setPictures(pictures)
        update(at: wall)
        orders.wakeScreen()
    }

    /// Clocks that run, or are about to, stand until `resume`; those that stand already stay as they are.
    public mutating func hold(at wall: Time) {
        for group in clocks.hold(at: wall) { tellClock(group, at: wall) }
        update(at: wall)
    }

    public mutating func resume(at wall: Time) {
        for group in clocks.resume(at: wall, after: pictureHold) { tellClock(group, at: wall) }
        update(at: wall)
    }

    /// A feed that nobody sees is still heard: its runs are planned, and nothing of them is opened or decoded.
    mutating func listen(_ feed: FeedID, at wall: Time) {
        let clock = clocks[feeds[feed].group].clock
        let now = clock.position(at: wall)
        if feeds[feed].slots.count > 1, let next = feeds[feed].slots[1].start, next <= now {
            feeds[feed].slots.removeFirst()
        }
        if feeds[feed].slots.first?.isOver(at: now) ?? true { enter(feed, at: now) }
        guard let end = feeds[feed].slots[0].end, end > now else { return }
        if feeds[feed].slots.count == 1, end <= now + Self.prepareAhead,
            let next = following(feeds[feed].slots[0].run, of: feed)
        {
            feeds[feed].slots.append(feeds[feed].makeSlot(next, start: nil))
        }
        chain(feed)
        for look in [end - Self.prepareAhead, end] where look > now { orders.scheduleUpdate(at: clock.wallTime(of: look)) }
    }

    /// Some tile has pictures to come, at once or when a jump is done.
    public var isMoving: Bool {
        feeds.contains { $0.phase == .playing && clocks[$0.group].motionToCome == .running }
    }
}
