/// Defects of a source that plays in spite of them.
public enum FilmDamage: Sendable, Hashable, CaseIterable {
    case cutOff
    /// A server closed the connection too early, or segments of a playlist can't be opened.
    case missingParts
    /// Parts could not be fetched because the connection to the server was lost.
    case unreachableParts
    /// A server refuses segments of a playlist.
    case refusedParts
    case brokenFrames
    /// Timestamps jump. Frames after a jump are timed as if they followed without one.
    case jumpingTimestamps
    /// Samples of its sound are no finite numbers, or far beyond full scale.
    case wrongSamples

    public var trouble: SourceTrouble {
        switch self {
        case .cutOff:
            SourceTrouble(.damaged, "it is truncated or still being written: its header states more data than it has")
        case .missingParts: SourceTrouble(.damaged, "parts of it are missing, or can't be opened")
        case .unreachableParts:
            SourceTrouble(.unreachable, "parts of it could not be fetched: the connection was lost")
        case .refusedParts:
            SourceTrouble(.refused, "the server refuses parts of it, or no longer has them (403, 404 or the like)")
        case .brokenFrames: SourceTrouble(.damaged, "some of its frames can't be decoded completely")
        case .jumpingTimestamps: SourceTrouble(.damaged, "its timestamps jump")
        case .wrongSamples:
            SourceTrouble(
                .damaged, "samples of its sound are no numbers or far beyond full scale; they are silenced or limited")
        }
    }

    /// Defects that only reading the film to its end shows.
    public static let seenInReading: [FilmDamage] = [
        .missingParts, .unreachableParts, .refusedParts, .brokenFrames, .jumpingTimestamps,
    ]
}
