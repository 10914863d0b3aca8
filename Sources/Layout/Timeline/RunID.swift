/// Identifier of a run: one stretch of one source that is played through once. A slot holds one run.
public struct RunID: Hashable, Sendable {
    public var iteration: Int
    /// Index among the items of its layer.
    public var item: Int
    public var round: Int
    public var segment: Int
    /// Layer of what a tile plays: 0 for its own sequence, 1 for the items on top of it, 2 for those on top of these. Within
    /// a layer's own timeline, that layer is 0 (`lowered`).
    public var layer: Int
    /// True for the rest of a run that a layer has interrupted, or for the last frame of one that had ended.
    public var isRest: Bool

    public init(
        iteration: Int, item: Int = 0, round: Int = 0, segment: Int = 0, layer: Int = 0, isRest: Bool = false
    ) {
        (self.iteration, self.item, self.round, self.segment) = (iteration, item, round, segment)
        (self.layer, self.isRest) = (layer, isRest)
    }

    public var place: ItemPlace { ItemPlace(item, layer: layer) }

    /// The same run, or the whole run of which this is the rest.
    public var whole: RunID { RunID(iteration: iteration, item: item, round: round, segment: segment, layer: layer) }

    /// True for the first run of a sequence in its iteration.
    public var beginsIteration: Bool { self == RunID(iteration: iteration) }

    /// True if both are runs of the same item in the same iteration.
    public func isOfItem(of other: RunID) -> Bool { iteration == other.iteration && place == other.place }
}

/// Place of an item: its index in a tile's sequence, or in a layer on top of the sequence.
public struct ItemPlace: Hashable, Sendable {
    public var item: Int
    /// 0 for the tile's own sequence.
    public let layer: Int

    public init(_ item: Int, layer: Int = 0) { (self.item, self.layer) = (item, layer) }

    public var isOnTop: Bool { layer > 0 }
}
