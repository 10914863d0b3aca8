/// Why a command or a property was refused.
///
/// Clients compare mpv's word, so two errors with the same word are equal. The detail is a sentence for people.
public struct ControlError: Error, Hashable, Sendable {
    /// The names that mpv uses.
    public enum Word: String, Hashable, Sendable {
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

    public let word: Word
    /// One line that says what is wrong and what would be right; nil if `word` says all.
    public var detail: String?

    public init(_ word: Word, because detail: String? = nil) { (self.word, self.detail) = (word, detail) }

    public static func == (a: ControlError, b: ControlError) -> Bool { a.word == b.word }
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }

    /// The same with a detail, unless it has one.
    public func detailed(_ detail: @autoclosure () -> String?) -> ControlError {
        self.detail == nil ? ControlError(word, because: detail()) : self
    }

    /// The same detail under another word.
    public func stated(as word: Word) -> ControlError { ControlError(word, because: detail) }

    public static let invalidParameter = ControlError(.invalidParameter)
    public static let propertyNotFound = ControlError(.propertyNotFound)
    public static let propertyUnavailable = ControlError(.propertyUnavailable)
    public static let propertyFormat = ControlError(.propertyFormat)
    public static let propertyError = ControlError(.propertyError)
    public static let commandError = ControlError(.commandError)
    public static let loadingFailed = ControlError(.loadingFailed)
    public static let notSupported = ControlError(.notSupported)
}
