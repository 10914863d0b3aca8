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

    init(name: String, short: Character?, value: OptionValueSpec? = nil, help: String) {
        (self.name, self.short, self.value, self.help) = (name, short, value, help)
    }

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
    /// Kind of name that the value is; nil if it is none.
    public let names: NameKind?

    init(placeholder: String, kind: Kind, names: NameKind?) {
        (self.placeholder, self.kind) = (placeholder, kind)
        self.names =
            switch kind {
            case .file: names ?? .file
            case .folder: .folder
            default: names
            }
    }

    public enum Kind: Sendable {
        case text, file, folder
        /// Names with commas between them.
        case list
        /// A whole number. `or`: a word that is taken as well.
        case whole(ClosedRange<Int>, or: String?)
        case number(ClosedRange<Double>)
        case words([String])
        /// Seconds, or a time as 1:23.5, from 0 on.
        case time
        /// A time above 0.
        case length
        /// A time that may be negative.
        case offset
        case size, position, frameRate
    }

    fileprivate var json: PropertyValue {
        var more: PropertyValue = [:]
        let name: String
        switch kind {
        case .whole(let range, let other):
            name = "whole"
            more = ["min": .integer(range.lowerBound), "max": .integer(range.upperBound)]
            if let other { more = more.adding(["words": .list([.text(other)])]) }
        case .number(let range):
            (name, more) = ("number", ["min": .number(range.lowerBound), "max": .number(range.upperBound)])
        case .words(let words): (name, more) = ("word", ["words": .list(words.map(PropertyValue.text))])
        case .frameRate: name = "frame-rate"
        default: name = "\(kind)"
        }
        return (["kind": .text(name), "placeholder": .text(placeholder)] as PropertyValue).adding(more)
            .adding(["names": .textOrNull(names?.rawValue)]).withoutNulls
    }
}
