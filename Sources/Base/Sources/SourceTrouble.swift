/// Reason why a source can't be played. Each kind asks for another remedy.
///
/// `unsupported` is not tried again; all other kinds are tried again in the next iteration. If nothing in an iteration
/// lasts any time, the feed waits 1, 2, 4, … 60 seconds. A source is reported once, until it has played.
public struct SourceTrouble: Error, Hashable, Sendable {
    public var kind: Kind
    /// Message for the user, with FFmpeg's own if there is one; without the source's name.
    public var what: String

    public init(_ kind: Kind, _ what: String) { (self.kind, self.what) = (kind, SourceName.withoutSecrets(in: what)) }

    /// A live source switched to another stream (`StreamChange`).
    public static let streamChanged = SourceTrouble(.unreachable, "the stream changed; connecting again")

    public enum Kind: String, Sendable, Hashable {
        /// No such file.
        case missing
        /// The file exists but can't be read: permissions, a directory, a FIFO, an I/O error.
        case unreadable
        /// No demuxer or decoder reads the file.
        case unsupported
        /// The file's data is invalid.
        case damaged
        /// No data within the deadline.
        case timeout
        /// No such host, no route, connection lost.
        case unreachable
        /// A server refused the request.
        case refused
    }
}
