import Base

/// An event, sent to every client that has not disabled its name. mpv's events have the names of `MPVEventName`.
/// `client-message` has the field `args`. `log-message` has `prefix`, `level` and `text`, and goes to the clients that
/// asked for that level with `request_log_messages`.
public struct ControlEvent: Hashable, Sendable {
    public var name: String
    public var fields: [PropertyField]

    public init(_ name: String, _ fields: [PropertyField] = []) { (self.name, self.fields) = (name, fields) }

    public init(_ name: MPVEventName, _ fields: [PropertyField] = []) { self.init(name.rawValue, fields) }
}

/// Names of mpv's events.
public enum MPVEventName: String, CaseIterable, Sendable {
    case shutdown, idle, seek
    case logMessage = "log-message"
    case startFile = "start-file"
    case endFile = "end-file"
    case fileLoaded = "file-loaded"
    case clientMessage = "client-message"
    case playbackRestart = "playback-restart"
    /// Sent as long as the property is observed, even if this name is disabled, as mpv does.
    case propertyChange = "property-change"

    /// Names that clients may use, as with mpv: also those of events that are never sent.
    public static let known =
        allCases.map(\.rawValue) + [
            "none", "get-property-reply", "set-property-reply", "command-reply", "tick", "video-reconfig",
            "audio-reconfig", "event-queue-overflow", "hook",
        ]
}
