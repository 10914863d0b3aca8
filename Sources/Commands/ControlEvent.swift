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

/// Names of mpv's events. Clients may name each of them, as with mpv, though most are never sent.
public enum MPVEventName: String, CaseIterable, Sendable {
    case none, shutdown
    case logMessage = "log-message"
    case getPropertyReply = "get-property-reply"
    case setPropertyReply = "set-property-reply"
    case commandReply = "command-reply"
    case startFile = "start-file"
    case endFile = "end-file"
    case fileLoaded = "file-loaded"
    case idle, tick
    case clientMessage = "client-message"
    case videoReconfig = "video-reconfig"
    case audioReconfig = "audio-reconfig"
    case seek
    case playbackRestart = "playback-restart"
    /// Sent as long as the property is observed, even if this name is disabled, as mpv does.
    case propertyChange = "property-change"
    case eventQueueOverflow = "event-queue-overflow"
    case hook
}
