import Base
import Feeds
import Layout
import Scene

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
    @discardableResult
    mutating func settle(_ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        guard context.limits.quality != .exact, isAllowed else { return nil }
        let exact = Set(playbacks.feeds.ids.filter { playbacks.quality(of: $0, context) == .exact })
        var playing = playbacks.feeds.ids.filter { isRunning($0, playbacks) }
        // A shortage of exact feeds takes nothing from them, but from the others.
        if exact.isSuperset(of: playing) { playing = [] }
        let focused = context.focusedFeed
        let others: Others = playing.contains { $0 != focused && !exact.contains($0) } ? .some : .none
        update(supply(of: playing, playbacks, at: context.now), others: others, at: context.now)
        for feed in playbacks.feeds.ids where !playbacks.feeds[feed].tiles.isEmpty {
            let step =
                exact.contains(feed) ? .nothing : self.step(of: feed == focused ? .focused : .other, others: others)
            guard playbacks.feeds[feed].decoding.degrade(to: step) else { continue }
            playbacks.emit(of: feed, context) { .degrade(tile: $0, step: step) }
        }
        return isAtRest ? nil : context.now + Self.lookAgain
    }

    private func supply(of playing: [FeedID], _ playbacks: Playbacks, at now: Time) -> Supply {
        var isPlenty = true
        var least: Time?
        let feeds = playbacks.feeds
        for feed in playing {
            let clock = playbacks.group(of: feed).clock, slots = feeds[feed].reel.slots
            let rate = clock.rate
            let left = slots.buffered(after: clock.position(at: now)).lasting(at: rate)
            let busyShare = (feeds[feed].decoding.busyShare ?? 0) * rate.value
            // A live feed buffers nothing.
            if feeds[feed].isLive, busyShare <= Self.spareBelow { continue }
            let isAtWork = slots.contains { $0.isLeased && !$0.frames.isEmpty }
            if isAtWork, left < Self.shortage, busyShare > Self.overloadedAbove { least = min(least ?? left, left) }
            if busyShare > Self.spareBelow || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    private func isRunning(_ feed: FeedID, _ playbacks: Playbacks) -> Bool {
        guard playbacks.feeds[feed].hasSeat, playbacks.feeds[feed].phase == .playing else { return false }
        let group = playbacks.group(of: feed)
        return group.phase == .going && group.clock.motion == .running
    }
}
