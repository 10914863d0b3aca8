import Base

/// Kind of a field's values: their JSON Schema, and how a value is read and written. Each mistake states what would be
/// right.
struct FieldKind<Value: Sendable>: Sendable {
    let schema: JSONSchema
    /// Returns nil for a wrong value, which it notes, and for a value that means none.
    let read: @Sendable (LayoutNode) -> Value?
    /// Returns the value as JSON; nil if it means none, or is never written.
    let write: @Sendable (Value) -> PropertyValue?

    init(
        _ schema: JSONSchema, read: @escaping @Sendable (LayoutNode) -> Value?,
        write: @escaping @Sendable (Value) -> PropertyValue? = { _ in nil }
    ) {
        (self.schema, self.read, self.write) = (schema, read, write)
    }

    /// The same for a property that is nil without the field.
    var optional: FieldKind<Value?> {
        FieldKind<Value?>(
            schema, read: { [read] in read($0).map { .some($0) } }, write: { [write] in $0.flatMap(write) })
    }
}

// MARK: simple values

extension FieldKind<Bool> {
    static var flag: FieldKind { FieldKind(.flag, read: { $0.flag() }, write: { .flag($0) }) }
}

extension FieldKind<Int> {
    /// A value beyond the range is written as the nearest in it.
    static func whole(_ range: ClosedRange<Int>) -> FieldKind {
        FieldKind(
            .whole(range), read: { $0.whole(range) },
            write: { .integer(min(max($0, range.lowerBound), range.upperBound)) })
    }

    static var percent: FieldKind { whole(0...100) }
}

extension FieldKind<Double> {
    /// `words`: the range in messages.
    static func number(_ range: ClosedRange<Double>, _ words: String) -> FieldKind {
        FieldKind(
            .number(range), read: { $0.number(range, right: "\(words) would be right") },
            write: { .plain($0) })
    }
}

extension FieldKind where Value: RawRepresentable, Value.RawValue == String {
    static func word(_ words: [Value]) -> FieldKind {
        FieldKind(.words(words.map(\.rawValue)), read: { $0.word(words) }, write: { .text($0.rawValue) })
    }
}

extension FieldKind where Value: Equatable {
    /// True, false, or one more word.
    static func flag(_ yes: Value, _ no: Value, or word: String, _ third: Value) -> FieldKind {
        FieldKind(
            .oneOf([.flag(true), .flag(false), .text(word)]),
            read: { node in
                if let flag = node.bool { return flag ? yes : no }
                return node.string == word ? third : node.refusedWord(among: [word], instead: ["true", "false"])
            }, write: { $0 == third ? .text(word) : .flag($0 == yes) })
    }
}

// An empty text stands for a value that is computed. It is not written.
extension FieldKind<String> {
    /// A text that is not empty. `words`: what it is, in messages.
    static func text(_ words: String, _ schema: JSONSchema = .text) -> FieldKind {
        FieldKind(
            schema, read: { $0.text(right: "\(words) would be right") }, write: { $0.isEmpty ? nil : .text($0) })
    }

    /// A text on a tile. An empty one is none.
    static var label: FieldKind {
        FieldKind(
            .anyText,
            read: { node in
                guard let text = node.string else { return node.refused(right: "a text would be right") }
                return text.isEmpty || !node.isShort(text) ? nil : text
            })
    }

    /// A file or a URL.
    static var source: FieldKind { FieldKind(.shared(.source), read: { $0.source() }) }

    /// The file or the URL of an image, or "auto", which is read as none.
    static var poster: FieldKind {
        FieldKind(
            .shared(.source), read: { $0.string == "auto" ? nil : $0.source(or: " of an image, or \"auto\",") },
            write: { .text($0) })
    }
}

// MARK: values of one type

extension FieldKind {
    static var color: FieldKind<Color> {
        .init(
            .shared(.color),
            read: { node in
                let bytes = Array((node.string ?? "").utf8), digits = bytes.dropFirst().compactMap(hexDigit)
                guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), digits.count == 6 else {
                    return node.refused(right: "a colour such as \"#1a2b3c\" would be right")
                }
                let channels = [0, 2, 4].map { digits[$0] << 4 | digits[$0 + 1] }
                return Color(red: channels[0], green: channels[1], blue: channels[2])
            },
            // The first two digits of 0xFFRRGGBB are no part of the colour.
            write: { .text("#" + String($0.argb, radix: 16).dropFirst(2)) })
    }

    static var timeLimit: FieldKind<TimeLimit> {
        .init(
            .shared(.timeLimit),
            read: { node in
                switch node.bool {
                case false?: .never
                case true?: node.refused(right: "seconds, or false, would be right")
                case nil: node.time(from: TimeLimit.shortest, to: TimeLimit.longest).map { .after($0) }
                }
            },
            write: { $0.time?.written ?? .flag(false) })
    }

    static func size(_ range: ClosedRange<Int>) -> FieldKind<Size> {
        let right = "[width, height], each from \(range.lowerBound) to \(range.upperBound), would be right"
        return .init(
            .pair(range), read: { $0.pair(range, right: right).map { Size($0, $1) } },
            write: { .list([.integer($0.width), .integer($0.height)]) })
    }

    static func point(_ range: ClosedRange<Int>) -> FieldKind<Point> {
        .init(
            .pair(range), read: { $0.pair(range, right: "[x, y] in pixels would be right").map { Point($0, $1) } },
            write: { .list([.integer($0.x), .integer($0.y)]) })
    }

    static var rate: FieldKind<Rate> {
        .init(
            .shared(.rate),
            read: { $0.number(0.25...4, right: "a number from 0.25 to 4 would be right").map(Rate.init(_:)) },
            write: { .plain($0.value) })
    }
}

// MARK: times

extension FieldKind<Time> {
    /// Seconds or a text, from 0 on.
    static var time: FieldKind { time(.zero...(.longestWritten)) }

    static func time(_ range: ClosedRange<Time>) -> FieldKind {
        var schema = JSONSchema.shared(.time)
        if range.lowerBound > .zero { schema = schema.with(["minimum": .number(range.lowerBound.seconds)]) }
        if range.upperBound < .longestWritten { schema = schema.with(["maximum": .number(range.upperBound.seconds)]) }
        return FieldKind(
            schema, read: { $0.time(from: range.lowerBound, to: range.upperBound) },
            write: \.written)
    }

    /// A time that may be negative. One that is too long to be read is written as the longest.
    static var signedTime: FieldKind {
        let most = Time.longestWritten
        return FieldKind(
            .shared(.signedTime), read: { $0.time(from: -most) },
            write: { min(max($0, -most), most).written })
    }

    /// A time above 0.
    static var length: FieldKind {
        FieldKind(
            .timeAboveZero,
            read: { node in
                let length = node.time(from: .zero)
                if length == .zero { node.refuse(as: "too small", right: "a time above 0 would be right") }
                return length
            })
    }
}

// MARK: schemas

extension JSONSchema {
    static let timeAboveZero = shared(.time).with(["exclusiveMinimum": .integer(0)])

    /// A list of two whole numbers.
    static func pair(_ range: ClosedRange<Int>) -> JSONSchema { list(2...2, of: .whole(range)) }
}
