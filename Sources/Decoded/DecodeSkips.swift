/// Work that a decoder may leave out for one tile.
public struct DecodeSkips: Hashable, Sendable {
    public var filter = Filter.everywhere
    public var frames = Frames.all

    /// Frames to which the decoder applies its loop filter (deblocking).
    public enum Filter: Sendable {
        case everywhere
        /// Left out of bidirectional frames (B-frames). A tile of half the frame's size does not show the difference.
        /// The error stays within a few frames, since hardly any frame refers to a B-frame.
        case notBidirectional
        /// Left out of all frames: the error grows until the next key frame.
        case nowhere
    }

    public enum Frames: Sendable {
        case all
        /// Non-reference frames are not decoded.
        case referenced
    }

    public static let none = DecodeSkips()

    public init(filter: Filter = .everywhere, frames: Frames = .all) { (self.filter, self.frames) = (filter, frames) }

    /// Codecs whose decoders can leave out the loop filter, and those whose decoders can leave out frames.
    private static let filtering: Set = ["h264", "hevc", "vp8"]
    private static let droppingFrames: Set = ["h264", "hevc", "mpeg2video", "mpeg4"]

    /// Names of the work that a decoder of this codec leaves out.
    public func words(by codec: String) -> [String] {
        var words: [String] = []
        if Self.filtering.contains(codec) {
            switch filter {
            case .everywhere: break
            case .notBidirectional: words.append("loop filter of B-frames")
            case .nowhere: words.append(DegradingStep.loopFilter.words)
            }
        }
        if frames == .referenced, Self.droppingFrames.contains(codec) {
            words.append(DegradingStep.unreferencedFrames.words)
        }
        return words
    }
}

/// Level of degrading of a tile on a wall that can't keep up. Each level includes those before it.
public enum DegradingStep: Int, Sendable, Comparable, CaseIterable {
    case nothing, loopFilter, unreferencedFrames, everySecondFrame

    /// Name for the trace and for `i`: the work that is left out.
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
