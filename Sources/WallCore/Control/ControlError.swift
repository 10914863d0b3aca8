/// Why a command or a property was refused, in mpv's words: its clients compare them.
public enum ControlError: String, Error, Hashable, Sendable {
    /// No such command, or arguments that it does not take. A command that is refused like this was not begun.
    case invalidParameter = "invalid parameter"
    case propertyNotFound = "property not found"
    /// There is such a property, but it has no value at present.
    case propertyUnavailable = "property unavailable"
    case propertyFormat = "unsupported format for accessing property"
    /// The property takes no such value, or none at all.
    case propertyError = "error accessing property"
    case commandError = "error running command"
    case loadingFailed = "loading failed"
    case notSupported = "not supported"
}
