import Base
import Layout
import Scene

// Degrading: decoders leave out details that small tiles can't show, and more where the wall can't keep up.
extension PlayerCore {
    /// Least duration of the decoded frames of a tile. Below it the tile is short of frames.
    private static var shortage: Time { .milliseconds(200) }
    /// Share of the time that a decoder works. Above `labour` it is at its limit, below `ease` it has time to spare.
    private static var labour: Double { 0.8 }
    private static var ease: Double { 0.7 }
    private static var lookAgain: Time { .milliseconds(250) }

    /// True if a wall that can't keep up may degrade. A clock that waits has no need to.
    var mayDegrade: Bool { layout.quality == .auto && degrading.isAllowed }

    /// Checks the decoded frames of every feed, and takes the degrading a step up or down.
    /// Returns the wall time of the next check; nil while the wall keeps up.
    @discardableResult
    mutating func settleDegrading(at now: Time) -> Time? {
        guard mayDegrade else { return nil }
        let playing = feeds.ids.filter { isRunning(playbacks.feeds[$0]) }
        let focused = focusedFeed
        let others: Degrading.Others = playing.contains { $0 != focused } ? .some : .none
        degrading.look(supply(of: playing, at: now), others: others, at: now)
        for feed in feeds.ids where !playbacks.feeds[feed].tiles.isEmpty {
            let step =
                playbacks.feeds[feed].watchers.isEmpty
                ? degrading.step(of: feed == focused ? .focused : .other, others: others) : .nothing
            guard playbacks.feeds[feed].decoding.setStep(step) else { continue }
            emit(of: feed, at: now) { .degrade(tile: $0, step: step) }
        }
        return degrading.isAtRest ? nil : now + Self.lookAgain
    }

    private func supply(of playing: [FeedID], at now: Time) -> Degrading.Supply {
        var isPlenty = true
        var least: Time?
        for feed in playing.lazy.map({ playbacks.feeds[$0] }) {
            let clock = group(of: feed).clock
            let rate = clock.rate
            let left = feed.buffered(after: clock.position(at: now)).lasting(at: rate)
            let labour = (feed.decoding.labour ?? 0) * rate.value
            // A live feed buffers nothing.
            if feed.isLive, labour <= Self.ease { continue }
            let isAtWork = feed.slots.contains { $0.isLeased && !$0.frames.isEmpty }
            if isAtWork, left < Self.shortage, labour > Self.labour { least = min(least ?? left, left) }
            if labour > Self.ease || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    private func isRunning(_ feed: Feed) -> Bool {
        guard feed.hasSeat, feed.phase == .playing else { return false }
        let group = group(of: feed)
        return group.phase == .going && group.clock.motion == .running
    }
}
