// A wall that nobody sees may rest.
extension Wall {
    public enum Pictures: Sendable { case all, none }

    /// `none`: no video is decoded; clocks run on, and each tile goes on where its timeline is.
    public mutating func setPictures(_ pictures: Pictures, at wall: Time) {
        self.pictures = pictures
        conduct(at: wall)
        orders.wakesScreen = true
    }

    /// Clocks that run, or are about to, stand until `resume`; those that stand already stay as they are.
    public mutating func hold(at wall: Time) {
        if let scrub, scrub.motion == .running {
            self.scrub?.motion = .standing
            held.insert(scrub.group)
        }
        for index in groups.ids where groups[index].motionToCome == .running {
            groups[index].clock.stand(at: wall)
            if case .waiting(let until, _) = groups[index].phase {
                groups[index].phase = .waiting(until: until, then: .standing)
            }
            held.insert(index)
            tellClock(index, at: wall)
        }
        conduct(at: wall)
    }

    public mutating func resume(at wall: Time) {
        for index in held {
            if case .waiting(let until, _) = groups[index].phase {
                groups[index].phase = .waiting(until: until, then: .running)
            } else {
                groups[index].clock.run(at: wall, after: pictureHold)
            }
            tellClock(index, at: wall)
        }
        held = []
        orders.wakesScreen = true
        orders.pipelines.formUnion(pool.pipelines.indices)
        conduct(at: wall)
    }

    /// A feed that nobody sees is still heard: its runs are planned, and nothing of them is opened or decoded.
    mutating func listen(_ feed: FeedID, at wall: Time) {
        let clock = groups[feeds[feed].group].clock
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
        for look in [end - Self.prepareAhead, end] where look > now { wake(at: clock.wallTime(of: look)) }
    }

    /// Some tile has pictures to come, at once or when a jump is done.
    public var isMoving: Bool {
        feeds.contains { $0.phase == .playing && groups[$0.group].motionToCome == .running }
    }
}
