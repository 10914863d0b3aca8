import Base

/// A part of a group's time that is played over and over.
///
/// An A-B loop is played in iterations (`Reel+Succession.swift`). A slot is cut off at the end of the loop. The next slot
/// belongs to the following iteration (`Slot.abIteration`) and enters the run that plays at the beginning of the loop.
/// When an iteration is over, the group's clock and its feeds' slots go back by its length
/// (`Transport.turnABIterations`). Only sound is not set back.
public struct ABLoop: Equatable {
    public let begin: Time
    public let end: Time

    public var length: Time { end - begin }

    /// Group time at which an iteration of the A-B loop begins. Iteration 0 is playing; later ones count on as if the
    /// clock were not set back.
    func begin(ofABIteration abIteration: Int) -> Time { begin + length * Int64(abIteration) }
    func end(ofABIteration abIteration: Int) -> Time { end + length * Int64(abIteration) }

    /// `tolerance`: time before the end at which the frames after the end are already due.
    public func clamped(_ time: Time, tolerance: Time) -> Time {
        min(max(time, begin), end - tolerance - Time(ticks: 1))
    }
}

/// Marks of an A-B loop, in group time. A mark is a frame from its beginning to its end, or an instant as an empty
/// range.
public struct ABLoopMarks: Equatable, Sendable {
    public var a: Range<Time>?
    public var b: Range<Time>?

    public init(a: Range<Time>? = nil, b: Range<Time>? = nil) { (self.a, self.b) = (a, b) }

    /// The A-B loop from the earlier mark to the later one, with both frames; nil until both marks are set.
    func abLoop(lastingAtLeast shortest: Time) -> ABLoop? {
        guard let a, let b else { return nil }
        let begin = min(a.lowerBound, b.lowerBound)
        return ABLoop(begin: begin, end: max(a.upperBound, b.upperBound, begin + shortest))
    }
}
