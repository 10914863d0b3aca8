import Base
import Feeds

/// The tiles of a wall, in the order in which they are drawn, and which of them has the focus.
struct Tiles {
    private var table = Table<TileID, Tile>(missing: .missing)
    /// Drawing order, bottom to top: the layout's order.
    private(set) var order: [TileID] = []
    /// Tiles that play for tiles that watch them, and are not drawn themselves.
    private(set) var members: [TileID] = []
    /// Tile that watches two others, covers the whole wall and is not in the layout; nil if there is none.
    private(set) var overlaid: TileID?
    /// Tiles that watch others.
    private(set) var watching: [TileID] = []
    /// nil on an empty wall.
    private(set) var focus: TileID?
    /// Tile that had the focus before.
    private(set) var formerFocus: TileID?
    /// Tile of the last tap, if that tap paused or resumed the group.
    var tapped: TileID?

    var count: Int { order.count }

    var focusedFeed: FeedID? { focus.map { self[$0].feed } }

    /// Name of the tile that has the focus, as events report it.
    var focusName: String? { focus.map { self[$0].name } }

    subscript(id: TileID) -> Tile {
        get { table[id] }
        _modify { yield &table[id] }
    }

    /// Number of lookups of tiles that are gone.
    var missCount: Int { table.missCount }

    func contains(_ id: TileID) -> Bool { table.contains(id) }

    func id(named name: String) -> TileID? { order.first { table[$0].name == name } }

    /// Finds a tile by name, or a tile that is not drawn by its layout's id.
    func id(ofLayout name: String) -> TileID? {
        id(named: name) ?? members.first { table[$0].layout.id == name }
    }

    /// Returns the tile that plays for this tile: the first tile that it watches, or the tile itself. Commands for
    /// sound, track and time go to that tile.
    func playingTile(for tile: TileID) -> TileID { table[tile].watch?.members.first ?? tile }

    /// Returns the tile that moves alone: the second tile that it watches, which moves against the first, or the tile
    /// itself.
    func tileMovedAlone(for tile: TileID) -> TileID {
        table[tile].watch?.members.dropFirst().first ?? playingTile(for: tile)
    }

    /// Returns the first tile of the same group that has frames.
    func reference(for tile: TileID, _ feeds: Table<FeedID, Feed>) -> TileID? {
        order.first {
            table[$0].watch == nil && table[$0].layout.group == table[tile].layout.group
                && !feeds[table[$0].feed].playsOnlySound
        }
    }

    /// Tiles that have a sequence of their own.
    var playing: [TileID] { order.filter { table[$0].watch == nil } + members }

    /// True if each tile that watches others shows the frames of all its members.
    var areWatchesWhole: Bool {
        watching.allSatisfy { self[$0].watch!.shown.count == self[$0].watch!.members.count }
    }

    /// Adds a tile on top of the others.
    mutating func add(_ make: (TileID) -> Tile) -> TileID {
        let id = table.add(make)
        if table[id].layout.comparedBy == nil { order.append(id) } else { members.append(id) }
        if table[id].watch != nil { watching.append(id) }
        return id
    }

    /// Adds a tile that covers all others and is not in their order.
    mutating func overlay(_ make: (TileID) -> Tile) -> TileID {
        let id = table.add(make)
        overlaid = id
        watching.append(id)
        return id
    }

    mutating func remove(_ id: TileID) {
        table.remove(id)
        order.removeAll { $0 == id }
        members.removeAll { $0 == id }
        watching.removeAll { $0 == id }
        if overlaid == id { overlaid = nil }
        if formerFocus == id { formerFocus = nil }
        if focus == id { focus = nil }
        if tapped == id { tapped = nil }
    }

    mutating func draw(inOrder names: [String]) { order = names.compactMap { id(named: $0) } }

    mutating func setFocus(_ id: TileID?) {
        if id != focus { formerFocus = focus }
        focus = id
    }

    /// The tile `count` places after the focused one, wrapping around at the ends.
    func focus(movedBy count: Int) -> TileID? {
        guard let focus, let place = order.firstIndex(of: focus) else { return order.first }
        return order[((place + count) % order.count + order.count) % order.count]
    }
}
