/// How a run came to follow the one before it.
public enum SeamManner: String, Sendable {
    /// The decoder stayed open.
    case continued
    /// The pipeline closed its decoder and opened another.
    case reopened
    /// Another pipeline had warmed it.
    case swapped
    /// From memory, or nothing had to be decoded.
    case replayed
}
