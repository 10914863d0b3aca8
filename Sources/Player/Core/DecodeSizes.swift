import Base
import Layout
import Scene

/// How large frames are decoded, and whether they keep their decoded samples.
struct DecodeSizes: Report {
    let snapshot: Snapshot

    /// Returns whether the frames of a feed keep the decoded frames from which they were scaled.
    func keeping(_ feed: FeedID) -> FrameKeeping {
        needs.keepsSamples ? .all : feeds[feed].compared.watchers.isEmpty ? .none : .deep
    }

    /// Returns the size that the largest view of a feed needs of an item. Each tile has its own crop of the item.
    func decodeSize(_ natural: Size, of feed: FeedID, item: ItemPlace) -> Size {
        let turn = feeds[feed].timeline.item(at: item)?.turn ?? .none
        // Paused frames are compared in their native size.
        if !feeds[feed].compared.watchers.isEmpty,
            clocks[feeds[feed].group].motionToCome == .standing
        {
            return natural.turned(turn)
        }
        if recordsFrames(of: feed) { return natural.turned(turn) }
        let views = feeds[feed].tiles.map { tile in
            let look = tiles[tile].look(ofItem: item)
            // Only the size of the crop counts. Its share of width and height is the same, so the turn does not matter.
            let crop = shownPart(of: tile).of(look.crop)
            return (rect: output.rectToDecode(of: tile), fit: tiles[tile].layout.fit, crop: crop)
        }
        // A compared frame fills the reference's place, whatever its own shape is.
        let compared = feeds[feed].compared.watchers.map {
            (rect: output.rectToDecode(of: $0), fit: Fit.cover, crop: shownPart(of: $0))
        }
        return TileGeometry.decodeSize(natural: natural, turn: turn, views: views + compared)
    }

    /// Returns true if the frames of a feed are recorded with the microphone.
    func recordsFrames(of feed: FeedID) -> Bool {
        guard let tile = needs.recordedTile, feeds[feed].isLive, tiles.contains(tile) else { return false }
        return tiles[player(of: tile)].feed == feed
    }

    /// Returns the plan for an image of no feed, such as a poster.
    func stillPlan(natural: Size, turn: Turn) -> StillPlan {
        let size = TileGeometry.decodeSize(
            natural: natural, turn: turn, views: [(rect: Rect(output.size), fit: .cover, crop: .all)])
        return StillPlan(size: size, keeping: .none)
    }

    func stillPlan(_ natural: Size, of feed: FeedID, item: ItemPlace) -> StillPlan {
        let usual = stillPlan(natural: natural, turn: feeds[feed].timeline.item(at: item)?.turn ?? .none).size
        let wanted = decodeSize(natural, of: feed, item: item)
        let isMore = wanted.width * wanted.height > usual.width * usual.height
        return StillPlan(size: isMore ? wanted : usual, keeping: keeping(feed))
    }
}
