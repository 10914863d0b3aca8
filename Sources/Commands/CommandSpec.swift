import Base

/// A command as text: its name, its arguments, and the change that it asks for.
public struct CommandSpec: Sendable {
    public let name: String
    public let arguments: [CommandArgument]
    /// True if any number of further arguments may follow.
    public let takesMore: Bool
    /// Kind of name that the first of the further arguments is; nil if it is none. After a command's name, the rest are
    /// that command's arguments.
    public let moreNames: NameKind?
    /// True if a key repeats the command while it is held down, since the command changes an amount.
    let repeats: Bool
    public let help: String
    let make: @Sendable (CommandArguments) -> Change?

    init(
        _ name: String, _ arguments: [CommandArgument] = [], more: Bool = false, naming moreNames: NameKind? = nil,
        repeats: Bool = false, _ help: String, _ make: @escaping @Sendable (CommandArguments) -> Change?
    ) {
        (self.name, self.arguments, takesMore, self.moreNames) = (name, arguments, more, moreNames)
        (self.repeats, self.help, self.make) = (repeats, help, make)
    }

    /// A command that asks for one change, whatever its arguments are; nil if another part of the program runs it.
    init(
        _ name: String, _ arguments: [CommandArgument], more: Bool = false, naming moreNames: NameKind? = nil,
        repeats: Bool = false, _ help: String, _ change: Change?
    ) {
        self.init(name, arguments, more: more, naming: moreNames, repeats: repeats, help) { _ in change }
    }
}

public struct CommandArgument: Hashable, Sendable {
    public let name: String
    /// Type by mpv's name for it.
    public let type: String
    public let isOptional: Bool
    /// Kind of name that the argument is; nil if it is none.
    public var names: NameKind?

    static func text(_ name: String, _ names: NameKind? = nil) -> CommandArgument {
        .init(name: name, type: "String", isOptional: false, names: names)
    }
    static func number(_ name: String) -> CommandArgument { .init(name: name, type: "Double", isOptional: false) }
    static func integer(_ name: String) -> CommandArgument { .init(name: name, type: "Integer", isOptional: false) }
    static func flags(_ name: String) -> CommandArgument { .init(name: name, type: "Flags", isOptional: true) }
    var optional: CommandArgument { .init(name: name, type: type, isOptional: true, names: names) }
}

/// Arguments given with a command, in the order of its specification.
struct CommandArguments: Sendable {
    let values: [PropertyValue?]
    let more: [PropertyValue]

    func text(_ place: Int) -> String? {
        switch values[place] {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        default: nil
        }
    }
    func number(_ place: Int) -> Double? { values[place]?.asNumber }
    func integer(_ place: Int) -> Int? { values[place]?.asInteger }
    func integer(_ place: Int, in range: ClosedRange<Int>) -> Int? {
        integer(place).flatMap { range.contains($0) ? $0 : nil }
    }
    func isMissing(_ place: Int) -> Bool { values[place] == nil }
    func time(_ place: Int) -> Time? { values[place]?.asTime }
    /// Returns the words of an argument that joins them by +; empty if the argument is missing.
    func flags(_ place: Int) -> Set<String> {
        Set((text(place) ?? "").split(separator: "+").map(String.init))
    }
}

extension CommandSpec {
    /// "seek TARGET [FLAGS]"
    public var usage: String {
        let words = arguments.map { $0.isOptional ? "[\($0.name.uppercased())]" : $0.name.uppercased() }
        return ([name] + words + (takesMore ? ["..."] : [])).joined(separator: " ")
    }

    func complaint(_ what: String) -> ControlError {
        ControlError(.invalidParameter, because: "\(name): \(what); usage: \(usage) (\(help))")
    }

    func complaint(aboutValues values: [PropertyValue?]) -> ControlError {
        for (argument, value) in zip(arguments, values) {
            guard let value else { continue }
            let isNumber = value.asNumber != nil || value.asTime != nil
            switch argument.type {
            case "Double" where !isNumber: return complaint("\(argument.name) must be a number")
            case "Integer" where value.asInteger == nil: return complaint("\(argument.name) must be a whole number")
            default: break
            }
        }
        return complaint("it does not take these values")
    }
}
