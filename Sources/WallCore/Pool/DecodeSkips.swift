/// What a decoder may leave out for one tile.
public struct DecodeSkips: Hashable, Sendable {
    public var filter = Filter.everywhere
    public var frames = Frames.all

    /// Where the loop filter works, which smooths the edges between a frame's blocks.
    public enum Filter: Sendable {
        case everywhere
        /// Left out where it cannot be seen in a tile of half the size: what it would have smoothed stays within a few
        /// frames, since hardly anything builds on bidirectional ones.
        case notBidirectional
        /// Left out of all frames: the error grows until the next key frame.
        case nowhere
    }

    public enum Frames: Sendable {
        case all
        /// Those that no other builds on are not decoded.
        case referenced
    }

    public static let none = DecodeSkips()

    public init(filter: Filter = .everywhere, frames: Frames = .all) {
        (self.filter, self.frames) = (filter, frames)
    }
}

/// How far a tile degrades on a wall that can't keep up. Each step does what those before it do, too.
public enum DegradingStep: Int, Sendable, Comparable, CaseIterable {
    case nothing, loopFilter, unreferencedFrames, everySecondFrame

    /// In words, for the trace and for `i`: what is left out.
    public var words: String {
        switch self {
        case .nothing: "nothing"
        case .loopFilter: "loop filter"
        case .unreferencedFrames: "frames nobody refers to"
        case .everySecondFrame: "every second frame"
        }
    }

    public static func < (a: DegradingStep, b: DegradingStep) -> Bool { a.rawValue < b.rawValue }
}
