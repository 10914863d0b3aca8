import Base

/// A seam from one run to the next in a tile, and its faults as predicted.
public struct PredictedSeam: Sendable {
    public var kind: Kind
    /// Item that begins at the seam, and time from the start of the iteration; nil if that is not known.
    public var item: Int
    public var at: Time?
    /// Length of its fade, and words on that; nil if the layout wants none.
    public var fade = Time.zero
    public var wordsOnFade: String?
    public var reasons: [SeamReason]

    public enum Kind: String, Sendable {
        /// The sequence begins again.
        case loop
        /// Next round of the same item.
        case round = "repeat"
        case next
        /// Next segment within an item.
        case segment
    }

    public var isSeamless: Bool { !reasons.contains(where: \.isFault) }
}

/// Reason for a visible or audible seam.
public struct SeamReason: Hashable, Sendable {
    public var code: Code
    public var words: String
    /// Repair of the file; nil if the file can't be repaired.
    public var remedy: Remedy?

    /// A loop with unlike last and first frames is a cut, as between two scenes. Most films are like that.
    public var isFault: Bool { code != .loopApart }

    public enum Code: String, Sendable {
        case soundShorter = "sound-shorter", soundLonger = "sound-longer", soundLate = "sound-late"
        case noKeyFrame = "no-key-picture"
        case blackFirst = "black-first", blackLast = "black-last"
        case loopApart = "loop-apart", loopRepeats = "loop-repeats"
        case holds = "holds-last-picture"
        case unevenRate = "variable-rate"
        case noPipeline = "no-pipeline", turns
        case broken, damaged
        case beyondEnd = "beyond-end"
    }
}
