import Base

extension Layout {
    /// Returns the text of a layout for a wall that plays no layout's file: its tiles in their grid, with their
    /// comparisons, or with the items that tiles of the same ids play in `present`.
    public func text(playing present: Layout) -> [UInt8] {
        let items = Dictionary(uniqueKeysWithValues: present.tiles.map { ($0.id, $0.play) })
        let tiles = tiles.map { tile in
            var members = [PropertyField("id", .text(tile.id))]
            if let compare = tile.compare {
                members.append(PropertyField("compare", .list(compare.members.map(\.written))))
                members += ComparisonLayout.fields.changed(compare)
            } else {
                members.append(PropertyField("play", .list((items[tile.id] ?? []).map(\.written))))
            }
            if let label = tile.label { members.append(PropertyField("label", .text(label))) }
            if tile.offset != .zero { members.append(PropertyField("offset", tile.offset.written)) }
            return "    " + ObjectStyle.usual.string(of: .object(members))
        }
        return Array("{\n  \"tiles\": [\n\(tiles.joined(separator: ",\n"))\n  ]\n}\n".utf8)
    }
}

extension Item {
    /// The item as JSON: its source, in an object if its key was changed.
    fileprivate var written: PropertyValue {
        let source = PropertyValue.text(name(of: 0))
        return look.key == 0 ? source : ["src": source, "key": .integer(look.key)]
    }
}

extension ComparisonLayout.Member {
    /// A member as JSON: the id of a tile, or a source, in an object if it is ahead.
    fileprivate var written: PropertyValue {
        switch self {
        case .tile(let id): return .text(id)
        case .source(let items, let offset):
            let name = items.first?.name(of: 0) ?? ""
            // A name without slash and dot would be taken for a tile's id.
            let source = PropertyValue.text(name.contains("/") || name.contains(".") ? name : "./" + name)
            return offset == .zero ? source : ["src": source, "offset": offset.written]
        }
    }
}
