import Base

/// Description of a property: its name, its owner, the values that it takes, and a line of help. `Property` in Player
/// and `ProgramProperty` in Control add how it is read and set.
public struct PropertySpec: Sendable {
    public let name: String
    public let scope: Scope
    /// Values that the property takes; nil if it can only be read.
    public let takes: PropertyKind?
    public let help: String
    /// Value while no tile has the focus.
    public let idle: Idle
    /// The property's part in the objects `tiles`, `groups` and `wall`.
    public let inObjects: PartInObjects
    /// Command of `cycle`, up or down; nil if `cycle` sets the value after the present one.
    public let cycle: (@Sendable (_ isUp: Bool) -> Command)?

    public enum Scope: Hashable, Sendable {
        /// The focused tile by the property's name alone, and any tile as tiles/ID/NAME.
        case tile
        /// A tile as tiles/ID/NAME alone.
        case namedTile
        /// A group as groups/NAME/NAME.
        case group
        case wall
        /// The program around the wall.
        case program
    }

    public enum Idle: Hashable, Sendable {
        case unavailable
        case value(PropertyValue)
        /// The value of the main group's property of that name.
        case mainGroup
    }

    public enum PartInObjects: Hashable, Sendable {
        case whole
        /// Texts lose the secrets of their URLs.
        case withoutSecrets
        case absent
    }

    public init(
        _ name: String, _ scope: Scope, takes: PropertyKind? = nil, _ help: String, idle: Idle = .unavailable,
        inObjects: PartInObjects = .whole, cycle: (@Sendable (_ isUp: Bool) -> Command)? = nil
    ) {
        (self.name, self.scope, self.takes, self.help) = (name, scope, takes, help)
        (self.idle, self.inObjects, self.cycle) = (idle, inObjects, cycle)
    }

    public var isSettable: Bool { takes != nil }

    /// The name as a client writes it.
    public var path: String {
        switch scope {
        case .tile, .wall, .program: name
        case .namedTile: "tiles/ID/\(name)"
        case .group: "groups/NAME/\(name)"
        }
    }

    /// Error message for a value that the property does not take.
    public var refusal: String { takes.map { "\(name) takes \($0.words)" } ?? Self.readOnly(name) }

    /// Message that the property's name is no command, with the commands that set the property.
    public var asCommand: String {
        let start = "no command is called \(name.quoted): it is a property"
        guard let takes else { return "\(start) that can only be read (quadrille ctl get \(path))" }
        let others =
            switch takes {
            case .flag: ["set \(path) yes", "cycle \(path)"]
            case .oneOf: ["set \(path) VALUE", "cycle \(path)"]
            case .number, .integer: ["set \(path) VALUE", "add \(path) NUMBER"]
            default: ["set \(path) VALUE"]
            }
        return "\(start); \(others.map(\.quoted).joined(separator: " or ")) would be right"
    }

    public static func readOnly(_ name: String) -> String { "\(name) can only be read" }
}

/// Kind and bounds of the values that a property takes.
public enum PropertyKind: Hashable, Sendable {
    case flag
    /// A number, and its unit if that is not obvious.
    case number(ClosedRange<Double>, String = "a number")
    case integer(ClosedRange<Int>)
    /// One of these values. `cycle` sets the next one.
    case oneOf([PropertyValue])
    /// Seconds, or a text as in a layout.
    case time
    /// A count of the thing that the words name. `cycle` switches between no and inf.
    case count(String)
    /// Values of parts, which may also be set by a path such as stems/NAME/volume. Each part has a kind of its own.
    case parts(String, [String: PropertyKind])
    /// The id of a tile, or a word that stands for no tile.
    case tile(or: String? = nil)
    /// Values that the words describe.
    case other(String)

    /// The values in words, as error messages and the manual give them.
    public var words: String {
        switch self {
        case .flag: "true or false (yes or no)"
        case .number(let range, let unit): "\(unit) from \(range.lowerBound.short) to \(range.upperBound.short)"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .oneOf(let values): alternatives(values.map(\.plainText))
        case .time: "seconds, or a time as 1:23.5"
        case .count(let words): "\(words), inf, or no"
        case .tile(let other): "a tile's id" + (other.map { ", or \($0)" } ?? "")
        case .parts(let words, _), .other(let words): words
        }
    }

    /// Values that completions offer, beside the ids of tiles; empty if they are too many to list.
    public var choices: [String] {
        switch self {
        case .flag: ["yes", "no"]
        case .tile(let other): other.map { [$0] } ?? []
        case .oneOf(let values): values.map(\.plainText)
        case .count: ["inf", "no"]
        case .number, .integer, .time, .parts, .other: []
        }
    }

    /// Limits the result of `add`, `multiply` or `cycle` to the bounds, as mpv does.
    public func bounded(_ number: Double) -> Double {
        switch self {
        case .number(let range, _): min(range.upperBound, max(range.lowerBound, number))
        case .integer(let range): min(Double(range.upperBound), max(Double(range.lowerBound), number))
        case .flag, .oneOf, .time, .count, .parts, .tile, .other: number
        }
    }

    /// Returns the value of the kind that a client means; nil if there is none. For a flag, an integer and one of some
    /// values.
    public func value(for given: PropertyValue) -> PropertyValue? {
        switch self {
        case .flag: given.asFlag.map { .flag($0) }
        case .integer(let range): given.asInteger.flatMap { range.contains($0) ? .integer($0) : nil }
        case .oneOf(let values): values.first { $0.means(given) }
        default: nil
        }
    }

    /// Returns the kind of the values at a path that begins with the property's name. nil if only parts of the value
    /// there can be set, or none.
    public func part(at path: String) -> PropertyKind? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if names.count == 1 { return self }
        guard case .parts(_, let kinds) = self, names.count == 3 else { return nil }
        return kinds[names[2]]
    }
}

extension Double {
    /// "4" or "0.25"
    fileprivate var short: String { Int(exactly: self).map(String.init) ?? String(self) }
}
