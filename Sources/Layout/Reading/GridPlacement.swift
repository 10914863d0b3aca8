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
            let place = Cells.Span(
                column: column, row: row, columns: drafts[index].columns, rows: drafts[index].rows)
            if isInside(place, of: grid, stated: drafts[index].fields) {
                cells.take(place)
                drafts[index].tile.place = place.tilePlace
            }
        }
        var isFull = false
        for index in drafts.indices where drafts[index].wish == .nextCell {
            if drafts[index].columns > grid.columns || drafts[index].rows > cells.mostRows {
                refuseSpan(
                    Cells.Span(column: 0, row: 0, columns: drafts[index].columns, rows: drafts[index].rows),
                    of: grid, stated: drafts[index].fields)
            } else if let place = cells.takeNext(columns: drafts[index].columns, rows: drafts[index].rows) {
                drafts[index].tile.place = place.tilePlace
            } else if !isFull, let tile = drafts[index].fields?.node {
                isFull = true
                tile.refuse("no free place is left for it in a grid of \(grid.shape); a larger grid would be right")
            }
        }
        grid.rows = cells.rows
        checkRoom(in: grid)
        return grid
    }

    private func isInside(_ place: Cells.Span, of grid: GridLayout, stated fields: LayoutFields?) -> Bool {
        guard place.column < grid.columns, place.row < grid.rows else {
            fields?["cell"]?.refuse(
                "[\(place.column), \(place.row)] lies outside a grid of \(grid.shape); [0, 0] to "
                    + "[\(grid.columns - 1), \(grid.rows - 1)], or a larger grid, would be right")
            return false
        }
        guard place.column + place.columns <= grid.columns, place.row + place.rows <= grid.rows else {
            refuseSpan(place, of: grid, stated: fields)
            return false
        }
        return true
    }

    private func refuseSpan(_ place: Cells.Span, of grid: GridLayout, stated fields: LayoutFields?) {
        fields?["span"]?.refuse(
            "[\(place.columns), \(place.rows)] reaches beyond a grid of \(grid.shape); at most "
                + "[\(grid.columns - place.column), \(grid.rows - place.row)], or a larger grid, would be right")
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

/// The cells of a grid that are taken.
private struct Cells {
    struct Span: Hashable {
        var column: Int
        var row: Int
        var columns: Int
        var rows: Int

        var tilePlace: TileLayout.Place { .cell(column: column, row: row, columns: columns, rows: rows) }
    }

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

    mutating func take(_ place: Span) {
        for row in place.row..<place.row + place.rows {
            for column in place.column..<place.column + place.columns { taken[row * columns + column] = true }
        }
        rows = max(rows, place.row + place.rows)
    }

    mutating func takeNext(columns width: Int, rows height: Int) -> Span? {
        let size = Size(width, height)
        for cell in (searched[size] ?? 0)..<taken.count {
            searched[size] = cell
            let place = Span(column: cell % columns, row: cell / columns, columns: width, rows: height)
            guard isFree(place) else { continue }
            take(place)
            return place
        }
        searched[size] = taken.count
        return nil
    }

    private func isFree(_ place: Span) -> Bool {
        guard place.column + place.columns <= columns, place.row + place.rows <= mostRows else { return false }
        return (place.row..<place.row + place.rows).allSatisfy { row in
            (place.column..<place.column + place.columns).allSatisfy { !taken[row * columns + $0] }
        }
    }
}
