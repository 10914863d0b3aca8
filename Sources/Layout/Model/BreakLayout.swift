import Base
import Commands

/// A break that interrupts some tiles now and then. Afterwards they continue what they played before.
public struct BreakLayout: Sendable, Equatable {
    public var name: String
    /// Ids of its tiles; nil means all that play.
    public var tiles: [String]?
    public var play: [Item]
    /// Time from the end of one break to the next.
    public var every: Time?
    /// Local times of day, in seconds.
    public var times: [Int] = []
    /// Number of items of the break's first tile after which the break comes.
    public var afterItems: Int?
    public var when = When.itemEnd
    /// True if the other tiles stop when the first one ends its item.
    public var isTogether = false
    /// True if a command for the break is refused while the break is on or waits.
    public var isOnce = false
    /// Commands that run when the break has started, and when it has ended; nil for none.
    public var first: KeyCommand?
    public var then: KeyCommand?

    public var isByItemsAlone: Bool { afterItems != nil && every == nil && times.isEmpty }

    public enum When: String, Sendable {
        case itemEnd = "item-end"
        /// Begins as soon as its first source is open. A break of several tiles together begins with the end of an
        /// item.
        case now
    }
}

extension Layout {
    /// Returns the breaks that are due in these instants (seconds since 1970), earliest first.
    public func breaks(comingIn instants: Range<Int>, _ zone: LocalTime) -> [(name: String, instant: Int)] {
        if breaks.allSatisfy(\.times.isEmpty) || instants.isEmpty { return [] }
        let days = zone.days(of: instants)
        return breaks.flatMap { entry in
            days.flatMap { day in
                entry.times.map { (name: entry.name, instant: zone.instant(CivilDate(day: day), $0)) }
            }
        }.filter { instants.contains($0.instant) }.sorted { $0.instant < $1.instant }
    }

    /// The ids of the tiles of a break.
    public func tiles(of entry: BreakLayout) -> [String] { entry.tiles ?? playingTiles.map(\.id) }
}
