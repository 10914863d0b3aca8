// A wall that nobody sees may rest.
extension Wall {
    /// `none`: no video is decoded; clocks run on, and each tile goes on where its timeline is.
    public mutating func setFrames(_ frames: Frames, at now: Time) {
        change(at: now) { $0.output.setFrames(frames) }
    }

    /// Clocks that run, or are about to, stand until `resume`; those that stand already stay as they are.
    public mutating func suspend(at now: Time) {
        change(at: now) { changed in
            changed.restsSince = changed.restsSince ?? now
            for group in changed.clocks.suspend(at: now) { changed.emitClock(group, at: now) }
        }
    }

    public mutating func resume(at now: Time) {
        change(at: now) { changed in
            if let since = changed.restsSince {
                for feed in changed.feeds.ids { changed.feeds[feed].screen.noteRest(since: since, until: now) }
            }
            changed.restsSince = nil
            let resumed = changed.clocks.resume(at: now, after: changed.frameHold)
            for group in resumed { changed.emitClock(group, at: now) }
        }
    }

    /// An item of a feed as it is told that it has ended: nobody has seen it since the wall rests, or since others fill
    /// the wall, or heard it since it can't be.
    func ended(_ item: PlayedItem, of feed: FeedID, at now: Time) -> PlayedItem {
        guard let since = [restsSince, feeds[feed].screen.unseenSince].compactMap({ $0 }).min() else { return item }
        var item = item
        item.noteRest(since: since, until: now)
        return item
    }

    /// Records whether the schedule has switched the display off.
    public mutating func noteDisplay(isOff: Bool, at now: Time) {
        if output.isDisplayOff != isOff { change(at: now) { $0.output.isDisplayOff = isOff } }
    }

    /// Some tile has frames to come, at once or when a jump is done.
    public var isMoving: Bool {
        feeds.ids.contains { feeds[$0].phase == .playing && clocks[feeds[$0].group].motionToCome == .running }
    }
}
