import Base

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
