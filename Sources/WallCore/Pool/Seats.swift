/// Who may play when there are more feeds than pipelines.
enum Seats {
    /// The feeds that have a seat at this instant of the main group's time. Pure: turns follow from the time alone.
    ///
    /// `areas` are the feeds' largest views, where `overflow` asks for them; `focus` always has a seat.
    static func holders(
        count: Int, seats: Int, overflow: Overflow, focus: Int?, areas: [Int], at time: Time
    ) -> Set<Int> {
        if count <= seats { return Set(0..<count) }
        guard seats > 0 else { return [] }
        let others = (0..<count).filter { $0 != focus }
        let free = focus == nil ? seats : seats - 1
        var holders = Set(focus.map { [$0] } ?? [])
        switch overflow {
        case .first:
            holders.formUnion(others.prefix(free))
        case .largest:
            holders.formUnion(others.sorted { (areas[$1], $0) < (areas[$0], $1) }.prefix(free))
        case .rotate(let period):
            guard free > 0 else { break }
            let turn = turn(at: time, period: period, seats: seats)
            for place in 0..<free { holders.insert(others[(turn + place) % others.count]) }
        }
        return holders
    }

    /// One seat changes hands every `period / seats`.
    private static func turn(at time: Time, period: Time, seats: Int) -> Int {
        Int(max(.zero, time).ticks / step(period, seats).ticks)
    }

    private static func step(_ period: Time, _ seats: Int) -> Time {
        max(Time.milliseconds(100), period / Int64(seats))
    }

    /// When the next seat changes hands.
    static func nextTurn(after time: Time, overflow: Overflow, seats: Int) -> Time? {
        guard seats > 0, case .rotate(let period) = overflow else { return nil }
        return step(period, seats) * Int64(turn(at: time, period: period, seats: seats) + 1)
    }
}
