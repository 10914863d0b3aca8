/// Frames of a tile that were due and not shown, from the `picture` events of its trace.
public struct DroppedFrames: Sendable {
    public struct Gap: Sendable, Equatable {
        /// Times at which the frames before and after it were presented, in seconds of the trace.
        public let from: Double
        public let to: Double
        public let count: Int
    }

    /// In seconds of the trace.
    public struct Frame: Sendable, Equatable {
        let time: Double
        let due: Double
    }

    public let gaps: [Gap]
    /// nil if no frame was presented, here and before.
    public let last: Frame?

    /// `rate`: frame rate of the tile's film. `before`: last frame of the preceding part of the trace.
    public init(_ trace: Trace, tile: String, rate: Double, after before: Frame? = nil) {
        var gaps: [Gap] = []
        var last = before
        for event in trace.events("picture", tile: tile) {
            guard let due = event.number("due") else { continue }
            if let last {
                let count = Int(((due - last.due) * rate).rounded()) - 1
                if count > 0 { gaps.append(Gap(from: last.time, to: event.time, count: count)) }
            }
            last = Frame(time: event.time, due: due)
        }
        (self.gaps, self.last) = (gaps, last)
    }
}
