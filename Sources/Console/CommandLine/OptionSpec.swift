import Base

/// Description of an option: `--name` or `--name VALUE`.
public struct OptionSpec: Sendable {
    public let name: String
    /// Letter of the short form, as in -o; nil if the option has none.
    public let short: Character?
    /// nil if the option takes no value.
    public let value: OptionValueSpec?
    /// Help in one line, as `--help` prints it.
    public let help: String
    /// Default value in words; nil if the layout sets the default, or there is none.
    public let defaultText: String?

    /// Place of the default value in the help.
    public enum DefaultPlace: Sendable {
        /// In parentheses after the help.
        case afterHelp
        /// The text of the help or of the value already states it.
        case notAfterHelp
    }

    init(
        name: String, short: Character?, value: OptionValueSpec?, help: String, defaultText: String? = nil,
        _ place: DefaultPlace = .afterHelp
    ) {
        (self.name, self.short, self.value, self.defaultText) = (name, short, value, defaultText)
        switch (defaultText, place) {
        case (let defaultText?, .afterHelp): self.help = "\(help) (\(defaultText))"
        case (_, _): self.help = help
        }
    }

    /// "--name VALUE"
    public var usage: String { "--\(name)" + (value.map { " \($0.placeholder)" } ?? "") }

    /// The description as an object, for `quadrille --registry`.
    public var fields: [PropertyField] {
        var fields = [PropertyField("name", .text("--\(name)"))]
        if let short { fields.append(PropertyField("short", .text("-\(short)"))) }
        if let value { fields.append(PropertyField("value", .object(value.fields))) }
        fields.append(PropertyField("help", .text(help)))
        if let defaultText { fields.append(PropertyField("default", .text(defaultText))) }
        return fields
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

    var fields: [PropertyField] {
        let (name, more): (String, [PropertyField]) =
            switch kind {
            case .text: ("text", [])
            case .file: ("file", [])
            case .folder: ("folder", [])
            case .list: ("list", [])
            case .whole(let range, let other):
                ("whole", bounds(.integer(range.lowerBound), .integer(range.upperBound)) + words(other.map { [$0] }))
            case .number(let range): ("number", bounds(.number(range.lowerBound), .number(range.upperBound)))
            case .words(let all): ("word", words(all))
            case .time: ("time", [])
            case .length: ("length", [])
            case .offset: ("offset", [])
            case .size: ("size", [])
            case .position: ("position", [])
            case .frameRate: ("frame-rate", [])
            }
        return [PropertyField("kind", .text(name)), PropertyField("placeholder", .text(placeholder))] + more
            + (names.map { [PropertyField("names", .text($0.rawValue))] } ?? [])
    }

    private func bounds(_ least: PropertyValue, _ most: PropertyValue) -> [PropertyField] {
        [PropertyField("min", least), PropertyField("max", most)]
    }

    private func words(_ words: [String]?) -> [PropertyField] {
        words.map { [PropertyField("words", .list($0.map(PropertyValue.text)))] } ?? []
    }
}
