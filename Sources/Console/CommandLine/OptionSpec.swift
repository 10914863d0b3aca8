import Base

/// Description of an option: `--name` or `--name VALUE`.
public struct OptionSpec: Sendable {
    public let name: String
    /// Letter of the short form, as in -o; nil if the option has none.
    public let short: Character?
    /// nil if the option takes no value.
    public let value: OptionValueSpec?
    /// Help in one line, as `--help` prints it.
    public internal(set) var help: String
    /// Default value in words; nil if the layout sets the default, or there is none.
    public internal(set) var defaultText: String?

    /// "--name VALUE"
    public var usage: String { "--\(name)" + (value.map { " \($0.placeholder)" } ?? "") }

    /// The description as an object, for `quadrille --registry`.
    public var json: PropertyValue {
        let all: PropertyValue = [
            "name": .text("--\(name)"), "short": .textOrNull(short.map { "-\($0)" }), "value": value?.json ?? .null,
            "help": .text(help), "default": .textOrNull(defaultText),
        ]
        return all.withoutNulls
    }
}

/// Description of an option's value.
public struct OptionValueSpec: Sendable {
    /// Name of the value in the help.
    public let placeholder: String
    public let kind: Kind
    /// Least and greatest number; nil for other kinds.
    let bounds: (PropertyValue, PropertyValue)?
    /// All words that are taken; of another kind than `word`, those that are taken as well.
    public let words: [String]
    /// Kind of name that the value is; nil if it is none.
    public let names: NameKind?

    public enum Kind: String, Sendable {
        case text, file, folder
        /// Names with commas between them.
        case list
        case whole, number, word
        /// Seconds, or a time as 1:23.5, from 0 on.
        case time
        /// A time above 0.
        case length
        /// A time that may be negative.
        case offset
        case size, position
        case frameRate = "frame-rate"
    }

    fileprivate var json: PropertyValue {
        let value: PropertyValue = [
            "kind": .text(kind.rawValue), "placeholder": .text(placeholder), "min": bounds?.0 ?? .null,
            "max": bounds?.1 ?? .null, "words": words.isEmpty ? .null : .list(words.map(PropertyValue.text)),
            "names": .textOrNull(names?.rawValue),
        ]
        return value.withoutNulls
    }
}
