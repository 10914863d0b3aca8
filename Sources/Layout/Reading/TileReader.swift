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

    func draft(_ node: LayoutNode) -> TileDraft {
        var draft = TileDraft(tile: TileLayout(id: "", place: .cell(column: 0, row: 0, columns: 1, rows: 1), play: []))
        guard let fields = node.fields(of: .tile, right: "an object with \"play\" would be right") else { return draft }
        draft.fields = fields
        readPlace(fields, into: &draft)
        readRest(fields, into: &draft.tile)
        let right = "a file, a URL, an item or a list of them would be right"
        if let play = fields["play"] {
            draft.tile.play = items(play, right: right)
            refuseComparing(fields)
        } else if !fields.has("compare") {
            fields.drop("play", right: right)
        }
        return draft
    }

    private func refuseComparing(_ fields: LayoutFields) {
        if fields.has("compare") {
            return fields.refuse(
                key: fields.later("play", "compare"), "not allowed here; a tile plays or compares, not both")
        }
        for key in ["mode", "gain", "at", "angle"] where fields.has(key) {
            fields.refuse(key: key, "not allowed here; it goes with \"compare\"")
        }
    }

    func items(_ node: LayoutNode, right: String) -> [Item] {
        let reader = ItemReader(base: base)
        guard let elements = node.elements(atMost: TileReader.mostItems, "items") else {
            return [reader.item(node, right: right)].compactMap { $0 }
        }
        if elements.isEmpty { node.refuse(right: right) }
        return elements.compactMap { reader.item($0, right: "a file, a URL or an item would be right") }
    }

    private func readRest(_ fields: LayoutFields, into tile: inout TileLayout) {
        if let id = fields["id"]?.text(right: "a name that is not empty would be right") { tile.id = id }
        if let group = fields["group"]?.text(right: "a group's name would be right") { tile.group = group }
        if let offset = fields["offset"]?.time(from: -Time.longestWritten) { tile.offset = offset }
        if let loop = fields["loop"] { tile.loop = self.loop(loop) ?? .forever }
        if let fit = fields["fit"]?.word([Fit.contain, .cover, .stretch]) { tile.fit = fit }
        if let poster = fields["poster"], poster.string != "auto" {
            tile.poster = poster.source(in: base, or: " of an image, or \"auto\",")
        }
        if let mute = fields["mute"]?.flag() { tile.isMuted = mute }
        if let volume = fields["volume"]?.whole(0...100) { tile.volume = volume }
        if let label = fields["label"] {
            if let text = label.string {
                tile.label = text.isEmpty || !label.isShort(text) ? nil : text
            } else {
                label.refuse(right: "a text would be right")
            }
        }
        if let pip = fields["pip"] { tile.pip = pictureInPicture(pip) ?? .allowed }
        if let transition = fields["transition"]?.transition() { tile.transition = transition }
        if let onError = fields["on-error"]?.word([OnError.next, .hold, .stop]) { tile.onError = onError }
        if let limit = fields["stale-after"]?.timeLimit() { tile.staleAfter = limit }
        if let limit = fields["frozen-after"]?.timeLimit() { tile.frozenAfter = limit }
    }

    private func loop(_ node: LayoutNode) -> Loop? {
        if let flag = node.bool { return flag ? .forever : .iterations(1) }
        return node.whole(1...1_000_000_000, instead: ", true or false").map(Loop.iterations)
    }

    private func pictureInPicture(_ node: LayoutNode) -> PictureInPicture? {
        if let flag = node.bool { return flag ? .allowed : .denied }
        if node.string == "auto" { return .automatic }
        node.refuseWord(among: ["auto"], instead: ["true", "false"])
        return nil
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
