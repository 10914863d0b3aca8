import Base
import Layout

/// A run of a feed that may be heard. Each tile chooses its own sound of it.
struct HeardRun {
    let item: ItemPlace
    let segment: Item.Segment
    /// Group time.
    private(set) var start: Time
    private(set) var end: Time?
    let rate: Rate
    /// For live sources, the start of media time on the container's own timeline, since another connection begins
    /// elsewhere; nil means the start.
    let origin: Int128?
    /// Time from its start during which the run before is heard with it.
    let fade: Time

    init(
        item: ItemPlace, segment: Item.Segment, start: Time, end: Time?, rate: Rate, origin: Int128?, fade: Time = .zero
    ) {
        (self.item, self.segment, self.start, self.end) = (item, segment, start, end)
        (self.rate, self.origin, self.fade) = (rate, origin, fade)
    }

    mutating func shift(by change: Time) { (start, end) = (start + change, end.map { $0 + change }) }
}
