import Base

/// Reads `compare`, after the tiles have their names.
struct ComparisonReader {
    let tiles: [TileLayout]
    /// Ids of the tiles that compare.
    let comparing: Set<String>

    private static let right = "a list of 2 to \(ComparisonLayout.mostMembers) tiles' ids or sources would be right"

    /// Reads the comparison of a tile.
    func comparison(_ fields: LayoutFields, of tile: TileLayout) -> ComparisonLayout? {
        guard let elements = fields["compare"]?.elements(count: 2...ComparisonLayout.mostMembers, right: Self.right)
        else { return nil }
        let members = elements.map { ($0, member($0, of: tile)) }
        var comparison = ComparisonLayout(members: members.compactMap(\.1))
        if comparison.members.count == elements.count {
            let named = members.compactMap { node, member in
                if case .tile(let id)? = member { tiles.first { $0.id == id }.map { (node, $0) } } else { nil }
            }
            for (node, member) in named.dropFirst() { _ = isOfGroup(of: named[0].1, member, node) }
        }
        fields.read(into: &comparison)
        return comparison
    }

    private func member(_ node: LayoutNode, of tile: TileLayout) -> ComparisonLayout.Member? {
        let right = "a tile's id, a file, a URL or an item would be right"
        if let text = node.string {
            if tiles.contains(where: { $0.id == text }) {
                if text == tile.id {
                    node.refuse("a tile can't compare itself; another tile's id would be right")
                } else {
                    _ = plays(text, node)
                }
                return .tile(text)
            }
            // Tile names seldom contain these characters.
            guard text.contains("/") || text.contains(".") else {
                let near = nearest(to: text, among: tiles.map(\.id).filter { $0 != tile.id && !comparing.contains($0) })
                return node.refused(
                    near.map { "no tile is called \(node.shown); did you mean \($0.quoted)?" }
                        ?? "no tile is called \(node.shown); \(right)")
            }
            node.notes.sourcesAmongIDs.insert(node.value.range)
            return node.source().map { .source(Item(source: $0), offset: .zero) }
        }
        guard let fields = node.fields(of: .comparedItem, right: right) else { return nil }
        let offset = fields.object(ComparedOffset.self).offset
        return .source(fields.item(), offset: offset)
    }

    /// Returns true if the tile of this id plays. Refuses `node`, its name, if not.
    private func plays(_ id: String, _ node: LayoutNode) -> Bool {
        guard comparing.contains(id) else { return true }
        node.refuse("\(node.shown) compares tiles itself; the id of one that plays would be right")
        return false
    }

    /// Returns true if both tiles are of one group. Refuses `node`, the name of the second, if not.
    private func isOfGroup(of first: TileLayout, _ second: TileLayout, _ node: LayoutNode) -> Bool {
        if first.group == second.group { return true }
        node.refuse(
            "\(second.id.quoted) is of the group \(second.group.quoted) and \(first.id.quoted) of "
                + "\(first.group.quoted); tiles of one group would be right")
        return false
    }

    // MARK: the wall's

    /// Fields of the layout's own `compare`.
    static let specsOfWall =
        [
            FieldSpec(
                key: "tiles", schema: .list(2...2, of: .text), help: "Ids of the two tiles, the reference first.",
                required: tilesOfWall)
        ] + ComparisonLayout.fields.specs.filter { $0.key != "swapped" }

    private static let tilesOfWall = "\"tiles\": [\"a\", \"b\"]"

    /// Reads the layout's own `compare`: two tiles that are compared over the wall. nil if there is none, or if it has
    /// mistakes.
    func comparisonOfWall(_ node: LayoutNode) -> ComparisonLayout? {
        if node.bool == false { return nil }
        let right = "false, or an object with \(Self.tilesOfWall), would be right"
        guard let fields = node.fields(of: .comparison, right: right) else { return nil }
        guard let list = fields["tiles"] else {
            fields.drop("tiles", right: "\(Self.tilesOfWall) would be right")
            return nil
        }
        guard let elements = list.elements, elements.count == 2 else {
            return list.refused(right: "a list of two tiles' ids would be right")
        }
        let members = elements.compactMap(playingTile)
        guard members.count == 2 else { return nil }
        if members[0].id == members[1].id {
            return elements[1].refused("a tile can't be compared with itself; another tile's id would be right")
        }
        guard isOfGroup(of: members[0], members[1], elements[1]) else { return nil }
        var comparison = ComparisonLayout(members: members.map { .tile($0.id) })
        fields.read(into: &comparison)
        return comparison
    }

    private func playingTile(_ node: LayoutNode) -> TileLayout? {
        guard let id = node.text(right: "a tile's id would be right") else { return nil }
        guard let tile = tiles.first(where: { $0.id == id }) else {
            node.refuseName(among: tiles.map(\.id))
            return nil
        }
        return plays(id, node) ? tile : nil
    }
}

extension FieldKind<ComparisonLayout?> {
    /// Read after the tiles have their names (`ComparisonReader`).
    static var overlaidComparison: FieldKind {
        FieldKind(
            .any(.object(.comparison), .flag), read: { _ in nil },
            write: { compared in
                guard let compared else { return .flag(false) }
                let names = compared.members.indices.map { PropertyValue.text(compared.name(ofMember: $0)) }
                let others = ComparisonLayout.fields.changed(compared).filter { $0.name != "swapped" }
                return .object([PropertyField("tiles", .list(names))] + others)
            })
    }
}
