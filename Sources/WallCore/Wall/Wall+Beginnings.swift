/// What a tile shows first where the wall does not begin at the beginning.
public struct TileBeginning: Sendable, Equatable {
    public var tile: String
    /// As people may read it.
    public var source: String
    /// From the beginning of its item, as it is played.
    public var position: Time
    public var iteration: Iteration

    public enum Iteration: Sendable { case first, later, over }
}

extension Wall {
    /// Of each tile that has shown a frame.
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
