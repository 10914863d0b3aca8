import Base
import Layout
import Scene

// The longest fades that a feed can hold in memory.
extension Feed {
    /// Limits the fade of each item so that the memory holds the frames of this item and of the next one, in their
    /// sizes on screen.
    public mutating func limitFades(_ basis: FadeBasis, decodeSize: (Size, _ item: ItemPlace) -> Size) {
        let isOther = seam.settle(basis)
        if isOther { reel.course.forgetFadeLimits() }
        var isChanged = isOther
        for slot in slots where timeline.fadeLimit(at: slot.run.place) == nil {
            guard let facts = sources.facts(of: slot.location) else { continue }
            let size = decodeSize(facts.natural, slot.run.place)
            reel.course.limitFade(
                at: slot.run.place, to: facts.longestFade(size, at: timeline.rate(of: slot.run), basis.memory))
            isChanged = true
        }
        // The run on screen keeps its place. The rest of its iteration moves.
        if isChanged { reel.course.keep(slots.first) }
    }
}

/// Values that determine the longest fades of a feed.
public struct FadeBasis: Equatable {
    /// Memory of the feed, in bytes.
    let memory: Int
    let rects: [Rect]

    public init(memory: Int, rects: [Rect]) { (self.memory, self.rects) = (memory, rects) }
}
