import Base
import Decoded
import Feeds
import Layout

// Frames that pipelines decode for the feeds.
extension Playout {
    /// Adds an admitted frame to its feed. Returns true if a clock may have waited for this frame.
    func deliver(_ lease: Lease, _ frame: Frame, pts: Time, length: Time) -> Bool {
        let feed = lease.feed
        let playback = transport.context(of: feed, at: now)
        let delivery = feeds[feed].supply.deliver(lease, frame, pts: pts, length: length, playback)
        if playback.group.isWaiting { return delivery.isFirst || delivery.isAwaited }
        // The due frame of a paused feed was left out.
        if !playback.isRunning, feeds[feed].slots.leavesOut(playback.dueTime) { return true }
        return delivery.isFirst
            && (feeds[feed].reel.awaitsFirstFrame || feeds[feed].awaitedTop?.id == lease.slot
                || feeds[feed].isLive && feeds[feed].slots.first?.id != lease.slot)
            || delivery.isAwaited && playback.group.alignsTo == feed
    }

    func budget(for lease: Lease, item: ItemPlace, _ natural: Size) -> FrameBudget {
        let sizes = DecodeSizes(self)
        return FrameBudget(
            size: sizes.decodeSize(natural, of: lease.feed, item: item),
            memory: transport.share(ofMemory: limits.memory), quality: quality(of: lease.feed),
            keeping: sizes.keeping(lease.feed), mustYieldCores: transport.mustYieldCores(lease.feed, at: now))
    }

    /// Returns how exactly a feed is decoded, if the layout does not state it: exactly in groups that are measured, or
    /// of which a tile is compared.
    func quality(of feed: FeedID) -> Quality {
        if let stated = limits.quality { return stated }
        let group = feeds[feed].group
        let isExact = keepsSamples || feeds.contains { $0.group == group && !$0.watched.watchers.isEmpty }
        return isExact ? .exact : .auto
    }

    /// Returns the place of a delivered frame in the recording with the microphone; nil if it does not belong there.
    func takePlace(of lease: Lease, pts: Time) -> Time? {
        guard DecodeSizes(self).recordsFrames(of: lease.feed), transport.group(of: lease.feed).clock.isMoving(at: now)
        else { return nil }
        return feeds[lease.feed].reel.takePlace(of: lease, pts: pts)
    }

    // MARK: another size

    /// While the clock is paused, decodes the frame on screen again if it must be larger or keep its decoded samples.
    /// While the clock runs, the next frames come in the new size by themselves.
    func sharpen(_ feed: FeedID) {
        let own = feeds[feed]
        let playback = transport.context(of: feed, at: now)
        guard !playback.isRunning, case .going = playback.group.phase, own.phase == .playing || own.phase == .ended,
            let shown = own.screen.last, let place = shown.item, let front = own.slots.first, !front.isStill
        else { return }
        let natural = shown.frame.natural
        let isSideways = own.timeline.item(at: place)?.turn.isSideways ?? false
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let wanted = DecodeSizes(self).decodeSize(upright, of: feed, item: place)
        let isLarger = wanted.width > shown.frame.size.width + 1 || wanted.height > shown.frame.size.height + 1
        guard isLarger || !shown.frame.keeps(DecodeSizes(self).keeping(feed)) else { return }
        own.decodeAgain(playback)
    }

    /// Does the same for each feed that `isWanted` selects.
    func sharpen(where isWanted: (Feed) -> Bool = { _ in true }) {
        for feed in feeds where isWanted(feed) { sharpen(feed.id) }
    }
}
