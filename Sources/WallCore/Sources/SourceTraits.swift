/// What can be done with an open source, whatever kind it is of.
public struct SourceTraits: Sendable, Hashable {
    public let place: Place
    /// A run can be entered anywhere in it, and it is kept for another run.
    public let isSeekable: Bool

    public enum Place: Sendable {
        /// Reading takes no time to speak of.
        case file
        case device, network
    }

    public init(_ place: Place, isSeekable: Bool) { (self.place, self.isSeekable) = (place, isSeekable) }

    /// All of it can be read at once, as often as wanted.
    public var isAtHand: Bool { place == .file && isSeekable }
}
