/// How a clip lies in time against another, or why that is not known.
public enum AlignVerdict: Sendable, Equatable {
    /// The offset of a tile that plays it, where the other's is 0: positive is ahead. `confidence` is 0 to 1.
    case found(offset: Time, confidence: Double)
    case refused(AlignRefusal)
}

/// Why two clips are not aligned: an offset would be a guess.
public enum AlignRefusal: Sendable, Equatable {
    case tooShort
    /// Silence, black, a tone, a frame that stands.
    case tooEven
    /// What changes does so at too few places.
    case tooFew
    /// They fit as well at another offset.
    case repeats(Time, Time)
    case unrelated
}

/// Decides by how the best places of a comparison stand out.
struct MatchJudge {
    /// How well the best place agrees: 1 is entirely.
    let score: Double
    /// How many times the standard deviation of places that do not belong together that is.
    let prominence: Double
    /// The second best place's score as a share of the best one's.
    let rival: Double
    /// At how many moments there is something that agrees.
    let events: Double
    /// Next to nothing is left that does not agree: then a place that agrees fairly well is another all the same.
    var isExact = false

    static let fewestEvents = 3.5
    static let largestRival = 0.6
    static let largestRivalOfExact = 0.85

    /// What must be there before two clips are taken for the same event.
    struct Limits {
        var score: Double
        var prominence: Double
    }

    /// nil: it is the same event, and `best` is where it is. Any of `limits` is enough.
    func refusal(_ limits: [Limits], _ best: Time, _ second: Time) -> AlignRefusal? {
        guard limits.contains(where: { score >= $0.score && prominence >= $0.prominence }) else { return .unrelated }
        if events < Self.fewestEvents { return .tooFew }
        return rival <= (isExact ? Self.largestRivalOfExact : Self.largestRival) ? nil : .repeats(best, second)
    }

    /// 1 is certain.
    var confidence: Double { max(0, 1 - rival * rival) * min(1, max(score, prominence / 12)) }
}
