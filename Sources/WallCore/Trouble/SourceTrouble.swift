/// Why a source cannot be played, in few kinds, each with what to do next.
public struct SourceTrouble: Error, Hashable, Sendable {
    public var kind: Kind
    /// In words, with FFmpeg's own where there are any; without the source's name.
    public var what: String

    public init(_ kind: Kind, _ what: String) { (self.kind, self.what) = (kind, SourceName.withoutSecrets(in: what)) }

    /// A live source goes on with another stream (`StreamChange`).
    public static let streamChanged = SourceTrouble(.unreachable, "the stream changed; connecting again")

    public enum Kind: String, Sendable, Hashable {
        /// No such file.
        case missing
        /// There, but it may not or cannot be read: permissions, a directory, a FIFO, an I/O error.
        case unreadable
        /// Readable, but no demuxer or decoder for it.
        case unsupported
        /// It claims to be media and its data says otherwise.
        case damaged
        /// No data within the deadline.
        case timeout
        /// No such host, no route, connection lost.
        case unreachable
        /// A server said no.
        case refused
    }
}
