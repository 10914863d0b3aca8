import Base
import Decoded
import Feeds

// Slots that pipelines decode, and how urgently.
extension Transport {
    /// Returns true while the slot of a lease exists.
    func isWanted(_ lease: Lease) -> Bool {
        feeds[lease.feed].slot(of: lease)?.pipeline == lease.pipeline
    }

    /// Wall time that is left until the feed has nothing to show.
    func urgency(_ feed: Feed, at now: Time) -> Time {
        let clock = group(of: feed).clock
        return feed.slots.buffered(after: clock.position(at: now)).lasting(at: clock.rate)
    }

    /// Returns the wall time at which a slot runs out of decoded frames. The focused tile counts as due a little
    /// earlier, so that it is the last to lack a frame. nil while the clock is paused.
    func deadline(of lease: Lease, focused: FeedID?, at now: Time) -> Time? {
        let feed = feeds[lease.feed]
        guard lease.purpose == .play, let slot = feed.slot(of: lease), let start = slot.start else { return now }
        let playback = context(of: feed, at: now)
        if playback.group.hasStarted, !playback.isRunning { return nil }
        let left = (start + slot.decodedTo - playback.dueTime).lasting(at: playback.rate)
        // At the start all tiles need their first frames soon.
        let comesFirst = playback.group.hasStarted && focused == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }
}
