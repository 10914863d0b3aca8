/// Where a feed's iterations stand on its group's clock.
struct Anchor {
    /// How far it is ahead of the clock.
    private(set) var offset: Time
    private(set) var iteration = 0
    /// The group time at which that iteration begins, offset applied.
    private(set) var origin: Time
    /// Its sequence begins when its first frame is there: nobody waits for it, and it misses nothing.
    private(set) var awaitsFirstFrame = false

    init(offset: Time) { (self.offset, origin) = (offset, .zero - offset) }

    mutating func set(_ iteration: Int, at origin: Time) { (self.iteration, self.origin) = (iteration, origin) }

    /// The first iteration, from the group's beginning on.
    mutating func reset() { self = Anchor(offset: offset) }

    /// The iteration that the group plays together.
    mutating func follow(_ iterations: Iterations) { set(iterations.number, at: iterations.start - offset) }

    mutating func awaitFirstFrame(at groupTime: Time) { (origin, awaitsFirstFrame) = (groupTime, true) }

    mutating func awaitFirstFrame() { awaitsFirstFrame = true }

    /// Its first frame is there, or it is not waited for any more.
    mutating func endAwaiting() { awaitsFirstFrame = false }

    /// Another offset, from now on; answers the difference.
    mutating func nudge(to offset: Time) -> Time {
        defer { self.offset = offset }
        return offset - self.offset
    }

    mutating func shift(by change: Time) { origin += change }

    /// On to the iteration that plays at `groupTime`, where each lasts so long; back, too. `last`: how long the last one of all does.
    mutating func move(to groupTime: Time, of length: Time, _ loop: Loop, last: Time? = nil) {
        let apart = (groupTime - origin).ticks
        var iterations = max(-iteration, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
        if case .iterations(let count) = loop {
            iterations = min(iterations, count - iteration)
            // Nothing fades at the end of the last one, which may be longer by that.
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
