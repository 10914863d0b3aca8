import Base
import Decoded
import Feeds
import Layout

// Frames that pipelines decode for the feeds.
extension Playout {
    /// Adds an admitted frame to its feed. Returns true if a clock may have waited for this frame.
    func deliver(_ lease: Lease, _ frame: Frame, pts: Time, length: Time) -> Bool {
        let feed = feeds[lease.feed], playback = context(of: feed)
        let delivery = feed.supply.deliver(lease, frame, pts: pts, length: length, playback)
        if playback.group.isWaiting { return delivery.isFirst || delivery.isAwaited }
        // The due frame of a paused feed was left out.
        if !playback.isRunning, feed.slots.leavesOut(playback.dueTime) { return true }
        return delivery.isFirst
            && (feed.reel.awaitsFirstFrame || feed.awaitedTop?.id == lease.slot
                || feed.isLive && feed.slots.first?.id != lease.slot)
            || delivery.isAwaited && playback.group.alignsTo == feed.id
    }

    func budget(for feed: Feed, item: ItemPlace, _ natural: Size) -> FrameBudget {
        FrameBudget(
            size: decodeSize(natural, of: feed, item: item), memory: shareOfMemory, quality: quality(of: feed),
            keeping: keeping(feed), mustYieldCores: transport.mustYieldCores(feed, at: now))
    }

    /// Returns how exactly a feed is decoded, if the layout does not state it: exactly in groups that are measured, or
    /// of which a tile is compared.
    func quality(of feed: Feed) -> Quality {
        if let stated = limits.quality { return stated }
        let isExact = needs.keepsSamples || feeds.contains { $0.group == feed.group && !$0.watched.watchers.isEmpty }
        return isExact ? .exact : .auto
    }

    /// Returns the place of a delivered frame in the recording with the microphone; nil if it does not belong there.
    func takePlace(of lease: Lease, pts: Time) -> Time? {
        let feed = feeds[lease.feed]
        return recordsFrames(of: feed) && transport.group(of: feed).clock.isMoving(at: now)
            ? feed.reel.takePlace(of: lease, pts: pts) : nil
    }

    // MARK: another size

    /// While the clock is paused, decodes the frame on screen again if it must be larger or keep its decoded samples.
    /// While the clock runs, the next frames come in the new size by themselves.
    func sharpen(_ feed: Feed) {
        let playback = context(of: feed)
        guard !playback.isRunning, case .going = playback.group.phase, feed.phase == .playing || feed.phase == .ended,
            let shown = feed.screen.last, let place = shown.item, let front = feed.slots.first, !front.isStill
        else { return }
        let natural = shown.frame.natural.turned(feed.timeline.item(at: place)?.turn ?? .none)
        let isLarge = shown.frame.reaches(decodeSize(natural, of: feed, item: place))
        if !isLarge || !shown.frame.keeps(keeping(feed)) { feed.decodeAgain(playback) }
    }

    /// Does the same for each feed that `isWanted` selects.
    func sharpen(where isWanted: (Feed) -> Bool = { _ in true }) {
        for feed in feeds where isWanted(feed) { sharpen(feed) }
    }
}

extension Frame {
    /// True if the frame has this size, but for rounding, or is larger.
    func reaches(_ wanted: Size) -> Bool { size.width + 1 >= wanted.width && size.height + 1 >= wanted.height }
}
