/// The tiles of a wall, in the order in which they are drawn, and which of them has the focus.
struct Tiles<Picture> {
    private var table = Table<TileID, Tile<Picture>>()
    /// Bottom to top: the layout's order.
    private(set) var order: [TileID] = []
    /// nil on an empty wall.
    private(set) var focus: TileID?

    var count: Int { order.count }

    subscript(id: TileID) -> Tile<Picture> {
        _read { yield table[id] }
        _modify { yield &table[id] }
    }

    func contains(_ id: TileID) -> Bool { table.contains(id) }

    func id(named name: String) -> TileID? { order.first { table[$0].name == name } }

    /// On top of the others.
    mutating func add(_ make: (TileID) -> Tile<Picture>) -> TileID {
        let id = table.add(make)
        order.append(id)
        return id
    }

    mutating func remove(_ id: TileID) {
        table.remove(id)
        order.removeAll { $0 == id }
        if focus == id { focus = nil }
    }

    mutating func draw(inOrder names: [String]) { order = names.compactMap { id(named: $0) } }

    mutating func setFocus(_ id: TileID?) { focus = id }

    /// The tile that comes so many places after the focused one, around the end.
    func focus(movedBy count: Int) -> TileID? {
        guard let focus, let place = order.firstIndex(of: focus) else { return order.first }
        return order[((place + count) % order.count + order.count) % order.count]
    }

    // MARK: frames

    mutating func place(in frames: [Rect]) {
        for (id, frame) in zip(order, frames) { table[id].frame = frame }
    }

    /// The topmost tile at a place in the window.
    func topmost(at point: Point) -> TileID? {
        order.last { table[$0].frame.contains(x: point.x, y: point.y) }
    }
}
