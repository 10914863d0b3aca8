import Base
import Decoded

/// The frame that a tile shows, as a picture of its own: without marks, background and magnification.
public struct TilePicture: Sendable {
    public let frame: Frame
    /// Part of the frame that the layout shows.
    public let crop: Fractions
    /// Size of that part in the frame's pixels.
    public let size: Size
    /// True if the frame has all pixels of its source.
    public let isFullSize: Bool
}

extension Wall {
    /// Decodes the frames of a tile in their own size from now on; nil ends that. A paused frame is decoded again.
    public mutating func decodeInFullSize(_ tile: TileID?, at now: Time) {
        player.change(at: now) { player in
            player.tileFeeds.needs.fullSizeTile = tile
            if let tile, player.tiles.contains(tile) {
                player.playout(at: now).sharpen(player.tileFeeds.feed(of: tile))
            }
        }
    }

    /// Returns the name of a tile; nil if it is gone.
    public func name(of tile: TileID) -> String? { player.tiles.contains(tile) ? player.tiles[tile].name : nil }

    /// Returns the frame that a tile shows; nil if it shows none, or compares others.
    public func picture(of tile: TileID) -> TilePicture? {
        guard player.tiles.contains(tile), player.tiles[tile].watch == nil,
            let shown = player.tileFeeds.feed(of: tile).screen.last
        else { return nil }
        let (frame, natural) = (shown.frame, shown.frame.natural)
        let crop = player.tiles[tile].look(ofItem: shown.item).finalCrop(of: frame)
        let part = Size(
            max(1, Int((Double(frame.size.width) * crop.width).rounded())),
            max(1, Int((Double(frame.size.height) * crop.height).rounded())))
        return TilePicture(
            frame: frame, crop: crop, size: part, isFullSize: frame.reaches(natural))
    }
}
