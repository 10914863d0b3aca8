import WallCore

/// What the socket's clients control. Called on the socket's thread; a call takes microseconds and never blocks.
public protocol ControlTarget: Sendable {
    /// Runs a command, or has it run elsewhere. `answer` is called once, in this call or later, on any thread; a second
    /// call is ignored. nil is answered as `"data":null`, as mpv answers a command that has nothing to say.
    /// Until then the client's following requests wait, unless it asked for `async`.
    func run(_ command: ControlCommand, answer: @escaping @Sendable (Result<PropertyValue?, ControlError>) -> Void)

    func property(_ name: String) -> Result<PropertyValue, ControlError>

    /// nil: it is set. What follows from it is said with `ControlSocket.propertiesChanged`.
    func setProperty(_ name: String, _ value: PropertyValue) -> ControlError?

    /// Why reading or setting a property was refused: a sentence for people. nil if mpv's word says all.
    func reason(_ error: ControlError, of property: String) -> String?

    /// The names of the events that this target posts and mpv does not know, for `enable_event` and `disable_event`.
    var eventNames: [String] { get }
}

extension ControlTarget {
    public func reason(_ error: ControlError, of property: String) -> String? { nil }
}

/// A command as a client sent it.
public struct ControlCommand: Hashable, Sendable {
    /// With "-" where the client wrote "_", as in mpv.
    public var name: String
    /// By position. Those of a text command are texts, with `${properties}` already expanded.
    public var arguments: [PropertyValue]
    /// By name; a command has one kind or the other.
    public var named: [PropertyField]
    /// Who sent it: "ipc_0", "ipc_1", ...
    public var client: String

    public init(_ name: String, _ arguments: [PropertyValue] = [], named: [PropertyField] = [], client: String) {
        self.name = name
        self.arguments = arguments
        self.named = named
        self.client = client
    }
}

/// Something that happened, for every client that has not disabled events of this name. Two names are mpv's own:
/// `client-message` has the field `args`; `log-message` has `prefix`, `level` and `text`, and goes to those clients
/// that asked for that level with `request_log_messages`.
public struct ControlEvent: Hashable, Sendable {
    public var name: String
    public var fields: [PropertyField]

    public init(_ name: String, _ fields: [PropertyField] = []) {
        self.name = name
        self.fields = fields
    }
}
