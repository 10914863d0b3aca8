import Base

/// A tile as read, before it has its place, and its id if the layout does not name it.
struct TileDraft {
    var tile: TileLayout
    /// nil if the tile is no object.
    var fields: LayoutFields?
    var wish = Wish.nextCell

    enum Wish: Equatable {
        case nextCell
        case cell(column: Int, row: Int)
        /// A place that is already in the tile.
        case rect
        /// A wrong value in the layout. The tile is not placed.
        case wrong
    }

    /// Size in cells.
    var span = Size(1, 1)
}

extension LayoutNode {
    func tile() -> TileDraft {
        var draft = TileDraft(tile: .initial)
        guard let fields = fields(of: .tile, right: "an object with \"play\" would be right") else { return draft }
        draft.fields = fields
        fields.readPlace(into: &draft)
        fields.read(into: &draft.tile)
        if fields.has("play") {
            fields.refuseComparing()
        } else if !fields.has("compare") {
            fields.drop("play", right: "\(Self.played) would be right")
        }
        return draft
    }

    fileprivate func tilePlace() -> TileLayout.Place? {
        let right = "[x, y, w, h] would be right, in fractions of the window or in whole pixels of window.size"
        guard let (nodes, numbers) = rect(-65536...65536, right: right) else { return nil }
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        if width > 1 || height > 1 {
            guard numbers.allSatisfy({ $0 == $0.rounded() }) else { return refused(Self.mixedRect) }
            return .pixels(Rect(Int(x), Int(y), Int(width), Int(height)))
        }
        guard x <= 1, y <= 1 else { return refused(Self.mixedRect) }
        let outside = (0...1).filter { numbers[$0] < 0 }
        for edge in outside { nodes[edge].refuse(as: "too small", right: "a number from 0 to 1 would be right") }
        return outside.isEmpty ? .fractions(Fractions(x, y, width, height)) : nil
    }
}

extension LayoutFields {
    fileprivate func refuseComparing() {
        if has("compare") {
            return refuse(key: later("play", "compare"), "not allowed here; a tile plays or compares, not both")
        }
        for key in ComparisonLayout.fields.specs.map(\.key) {
            refuse(ifThere: key, "not allowed here; it goes with \"compare\"")
        }
    }

    fileprivate func readPlace(into draft: inout TileDraft) {
        if let node = self["cell"] {
            let cell = node.pair(0...63, right: "[column, row], both from 0, would be right")
            draft.wish = cell.map { .cell(column: $0, row: $1) } ?? .wrong
        }
        if let node = self["span"] {
            if let (columns, rows) = node.pair(1...64, right: "[columns, rows], both from 1, would be right") {
                draft.span = Size(columns, rows)
            } else {
                draft.wish = .wrong
            }
        }
        guard let node = self["rect"] else { return }
        draft.wish = .rect
        if let place = node.tilePlace() { draft.tile.place = place }
        if has("cell") {
            refuse(key: later("cell", "rect"), "not allowed here; \"cell\" or \"rect\" would be right, not both")
        }
        refuse(ifThere: "span", "not allowed here; \"span\" goes with a cell, and this tile has a \"rect\"")
    }
}
