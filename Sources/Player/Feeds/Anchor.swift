import Base

/// Position of a feed's iterations on its group's clock.
struct Anchor {
    /// Lead of the feed over the clock.
    private(set) var offset: Time
    private(set) var iteration = 0
    /// Group time at which the iteration begins, offset applied.
    private(set) var origin: Time
    /// True if the sequence begins with its first frame, however late. The group's clock does not wait, and no frame is
    /// dropped.
    private(set) var awaitsFirstFrame = false

    init(offset: Time) { (self.offset, origin) = (offset, .zero - offset) }

    mutating func set(_ iteration: Int, at origin: Time) { (self.iteration, self.origin) = (iteration, origin) }

    /// Returns to the first iteration, at the group's beginning.
    mutating func reset() { self = Anchor(offset: offset) }

    /// Takes over the iteration that the group plays together.
    mutating func follow(_ iterations: Iterations) { set(iterations.number, at: iterations.start - offset) }

    mutating func awaitFirstFrame(at groupTime: Time) { (origin, awaitsFirstFrame) = (groupTime, true) }

    mutating func awaitFirstFrame() { awaitsFirstFrame = true }

    /// Called when the first frame is there, or no longer awaited.
    mutating func endAwaiting() { awaitsFirstFrame = false }

    /// Changes the offset and returns the difference.
    mutating func nudge(to offset: Time) -> Time {
        defer { self.offset = offset }
        return offset - self.offset
    }

    mutating func shift(by change: Time) { origin += change }

    /// Moves to the iteration that plays at `groupTime`, forward or back. `length`: length of an iteration. `last`:
    /// length of the last iteration of a finite loop.
    mutating func move(to groupTime: Time, of length: Time, _ loop: Loop, last: Time? = nil) {
        let apart = (groupTime - origin).ticks
        var iterations = max(-iteration, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
        if case .iterations(let count) = loop {
            iterations = min(iterations, count - iteration)
            // Nothing fades at the end of the last iteration, so it may be longer.
            if iteration + iterations == count, let last,
                groupTime - origin < length * Int64(iterations - 1) + last
            {
                iterations -= 1
            }
        }
        iteration += iterations
        origin += length * Int64(iterations)
    }
}
