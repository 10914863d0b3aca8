import Base

/// Replaces `${name}` in a text by the property's value, as mpv does: `${=name}` the plain value, `${name:otherwise}`,
/// `${?name:if there is one}`, `${!name:if there is none}`, `${?name==value:if so}`. `$$` is a dollar, `$}` a brace.
/// Text after `$>` stays as it is.
public struct PropertyExpansion {
    /// Most `${properties}` expanded in one request; further ones stay as they are.
    public static let mostLookups = 100

    /// Expands `text`. Once `lookupsLeft` is 0, names stay as they are.
    public static func expand(
        _ text: String, lookupsLeft: inout Int, _ property: (String) -> Result<PropertyValue, ControlError>
    ) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        let bytes = Array(text.utf8)
        var expansion = PropertyExpansion(
            bytes: bytes, lastBrace: bytes.lastIndex(of: UInt8(ascii: "}")) ?? -1, lookupsLeft: lookupsLeft)
        expansion.read(depth: 0, isShown: true, property)
        lookupsLeft = expansion.lookupsLeft
        return String(decoding: expansion.result, as: UTF8.self)
    }

    /// Deepest nesting of braces; deeper ones stay as they are.
    private static let deepest = 32

    private let bytes: [UInt8]
    private let lastBrace: Int
    private var lookupsLeft: Int
    private var index = 0
    private var result: [UInt8] = []

    private init(bytes: [UInt8], lastBrace: Int, lookupsLeft: Int) {
        (self.bytes, self.lastBrace, self.lookupsLeft) = (bytes, lastBrace, lookupsLeft)
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// Reads to the brace that ends this level, or to the end of the text.
    private mutating func read(
        depth: Int, isShown: Bool, _ property: (String) -> Result<PropertyValue, ControlError>
    ) {
        while index < bytes.count {
            if depth > 0, skip("}") { return }
            if index < lastBrace, depth < PropertyExpansion.deepest, lookupsLeft > 0, skip("${") {
                if isShown { lookupsLeft -= 1 }
                readProperty(depth: depth, isShown: isShown, property)
            } else if depth == 0, skip("$>") {
                result += bytes[index...]
                return
            } else {
                let byte: UInt8
                if skip("$$") {
                    byte = UInt8(ascii: "$")
                } else if skip("$}") {
                    byte = UInt8(ascii: "}")
                } else {
                    byte = bytes[index]
                    index += 1
                }
                if isShown { result.append(byte) }
            }
        }
    }

    private mutating func readProperty(
        depth: Int, isShown: Bool, _ property: (String) -> Result<PropertyValue, ControlError>
    ) {
        let end = bytes[index...].firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "}") } ?? bytes.count
        var name = String(decoding: bytes[index..<end], as: UTF8.self)[...]
        index = end
        let hasText = index < bytes.count && skip(":")
        var isTextShown = isShown
        if let sign = name.first, sign == "?" || sign == "!" {
            if isShown { isTextShown = holds(name.dropFirst(), property) == (sign == "?") }
        } else if isShown {
            let isPlain = name.first == "="
            if isPlain || name.first == ">" { name = name.dropFirst() }
            switch property(String(name)) {
            case .success(let value):
                result += (isPlain ? value.asPropertyText : value.readableText).utf8
                isTextShown = false
            case .failure(let error):
                let words = error == .propertyUnavailable ? "(unavailable)" : "(error)"
                if !hasText && !isPlain { result += words.utf8 }
            }
        }
        if hasText { read(depth: depth + 1, isShown: isTextShown, property) } else if index < bytes.count { index += 1 }
    }

    /// Returns true if the property has a value, or equals the text after "==".
    private func holds(
        _ condition: Substring, _ property: (String) -> Result<PropertyValue, ControlError>
    ) -> Bool {
        let bytes = Array(condition.utf8)
        let equals = bytes.indices.dropLast().first { bytes[$0] == 0x3D && bytes[$0 + 1] == 0x3D }
        let name = String(decoding: bytes[..<(equals ?? bytes.count)], as: UTF8.self)
        guard case .success(let value) = property(name) else { return false }
        guard let equals else { return true }
        return value.readableText.utf8.elementsEqual(bytes[(equals + 2)...])
    }
}

extension PropertyValue {
    /// The form of `get_property_string` and `${=name}`.
    public var asPropertyText: String {
        switch self {
        case .flag(let flag): flag ? "yes" : "no"
        case .integer(let integer): String(integer)
        case .number(let number): number.sixDecimals
        case .text(let text): text
        case .null, .list, .object: JSONWriter.text(self)
        }
    }

    /// The form for people: numbers without trailing zeros.
    public var readableText: String {
        guard case .number(let number) = self, number.isFinite else { return asPropertyText }
        var digits = number.sixDecimals[...]
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return String(digits)
    }
}
