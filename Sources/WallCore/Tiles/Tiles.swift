/// The tiles of a wall, in the order in which they are drawn, and which of them has the focus.
struct Tiles {
    private var table = Table<TileID, Tile>()
    /// Bottom to top: the layout's order.
    private(set) var order: [TileID] = []
    /// nil on an empty wall.
    private(set) var focus: TileID?
    /// The tile whose group the last tap paused or let go on.
    private(set) var tapped: TileID?

    var count: Int { order.count }

    subscript(id: TileID) -> Tile {
        _read { yield table[id] }
        _modify { yield &table[id] }
    }

    func contains(_ id: TileID) -> Bool { table.contains(id) }

    func id(named name: String) -> TileID? { order.first { table[$0].name == name } }

    /// On top of the others.
    mutating func add(_ make: (TileID) -> Tile) -> TileID {
        let id = table.add(make)
        order.append(id)
        return id
    }

    mutating func remove(_ id: TileID) {
        table.remove(id)
        order.removeAll { $0 == id }
        if focus == id { focus = nil }
        if tapped == id { tapped = nil }
    }

    mutating func draw(inOrder names: [String]) { order = names.compactMap { id(named: $0) } }

    mutating func setFocus(_ id: TileID?) { focus = id }
    mutating func setTapped(_ id: TileID?) { tapped = id }

    /// The tile that comes so many places after the focused one, around the end.
    func focus(movedBy count: Int) -> TileID? {
        guard let focus, let place = order.firstIndex(of: focus) else { return order.first }
        return order[((place + count) % order.count + order.count) % order.count]
    }
}
