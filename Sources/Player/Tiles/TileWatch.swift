import Base
import Feeds
import Layout

/// State of a tile that watches others: it plays nothing, and shows the feeds of its members together (`Feed.Watched`).
///
/// The members are tiles of the layout. For sources that no tile plays, they are tiles that are never drawn
/// (`Tiles.members`, named `ab/1`, `ab/2`). `settleWatches` follows feeds that are divided, joined or replaced. A tile
/// that is not in the layout may be laid over the wall (`Tiles.overlaid`).
///
/// Watched feeds get their seats together, and none of their frames is left out. Frames are paired by time: each feed
/// but the first is shown earlier or later by less than half a frame.
struct TileWatch {
    /// Tiles that play, in the order of the sides. The first is the reference.
    var members: [TileID] = []
    /// Side that is shown alone; nil while all are shown, or alternate.
    var side: Int?
    /// Frames that are shown, all of one instant, with their members.
    var shown: [Shown] = []

    struct Shown {
        let member: TileID
        let frame: FeedShowing.Shown
    }

    /// Returns the index of the frame that is shown while the sides alternate.
    func sideShown(at now: Time) -> Int {
        if let side { return side % shown.count }
        return Int(now.ticks / Self.turn.ticks) % shown.count
    }

    /// Time for which each side is shown.
    static let turn = Time.milliseconds(500)
}

extension TileLayout {
    /// True if the tile plays a sequence of its own, and watches no other tiles.
    var plays: Bool { compare == nil }
}
