/// Reason for refusing a command or a property.
///
/// Clients compare mpv's word, so two errors with the same word are equal. The detail is a sentence for the user.
public struct ControlError: Error, Hashable, Sendable {
    /// Errors by mpv's names.
    public enum Word: String, Hashable, Sendable {
        /// No such command, or arguments that it does not take. A command refused with this error has had no effect.
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

    public let word: Word
    /// One line with the mistake and the remedy; nil if `word` is enough.
    public var detail: String?

    public init(_ word: Word, because detail: String? = nil) { (self.word, self.detail) = (word, detail) }

    public static func == (a: ControlError, b: ControlError) -> Bool { a.word == b.word }
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }

    /// Returns the same error with a detail, unless it has one.
    public func detailed(_ detail: @autoclosure () -> String?) -> ControlError {
        self.detail == nil ? ControlError(word, because: detail()) : self
    }

    public static let invalidParameter = ControlError(.invalidParameter)
    public static let propertyNotFound = ControlError(.propertyNotFound)
    public static let propertyUnavailable = ControlError(.propertyUnavailable)
    public static let propertyFormat = ControlError(.propertyFormat)
    public static let propertyError = ControlError(.propertyError)
    public static let commandError = ControlError(.commandError)
    public static let loadingFailed = ControlError(.loadingFailed)
    public static let notSupported = ControlError(.notSupported)
}
