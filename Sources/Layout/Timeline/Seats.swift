import Base

/// Chooses the feeds that may play when there are more feeds than pipelines.
///
/// A feed without a seat shows its last frame or its preview, decoded by a lease of its own.
public enum Seats {
    /// Returns the parties that have seats at this instant of the main group's time. Feeds that are compared with each
    /// other are one party; every other feed is a party of its own. Pure: turns depend on the time only.
    ///
    /// `sizes`: number of feeds of each party. `areas`: their largest views, if `overflow` needs them. `focus`: the
    /// party that always has its seats.
    public static func holders(sizes: [Int], seats: Int, overflow: Overflow, focus: Int?, areas: [Int], at time: Time)
        -> Set<Int>
    {
        if sizes.reduce(0, +) <= seats { return Set(sizes.indices) }
        var free = seats
        var holders: Set<Int> = []
        func decide(_ party: Int) {
            guard sizes[party] <= free else { return }
            free -= sizes[party]
            holders.insert(party)
        }
        if let focus { decide(focus) }
        let others = sizes.indices.filter { $0 != focus }
        switch overflow {
        case .first: others.forEach(decide)
        case .largest: others.sorted { (areas[$1], $0) < (areas[$0], $1) }.forEach(decide)
        case .rotate(let period):
            guard free > 0, !others.isEmpty else { break }
            let turn = turn(at: time, period: period, seats: seats)
            for place in others.indices where free > 0 { decide(others[(turn + place) % others.count]) }
        }
        return holders
    }

    /// Returns the number of turns so far. One seat changes every `period / seats`.
    private static func turn(at time: Time, period: Time, seats: Int) -> Int {
        Int(max(.zero, time).ticks / step(period, seats).ticks)
    }

    private static func step(_ period: Time, _ seats: Int) -> Time {
        max(Time.milliseconds(100), period / Int64(seats))
    }

    /// Returns the time at which the next seat changes.
    public static func nextTurn(after time: Time, overflow: Overflow, seats: Int) -> Time? {
        guard seats > 0, case .rotate(let period) = overflow else { return nil }
        return step(period, seats) * Int64(turn(at: time, period: period, seats: seats) + 1)
    }
}
