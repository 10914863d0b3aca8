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
        for (place, change) in changes.tiles.sorted(by: { $0.key < $1.key }) {
            guard layout.tiles.indices.contains(place) else { throw .noTile(place: place) }
            set(change, of: layout.tiles[place], in: root["tiles"]!.elements[place], &edit)
        }
        var sound = changes.audio.members(for: layout.audio)
        if let id = changes.focus {
            guard let place = layout.tiles.firstIndex(where: { $0.id == id }) else { throw .noTileCalled(id) }
            if layout.audio.focus != place { sound.insert(NewMember("focus", .text(id)), at: 0) }
        }
        edit.set(changes.window.members(for: layout.window), inObject: "window")
        edit.set(changes.layout.members(for: layout))
        var newGroups: [NewMember] = []
        for (name, change) in changes.groups.sorted(by: { $0.key < $1.key }) {
            let members = change.members(for: layout.groups.first { $0.name == name } ?? .initial)
            if let group = root["groups"]?[name] {
                edit.set(members, in: group)
            } else if !members.isEmpty {
                newGroups.append(NewMember(name, bytes: edit.object(members)))
            }
        }
        edit.set(newGroups, inObject: "groups")
        edit.set(sound, inObject: "audio")
        return edit.result
    }

    private static func set(
        _ change: LayoutTextChanges.TileChange, of loaded: TileLayout, in tile: JSONValue, _ edit: inout LayoutEdit
    ) {
        edit.set(change.fields.members(for: loaded), in: tile)
        if let compared = loaded.compare { edit.set(change.comparison.members(for: compared), in: tile) }
        for (place, item) in change.items where loaded.play.count == change.itemCount {
            guard let value = Self.item(place, in: tile) else { continue }
            edit.set(item.members(for: loaded.play[place]), inItem: value)
        }
        for (place, stem) in change.stems {
            guard let loaded = loaded.play[safe: place.item]?.audio.stems[safe: place.stem],
                let value = Self.stem(place, in: tile)
            else { continue }
            edit.set(stem.members(for: loaded), in: value)
        }
        for (place, source) in change.compared {
            guard case .source(_, let offset)? = loaded.compare?.members[safe: place] else { continue }
            let members = source.members(for: ComparedOffset(offset: offset))
            edit.set(members, inItem: tile["compare"]!.elements[place])
        }
    }

    private static func stem(_ place: LayoutTextChanges.TileChange.StemPlace, in tile: JSONValue) -> JSONValue? {
        item(place.item, in: tile)?["audio"]?["stems"]?.elements[safe: place.stem]
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
