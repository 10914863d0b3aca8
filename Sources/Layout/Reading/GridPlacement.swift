import Base

/// Finds the place of each tile in the grid. Tiles with a cell are placed first, wherever they are in the file. Each
/// other tile takes the first place, row by row, where all its cells are free.
struct GridPlacement {
    private let node: LayoutNode?
    private let fields: LayoutFields?
    private let windowSize: Size
    private let stated: StatedGrid

    init(node: LayoutNode?, windowSize: Size) {
        (self.node, self.windowSize) = (node, windowSize)
        fields = node?.fields(of: .grid)
        stated = fields?.object() ?? .initial
    }

    /// Returns the grid for `drafts`. Writes each draft's place, and notes a mistake for what does not fit.
    func place(_ drafts: inout [TileDraft]) -> GridLayout {
        var grid = GridLayout(tiles: drafts.count, columns: stated.columns, rows: stated.rows)
        (grid.gap, grid.margin) = (stated.gap, stated.margin)
        // A wrong number is noted already. Its consequences are no mistakes of their own.
        guard stated.columns != nil || fields?.has("columns") != true, stated.rows != nil || fields?.has("rows") != true
        else {
            return grid
        }

        var cells = Cells(columns: grid.columns, rows: grid.rows, mayGrow: stated.rows == nil)
        for index in drafts.indices {
            guard case .cell(let column, let row) = drafts[index].wish else { continue }
            let place = Rect(column, row, drafts[index].span.width, drafts[index].span.height)
            if isInside(place, of: grid, stated: drafts[index].fields) {
                cells.take(place)
                drafts[index].tile.place = .cells(place)
            }
        }
        var isFull = false
        for index in drafts.indices where drafts[index].wish == .nextCell {
            let span = drafts[index].span
            if span.width > grid.columns || span.height > cells.mostRows {
                refuseSpan(Rect(span), of: grid, stated: drafts[index].fields)
            } else if let place = cells.takeNext(span) {
                drafts[index].tile.place = .cells(place)
            } else if !isFull, let tile = drafts[index].fields?.node {
                isFull = true
                tile.refuse("no free place is left for it in a grid of \(grid.shape); a larger grid would be right")
            }
        }
        grid.rows = cells.rows
        checkRoom(in: grid)
        return grid
    }

    /// `place`: in columns and rows.
    private func isInside(_ place: Rect, of grid: GridLayout, stated fields: LayoutFields?) -> Bool {
        guard place.x < grid.columns, place.y < grid.rows else {
            fields?["cell"]?.refuse(
                "[\(place.x), \(place.y)] lies outside a grid of \(grid.shape); [0, 0] to "
                    + "[\(grid.columns - 1), \(grid.rows - 1)], or a larger grid, would be right")
            return false
        }
        guard place.maxX <= grid.columns, place.maxY <= grid.rows else {
            refuseSpan(place, of: grid, stated: fields)
            return false
        }
        return true
    }

    private func refuseSpan(_ place: Rect, of grid: GridLayout, stated fields: LayoutFields?) {
        fields?["span"]?.refuse(
            "[\(place.width), \(place.height)] reaches beyond a grid of \(grid.shape); at most "
                + "[\(grid.columns - place.x), \(grid.rows - place.y)], or a larger grid, would be right")
    }

    private func checkRoom(in grid: GridLayout) {
        let directions = [
            ("width", windowSize.width, grid.columns), ("height", windowSize.height, grid.rows),
        ]
        for (name, length, count) in directions where 2 * grid.margin + (count - 1) * grid.gap >= length {
            node?.refuse(
                "gap and margin take all \(length) pixels of the window's \(name); smaller ones would be right")
            return
        }
    }
}

extension GridLayout {
    /// Derives missing columns and rows from the number of tiles.
    public init(tiles: Int, columns: Int? = nil, rows: Int? = nil) {
        self.init()
        let most = 64
        var square = 1
        while square * square < tiles { square += 1 }
        self.columns = columns ?? min(most, rows.map { max(1, (tiles + $0 - 1) / $0) } ?? square)
        self.rows = rows ?? min(most, max(1, (tiles + self.columns - 1) / self.columns))
    }

    fileprivate var shape: String {
        "\(columns) column\(columns == 1 ? "" : "s") and \(rows) row\(rows == 1 ? "" : "s")"
    }
}

extension TileLayout.Place {
    fileprivate static func cells(_ cells: Rect) -> Self {
        .cell(column: cells.x, row: cells.y, columns: cells.width, rows: cells.height)
    }
}

/// The cells of a grid that are taken.
private struct Cells {
    let columns: Int
    private(set) var rows: Int
    let mostRows: Int
    private var taken: [Bool]
    /// Cell at which the search for a free place of this size continues. Cells are taken, never freed.
    private var searched: [Size: Int] = [:]

    init(columns: Int, rows: Int, mayGrow: Bool) {
        (self.columns, self.rows) = (columns, rows)
        mostRows = mayGrow ? max(rows, 64) : rows
        taken = Array(repeating: false, count: columns * mostRows)
    }

    mutating func take(_ place: Rect) {
        for row in place.y..<place.maxY {
            for column in place.x..<place.maxX { taken[row * columns + column] = true }
        }
        rows = max(rows, place.maxY)
    }

    mutating func takeNext(_ size: Size) -> Rect? {
        for cell in (searched[size] ?? 0)..<taken.count {
            searched[size] = cell
            let place = Rect(cell % columns, cell / columns, size.width, size.height)
            guard isFree(place) else { continue }
            take(place)
            return place
        }
        searched[size] = taken.count
        return nil
    }

    private func isFree(_ place: Rect) -> Bool {
        place.maxX <= columns && place.maxY <= mostRows
            && (place.y..<place.maxY).allSatisfy { row in
                (place.x..<place.maxX).allSatisfy { !taken[row * columns + $0] }
            }
    }
}
