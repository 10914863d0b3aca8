import Base

/// The property that keeps the value of a field: how the value is compared, merged and written.
struct FieldProperty<Object: Sendable>: Sendable {
    let isSame: @Sendable (Object, Object) -> Bool
    /// Merges the value of the present object into the next one, which replaces `old`. nil if the next one holds.
    let merge: (@Sendable (_ next: inout Object, _ present: Object, _ old: Object) -> Void)?
    let saved: SavedFrom
    /// Returns the value as JSON text; nil if the object does not state it.
    let written: @Sendable (Object) -> [UInt8]?
    /// Value without the field, as JSON text.
    let usual: [UInt8]?
    let effect: PlaybackChanges

    init<Value: Equatable & Sendable>(
        of property: WritableKeyPath<Object, Value> & Sendable, _ byHand: ByHand<Value>, _ saved: SavedFrom,
        written: @escaping @Sendable (Value) -> [UInt8]?, usual: [UInt8]?, effect: PlaybackChanges,
        comparing isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.isSame = { isSame($0[keyPath: property], $1[keyPath: property]) }
        self.written = { written($0[keyPath: property]) }
        (self.saved, self.usual, self.effect) = (saved, usual, effect)
        switch byHand {
        case .replaced: merge = nil
        case .kept:
            merge = { next, present, old in
                if old[keyPath: property] == next[keyPath: property] {
                    next[keyPath: property] = present[keyPath: property]
                }
            }
        case .merged(let merged):
            merge = { next, present, old in
                next[keyPath: property] = merged(
                    present[keyPath: property], next[keyPath: property], old[keyPath: property])
            }
        }
    }
}

/// Result for a value that was changed by hand if another layout is loaded.
enum ByHand<Value: Equatable & Sendable>: Sendable {
    /// The value of the new layout holds.
    case replaced
    /// The value stays unless the new layout and the one before differ in it.
    case kept
    case merged(@Sendable (_ present: Value, _ new: Value, _ old: Value) -> Value)
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
