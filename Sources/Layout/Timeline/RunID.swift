/// Identifier of a run: one stretch of one source that is played through once. A slot holds one run.
public struct RunID: Hashable, Sendable {
    public var iteration: Int
    /// Index among the items of its part.
    public var item: Int
    public var round: Int
    public var segment: Int
    public var part = Part.sequence

    /// Part of what a tile plays.
    public enum Part: Sendable {
        /// The tile's own sequence.
        case sequence
        /// Items on top of the sequence.
        case top
        /// The rest of a run of the sequence that items on top have interrupted, or its last frame if it had ended.
        case rest
    }

    public init(iteration: Int, item: Int = 0, round: Int = 0, segment: Int = 0, part: Part = .sequence) {
        (self.iteration, self.item, self.round, self.segment) = (iteration, item, round, segment)
        self.part = part
    }

    public var place: ItemPlace { ItemPlace(item, isOnTop: part == .top) }

    /// The same run, or the whole run of which this is the rest.
    public var whole: RunID {
        var whole = self
        if part == .rest { whole.part = .sequence }
        return whole
    }

    /// True if both are runs of the same item in the same iteration.
    public func isOfItem(of other: RunID) -> Bool { iteration == other.iteration && place == other.place }
}

/// Place of an item: its index in a tile's sequence, or among the items on top of the sequence.
public struct ItemPlace: Hashable, Sendable {
    public var item: Int
    public let isOnTop: Bool

    public init(_ item: Int, isOnTop: Bool = false) { (self.item, self.isOnTop) = (item, isOnTop) }
}
