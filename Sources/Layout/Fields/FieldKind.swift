import Base

/// Kind of a field's values: their JSON Schema, and how a value is read and written. Each mistake states what would be
/// right.
struct FieldKind<Value: Sendable>: Sendable {
    let schema: JSONSchema
    /// Returns nil for a wrong value, which it notes, and for a value that means none.
    let read: @Sendable (LayoutNode, SourceBase) -> Value?
    /// Returns the value as JSON text; nil if it means none, or is never written.
    let write: @Sendable (Value) -> [UInt8]?

    init(
        _ schema: JSONSchema, read: @escaping @Sendable (LayoutNode, SourceBase) -> Value?,
        write: @escaping @Sendable (Value) -> [UInt8]? = { _ in nil }
    ) {
        (self.schema, self.read, self.write) = (schema, read, write)
    }

    /// `value`: returns the value that is written.
    init(
        _ schema: JSONSchema, read: @escaping @Sendable (LayoutNode, SourceBase) -> Value?,
        value: @escaping @Sendable (Value) -> PropertyValue?
    ) {
        self.init(schema, read: read, write: { value($0).map { JSONWriter.bytes(of: $0) } })
    }

    /// The same for a property that is nil without the field.
    var optional: FieldKind<Value?> {
        let (read, write) = (read, write)
        return FieldKind<Value?>(
            schema, read: { node, base in read(node, base).map { .some($0) } }, write: { value in value.flatMap(write) }
        )
    }
}

// MARK: simple values

extension FieldKind where Value == Bool {
    static var flag: FieldKind {
        FieldKind(.flag, read: { node, _ in node.flag() }, value: { .flag($0) })
    }
}

extension FieldKind where Value == Int {
    /// A value beyond the range is written as the nearest in it.
    static func whole(_ range: ClosedRange<Int>) -> FieldKind {
        FieldKind(
            .whole(range), read: { node, _ in node.whole(range) },
            value: { .integer(min(max($0, range.lowerBound), range.upperBound)) })
    }

    static var percent: FieldKind { whole(0...100) }
}

extension FieldKind where Value == Double {
    /// `words`: the range in messages.
    static func number(_ range: ClosedRange<Double>, _ words: String) -> FieldKind {
        FieldKind(
            .number(range), read: { node, _ in node.number(range, right: "\(words) would be right") },
            write: { Array($0.plain.utf8) })
    }
}

extension FieldKind where Value == Rate {
    static var rate: FieldKind {
        FieldKind(
            .shared(.rate),
            read: { node, _ in
                node.number(0.25...4, right: "a number from 0.25 to 4 would be right").map(Rate.init(_:))
            }, write: { Array($0.value.plain.utf8) })
    }
}

extension FieldKind where Value: RawRepresentable, Value.RawValue == String {
    static func word(_ words: [Value]) -> FieldKind {
        FieldKind(
            .words(words.map(\.rawValue)), read: { node, _ in node.word(words) }, value: { .text($0.rawValue) })
    }
}

// An empty text stands for a value that is computed. It is not written.
extension FieldKind where Value == String {
    /// A text that is not empty. `words`: what it is, in messages.
    static func text(_ words: String, _ schema: JSONSchema = .text) -> FieldKind {
        FieldKind(
            schema, read: { node, _ in node.text(right: "\(words) would be right") },
            value: { $0.isEmpty ? nil : .text($0) })
    }

    /// A text on a tile. An empty one is none.
    static var label: FieldKind {
        FieldKind(
            .anyText,
            read: { node, _ in
                guard let text = node.string else {
                    node.refuse(right: "a text would be right")
                    return nil
                }
                return text.isEmpty || !node.isShort(text) ? nil : text
            })
    }

    /// A file or a URL.
    static var source: FieldKind { FieldKind(.shared(.source), read: { node, base in node.source(in: base) }) }

    /// The file or the URL of an image, or "auto", which is read as none.
    static var poster: FieldKind {
        FieldKind(
            .shared(.source),
            read: { node, base in
                node.string == "auto" ? nil : node.source(in: base, or: " of an image, or \"auto\",")
            }, value: { .text($0) })
    }
}

extension FieldKind where Value == Color {
    static var color: FieldKind {
        FieldKind(
            .shared(.color), read: { node, _ in node.color() },
            value: { .text("#" + [$0.red, $0.green, $0.blue].map(\.twoHexDigits).joined()) })
    }
}

extension UInt8 {
    fileprivate var twoHexDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

// MARK: times

extension FieldKind where Value == Time {
    /// Seconds or a text, from 0 on.
    static var time: FieldKind { time(.shared(.time), from: .zero) }

    static func time(_ range: ClosedRange<Time>) -> FieldKind {
        var schema = JSONSchema.shared(.time)
        if range.lowerBound > .zero { schema = schema.with(["minimum": .number(range.lowerBound.seconds)]) }
        if range.upperBound < .longestWritten { schema = schema.with(["maximum": .number(range.upperBound.seconds)]) }
        return time(schema, from: range.lowerBound, to: range.upperBound)
    }

    /// A time that may be negative. One that is too long to be read is written as the longest.
    static var signedTime: FieldKind {
        let most = Time.longestWritten
        return FieldKind(
            .shared(.signedTime), read: { node, _ in node.time(from: -most) },
            write: { WrittenTime.seconds(min(max($0, -most), most)) })
    }

    /// A time above 0.
    static var length: FieldKind {
        FieldKind(
            JSONSchema.shared(.time).with(["exclusiveMinimum": .integer(0)]),
            read: { node, _ in
                let length = node.time(from: .zero)
                if length == .zero { node.refuse(as: "too small", right: "a time above 0 would be right") }
                return length
            })
    }

    private static func time(_ schema: JSONSchema, from least: Time, to most: Time = .longestWritten) -> FieldKind {
        FieldKind(schema, read: { node, _ in node.time(from: least, to: most) }, write: { WrittenTime.seconds($0) })
    }
}

extension FieldKind where Value == TimeLimit {
    static var timeLimit: FieldKind {
        FieldKind(
            .shared(.timeLimit), read: { node, _ in node.timeLimit() },
            write: { limit in limit.time.map { WrittenTime.seconds($0) } ?? Array("false".utf8) })
    }
}

// MARK: pairs

extension FieldKind where Value == Size {
    static func size(_ range: ClosedRange<Int>) -> FieldKind {
        let right = "[width, height], each from \(range.lowerBound) to \(range.upperBound), would be right"
        return FieldKind(
            .pair(range), read: { node, _ in node.pair(range, right: right).map { Size($0, $1) } },
            write: { JSONWriter.pair($0.width, $0.height) })
    }
}

extension FieldKind where Value == Point {
    static func point(_ range: ClosedRange<Int>) -> FieldKind {
        FieldKind(
            .pair(range),
            read: { node, _ in node.pair(range, right: "[x, y] in pixels would be right").map { Point($0, $1) } },
            write: { JSONWriter.pair($0.x, $0.y) })
    }
}

extension JSONSchema {
    /// A list of two whole numbers.
    static func pair(_ range: ClosedRange<Int>) -> JSONSchema { list(2...2, of: .whole(range)) }
}

extension JSONWriter {
    static func pair(_ first: Int, _ second: Int) -> [UInt8] { Array("[\(first), \(second)]".utf8) }
}
