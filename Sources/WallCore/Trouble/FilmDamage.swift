/// What is wrong with a source that plays all the same.
public enum FilmDamage: Sendable, Hashable, CaseIterable {
    case cutOff
    /// A server ended too early, or segments of a list can't be opened.
    case missingParts
    /// Parts that a server was to send, and is gone.
    case unreachableParts
    /// Segments of a list that its server does not give out.
    case refusedParts
    case brokenFrames
    /// Its frames are counted on over the jumps.
    case jumpingTimestamps

    public var trouble: SourceTrouble {
        switch self {
        case .cutOff:
            SourceTrouble(.damaged, "it is cut off, or still being written: its head names more than there is")
        case .missingParts: SourceTrouble(.damaged, "parts of it are missing, or may not be opened")
        case .unreachableParts:
            SourceTrouble(.unreachable, "parts of it could not be fetched: the connection was lost")
        case .refusedParts:
            SourceTrouble(.refused, "the server refuses parts of it, or no longer has them (403, 404 or the like)")
        case .brokenFrames: SourceTrouble(.damaged, "some of its frames can't be decoded whole")
        case .jumpingTimestamps: SourceTrouble(.damaged, "its timestamps jump")
        }
    }

    /// Only reading a film to its end tells.
    static let seenInReading: [FilmDamage] = [
        .missingParts, .unreachableParts, .refusedParts, .brokenFrames, .jumpingTimestamps,
    ]
}
