/// What interrupts some tiles now and then; they go on with what they played before.
public struct BreakLayout: Sendable, Equatable {
    public var name: String
    /// By id; nil: all that play.
    public var tiles: [String]?
    public var play: [Item]
    /// From the end of the one before.
    public var every: Time?
    /// Seconds of the day, local.
    public var times: [Int] = []
    /// Of the first of its tiles.
    public var afterItems: Int?
    public var when = When.itemEnd
    /// When the first of its tiles ends its item the others stop there.
    public var isTogether = false

    public init(name: String, play: [Item]) { (self.name, self.play) = (name, play) }

    var isByItemsAlone: Bool { afterItems != nil && every == nil && times.isEmpty }

    public enum When: String, Sendable {
        case itemEnd = "item-end"
        /// As soon as its first frame is there.
        case now
    }
}

extension Layout {
    /// Breaks that come by the clock in these instants, seconds since 1970, the first one first.
    public func breaks(comingIn instants: Range<Int>, _ zone: LocalTime) -> [(name: String, instant: Int)] {
        if breaks.allSatisfy(\.times.isEmpty) || instants.isEmpty { return [] }
        let (first, last) = (zone.clock(at: instants.lowerBound).date.day, zone.clock(at: instants.upperBound).date.day)
        // A clock that goes back over midnight is on the day before again.
        let days = min(first, last)...max(first, last)
        return breaks.flatMap { entry in
            days.flatMap { day in
                entry.times.map { (name: entry.name, instant: zone.instant(CivilDate(day: day), $0)) }
            }
        }.filter { instants.contains($0.instant) }.sorted { $0.instant < $1.instant }
    }

    /// The ids of the tiles of a break.
    func tiles(of due: BreakLayout) -> [String] { due.tiles ?? playingTiles.map(\.id) }
}
