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
    /// Change that `cycle` stands for, up or down; nil if `cycle` sets the value after the present one.
    public let cycle: (@Sendable (_ isUp: Bool) -> Change)?
    /// True if a notice states a new value that was set by hand, since no mark and no notice of a command does.
    public let isNoticed: Bool

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
        inObjects: PartInObjects = .whole, noticed isNoticed: Bool = false,
        cycle: (@Sendable (_ isUp: Bool) -> Change)? = nil
    ) {
        (self.name, self.scope, self.takes, self.help) = (name, scope, takes, help)
        (self.idle, self.inObjects, self.isNoticed, self.cycle) = (idle, inObjects, isNoticed, cycle)
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

    /// Returns the value that a property gets if a client gives `given`; nil if the property refuses it. A number beyond
    /// the bounds is limited to them. The setters of the kinds with words of their own read those themselves.
    public func value(for given: PropertyValue) -> PropertyValue? {
        switch self {
        case .flag: given.asFlag.map { .flag($0) }
        case .number(let range, _): given.asNumber.map { .number($0.rounded(within: range)) }
        case .integer(let range):
            given.asNumber.flatMap { $0 == $0.rounded() ? .integer($0.limited(to: range)) : nil }
        case .oneOf(let values): values.first { $0.means(given) }
        case .time, .count, .parts, .tile, .other: given
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
    /// The nearest number in the range, without the error that sums of decimal fractions have: 0.3 for 0.1 + 0.2.
    fileprivate func rounded(within range: ClosedRange<Double>) -> Double {
        let limited = min(range.upperBound, max(range.lowerBound, self))
        // Rates have twelve decimals. Larger numbers have no such digits. Adding 0 makes a negative zero positive.
        let rounded = limited.magnitude < 1000 ? (limited * 1e12).rounded() / 1e12 + 0 : limited
        return range.contains(rounded) ? rounded : limited
    }

    fileprivate func limited(to range: ClosedRange<Int>) -> Int {
        self >= Double(range.upperBound)
            ? range.upperBound : self <= Double(range.lowerBound) ? range.lowerBound : Int(self)
    }

    /// "4" or "0.25"
    fileprivate var short: String { Int(exactly: self).map(String.init) ?? String(self) }
}

// Conversions of a value to the kind that a property takes. Texts are read as on a command line.
extension PropertyValue {
    /// Error if the value is refused: for a text that can't be read, or for a value of another kind.
    public var refusal: ControlError { if case .text = self { .propertyFormat } else { .propertyError } }

    public var asFlag: Bool? {
        switch self {
        case .flag(let flag): flag
        case .text("yes"): true
        case .text("no"): false
        default: nil
        }
    }

    public var asNumber: Double? {
        let number: Double? =
            switch self {
            case .integer(let integer): Double(integer)
            case .number(let number): number
            case .text(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// nil for a number that is not whole. The number 1.0 is.
    public var asInteger: Int? { asNumber.flatMap { Int(exactly: $0) } }

    public var asText: String? { if case .text(let text) = self { text } else { nil } }

    /// Seconds, or a text as in a layout.
    public var asTime: Time? {
        if case .text(let text) = self { return Time(text: text) }
        guard let seconds = asNumber, abs(seconds) <= 1e9 else { return nil }
        return Time(seconds: seconds)
    }

    public var asRate: Rate? {
        guard let number = asNumber, number > 0 else { return nil }
        return Rate(min(Rate.fastest.value, max(Rate.slowest.value, number)))
    }

    public var asVolume: Int? { asNumber.map { Int(min(100, max(0, $0)).rounded()) } }

    /// True if a value that a client gives stands for this one. A flag and a number may be given as a text.
    public func means(_ given: PropertyValue) -> Bool {
        if self == given { return true }
        if let one = asFlag, let other = given.asFlag { return one == other }
        if let one = asNumber, let other = given.asNumber { return one == other }
        return false
    }

    /// The value as a command takes it, a text without quotes.
    public var plainText: String { asText ?? JSONWriter.text(self) }
}
