import Base

/// The state by which tiles shared their sounds last. Sounds are shared anew when a tile plays something else.
struct SoundShares {
    private var known: [Wish] = []

    /// The sound that a tile asks for.
    private struct Wish: Equatable {
        let tile: TileID
        let feed: FeedID
        let play: [Item]
        let track: Int?
    }

    /// Returns true if a tile asks for another sound than at the last call.
    mutating func update(_ tiles: Tiles) -> Bool {
        let wishes = tiles.playing.map { tile in
            Wish(tile: tile, feed: tiles[tile].feed, play: tiles[tile].layout.play, track: tiles[tile].track)
        }
        defer { known = wishes }
        return wishes != known
    }
}
