import Base

/// The field `compare` of the layout itself: a comparison of two tiles that covers the wall.
struct OverlaidComparison {
    let tiles: [TileLayout]

    static let specs = FieldSpecs(
        [
            FieldSpec(
                key: "tiles", schema: .list(2...2, of: .text), help: "Ids of the two tiles, the reference first.",
                required: right)
        ] + ComparisonLayout.fields.specs.all.filter { $0.key != "swapped" })

    private static let right = "\"tiles\": [\"a\", \"b\"]"

    /// nil if there is none, or if it has mistakes.
    func comparison(_ node: LayoutNode) -> ComparisonLayout? {
        if node.bool == false { return nil }
        guard let fields = node.fields(of: .comparison, right: "false, or an object with \(Self.right), would be right")
        else { return nil }
        guard let list = fields["tiles"] else {
            fields.drop("tiles", right: "\(Self.right) would be right")
            return nil
        }
        guard let elements = list.elements, elements.count == 2 else {
            return list.refused(right: "a list of two tiles' ids would be right")
        }
        let names = elements.compactMap(tile)
        guard names.count == 2 else { return nil }
        if names[0].id == names[1].id {
            elements[1].refuse("a tile can't be compared with itself; another tile's id would be right")
            return nil
        }
        if names[0].group != names[1].group {
            elements[1].refuse(
                "\(names[1].id.quoted) is of the group \(names[1].group.quoted) and \(names[0].id.quoted) of "
                    + "\(names[0].group.quoted); tiles of one group would be right")
            return nil
        }
        var comparison = ComparisonLayout(members: names.map { .tile($0.id) })
        fields.read(into: &comparison)
        return comparison
    }

    private func tile(_ node: LayoutNode) -> TileLayout? {
        guard let id = node.text(right: "a tile's id would be right") else { return nil }
        guard let tile = tiles.first(where: { $0.id == id }) else {
            node.refuseName(among: tiles.map(\.id))
            return nil
        }
        if tile.compare == nil { return tile }
        return node.refused("\(node.shown) compares tiles itself; the id of one that plays would be right")
    }
}

extension FieldKind where Value == ComparisonLayout? {
    /// Read after the tiles have their names (`OverlaidComparison`).
    static var overlaidComparison: FieldKind {
        FieldKind(
            .any(.object(.comparison), .flag), read: { _ in nil },
            write: { compared in
                guard let compared else { return Array("false".utf8) }
                let names = compared.members.map { member in
                    if case .tile(let id) = member { JSONWriter.text(.text(id)) } else { "\"\"" }
                }
                let tiles = NewMember("tiles", bytes: Array("[\(names.joined(separator: ", "))]".utf8))
                let usual = ComparisonLayout(members: compared.members)
                let others = ComparisonLayout.fields.saved.compactMap { key, field -> NewMember? in
                    guard key != "swapped", !field.isSame(usual, compared) else { return nil }
                    return field.written(compared).map { NewMember(key, bytes: $0) }
                }
                return ObjectStyle(colon: Array(": ".utf8)).object([tiles] + others)
            })
    }
}
