import Base

/// Reads `compare`, after the tiles have their names.
struct ComparisonReader {
    let tiles: [TileLayout]
    /// Ids of the tiles that compare.
    let comparing: Set<String>

    private static let right = "a list of 2 to \(ComparisonLayout.mostMembers) tiles' ids or sources would be right"

    func comparison(_ fields: LayoutFields, of tile: TileLayout) -> ComparisonLayout? {
        guard let node = fields["compare"] else { return nil }
        guard let elements = node.elements else { return node.refused(right: Self.right) }
        guard (2...ComparisonLayout.mostMembers).contains(elements.count) else {
            return node.refused("a list of \(elements.count) is wrong here; \(Self.right)")
        }
        var comparison = ComparisonLayout(members: elements.compactMap { member($0, of: tile) })
        refuseUnlikeGroups(comparison, elements)
        fields.read(into: &comparison)
        return comparison
    }

    private func member(_ node: LayoutNode, of tile: TileLayout) -> ComparisonLayout.Member? {
        let right = "a tile's id, a file, a URL or an item would be right"
        if let text = node.string {
            if tiles.contains(where: { $0.id == text }) { return .tile(named(text, node, of: tile)) }
            guard looksLikeSource(text) else {
                let near = nearest(to: text, among: tiles.map(\.id).filter { $0 != tile.id && !comparing.contains($0) })
                return node.refused(
                    near.map { "no tile is called \(node.shown); did you mean \($0.quoted)?" }
                        ?? "no tile is called \(node.shown); \(right)")
            }
            return node.source().map { .source(Item(source: $0), offset: .zero) }
        }
        guard let fields = node.fields(of: .comparedItem, right: right) else { return nil }
        let offset = fields.object(ComparedOffset.self).offset
        return .source(fields.item(), offset: offset)
    }

    private func named(_ id: String, _ node: LayoutNode, of tile: TileLayout) -> String {
        if id == tile.id {
            node.refuse("a tile can't compare itself; another tile's id would be right")
        } else if comparing.contains(id) {
            node.refuse("\(node.shown) compares tiles itself; the id of one that plays would be right")
        }
        return id
    }

    /// Tile names seldom contain these characters.
    private func looksLikeSource(_ text: String) -> Bool { text.contains("/") || text.contains(".") }

    private func refuseUnlikeGroups(_ comparison: ComparisonLayout, _ elements: [LayoutNode]) {
        guard comparison.members.count == elements.count else { return }
        var first: (id: String, group: String)?
        for (member, node) in zip(comparison.members, elements) {
            guard case .tile(let id) = member, let group = tiles.first(where: { $0.id == id })?.group else { continue }
            if let first, first.group != group {
                node.refuse(
                    "\(id.quoted) is of the group \(group.quoted) and \(first.id.quoted) of \(first.group.quoted); "
                        + "tiles of one group would be right")
            }
            if first == nil { first = (id, group) }
        }
    }
}

extension ComparisonLayout {
    public static let gains = 0.125...64.0
}
