import Base
import Commands

/// The receiver of the clients' commands. Called on the socket's thread; a call takes microseconds and never blocks.
public protocol ControlTarget: Sendable {
    /// Runs a command here or elsewhere. `answer` is called once, in this call or later, on any thread; a second call
    /// is ignored. A nil answer is sent as `"data":null`, as in mpv. Until the answer the client's next requests wait,
    /// unless it asked for `async`.
    func run(_ command: ControlCommand, answer: @escaping @Sendable (Result<PropertyValue?, ControlError>) -> Void)

    func property(_ name: String) -> Result<PropertyValue, ControlError>

    /// Returns nil if the property was set. Resulting changes are reported with `ControlSocket.propertiesChanged`.
    func setProperty(_ name: String, _ value: PropertyValue) -> ControlError?

    /// Explains in a sentence why a property could not be read or set; nil if mpv's error word suffices.
    func reason(_ error: ControlError, of property: String) -> String?

    /// Names of the events that this target posts and mpv lacks, for `enable_event` and `disable_event`.
    var eventNames: [String] { get }
}

extension ControlTarget {
    public func reason(_ error: ControlError, of property: String) -> String? { nil }
}

/// A command as a client sent it.
public struct ControlCommand: Hashable, Sendable {
    /// Contains "-" where the client wrote "_", as in mpv.
    public var name: String
    /// Positional arguments. Those of a text command are texts, with `${properties}` already expanded.
    public var arguments: [PropertyValue]
    /// Named arguments; a command has one kind or the other.
    public var named: [PropertyField]
    /// Sender of the command: "ipc_0", "ipc_1", ..., or "keys".
    public var client: String

    public init(_ name: String, _ arguments: [PropertyValue] = [], named: [PropertyField] = [], client: String) {
        self.name = name
        self.arguments = arguments
        self.named = named
        self.client = client
    }
}

/// An event, sent to every client that has not disabled its name. Two names are mpv's own. `client-message` has the
/// field `args`. `log-message` has `prefix`, `level` and `text`, and goes to the clients that asked for that level with
/// `request_log_messages`.
public struct ControlEvent: Hashable, Sendable {
    public var name: String
    public var fields: [PropertyField]

    public init(_ name: String, _ fields: [PropertyField] = []) {
        self.name = name
        self.fields = fields
    }
}
