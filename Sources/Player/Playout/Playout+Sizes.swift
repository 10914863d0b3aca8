import Base
import Feeds
import Layout

// How large frames are decoded, and whether they keep their decoded samples.
extension Playout {
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
