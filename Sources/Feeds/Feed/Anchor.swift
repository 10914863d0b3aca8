import Base
import Layout

/// Position of a feed's iterations on its group's clock.
public struct Anchor {
    /// Lead of the feed over the clock.
    public private(set) var offset: Time
    public private(set) var iteration = 0
    /// Group time at which the iteration begins, offset applied.
    public private(set) var origin: Time
    /// True if the sequence starts when its first frame is decoded, however late. The group's clock does not wait, and
    /// no frame is dropped.
    var awaitsFirstFrame = false
    /// A run that begins no earlier than `begin`, whenever the run before it ends.
    var delayed: (run: RunID, begin: Time)?

    init(offset: Time) { (self.offset, origin) = (offset, .zero - offset) }

    mutating func set(_ iteration: Int, at origin: Time) { (self.iteration, self.origin) = (iteration, origin) }

    /// Returns to the first iteration, at the group's beginning.
    mutating func reset() {
        let delayed = delayed
        self = Anchor(offset: offset)
        self.delayed = delayed
    }

    /// Takes over the iteration that the group plays together.
    mutating func follow(_ iterations: Iterations) { set(iterations.number, at: iterations.start - offset) }

    mutating func awaitFirstFrame(at groupTime: Time) { (origin, awaitsFirstFrame) = (groupTime, true) }

    /// Changes the offset and returns the difference.
    mutating func nudge(to offset: Time) -> Time {
        defer { self.offset = offset }
        return offset - self.offset
    }

    mutating func shift(by change: Time) { origin += change }

    /// Moves to the iteration that plays at `groupTime`, forward or back. `length`: length of an iteration without
    /// anything on top.
    mutating func move(to groupTime: Time, in timeline: Timeline, of length: Time) {
        let last = timeline.lastIterationLength
        // Nothing fades at the end of the last iteration, so that iteration may be longer.
        if case .iterations(let count) = timeline.loop, iteration == count, let last {
            set(count - 1, at: origin - last)
        }
        guard let layer = timeline.layer else { return move(to: groupTime, of: length, timeline.loop, last: last) }
        // The layers on top make one iteration longer.
        let delay = timeline.delay(inIteration: layer.iteration)
        let passed = length * Int64(layer.iteration - iteration) + (iteration > layer.iteration ? .zero - delay : .zero)
        let begin = origin + passed
        if groupTime < begin {
            set(layer.iteration, at: begin)
            move(to: groupTime, of: length, timeline.loop, last: last)
        } else if timeline.takesPart(inIteration: layer.iteration + 1), groupTime >= begin + length + delay {
            set(layer.iteration + 1, at: begin + length + delay)
            move(to: groupTime, of: length, timeline.loop, last: last)
        } else {
            let end = timeline.length(ofIteration: layer.iteration).map { begin + $0 }
            set(layer.iteration, at: begin)
            if let end, groupTime >= end { set(layer.iteration + 1, at: end) }
        }
    }

    /// Moves to the iteration that plays at `groupTime`, forward or back. `length`: length of an iteration. `last`:
    /// length of the last iteration of a finite loop, which ends at the origin of the iteration after it.
    mutating func move(to groupTime: Time, of length: Time, _ loop: Loop, last: Time? = nil) {
        let apart = (groupTime - origin).ticks
        var iterations = max(-iteration, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
        if case .iterations(let count) = loop {
            iterations = min(iterations, count - iteration)
            if iteration + iterations == count, let last {
                set(count - 1, at: origin + length * Int64(iterations - 1))
                if groupTime >= origin + last { set(count, at: origin + last) }
                return
            }
        }
        set(iteration + iterations, at: origin + length * Int64(iterations))
    }
}
