import Base
import Layout

/// The frame that a tile shows first if the wall does not start at its beginning.
public struct TileBeginning: Sendable, Equatable {
    public var tile: String
    /// Name for the user, without secrets.
    public var source: String
    /// Position in its item, in group time.
    public var position: Time
    public var iteration: Iteration

    public enum Iteration: Sendable { case first, later, over }
}

extension Wall {
    /// Beginnings of the tiles that have shown a frame.
    public var beginnings: [TileBeginning] {
        tiles.order.compactMap { tile in
            let feed = feeds[tiles[tile].feed]
            guard let shown = feed.screen.presented else { return nil }
            let run = shown.run
            return TileBeginning(
                tile: tiles[tile].name, source: feed.timeline.segment(of: run).name,
                position: feed.timeline.length(ofSegmentsBefore: run) + shown.offset,
                iteration: feed.phase == .ended ? .over : run.iteration > 0 ? .later : .first)
        }
    }
}
