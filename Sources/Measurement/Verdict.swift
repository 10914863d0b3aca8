import Base

/// Offset of a clip against another, or the reason why none is known.
public enum AlignVerdict: Sendable, Equatable {
    /// Offset of a tile that plays the clip, if the other's is 0. A positive offset is a lead. `confidence`: 0 to 1.
    case found(offset: Time, confidence: Double)
    case refused(AlignRefusal)
}

/// Reason why two clips are not aligned. An offset would be a guess.
public enum AlignRefusal: Sendable, Equatable {
    case tooShort
    /// Silence, black, a tone or a still frame.
    case tooEven
    /// The clips change at too few places.
    case tooFew
    /// The clips fit as well at another offset.
    case repeats(Time, Time)
    case unrelated
}

/// Decides by how far the best places of a comparison stand out.
struct MatchJudge {
    /// Agreement at the best place. 1 is complete.
    let score: Double
    /// The score over the standard deviation of places that do not belong together.
    let prominence: Double
    /// Score of the second best place as a share of the best one's.
    let rival: Double
    /// Number of moments with an event that agrees.
    let events: Double
    /// True if almost everything agrees at the best place. A higher score of the second best place is then tolerated.
    var isExact = false

    static let fewestEvents = 3.5
    static let largestRival = 0.6
    static let largestRivalOfExact = 0.85

    /// Limits that two clips must reach to count as one event.
    struct Limits {
        var score: Double
        var prominence: Double
    }

    /// Returns nil if the clips are of one event, at `best`. Reaching any one of `limits` is enough.
    func refusal(_ limits: [Limits], _ best: Time, _ second: Time) -> AlignRefusal? {
        guard limits.contains(where: { score >= $0.score && prominence >= $0.prominence }) else { return .unrelated }
        if events < Self.fewestEvents { return .tooFew }
        return rival <= (isExact ? Self.largestRivalOfExact : Self.largestRival) ? nil : .repeats(best, second)
    }

    /// Confidence; 1 is certain.
    var confidence: Double { max(0, 1 - rival * rival) * min(1, max(score, prominence / 12)) }
}
