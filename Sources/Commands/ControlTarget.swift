import Base

/// The receiver of the commands of a protocol's clients, such as the control socket's. Called on the protocol's thread;
/// a call takes microseconds and never blocks.
public protocol ControlTarget: Sendable {
    /// Runs a command here or elsewhere. `answer` is called once, in this call or later, on any thread; a second call
    /// is ignored. A nil answer has no data; the socket sends `"data":null`, as mpv does. The client's next requests
    /// wait for the answer, unless the client asked for `async`.
    func run(_ command: ControlCommand, answer: @escaping @Sendable (Result<PropertyValue?, ControlError>) -> Void)

    func property(_ name: String) -> Result<PropertyValue, ControlError>

    /// Returns nil if the property was set. The target reports resulting changes to the protocol.
    func setProperty(_ name: String, _ value: PropertyValue) -> ControlError?

    /// Explains in a sentence why a property could not be read or set; nil if the error's word suffices.
    func reason(_ error: ControlError, of property: String) -> String?

    /// Names of all events that this target posts and mpv lacks.
    var eventNames: [String] { get }
}

extension ControlTarget {
    public func reason(_ error: ControlError, of property: String) -> String? { nil }
}
