import Base
import Commands

/// A field that is also a property of the object that plays: the values, and how one is read and set by hand.
public struct FieldSetting<Object: Sendable>: Sendable {
    /// Key of the field and name of the property.
    public let name: String
    public let help: String
    public let kind: PropertyKind
    /// Effect of another value on the playback of a tile.
    public let changes: PlaybackChanges
    private let write: @Sendable (Object) -> [UInt8]?
    private let read: @Sendable (LayoutNode, inout Object) -> Void

    init<Value: Sendable>(
        _ name: String, _ help: String, _ kind: FieldKind<Value>,
        _ property: WritableKeyPath<Object, Value> & Sendable, changes: PlaybackChanges
    ) {
        (self.name, self.help, self.changes) = (name, help, changes)
        self.kind = kind.schema.kind
        write = { [write = kind.write] in write($0[keyPath: property]) }
        read = { [read = kind.read] node, object in
            if let value = read(node, .workingDirectory) { object[keyPath: property] = value }
        }
    }

    /// The present value; nil if there is none.
    public func value(of object: Object) -> PropertyValue? {
        write(object).flatMap { kind.value(for: PropertyValue(writtenJSON: $0)) }
    }

    /// Returns the change to a value that a client gives; nil if the property does not take it.
    public func change(to given: PropertyValue) -> (@Sendable (inout Object) -> Void)? {
        guard let value = kind.value(for: given) else { return nil }
        return { [read] object in
            guard let parsed = try? JSONParser.parse(JSONWriter.bytes(of: value)) else { return }
            read(LayoutNode(value: parsed, place: "", mistakes: MistakeList()), &object)
        }
    }
}

extension TileLayout {
    /// Fields that are set by hand under their own names.
    public static let settings = fields.all.compactMap(\.setting)
}

extension JSONSchema {
    /// Kind of the values for a property: a flag, a number, a whole number or one of some values.
    fileprivate var kind: PropertyKind {
        if case .list(let values)? = members["enum"] { return .oneOf(values) }
        switch (members["type"], members["minimum"], members["maximum"]) {
        case (.text("boolean"), _, _): return .flag
        case (.text("integer"), .integer(let least), .integer(let most)): return .integer(least...most)
        case (.text("number"), .number(let least), .number(let most)): return .number(least...most)
        default: preconditionFailure("a property can't take the values of this field")
        }
    }
}
