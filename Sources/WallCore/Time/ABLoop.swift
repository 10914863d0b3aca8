/// A part of a group's time that is played again and again.
struct ABLoop: Equatable {
    let begin: Time
    let end: Time

    var length: Time { end - begin }

    /// Of the iteration that plays, 0, and of those after it, counted on as if the clock went on.
    func begin(ofABIteration abIteration: Int) -> Time { begin + length * Int64(abIteration) }
    func end(ofABIteration abIteration: Int) -> Time { end + length * Int64(abIteration) }

    /// `tolerance`: so long before its end what follows is due already.
    func clamped(_ time: Time, tolerance: Time) -> Time { min(max(time, begin), end - tolerance - Time(ticks: 1)) }
}

/// Where an A-B loop is to begin and to end, in group time: each a frame from its beginning to its end, or an instant.
struct ABLoopMarks: Equatable {
    var a: Range<Time>?
    var b: Range<Time>?

    /// From the earlier mark to the later one, both frames included; nil: one of them is not set.
    func abLoop(lastingAtLeast shortest: Time) -> ABLoop? {
        guard let a, let b else { return nil }
        let begin = min(a.lowerBound, b.lowerBound)
        return ABLoop(begin: begin, end: max(a.upperBound, b.upperBound, begin + shortest))
    }
}
