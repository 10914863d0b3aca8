import Base
import Layout

/// A run of a feed that may be heard. Each tile chooses its own sound of it.
public struct HeardRun {
    public let item: ItemPlace
    public let segment: Item.Segment
    /// Group time.
    public private(set) var start: Time
    public private(set) var end: Time?
    public let rate: Rate
    /// For live sources, the start of media time on the container's own timeline, which differs between connections;
    /// nil means the start of the file.
    public let origin: Int128?
    /// True if the connection of the frames passes the sound on.
    public let isPassedOn: Bool
    /// Time from the run's start during which the run before is heard too.
    public let fade: Time

    init(
        item: ItemPlace, segment: Item.Segment, start: Time, end: Time?, rate: Rate, origin: Int128?,
        isPassedOn: Bool = false, fade: Time = .zero
    ) {
        (self.item, self.segment, self.start, self.end) = (item, segment, start, end)
        (self.rate, self.origin, self.isPassedOn, self.fade) = (rate, origin, isPassedOn, fade)
    }

    mutating func shift(by change: Time) { (start, end) = (start + change, end.map { $0 + change }) }
}
