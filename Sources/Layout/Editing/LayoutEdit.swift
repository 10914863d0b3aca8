import Base

/// Sets members of a layout's objects in its text.
struct LayoutEdit {
    private var edit: TextEdit
    private let root: JSONValue
    /// The style of the layout's own members. There are tiles at least.
    private let style: ObjectStyle
    /// The style of new objects on one line.
    private let inner: ObjectStyle

    init(bytes: [UInt8], root: JSONValue) {
        (edit, self.root, style) = (TextEdit(bytes), root, ObjectStyle(of: root, in: bytes)!)
        inner = ObjectStyle(colon: style.colon)
    }

    var result: [UInt8] { edit.result }

    /// Replaces the values of members that `object` has, and adds the others after its last member.
    mutating func set(_ members: [PropertyField], in object: JSONValue) {
        var added: [PropertyField] = []
        for member in members {
            if let value = object[member.name] {
                edit.replace(value.range, with: inner.text(of: member.value))
            } else {
                added.append(member)
            }
        }
        guard !added.isEmpty else { return }
        if let last = object.members.last, let style = ObjectStyle(of: object, in: edit.bytes) {
            for member in added {
                edit.insert(style.separator + style.text(of: member, inner: inner), at: last.value.range.upperBound)
            }
        } else {
            fill(object, with: added)
        }
    }

    /// Sets members of an item. A bare source is turned into an object first.
    mutating func set(_ members: [PropertyField], inItem item: JSONValue) {
        guard case .string = item.content, !members.isEmpty else { return set(members, in: item) }
        let key = Array("{".utf8) + inner.lead + Array("\"src\"".utf8) + inner.colon
        let source = key + Array(edit.bytes[item.range])
        let added = members.flatMap { inner.separator + inner.text(of: $0, inner: inner) }
        edit.replace(item.range, with: source + added + inner.tail + [UInt8(ascii: "}")])
    }

    /// Sets members of the layout itself. New members are added before the tiles.
    mutating func set(_ members: [PropertyField]) {
        for member in members {
            if let value = root[member.name] {
                edit.replace(value.range, with: inner.text(of: member.value))
            } else {
                insert(inner.text(of: member, inner: inner))
            }
        }
    }

    /// Sets members of an object of the layout, which is added if it is missing.
    mutating func set(_ members: [PropertyField], inObject key: String) {
        guard !members.isEmpty else { return }
        if let object = root[key] { return set(members, in: object) }
        insert(JSONWriter.bytes(of: .text(key)) + style.colon + newStyle.object(members, inner: inner))
    }

    /// Adds the text of a member to the layout itself, before the tiles.
    private mutating func insert(_ member: [UInt8]) {
        let tiles = root.members.firstIndex { $0.key == "tiles" }!
        edit.insert(member + style.separator, at: root.keyStart(tiles, in: edit.bytes))
    }

    /// The style of the other objects at the depth of a new one, or else that of a tile that is on one line.
    private var newStyle: ObjectStyle {
        let beside = root.members.lazy.compactMap { ObjectStyle(of: $0.value, in: edit.bytes) }.first
        if let beside { return beside }
        let tile = root["tiles"]?.elements.lazy.compactMap { ObjectStyle(of: $0, in: edit.bytes) }.first
        guard let tile, !(tile.lead + tile.separator + tile.tail).contains(UInt8(ascii: "\n")) else {
            return inner
        }
        return tile
    }

    /// Adds members to an empty object. The space between its braces stays, after the members.
    private mutating func fill(_ object: JSONValue, with members: [PropertyField]) {
        let space = Array(edit.bytes[object.range.lowerBound + 1..<object.range.upperBound - 1])
        let whole = self.style.lead
        let step = whole.lastIndex(of: UInt8(ascii: "\n")).map { Array(whole[($0 + 1)...]) } ?? []
        var style = self.inner
        style.lead = space
        if let end = space.lastIndex(of: UInt8(ascii: "\n")) {
            // One step deeper than the brace, which is at the depth of the layout's own keys.
            let line = space[...end].suffix(space[..<end].last == UInt8(ascii: "\r") ? 2 : 1)
            style.lead = line + space[(end + 1)...] + step
            style.separator = [UInt8(ascii: ",")] + style.lead
        }
        let texts = members.map { style.text(of: $0, inner: self.inner) }
        edit.insert(style.lead + Array(texts.joined(separator: style.separator)), at: object.range.lowerBound + 1)
    }
}

/// Replacements in a text, all made at once. Each range refers to the text before any of them.
struct TextEdit {
    let bytes: [UInt8]
    private var replacements: [(range: Range<Int>, text: [UInt8])] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Ranges must not overlap. Insertions at the same place are in the order of the calls.
    mutating func replace(_ range: Range<Int>, with text: [UInt8]) { replacements.append((range, text)) }

    mutating func insert(_ text: [UInt8], at place: Int) { replace(place..<place, with: text) }

    var result: [UInt8] {
        let inOrder = replacements.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var result: [UInt8] = []
        var copied = 0
        for (_, replacement) in inOrder {
            precondition(replacement.range.lowerBound >= copied, "replacements overlap at byte \(copied)")
            result += bytes[copied..<replacement.range.lowerBound]
            result += replacement.text
            copied = replacement.range.upperBound
        }
        return result + bytes[copied...]
    }
}
