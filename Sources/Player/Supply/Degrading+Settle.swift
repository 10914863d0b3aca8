import Base
import Feeds

// Degrading: decoders leave out details that small tiles can't show, and more where the wall can't keep up.
extension Degrading {
    private static var lookAgain: Time { .milliseconds(250) }

    /// A tile is short of frames if its decoded frames last less than this.
    private static var shortage: Time { .milliseconds(200) }

    /// Shares of the time that a decoder works: above `overloadedAbove` it is at its limit, below `spareBelow` it has
    /// time to spare.
    private static var overloadedAbove: Double { 0.8 }
    private static var spareBelow: Double { 0.7 }

    /// Checks the decoded frames of every feed, and takes the degrading a step up or down. Feeds whose clocks wait or
    /// are paused do not count. Returns the wall time of the next check; nil while the wall keeps up.
    @discardableResult mutating func settle(_ playout: Playout) -> Time? {
        guard playout.limits.quality != .exact, isAllowed else { return nil }
        let exact = Set(playout.feeds.filter { playout.quality(of: $0) == .exact }.map(\.id))
        var playing = playout.feeds.filter { isRunning($0, playout.transport) }
        // A shortage of exact feeds takes nothing from them, but from the others.
        if playing.allSatisfy({ exact.contains($0.id) }) { playing = [] }
        let focused = playout.tiles.focusedFeed
        let others: Others = playing.contains { $0.id != focused && !exact.contains($0.id) } ? .some : .none
        update(supply(of: playing, playout.transport, at: playout.now), others: others, at: playout.now)
        for feed in playout.feeds where !feed.tiles.isEmpty {
            let step =
                exact.contains(feed.id)
                ? .nothing : self.step(of: feed.id == focused ? .focused : .other, others: others)
            guard feed.reel.decoding.degrade(to: step) else { continue }
            playout.emit(of: feed) { .degrade(tile: $0, step: step) }
        }
        return isAtRest ? nil : playout.now + Self.lookAgain
    }

    private func supply(of playing: [Feed], _ transport: Transport, at now: Time) -> Supply {
        var isPlenty = true
        var least: Time?
        for feed in playing {
            let left = transport.urgency(feed, at: now), slots = feed.slots
            let busyShare = (feed.decoding.busyShare ?? 0) * transport.group(of: feed).clock.rate.value
            // A live feed buffers nothing.
            if feed.isLive, busyShare <= Self.spareBelow { continue }
            let isAtWork = slots.contains { $0.isLeased && !$0.frames.isEmpty }
            if isAtWork, left < Self.shortage, busyShare > Self.overloadedAbove { least = min(least ?? left, left) }
            if busyShare > Self.spareBelow || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    private func isRunning(_ feed: Feed, _ transport: Transport) -> Bool {
        guard feed.hasSeat, feed.phase == .playing else { return false }
        let group = transport.group(of: feed)
        return group.phase == .going && group.clock.motion == .running
    }
}
