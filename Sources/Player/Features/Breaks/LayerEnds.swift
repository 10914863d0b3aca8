import Base
import Feeds
import Layout

/// Decides which layers are over, for those who have put them on top of tiles.
struct LayerEnds {
    let snapshot: Snapshot

    /// True if the run after a layer is on the screen of its tile, or never will be.
    func isOver(_ name: String, on tile: TileID) -> Bool {
        let feed = snapshot.feed(of: tile)
        guard let front = feed.slots.first, let number = feed.timeline.number(ofLayer: name),
            let layer = feed.timeline.layer(number)
        else {
            // A feed that is off the stage resumes where its timeline is, so its layer may still come.
            return !BreakEntries(snapshot: snapshot).playsItems(feed)
                && (feed.phase != .playing || snapshot.isOnStage(feed))
        }
        // Nothing follows the layer, or the sequence stopped at an item that can't be played.
        if feed.phase == .ended { return true }
        // The item before the layer turned out to be live, or was reconnected, and does not end.
        let isBefore = !front.run.isRest && front.run.isOfItem(of: layer.place.leftRun)
        if isBefore, feed.frontIsLive, front.end == nil { return true }
        // True while an item of the layer still fades out.
        let isFading = feed.seam.fadeOut?.slot.map { $0.run.layer >= number } ?? false
        // The front of a hidden feed is heard, and nothing of it comes on the screen.
        let isOn = front.isOnScreen || !feed.hasSeat && !snapshot.isOnStage(feed)
        return isAfter(front.run, number, in: feed) && isOn && !isFading
    }

    /// Returns the group time at which a layer ended on its tile; nil if it was never on.
    func end(_ name: String, on tile: TileID) -> Time? {
        let feed = snapshot.feed(of: tile)
        guard let number = feed.timeline.number(ofLayer: name), let front = feed.slots.first, let begin = front.begin
        else { return nil }
        let isLast = feed.phase == .ended && front.run.layer >= number
        // A live feed follows another clock than the layer.
        guard !feed.isLive, isLast || isAfter(front.run, number, in: feed) else { return nil }
        return isLast ? front.end ?? begin : begin + front.fade
    }

    /// True if the layer is over once this run is the front.
    private func isAfter(_ run: RunID, _ number: Int, in feed: Feed) -> Bool {
        run.iteration != feed.timeline.layer?.iteration || feed.timeline.isAfter(run, layer: number)
    }
}

extension Slot {
    /// True if a frame of the slot was shown, or if the slot has failed and its place is held.
    fileprivate var isOnScreen: Bool {
        let isHeld = hasFailed && (length ?? .zero) > .zero
        return isStill || frames.contains(where: \.isPresented) || dueIndex > 0 || isHeld
    }
}
