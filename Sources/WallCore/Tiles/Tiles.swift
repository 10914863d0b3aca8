/// The tiles of a wall, in the order in which they are drawn, and which of them has the focus.
struct Tiles {
    private var table = Table<TileID, Tile>(missing: .missing)
    /// Bottom to top: the layout's order.
    private(set) var order: [TileID] = []
    /// They play what others compare, and are not drawn.
    private(set) var members: [TileID] = []
    /// Not of the layout: two tiles that are compared over the whole wall.
    private(set) var overlaid: TileID?
    /// Those that compare.
    private(set) var comparing: [TileID] = []
    /// nil on an empty wall.
    private(set) var focus: TileID?
    /// The one that had it before.
    private(set) var formerFocus: TileID?
    /// The tile whose group the last tap paused or let go on.
    private(set) var tapped: TileID?

    var count: Int { order.count }

    subscript(id: TileID) -> Tile {
        @inline(__always) get { table[id] }
        _modify { yield &table[id] }
    }

    /// Lookups of tiles that are gone.
    var missCount: Int { table.missCount }

    func contains(_ id: TileID) -> Bool { table.contains(id) }

    func id(named name: String) -> TileID? { order.first { table[$0].name == name } }

    /// Those that play what others compare are found by their layouts' ids.
    func id(ofLayout name: String) -> TileID? {
        id(named: name) ?? members.first { table[$0].layout.id == name }
    }

    /// All that have something of their own to play.
    var playing: [TileID] { order.filter { table[$0].comparison == nil } + members }

    /// On top of the others.
    mutating func add(_ make: (TileID) -> Tile) -> TileID {
        let id = table.add(make)
        if table[id].layout.comparedBy == nil { order.append(id) } else { members.append(id) }
        if table[id].comparison != nil { comparing.append(id) }
        return id
    }

    /// Over all others, and none of their order.
    mutating func overlay(_ make: (TileID) -> Tile) -> TileID {
        let id = table.add(make)
        overlaid = id
        comparing.append(id)
        return id
    }

    mutating func remove(_ id: TileID) {
        table.remove(id)
        order.removeAll { $0 == id }
        members.removeAll { $0 == id }
        comparing.removeAll { $0 == id }
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
    mutating func setTapped(_ id: TileID?) { tapped = id }

    /// The tile that comes so many places after the focused one, around the end.
    func focus(movedBy count: Int) -> TileID? {
        guard let focus, let place = order.firstIndex(of: focus) else { return order.first }
        return order[((place + count) % order.count + order.count) % order.count]
    }
}
