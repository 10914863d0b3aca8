import Base
import Commands

/// The property that keeps the value of a field: how the value is read, compared, merged and written.
struct FieldProperty<Object: Sendable>: Sendable {
    let spec: FieldSpec
    /// Reads a value into an object. A wrong value is noted and leaves the object as it is.
    let read: @Sendable (LayoutNode, inout Object) -> Void
    let isSame: @Sendable (Object, Object) -> Bool
    /// Merges the value of the present object into the next one, which replaces `old`. nil if the next one holds.
    let merge: (@Sendable (_ next: inout Object, _ present: Object, _ old: Object) -> Void)?
    /// Returns the value as JSON text; nil if the object does not state it.
    let written: @Sendable (Object) -> [UInt8]?
    let saved: SavedFrom
    let effect: PlaybackChanges
    /// Help of the property that sets the field by hand; nil if there is none.
    let words: String?

    var key: String { spec.key }
    var setting: FieldSetting<Object>? { words.map { FieldSetting(field: self, help: $0) } }
}

/// Result for a value that was changed by hand if another layout is loaded.
struct ByHand<Value: Equatable & Sendable>: Sendable {
    /// nil if the value of the new layout holds.
    var merged: (@Sendable (_ present: Value, _ new: Value, _ old: Value) -> Value)?

    static var replaced: ByHand { ByHand() }
    /// The value stays unless the new layout and the one before differ in it.
    static var kept: ByHand { ByHand { present, new, old in new == old ? present : new } }
}

/// Changes that layout-save writes into a layout's text.
struct SavedFrom: OptionSet, Sendable {
    let rawValue: UInt8
    static let nothing: SavedFrom = []
    static let hand = SavedFrom(rawValue: 1)
    static let options = SavedFrom(rawValue: 2)
    /// Sound of an item to which the user has added a take.
    static let take = SavedFrom(rawValue: 4)
}

/// Effect of a tile's field on what the tile plays, if its value changes.
public struct PlaybackChanges: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Items, or their order.
    public static let sequence = PlaybackChanges(rawValue: 1)
    public static let group = PlaybackChanges(rawValue: 2)
    public static let offset = PlaybackChanges(rawValue: 4)
    /// Number of loops, or reaction to a failure.
    public static let following = PlaybackChanges(rawValue: 8)
    /// Settings for decoding: its frames are decoded again.
    public static let decoding = PlaybackChanges(rawValue: 16)
}

/// A field that is also a property of the object that plays: the values, and how one is read and set by hand.
public struct FieldSetting<Object: Sendable>: Sendable {
    let field: FieldProperty<Object>
    public let help: String

    /// Key of the field and name of the property.
    public var name: String { field.key }
    public var kind: PropertyKind { field.spec.schema.kind }
    /// Effect of another value on the playback of a tile.
    public var changes: PlaybackChanges { field.effect }

    /// The present value; nil if there is none.
    public func value(of object: Object) -> PropertyValue? {
        field.written(object).flatMap { kind.value(for: PropertyValue(writtenJSON: $0)) }
    }

    /// Returns the change to a value that a client gives; nil if the property does not take it.
    public func change(to given: PropertyValue) -> (@Sendable (inout Object) -> Void)? {
        guard let value = kind.value(for: given) else { return nil }
        return { [field] object in
            guard let parsed = try? JSONParser.parse(JSONWriter.bytes(of: value)) else { return }
            field.read(LayoutNode(value: parsed, place: "", mistakes: MistakeList(), base: .workingDirectory), &object)
        }
    }
}

extension TileLayout {
    /// Fields that are set by hand under their own names.
    public static let settings = fields.properties.compactMap(\.setting)
}

extension JSONSchema {
    /// Kind of the values for a property: a flag, a number, a whole number or one of some values.
    var kind: PropertyKind {
        if case .list(let values)? = members["enum"] { return .oneOf(values) }
        switch (members["type"], members["minimum"], members["maximum"]) {
        case (.text("boolean"), _, _): return .flag
        case (.text("integer"), .integer(let least), .integer(let most)): return .integer(least...most)
        case (.text("number"), .number(let least), .number(let most)): return .number(least...most)
        default: preconditionFailure("a property can't take the values of this field")
        }
    }
}
