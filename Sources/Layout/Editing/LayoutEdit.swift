import Base

/// Sets members of a layout's objects in its text.
struct LayoutEdit {
    private var edit: TextEdit
    private let root: JSONValue
    /// The style of the layout's own members. There are tiles at least.
    private let style: ObjectStyle

    init(bytes: [UInt8], root: JSONValue) {
        (edit, self.root, style) = (TextEdit(bytes), root, ObjectStyle(of: root, in: bytes)!)
    }

    var result: [UInt8] { edit.result }

    /// Replaces the values of members that `object` has, and adds the others after its last member.
    mutating func set(_ members: [NewMember], in object: JSONValue) {
        var added: [NewMember] = []
        for member in members {
            if let value = object[member.key] {
                edit.replace(value.range, with: member.value)
            } else {
                added.append(member)
            }
        }
        guard !added.isEmpty else { return }
        if let last = object.members.last, let style = ObjectStyle(of: object, in: edit.bytes) {
            for member in added {
                edit.insert(style.separator + member.text(colon: style.colon), at: last.value.range.upperBound)
            }
        } else {
            fill(object, with: added)
        }
    }

    /// Sets members of an item. A bare source is turned into an object first.
    mutating func set(_ members: [NewMember], inItem item: JSONValue) {
        guard case .string = item.content, !members.isEmpty else { return set(members, in: item) }
        let source = NewMember("src", bytes: Array(edit.bytes[item.range]))
        edit.replace(item.range, with: object([source] + members))
    }

    /// Sets members of the layout itself. New members are added before the tiles.
    mutating func set(_ members: [NewMember]) {
        for member in members {
            if let value = root[member.key] { edit.replace(value.range, with: member.value) } else { insert(member) }
        }
    }

    /// Sets members of an object of the layout, which is added if it is missing.
    mutating func set(_ members: [NewMember], inObject key: String) {
        guard !members.isEmpty else { return }
        if let object = root[key] { return set(members, in: object) }
        insert(NewMember(key, bytes: newStyle.object(members)))
    }

    /// Returns the text of a new object, on one line.
    func object(_ members: [NewMember]) -> [UInt8] { ObjectStyle(colon: style.colon).object(members) }

    /// Adds a member to the layout itself, before the tiles.
    private mutating func insert(_ member: NewMember) {
        let tiles = root.members.firstIndex { $0.key == "tiles" }!
        edit.insert(member.text(colon: style.colon) + style.separator, at: root.keyStart(tiles, in: edit.bytes))
    }

    /// The style of the other objects at the depth of a new one, or else that of a tile that is on one line.
    private var newStyle: ObjectStyle {
        let beside = root.members.lazy.compactMap { ObjectStyle(of: $0.value, in: edit.bytes) }.first
        if let beside { return beside }
        let tile = root["tiles"]?.elements.lazy.compactMap { ObjectStyle(of: $0, in: edit.bytes) }.first
        guard let tile, !(tile.lead + tile.separator + tile.tail).contains(UInt8(ascii: "\n")) else {
            return ObjectStyle(colon: style.colon)
        }
        return tile
    }

    /// Adds members to an empty object. The space between its braces stays, after the members.
    private mutating func fill(_ object: JSONValue, with members: [NewMember]) {
        let inner = Array(edit.bytes[object.range.lowerBound + 1..<object.range.upperBound - 1])
        let whole = self.style.lead
        let step = whole.lastIndex(of: UInt8(ascii: "\n")).map { Array(whole[($0 + 1)...]) } ?? []
        var style = ObjectStyle(colon: self.style.colon)
        style.lead = inner
        if let end = inner.lastIndex(of: UInt8(ascii: "\n")) {
            // One step deeper than the brace, which is at the depth of the layout's own keys.
            let line = inner[...end].suffix(inner[..<end].last == UInt8(ascii: "\r") ? 2 : 1)
            style.lead = line + inner[(end + 1)...] + step
            style.separator = [UInt8(ascii: ",")] + style.lead
        }
        let texts = members.map { $0.text(colon: style.colon) }
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
