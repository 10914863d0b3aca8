/// When pictures of a tile were due and not shown, by the `picture` events of its trace.
public struct MissedPictures: Sendable {
    public struct Gap: Sendable, Equatable {
        /// When the pictures before and after it were presented, in seconds of the trace.
        public let from: Double
        public let to: Double
        public let count: Int
    }

    public let gaps: [Gap]

    /// `rate`: pictures a second of what the tile plays.
    public init(_ trace: Trace, tile: String, rate: Double) {
        var gaps: [Gap] = []
        var last: (time: Double, due: Double)?
        for event in trace.events("picture", tile: tile) {
            guard let due = event.number("due") else { continue }
            if let last {
                let count = Int(((due - last.due) * rate).rounded()) - 1
                if count > 0 { gaps.append(Gap(from: last.time, to: event.time, count: count)) }
            }
            last = (event.time, due)
        }
        self.gaps = gaps
    }
}
