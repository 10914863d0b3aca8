import Base

/// An option of a command line: its name, its value, its help, and where its value goes.
///
/// Each option is declared once, beside the values that it sets. The parser (`read`), the help and the list of all
/// options (`quadrille --registry`) are made from the declarations.
public struct Option<Target>: Sendable {
    public private(set) var spec: OptionSpec
    let take: @Sendable (inout Target, String) throws(UsageMistake) -> Void
}

extension Option {
    /// An option with a value. `take` gets each value that is given, in order.
    public init<Value>(
        _ name: String, short: Character? = nil, _ value: OptionValue<Value>, _ help: String,
        take: @escaping @Sendable (inout Target, Value) throws(UsageMistake) -> Void
    ) {
        self.init(spec: OptionSpec(name: name, short: short, value: value.spec, help: help)) {
            target, text throws(UsageMistake) in
            try take(&target, try value.read(text, "--\(name)"))
        }
    }

    /// An option without a value.
    public init(
        flag name: String, short: Character? = nil, _ help: String, take: @escaping @Sendable (inout Target) -> Void
    ) {
        self.init(spec: OptionSpec(name: name, short: short, value: nil, help: help)) { target, _ in take(&target) }
    }

    /// If it is given, a command line without mistakes throws `UsageMistake.help`.
    public static var help: Option { Option(flag: "help", short: "h", "print this help") { _ in } }

    /// Returns the options of all parts, in order.
    public static func table(_ parts: [Option]...) -> [Option] { parts.flatMap { $0 } }

    /// Returns the option with its default value in words, which the layout does not set. The help ends with it in
    /// parentheses. `isInHelp`: the text of the help or of the value states it already.
    public func `default`(_ text: String, isInHelp: Bool = false) -> Option {
        var option = self
        option.spec.defaultText = text
        if !isInHelp { option.spec.help += " (\(text))" }
        return option
    }

    /// Returns the option with another help, for a subcommand in which it means something else.
    public func described(_ help: String) -> Option {
        var option = self
        (option.spec.help, option.spec.defaultText) = (help, nil)
        return option
    }
}

extension Array {
    public func specs<Target>() -> [OptionSpec] where Element == Option<Target> { map(\.spec) }

    /// Returns the options for a command line that has their target as a part.
    public func lifted<Whole, Part>(
        into part: WritableKeyPath<Whole, Part> & Sendable
    ) -> [Option<Whole>] where Element == Option<Part> {
        map { option in
            Option<Whole>(spec: option.spec) { whole, text throws(UsageMistake) in
                try option.take(&whole[keyPath: part], text)
            }
        }
    }

    /// Returns the options except those with these names. Traps if a name is missing.
    public func without<Target>(_ names: String...) -> [Option<Target>] where Element == Option<Target> {
        for name in names { precondition(contains { $0.spec.name == name }, "--\(name) is left out and not there") }
        return filter { !names.contains($0.spec.name) }
    }

    /// Reads a command line into `target`, and returns the operands.
    public func read<Target>(
        _ arguments: [String], into target: inout Target, _ part: OptionsPart = .all
    ) throws(UsageMistake) -> [String] where Element == Option<Target> {
        var reader = Arguments(arguments[...], specs: specs())
        var (operands, wantsHelp) = ([String](), false)
        while part == .all || operands.isEmpty, let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option(let place, nil):
                let spec = self[place].spec
                throw UsageMistake("--\(spec.name) needs a value: \(spec.usage)")
            case .option(let place, let value?):
                wantsHelp = wantsHelp || self[place].spec.name == "help"
                try self[place].take(&target, value)
            }
        }
        if wantsHelp { throw .help }
        return operands + reader.rest
    }
}

/// Part of a command line in which options stand. `leading`: before the first operand, which has the rest for itself.
public enum OptionsPart { case all, leading }

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
