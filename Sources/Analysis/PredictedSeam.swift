import Base

/// A seam from one run to the next in a tile, and its faults as predicted.
public struct PredictedSeam: Sendable {
    public var kind: Kind
    /// Item that begins at the seam, and time from the start of the iteration; nil if that is not known.
    public var item: Int
    public var at: Time?
    public var fade = SeamFade()
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

/// Length of the fade of a seam.
public struct SeamFade: Hashable, Sendable {
    /// Length that the layout specifies.
    public var wanted = Time.zero
    public var length = Time.zero
    /// Longest fade that the memory holds; nil if the frame size is not known.
    public var memory: Time?

    /// Reason for a fade shorter than specified; nil if the fade has its length.
    public var bound: Bound? {
        if length >= wanted { return nil }
        return memory.map { length >= $0 } ?? false ? .memory : .item
    }

    public enum Bound: String, Sendable {
        case memory
        /// Half of the shorter item.
        case item
    }
}
