/// All that is a tile's: what it shows, and how it sounds. Where it stands is its output's.
struct Tile {
    let id: TileID
    /// As it is now: as it was loaded, and changed by hand since.
    var layout: TileLayout
    var feed: FeedID
    var poster = TilePoster.none
    /// The sound track that was asked for by hand, from 1; 0: none.
    var track: Int?
    /// Which sound is heard for it; tiles with the same sound of the same feed share it.
    var sound = SoundID.bed
    /// The sources whose sound was said to have failed, since there was another file.
    var troubledSounds: [String: SourceTrouble] = [:]
    /// nil: it plays.
    var comparison: TileComparison?
    /// The item of the last frame, where it is none of the sequence any more.
    var leaving: Item?

    init(id: TileID, _ layout: TileLayout, feed: FeedID) {
        (self.id, self.layout, self.feed) = (id, layout, feed)
        comparison = layout.compare.map { _ in TileComparison() }
    }

    /// Stands for a tile that is gone.
    static var missing: Tile {
        let nowhere = TileLayout(id: "", place: .pixels(Rect(0, 0, 0, 0)), play: [])
        return Tile(id: TileID(number: -1), nowhere, feed: FeedID(number: -1))
    }

    var name: String { layout.name }
    var play: [Item] { layout.play }

    func plays(_ location: String) -> Bool { play.contains { $0.segments.contains { $0.source == location } } }

    /// How an item of its feed looks here; nil: one that is none of the sequence any more.
    func look(ofItem item: Int?) -> Item {
        guard let item, let last = layout.play.last else { return leaving ?? layout.play.first ?? Item(segments: []) }
        return item < layout.play.count ? layout.play[item] : last
    }
}

/// The image that a tile brings with it.
enum TilePoster {
    case none
    case loading(String)
    case image(any WallFrame)
    case failed

    var image: (any WallFrame)? { if case .image(let frame) = self { frame } else { nil } }
    var isSettled: Bool { if case .loading = self { false } else { true } }
}
