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
