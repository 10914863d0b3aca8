import Base
import Layout
import Scene

/// Whether decoders keep up with the clocks.
struct DecodeSupply: Report {
    let snapshot: Snapshot

    /// Least duration of the decoded frames of a tile. Below it the tile is short of frames.
    static var shortage: Time { .milliseconds(200) }

    /// Share of the time that a decoder works. Above `labour` it is at its limit, below `ease` it has time to spare.
    static var labour: Double { 0.8 }

    static var ease: Double { 0.7 }

    func supply(of playing: [FeedID]) -> Degrading.Supply {
        var isPlenty = true
        var least: Time?
        for feed in playing.lazy.map({ feeds[$0] }) {
            let clock = group(of: feed).clock
            let rate = clock.rate
            let left = feed.slots.buffered(after: clock.position(at: now)).lasting(at: rate)
            let labour = (feed.decoding.labour ?? 0) * rate.value
            // A live feed buffers nothing.
            if feed.isLive, labour <= Self.ease { continue }
            let isAtWork = feed.slots.contains { $0.isLeased && !$0.frames.isEmpty }
            if isAtWork, left < Self.shortage, labour > Self.labour { least = min(least ?? left, left) }
            if labour > Self.ease || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    func isRunning(_ feed: Feed) -> Bool {
        guard feed.hasSeat, feed.phase == .playing else { return false }
        let group = group(of: feed)
        return group.phase == .going && group.clock.motion == .running
    }
}
