import Base

/// A command as a client sent it.
public struct ControlCommand: Hashable, Sendable {
    /// By `name(of:)`.
    public var name: String
    /// Positional arguments. Those of a text command are texts, with `${properties}` already expanded.
    public var arguments: [PropertyValue]
    /// Named arguments; a command has one kind or the other.
    public var named: [PropertyField]
    /// Sender of the command: "ipc_0", "ipc_1", ... for clients of the socket, or "keys".
    public var client: String

    public init(_ name: String, _ arguments: [PropertyValue] = [], named: [PropertyField] = [], client: String) {
        (self.name, self.arguments, self.named, self.client) = (name, arguments, named, client)
    }

    /// The command of a key. `arguments`: its arguments, in which properties may be expanded.
    public init(_ text: TextCommand, _ arguments: [String]) {
        self.init(Self.name(of: text.name), arguments.map { .text($0) }, client: "keys")
    }

    /// The name, and the arguments that are texts.
    var words: [String] { [name] + arguments.compactMap(\.asText) }

    /// Returns the name for a command's word as a client writes it: "-" stands for "_", as in mpv.
    public static func name(of word: String) -> String { String(word.map { $0 == "_" ? "-" : $0 }) }
}

/// A command, and the words before it that say what it is for.
public struct AddressedCommand: Sendable {
    /// nil if the command names neither a tile nor a group.
    public let owner: Owner?
    /// True if a command about time is for a tile alone, which leaves its group.
    public let isAlone: Bool
    public let command: ControlCommand

    /// A tile or a group that a command is for, by its name.
    public enum Owner: Hashable, Sendable { case tile(String), group(String) }

    private static let words = ["tile", "group", "alone"]

    /// Takes `tile ID` or `group NAME`, and `alone`, off a command. Throws if no other command follows.
    public init(_ command: ControlCommand) throws(ControlError) {
        guard Self.words.contains(command.name) else {
            (owner, isAlone, self.command) = (nil, false, command)
            return
        }
        var words = command.arguments[...], owner: Owner?, isAlone = command.name == "alone"
        if !isAlone {
            owner = words.popFirst()?.asText.map { command.name == "tile" ? .tile($0) : .group($0) }
            isAlone = words.first == .text("alone")
            if isAlone { words.removeFirst() }
        }
        guard command.named.isEmpty, owner != nil || command.name == "alone", let name = words.popFirst()?.asText,
            !Self.words.contains(name)
        else {
            let names = ["tile": "ID [alone] ", "group": "NAME [alone] "][command.name] ?? ""
            throw ControlError(.invalidParameter, because: "usage: \(command.name) \(names)COMMAND ...")
        }
        (self.owner, self.isAlone) = (owner, isAlone)
        self.command = ControlCommand(name, Array(words), client: command.client)
    }
}
