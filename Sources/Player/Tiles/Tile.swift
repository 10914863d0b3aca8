import Base
import Layout

/// A tile: what it shows and how it sounds. `Output` keeps its place on the wall.
struct Tile {
    let id: TileID
    /// The layout as loaded, with the user's changes since.
    var layout: TileLayout
    var feed: FeedID
    var poster = TilePoster.none
    /// Sound track that the user chose, from 1; 0 for none; nil for the layout's choice.
    var track: Int?
    /// Sound that is played for the tile. Tiles with the same sound of the same feed share it.
    var sound = SoundID.bed
    /// Failures of sound that were reported, by source; removed when the file changes.
    var troubledSounds: [String: SourceTrouble] = [:]
    /// nil while the tile plays instead of comparing.
    var comparison: TileComparison?
    /// Look of the last frame's item, if that item is not in the sequence any more.
    var leaving: ItemLook?

    init(id: TileID, _ layout: TileLayout, feed: FeedID) {
        (self.id, self.layout, self.feed) = (id, layout, feed)
        comparison = layout.compare.map { _ in TileComparison() }
    }

    /// Placeholder for a tile that is gone.
    static var missing: Tile {
        Tile(id: TileID(number: -1), .missing, feed: FeedID(number: -1))
    }

    var name: String { layout.name }
    var play: [Item] { layout.play }

    func plays(_ location: String) -> Bool { play.contains { $0.segments.contains { $0.source == location } } }

    /// Returns how this tile shows an item of its feed. `item`: nil if it is not in the sequence any more. A tile that
    /// plays nothing has the usual look.
    func look(ofItem item: Int?) -> ItemLook {
        guard let item, let last = play.last else { return leaving ?? play.first?.look ?? ItemLook() }
        return item < play.count ? play[item].look : last.look
    }
}

/// The poster of a tile.
enum TilePoster {
    case none
    case loading(String)
    case image(any WallFrame)
    case failed

    enum Kind { case none, loading, image, failed }

    var kind: Kind {
        switch self {
        case .none: .none
        case .loading: .loading
        case .image: .image
        case .failed: .failed
        }
    }

    var image: (any WallFrame)? { if case .image(let frame) = self { frame } else { nil } }
    var isSettled: Bool { if case .loading = self { false } else { true } }
}
