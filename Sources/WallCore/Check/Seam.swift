/// From one run to the next in a tile: what is promised of it.
public struct Seam: Sendable {
    public var tile: Int
    public var kind: Kind
    /// The item that begins there, and when, from the beginning of the iteration; nil: not known.
    public var item: Int
    public var at: Time?
    public var fade = SeamFade()
    public var reasons: [SeamReason]

    public enum Kind: String, Sendable {
        /// The sequence begins again.
        case loop
        /// An item's next round.
        case round = "repeat"
        case next
        /// Within an item.
        case segment
    }

    public var isSeamless: Bool { !reasons.contains(where: \.isFault) }
}

/// Why a seam can be seen or heard.
public struct SeamReason: Hashable, Sendable {
    public var code: Code
    public var words: String
    /// What makes a file without it; nil: the file can't be mended.
    public var remedy: Remedy?

    /// A loop whose end does not lead to its beginning is a cut, as between two scenes. That is how most films are.
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

/// Over how long a seam fades.
public struct SeamFade: Hashable, Sendable {
    /// What the layout says.
    public var wanted = Time.zero
    public var length = Time.zero
    /// What the memory holds; nil: what is shown is not known.
    public var memory: Time?

    /// What makes it shorter than it is meant to be; nil: nothing does.
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
