import Base

/// Why nothing can be written into a layout's text.
public enum LayoutPatchTrouble: Error, Equatable, CustomStringConvertible {
    /// The text has mistakes, for example because it was edited after it was read.
    case mistakes(Mistakes)
    case noTile(place: Int)
    case noTileCalled(String)

    public var description: String {
        switch self {
        case .mistakes(let mistakes): "the file is no longer a valid layout: it has \(mistakes.count) mistakes"
        case .noTile(let place): "the file no longer has a tile \(place + 1)"
        case .noTileCalled(let name): "the file no longer has a tile \(name)"
        }
    }
}

/// Writes changes into a layout's text and leaves all other bytes as they are. Pure: input and output are the bytes of
/// a file.
public enum LayoutPatch {
    /// Returns `bytes` with these changes. A value that the layout states already, or has by default, is left alone. A
    /// different one is replaced, a missing one added in the style of the text around it.
    public static func patched(
        _ bytes: [UInt8], with changes: LayoutTextChanges
    ) throws(LayoutPatchTrouble) -> [UInt8] {
        let (layout, root, _) = try read(bytes)
        var edit = LayoutEdit(bytes: bytes, root: root)
        var (newGroups, sound): ([PropertyField], [PropertyField]) = ([], [])
        for (place, values) in changes.fields.sorted(by: { $0.key < $1.key }) {
            switch place {
            case .tile(let place, let part):
                guard layout.tiles.indices.contains(place) else { throw .noTile(place: place) }
                set(values, of: part, of: layout.tiles[place], in: root["tiles"]!.elements[place], &edit)
            case .window: edit.set(values.members(for: layout.window), inObject: "window")
            case .layout: edit.set(values.members(for: layout))
            case .group(let name):
                let members = values.members(for: layout.groups.first { $0.name == name } ?? .initial)
                if let group = root["groups"]?[name] {
                    edit.set(members, in: group)
                } else if !members.isEmpty {
                    newGroups.append(PropertyField(name, .object(members)))
                }
            case .audio: sound = values.members(for: layout.audio)
            }
        }
        if let id = changes.focus {
            guard let place = layout.tiles.firstIndex(where: { $0.id == id }) else { throw .noTileCalled(id) }
            if layout.audio.focus != place { sound.insert(PropertyField("focus", .text(id)), at: 0) }
        }
        edit.set(newGroups, inObject: "groups")
        edit.set(sound, inObject: "audio")
        return edit.result
    }

    /// Sets values of a tile or a part of it. A part that the text has no more is left alone.
    private static func set(
        _ values: FieldChanges, of part: LayoutTextChanges.Part, of loaded: TileLayout, in tile: JSONValue,
        _ edit: inout LayoutEdit
    ) {
        switch part {
        case .itself:
            edit.set(values.members(for: loaded) + (loaded.compare.map { values.members(for: $0) } ?? []), in: tile)
        case .item(let place, let count):
            guard loaded.play.count == count, let item = item(place, in: tile) else { return }
            edit.set(values.members(for: loaded.play[place]), inItem: item)
        case .stem(let place, let item):
            guard let loaded = loaded.play[safe: item]?.audio.stems[safe: place],
                let stem = self.item(item, in: tile)?["audio"]?["stems"]?.elements[safe: place]
            else { return }
            edit.set(values.members(for: loaded), in: stem)
        case .compared(let place):
            guard case .source(_, let offset)? = loaded.compare?.members[safe: place] else { return }
            edit.set(
                values.members(for: ComparedOffset(offset: offset)), inItem: tile["compare"]!.elements[place])
        }
    }

    private static func item(_ place: Int, in tile: JSONValue) -> JSONValue? {
        guard let play = tile["play"] else { return nil }
        return if case .array = play.content { play.elements[safe: place] } else { play }
    }

    /// Returns the layout in these bytes, its JSON with positions, and what was noted while it was read.
    static func read(
        _ bytes: [UInt8]
    ) throws(LayoutPatchTrouble) -> (layout: Layout, root: JSONValue, notes: LayoutNotes) {
        do { return try LayoutReader.layoutAndText(bytes, path: "-") } catch { throw .mistakes(error) }
    }
}

extension Array {
    fileprivate subscript(safe place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
