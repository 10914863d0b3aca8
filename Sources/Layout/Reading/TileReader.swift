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
    var columns = 1
    var rows = 1
}

struct TileReader {
    let base: SourceBase

    /// Limit for one sequence.
    static let mostItems = 100_000

    /// Text of messages: the values that `play` may have.
    static let played = "a file, a URL, an item or a list of them"

    func draft(_ node: LayoutNode) -> TileDraft {
        var draft = TileDraft(tile: .initial)
        guard let fields = node.fields(of: .tile, right: "an object with \"play\" would be right") else { return draft }
        draft.fields = fields
        readPlace(fields, into: &draft)
        fields.read(into: &draft.tile, base)
        if fields.has("play") {
            refuseComparing(fields)
        } else if !fields.has("compare") {
            fields.drop("play", right: "\(TileReader.played) would be right")
        }
        return draft
    }

    private func refuseComparing(_ fields: LayoutFields) {
        if fields.has("compare") {
            return fields.refuse(
                key: fields.later("play", "compare"), "not allowed here; a tile plays or compares, not both")
        }
        for key in ComparisonLayout.fields.specs.keys where fields.has(key) {
            fields.refuse(key: key, "not allowed here; it goes with \"compare\"")
        }
    }

    func items(_ node: LayoutNode) -> [Item] {
        let reader = ItemReader(base: base), right = "\(TileReader.played) would be right"
        guard let elements = node.elements(atMost: TileReader.mostItems, "items") else {
            return [reader.item(node, right: right)].compactMap { $0 }
        }
        if elements.isEmpty { node.refuse(right: right) }
        return elements.compactMap { reader.item($0, right: "a file, a URL or an item would be right") }
    }

    // MARK: Place

    private func readPlace(_ fields: LayoutFields, into draft: inout TileDraft) {
        if let node = fields["cell"] {
            let cell = node.pair(0...63, right: "[column, row], both from 0, would be right")
            draft.wish = cell.map { .cell(column: $0, row: $1) } ?? .wrong
        }
        if let node = fields["span"] {
            if let (columns, rows) = node.pair(1...64, right: "[columns, rows], both from 1, would be right") {
                (draft.columns, draft.rows) = (columns, rows)
            } else {
                draft.wish = .wrong
            }
        }
        guard let node = fields["rect"] else { return }
        draft.wish = .rect
        if let place = rect(node) { draft.tile.place = place }
        if fields.has("cell") {
            fields.refuse(
                key: fields.later("cell", "rect"), "not allowed here; \"cell\" or \"rect\" would be right, not both")
        }
        if fields.has("span") {
            fields.refuse(key: "span", "not allowed here; \"span\" goes with a cell, and this tile has a \"rect\"")
        }
    }

    private func rect(_ node: LayoutNode) -> TileLayout.Place? {
        let right = "[x, y, w, h] would be right, in fractions of the window or in whole pixels of window.size"
        let range = "a number from -65536 to 65536 would be right"
        guard let elements = node.elements(count: 4, right: right) else { return nil }
        let read = elements.map { $0.number(-65536...65536, right: range) }
        guard let x = read[0], let y = read[1], let width = read[2], let height = read[3] else { return nil }
        var isRight = true
        for (element, length) in [(elements[2], width), (elements[3], height)] where length <= 0 {
            element.refuse(as: "too small", right: "a number above 0 would be right")
            isRight = false
        }
        guard isRight else { return nil }

        if width > 1 || height > 1 {
            guard [x, y, width, height].allSatisfy({ $0 == $0.rounded() }) else {
                node.refuse("fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right")
                return nil
            }
            return .pixels(Rect(Int(x), Int(y), Int(width), Int(height)))
        }
        guard x <= 1, y <= 1 else {
            node.refuse("fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right")
            return nil
        }
        for (element, edge) in [(elements[0], x), (elements[1], y)] where edge < 0 {
            element.refuse(as: "too small", right: "a number from 0 to 1 would be right")
            isRight = false
        }
        return isRight ? .fractions(Fractions(x, y, width, height)) : nil
    }
}

extension LayoutNode {
    /// Reads "cut", or a fade and its length. Notes a mistake and returns nil if it is neither.
    func transition(_ base: SourceBase) -> Transition? {
        let right = "\"cut\" or {\"fade\": seconds} would be right"
        if let word = string {
            if word == "cut" { return .cut }
            refuse(right: right)
            return nil
        }
        guard let fields = fields(of: .transition, right: right) else { return nil }
        var fade = FadeLayout.initial
        fields.read(into: &fade, base)
        return fade.length.map { $0 == .zero ? .cut : .fade($0) }
    }
}
