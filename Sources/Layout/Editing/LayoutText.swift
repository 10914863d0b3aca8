import Base

extension Layout {
    /// Returns the text of a layout for a wall that plays no layout's file: its tiles in their grid, with their
    /// comparisons, or with the items that tiles of the same ids play in `present`.
    public func text(playing present: Layout) -> [UInt8] {
        let items = Dictionary(uniqueKeysWithValues: present.tiles.map { ($0.id, $0.play) })
        let tiles = tiles.map { tile in
            var members = [NewMember("id", .text(tile.id))]
            if let compare = tile.compare {
                members.append(NewMember("compare", bytes: JSONWriter.list(compare.members.map(\.text))))
                members += ComparisonLayout.fields.changed(compare)
            } else {
                members.append(NewMember("play", bytes: JSONWriter.list((items[tile.id] ?? []).map(\.text))))
            }
            if let label = tile.label { members.append(NewMember("label", .text(label))) }
            if tile.offset != .zero { members.append(NewMember("offset", bytes: tile.offset.written)) }
            return "    " + String(decoding: ObjectStyle.usual.object(members), as: UTF8.self)
        }
        return Array("{\n  \"tiles\": [\n\(tiles.joined(separator: ",\n"))\n  ]\n}\n".utf8)
    }
}

extension Item {
    /// JSON text of the item: its source, in an object if its key was changed.
    fileprivate var text: String {
        sourceText(name(of: 0), with: look.key == 0 ? [] : [NewMember("key", .integer(look.key))])
    }
}

extension ComparisonLayout.Member {
    /// JSON text of a member: the id of a tile, or a source, in an object if it is ahead.
    fileprivate var text: String {
        switch self {
        case .tile(let id): return JSONWriter.text(.text(id))
        case .source(let items, let offset):
            let name = items.first?.name(of: 0) ?? ""
            // A name without slash and dot would be taken for a tile's id.
            let path = name.contains("/") || name.contains(".") ? name : "./" + name
            return sourceText(path, with: ComparedOffset.fields.changed(ComparedOffset(offset: offset)))
        }
    }
}

/// JSON text of a source with more members.
private func sourceText(_ name: String, with members: [NewMember]) -> String {
    if members.isEmpty { return JSONWriter.text(.text(name)) }
    return String(decoding: ObjectStyle.usual.object([NewMember("src", .text(name))] + members), as: UTF8.self)
}
