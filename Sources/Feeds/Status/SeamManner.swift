/// Ways in which a run takes over from the one before it.
public enum SeamManner: String, Sendable {
    /// The same decoder went on.
    case continued
    /// The pipeline closed its decoder and opened another.
    case reopened
    /// Another pipeline had prepared the run.
    case swapped
    /// The frames came from memory, or none had to be decoded.
    case replayed
}
