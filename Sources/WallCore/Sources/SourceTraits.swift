/// What can be done with an open source, whatever kind it is of.
public struct SourceTraits: Sendable, Hashable {
    public let place: Place
    /// A run can be entered anywhere in it, and it is kept for another run.
    public let isSeekable: Bool
    /// It has no length: what it plays is made now. nil: it is finite.
    public let live: Live?

    public enum Place: Sendable {
        /// Reading takes no time to speak of.
        case file
        case device, network
    }

    /// How what is live comes.
    public enum Live: Sendable {
        /// As it is made, by whoever sends it: what nobody reads is lost, or holds up the sender.
        case pushed
        /// By a device of this machine, when it is asked for.
        case captured
        /// Asked for: a list that is written on, or a server that answers without an end.
        case pulled
    }

    public init(_ place: Place, isSeekable: Bool, live: Live? = nil) {
        (self.place, self.isSeekable, self.live) = (place, isSeekable, live)
    }

    /// All of it can be read at once, as often as wanted.
    public var isAtHand: Bool { place == .file && isSeekable }
}
