import Base
import Decoded
import Feeds
import Layout

// Frames that pipelines decode for the feeds: how large they are, and whether they keep their decoded samples.
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
            || delivery.isAwaited && playback.group.jump.alignsTo == feed.id
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

    // MARK: sizes

    /// Returns whether the frames of a feed keep the decoded frames from which they were scaled.
    func keeping(_ feed: Feed) -> FrameKeeping {
        needs.keepsSamples ? .all : feed.watched.watchers.isEmpty ? .none : .reduced
    }

    /// Returns the size that the largest view of a feed needs of an item. Each tile has its own crop of the item.
    func decodeSize(_ natural: Size, of feed: Feed, item: ItemPlace) -> Size {
        let turn = feed.timeline.item(at: item)?.turn ?? .none
        // Paused frames are compared in their native size.
        let isCompared = !feed.watched.watchers.isEmpty
        if isCompared, transport.clocks[feed.group].motionToCome == .paused { return natural.turned(turn) }
        if recordsFrames(of: feed) || savesFrame(of: feed) { return natural.turned(turn) }
        let views = feed.tiles.map { tile in
            let look = tiles[tile].look(ofItem: item)
            // Only the size of the crop counts. Magnification scales width and height alike, so the turn does not
            // matter.
            let crop = shownPart(of: tile).of(part(look.crop, of: feed, item))
            return (rect: output.rectToDecode(of: tile), fit: tiles[tile].layout.fit, crop: crop)
        }
        // A compared frame fills the reference's place, whatever its own shape is.
        let compared = feed.watched.watchers.map {
            (rect: output.rectToDecode(of: $0), fit: Fit.cover, crop: shownPart(of: $0))
        }
        return TileGeometry.decodeSize(natural: natural, turn: turn, views: views + compared)
    }

    /// Returns a crop in fractions. A crop in pixels is the whole frame until the item's source is opened.
    private func part(_ crop: Crop, of feed: Feed, _ item: ItemPlace) -> Fractions {
        if case .fractions(let part) = crop { return part }
        let source = feed.timeline.item(at: item)?.segments.first.source
        return crop.part(of: source.flatMap { feed.sources.facts(of: $0)?.stored } ?? Size(0, 0))
    }

    /// Returns true if the frames of a feed are recorded with the microphone.
    func recordsFrames(of feed: Feed) -> Bool {
        guard let tile = needs.recordedTile, feed.isLive, tiles.contains(tile) else { return false }
        return tiles[tiles.playingTile(for: tile)].feed == feed.id
    }

    /// Returns true if a frame of a feed is to be saved in its own size.
    private func savesFrame(of feed: Feed) -> Bool {
        guard let tile = needs.fullSizeTile, tiles.contains(tile) else { return false }
        return tiles[tile].feed == feed.id
    }

    /// Returns the plan for an image of no feed, such as a poster.
    func stillPlan(natural: Size, turn: Turn) -> StillPlan {
        let size = TileGeometry.decodeSize(
            natural: natural, turn: turn, views: [(rect: Rect(output.size), fit: .cover, crop: .all)])
        return StillPlan(size: size, keeping: .none)
    }

    /// Returns the plan for an image of a feed. `natural`: its whole size, upright and not turned.
    func stillPlan(_ natural: Size, of feed: Feed, item: ItemPlace) -> StillPlan {
        let usual = stillPlan(natural: natural, turn: feed.timeline.item(at: item)?.turn ?? .none).size
        let wanted = decodeSize(natural, of: feed, item: item)
        let isMore = wanted.width * wanted.height > usual.width * usual.height
        return StillPlan(size: isMore ? wanted : usual, keeping: keeping(feed))
    }
}

extension Frame {
    /// True if the frame has this size, but for rounding, or is larger.
    func reaches(_ wanted: Size) -> Bool { size.width + 1 >= wanted.width && size.height + 1 >= wanted.height }
}
