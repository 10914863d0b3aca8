import Base

/// The bytes around the members of an object. Added members, and objects like it, are written in this style.
struct ObjectStyle {
    /// After the brace, before the first key.
    var lead: [UInt8]
    /// Between a key and its value.
    var colon: [UInt8]
    /// Between a value and the next key.
    var separator: [UInt8]
    /// After the last value, before the brace.
    var tail: [UInt8]

    /// The style of the layouts that come with Quadrille, `{ "key": value, "key": value }`. Without spaces if the colon
    /// has none.
    init(colon: [UInt8]) {
        let space = colon.contains(where: isSpace) ? [UInt8(ascii: " ")] : []
        (lead, tail, self.colon) = (space, space, colon)
        separator = [UInt8(ascii: ",")] + space
    }

    static let usual = ObjectStyle(colon: Array(": ".utf8))

    /// The same without spaces beside the braces.
    static let ofSchema: ObjectStyle = {
        var style = usual
        (style.lead, style.tail) = ([], [])
        return style
    }()

    /// nil if the object has no members.
    init?(of object: JSONValue, in bytes: [UInt8]) {
        let members = object.members
        guard let last = members.last?.value.range else { return nil }
        lead = Array(bytes[object.range.lowerBound + 1..<object.keyStart(0, in: bytes)])
        tail = Array(bytes[last.upperBound..<object.range.upperBound - 1])
        let colon = Array(bytes[..<last.lowerBound].reversed().prefix { $0 != UInt8(ascii: "\"") }.reversed())
        self.colon = colon.contains(UInt8(ascii: "\n")) ? Array(": ".utf8) : colon
        if members.count > 1 {
            let before = members[members.count - 2].value.range.upperBound
            separator = onOneLine(Array(bytes[before..<object.keyStart(members.count - 1, in: bytes)]))
        } else if lead.contains(UInt8(ascii: "\n")) {
            separator = [UInt8(ascii: ",")] + onOneLine(lead)
        } else {
            separator = ObjectStyle(colon: self.colon).separator
        }
    }

    /// Returns the text of a value on one line, with its objects in this style.
    func text(of value: PropertyValue) -> [UInt8] {
        switch value {
        case .null, .flag, .integer, .text: JSONWriter.bytes(of: value)
        case .number(let number): Array(number.withoutExponent.utf8)
        case .list(let values): Array("[\(values.map { string(of: $0) }.joined(separator: ", "))]".utf8)
        case .object(let members): object(members, inner: self)
        }
    }

    func string(of value: PropertyValue) -> String { String(decoding: text(of: value), as: UTF8.self) }

    /// Returns the text of an object with these members. `inner`: style of the objects in it.
    func object(_ members: [PropertyField], inner: ObjectStyle) -> [UInt8] {
        [UInt8(ascii: "{")] + lead
            + Array(members.map { text(of: $0, inner: inner) }.joined(separator: separator)) + tail
            + [UInt8(ascii: "}")]
    }

    func text(of member: PropertyField, inner: ObjectStyle) -> [UInt8] {
        JSONWriter.bytes(of: .text(member.name)) + colon + inner.text(of: member.value)
    }
}

extension Double {
    /// Digits alone, also for a billionth of a second.
    fileprivate var withoutExponent: String {
        guard magnitude < 1e-4 else { return plain }
        let digits = fixed(self, 15)
        return digits.lastIndex { $0 != "0" && $0 != "." }.map { String(digits[...$0]) } ?? "0"
    }
}

extension JSONValue {
    /// Returns the byte at which the key of one of its members begins.
    func keyStart(_ place: Int, in bytes: [UInt8]) -> Int {
        let before = place == 0 ? range.lowerBound + 1 : members[place - 1].value.range.upperBound
        return bytes[before...].firstIndex(of: UInt8(ascii: "\""))!
    }
}

/// Removes empty lines: keeps the space up to the first line feed, and the space after the last.
private func onOneLine(_ space: [UInt8]) -> [UInt8] {
    guard let first = space.firstIndex(of: UInt8(ascii: "\n")), let last = space.lastIndex(of: UInt8(ascii: "\n")),
        space[first...].allSatisfy(isSpace)
    else { return space }
    return Array(space[...first] + space[(last + 1)...])
}
