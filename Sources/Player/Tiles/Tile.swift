import Base
import Commands
import Decoded
import Feeds
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
    var sound: SoundID
    /// Failures of sound that were reported, by source; removed when the file changes.
    var troubledSounds: [String: SourceTrouble] = [:]
    /// nil if the tile plays a sequence of its own.
    var watch: TileWatch?
    /// The tile's own version of the items of the layers on top of its sequence, from the lowest up, with the user's
    /// changes. Which layers there are, the timeline of its feed knows.
    var layers: [[Item]] = []
    /// Look of the last frame's item, if that item is not in the sequence any more.
    var leaving: ItemLook?

    init(id: TileID, _ layout: TileLayout, feed: FeedID, sound: SoundID = .bed) {
        (self.id, self.layout, self.feed, self.sound) = (id, layout, feed, sound)
        watch = layout.compare.map { _ in TileWatch() }
    }

    /// Placeholder for a tile that is gone.
    static var missing: Tile {
        Tile(id: TileID(number: -1), .missing, feed: FeedID(number: -1))
    }

    var name: String { layout.name }
    var play: [Item] { layout.play }

    /// Items of its sequence and of the layers on top of it.
    var items: [Item] { layers.reduce(play, +) }

    func plays(_ location: String) -> Bool { items.contains { $0.segments.contains { $0.source == location } } }

    var places: [ItemPlace] {
        ([play] + layers).enumerated().flatMap { layer, items in items.indices.map { ItemPlace($0, layer: layer) } }
    }

    /// Returns an item as this tile plays it; nil if the tile does not have it.
    func item(at place: ItemPlace) -> Item? {
        guard place.layer <= layers.count else { return nil }
        let items = place.isOnTop ? layers[place.layer - 1] : play
        return items.indices.contains(place.item) ? items[place.item] : nil
    }

    /// Returns how this tile shows an item of its feed. `place`: nil if it is not in the sequence any more. A tile that
    /// plays nothing has the usual look.
    func look(ofItem place: ItemPlace?) -> ItemLook {
        let own = { (item: Item) in item.look.inTile(layout.decoding) }
        guard let place, let last = play.last else { return leaving ?? play.first.map(own) ?? ItemLook() }
        return item(at: place).map(own) ?? (place.isOnTop ? leaving : nil) ?? own(last)
    }

    /// Returns the text on the tile while it shows an item: that of the item, or else its own.
    func label(ofItem place: ItemPlace?) -> String? { place.flatMap { look(ofItem: $0).label } ?? layout.label }

    // MARK: items

    /// Takes another layout. The user's choice of a track is dropped if the sound of the items changes.
    mutating func follow(_ edit: TileEdit) {
        if edit.before.play.map(\.audio) != edit.after.play.map(\.audio) { track = nil }
        layout = edit.after
    }

    /// Changes the part of an item that is the tile's own. Its feed does not know that part.
    mutating func changeItem(at place: ItemPlace, _ body: (inout Item) -> Void) {
        guard item(at: place) != nil else { return }
        if place.isOnTop { body(&layers[place.layer - 1][place.item]) } else { body(&layout.play[place.item]) }
    }

    // MARK: sound

    mutating func changeVolume(by amount: Change.Amount) {
        layout.volume = min(100, max(0, amount.applied(to: layout.volume)))
    }

    mutating func mute(_ switching: Change.Switching) { layout.isMuted = switching.applied(to: layout.isMuted) }

    /// Returns the wall time at which a tile in blink mode shows the next side. nil while the sides do not alternate.
    func nextTurn(at now: Time) -> Time? {
        guard let watch, watch.side == nil, watch.shown.count > 1, layout.compare?.mode == .blink else { return nil }
        return TileWatch.turn * (now.ticks / TileWatch.turn.ticks + 1)
    }
}

/// The poster of a tile.
enum TilePoster {
    case none
    case loading(String)
    /// `serial`: number of the load, so that no two images of a tile are alike.
    case image(Frame, serial: Int)
    case failed

    var image: Frame? { if case .image(let frame, _) = self { frame } else { nil } }
    var isSettled: Bool { if case .loading = self { false } else { true } }
}

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
