import Base
import Decoded
import Feeds

// Slots that pipelines decode, and how urgently.
extension Transport {
    /// Returns true while the slot of a lease exists.
    func isWanted(_ lease: Lease) -> Bool {
        if lease.purpose == .preview { return feeds[lease.feed].slot(of: lease)?.pipeline == lease.pipeline }
        let slots = feeds[lease.feed].reel.slots
        return slots.index(of: lease).map { slots.slots[$0].pipeline == lease.pipeline } ?? false
    }

    /// Wall time that is left until the feed has nothing to show.
    func urgency(_ feed: FeedID, at now: Time) -> Time {
        let clock = group(of: feed).clock
        return feeds[feed].slots.buffered(after: clock.position(at: now)).lasting(at: clock.rate)
    }

    /// Returns the wall time at which a slot runs out of decoded frames. The focused tile counts as due a little
    /// earlier, so that it is the last to lack a frame. nil while the clock is paused.
    func deadline(of lease: Lease, focused: FeedID?, at now: Time) -> Time? {
        guard lease.purpose == .play, let slot = feeds[lease.feed].slot(of: lease), let start = slot.start else {
            return now
        }
        let playback = context(of: lease.feed, at: now)
        if playback.group.hasStarted, !playback.isRunning { return nil }
        let left = (start + slot.decodedTo - playback.dueTime).lasting(at: playback.rate)
        // At the start all tiles need their first frames soon.
        let comesFirst = playback.group.hasStarted && focused == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }
}
