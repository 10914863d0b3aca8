import Base

/// Replaces `${name}` in a text by the property's value, as mpv does: `${=name}` the plain value, `${name:otherwise}`,
/// `${?name:if there is one}`, `${!name:if there is none}`, `${?name==value:if so}`. `$$` is a dollar, `$}` a brace.
/// Text after `$>` stays as it is.
///
/// One value expands all texts of one command: they have the values of one instant.
public struct PropertyExpansion {
    /// Most `${properties}` expanded in one command; further ones stay as they are.
    public static let mostLookups = 100
    /// Bytes of values after which further properties stay as they are.
    public static let mostBytes = 1 << 18
    /// Deepest nesting of braces; deeper ones stay as they are.
    private static let deepest = 32

    private var readings: PropertyReadings
    private var lookupsLeft: Int
    private var bytesLeft: Int

    // The text that is being read.
    private var bytes: [UInt8] = []
    private var lastBrace = -1
    private var index = 0
    private var result: [UInt8] = []

    /// `read`: reads a property by its name, or by a path into its value.
    public init(
        mostLookups: Int = mostLookups, mostBytes: Int = mostBytes,
        _ read: @escaping (String) -> Result<PropertyValue, ControlError>
    ) {
        (readings, lookupsLeft, bytesLeft) = (PropertyReadings(read), mostLookups, mostBytes)
    }

    public mutating func expanded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        bytes = Array(text.utf8)
        lastBrace = bytes.lastIndex(of: UInt8(ascii: "}")) ?? -1
        (index, result) = (0, [])
        read(depth: 0, isShown: true)
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// Reads to the brace that ends this level, or to the end of the text.
    private mutating func read(depth: Int, isShown: Bool) {
        while index < bytes.count {
            if depth > 0, skip("}") { return }
            if index < lastBrace, depth < PropertyExpansion.deepest, lookupsLeft > 0, bytesLeft > 0, skip("${") {
                if isShown { lookupsLeft -= 1 }
                readProperty(depth: depth, isShown: isShown)
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

    private mutating func readProperty(depth: Int, isShown: Bool) {
        let end = bytes[index...].firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "}") } ?? bytes.count
        var name = String(decoding: bytes[index..<end], as: UTF8.self)[...]
        index = end
        let hasText = index < bytes.count && skip(":")
        var isTextShown = isShown
        if let sign = name.first, sign == "?" || sign == "!" {
            if isShown { isTextShown = holds(name.dropFirst()) == (sign == "?") }
        } else if isShown {
            let isPlain = name.first == "="
            if isPlain || name.first == ">" { name = name.dropFirst() }
            switch readings.value(of: String(name)) {
            case .success(let value):
                result += counted(isPlain ? value.asPropertyText : value.readableText).utf8
                isTextShown = false
            case .failure(let error):
                let words = error == .propertyUnavailable ? "(unavailable)" : "(error)"
                if !hasText && !isPlain { result += words.utf8 }
            }
        }
        if hasText { read(depth: depth + 1, isShown: isTextShown) } else if index < bytes.count { index += 1 }
    }

    /// Returns true if the property has a value, or equals the text after "==".
    private mutating func holds(_ condition: Substring) -> Bool {
        let bytes = Array(condition.utf8)
        let equals = bytes.indices.dropLast().first { bytes[$0] == 0x3D && bytes[$0 + 1] == 0x3D }
        let name = String(decoding: bytes[..<(equals ?? bytes.count)], as: UTF8.self)
        guard case .success(let value) = readings.value(of: name) else { return false }
        guard let equals else { return true }
        return counted(value.readableText).utf8.elementsEqual(bytes[(equals + 2)...])
    }

    private mutating func counted(_ text: String) -> String {
        bytesLeft -= text.utf8.count
        return text
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

/// Values of properties at about one instant. Each is read once, and all parts of a value are taken from one reading of
/// it, so that many paths into a large object cost little more than the object.
public struct PropertyReadings {
    public typealias Reading = Result<PropertyValue, ControlError>

    private let read: (String) -> Reading
    private var known: [String: Reading] = [:]

    /// `read`: reads a property by its name, or by a path into its value.
    public init(_ read: @escaping (String) -> Reading) { self.read = read }

    public mutating func value(of path: String) -> Reading {
        if let reading = known[path] { return reading }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // A property of one tile or group costs less than all of them.
        let isDirect = steps.count == 1 || ["tiles", "groups"].contains(steps[0])
        let reading = isDirect ? read(path) : value(of: steps[0]).flatMap { $0.part(at: steps[1...]) }
        known[path] = reading
        return reading
    }
}

extension PropertyValue {
    /// Follows a path into the value: into lists by index, `count` or an object's name, into objects by a field's name.
    public func part(at path: ArraySlice<String>) -> Result<PropertyValue, ControlError> {
        guard let step = path.first else { return .success(self) }
        let next: PropertyValue?
        switch self {
        case .list(let values) where step == "count": next = .integer(values.count)
        case .list(let values):
            next =
                values.first { $0["name"] == .text(step) }
                ?? Int(step).flatMap { values.indices.contains($0) ? values[$0] : nil }
        case .object(let fields): next = fields[step]
        default: next = nil
        }
        guard let next else { return .failure(.propertyNotFound) }
        return next.part(at: path.dropFirst())
    }
}
