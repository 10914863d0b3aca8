import Base
import Feeds
import Layout

/// State of a tile that compares others.
///
/// A comparing tile plays nothing: it watches the feeds of its members (`Feed.Compared`). The members are tiles of the
/// layout. For sources that no tile plays, they are tiles that are never drawn (`Tiles.members`, named `ab/1`, `ab/2`).
/// `settleComparisons` follows feeds that are divided, joined or replaced. The key `c` lays a comparing tile that is
/// not in the layout over the wall (`Tiles.overlaid`).
///
/// Compared feeds get their seats together, and none of their frames is left out. Frames are paired by time: the feed
/// of the other side is shown earlier or later by less than half a frame.
struct TileComparison {
    /// Tiles that play the compared sources, in the order of the sides. The first is the reference.
    var members: [TileID] = []
    /// Side that the user chose in blink mode; nil while the sides alternate.
    var side: Int?
    /// Frames that are shown, all of one instant, with their members.
    var shown: [Shown] = []

    struct Shown {
        let member: TileID
        let frame: FeedShowing.Shown
    }

    /// Returns the index of the frame that blink mode shows.
    func sideShown(at now: Time) -> Int {
        if let side { return side % shown.count }
        return Int(now.ticks / Self.turn.ticks) % shown.count
    }

    /// Time for which blink mode shows each side.
    static let turn = Time.milliseconds(500)
}

extension ComparisonLayout {
    /// Mode of the comparison, with the gain if the mode uses one.
    var words: String { mode.usesGain ? "\(mode.rawValue) \(wordsOnGain)" : mode.rawValue }

    private var wordsOnGain: String { factor.map { "\u{D7}\($0.plain)" } ?? "with automatic gain" }
}
