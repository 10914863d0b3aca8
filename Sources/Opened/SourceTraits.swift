/// Capabilities of an open source of any kind.
public struct SourceTraits: Sendable, Hashable {
    public let place: Place
    /// True if runs can begin anywhere in the source and it can be kept open for another run.
    public let isSeekable: Bool
    /// Kind of live source; nil if the source is finite.
    public let live: Live?

    public enum Place: Sendable {
        /// Reads take next to no time.
        case file
        case device, network
    }

    /// Kinds of live source, by the way they deliver data.
    public enum Live: Sendable {
        /// The sender sets the pace: data that is not read in time is lost or blocks the sender.
        case pushed
        /// A device of this machine makes frames on request.
        case captured
        /// Fetched: an endless response of a server.
        case pulled
        /// Fetched: a playlist that is still being written. A connection begins with its last segments.
        case listed

        /// True if a second connection may be refused, or bring other data. The connection of the frames passes the
        /// sound on.
        public var comesOnce: Bool {
            switch self {
            case .pushed, .pulled: true
            case .captured, .listed: false
            }
        }
    }

    public init(_ place: Place, isSeekable: Bool, live: Live? = nil) {
        (self.place, self.isSeekable, self.live) = (place, isSeekable, live)
    }

    /// True if all of the source can be read at once, and repeatedly.
    public var isAtHand: Bool { place == .file && isSeekable }
}
