import Base
import Feeds
import Layout
import Scene

// Frames that pipelines decode for the feeds.
extension Playbacks {
    /// Adds an admitted frame to its feed. Returns true if a clock may have waited for this frame.
    mutating func deliver(_ lease: Lease, _ frame: Frame, pts: Time, length: Time, at now: Time) -> Bool {
        let feed = lease.feed
        let context = context(of: feed, at: now)
        let delivery = feeds[feed].deliver(lease, frame, pts: pts, length: length, context)
        if context.group.isWaiting { return delivery.isFirst || delivery.isAwaited }
        // The due frame of a paused feed was left out.
        if !context.isRunning, feeds[feed].slots.leavesOut(context.dueTime) { return true }
        return delivery.isFirst
            && (feeds[feed].reel.awaitsFirstFrame || feeds[feed].awaitedTop?.id == lease.slot
                || feeds[feed].isLive && feeds[feed].slots.first?.id != lease.slot)
            || delivery.isAwaited && context.group.alignsTo == feed
    }
}

extension PlaybackParts {
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
        let context = context(of: lease.feed, at: now)
        if context.group.hasStarted, !context.isRunning { return nil }
        let left = (start + slot.decodedTo - context.dueTime).lasting(at: context.rate)
        // At the start all tiles need their first frames soon.
        let comesFirst = context.group.hasStarted && focused == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }

    func budget(for lease: Lease, item: ItemPlace, _ natural: Size, _ context: WallContext) -> FrameBudget {
        let sizes = DecodeSizes(self, context)
        return FrameBudget(
            size: sizes.decodeSize(natural, of: lease.feed, item: item),
            memory: share(ofMemory: context.limits.memory),
            quality: quality(of: lease.feed, context),
            keeping: sizes.keeping(lease.feed), mustYieldCores: mustYieldCores(lease.feed, at: context.now))
    }

    /// Returns how exactly a feed is decoded, if the layout does not state it: exactly in groups that are measured, or
    /// of which a tile is compared.
    func quality(of feed: FeedID, _ context: WallContext) -> Quality {
        if let stated = context.limits.quality { return stated }
        let group = feeds[feed].group
        let isExact = context.keepsSamples || feeds.contains { $0.group == group && !$0.compared.watchers.isEmpty }
        return isExact ? .exact : .auto
    }

    /// Returns the place of a delivered frame in the recording with the microphone; nil if it does not belong there.
    func takePlace(of lease: Lease, pts: Time, _ context: WallContext) -> Time? {
        guard DecodeSizes(self, context).recordsFrames(of: lease.feed),
            group(of: lease.feed).clock.isMoving(at: context.now)
        else { return nil }
        return feeds[lease.feed].reel.takePlace(of: lease, pts: pts)
    }
}
