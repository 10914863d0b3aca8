/// Traits that sources of any kind have.
public enum SourceTraits {
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
        public var comesOnce: Bool { self == .pushed || self == .pulled }
    }
}
