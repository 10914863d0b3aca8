/// Where a feed's passes stand on its group's clock.
struct Anchor {
    /// How far it is ahead of the clock.
    private(set) var offset: Time
    private(set) var pass = 0
    /// The group time at which that pass begins, offset applied.
    private(set) var origin: Time
    /// Its sequence begins when its first frame is there: nobody waits for it, and it misses nothing.
    private(set) var awaitsFirstFrame = false

    init(offset: Time) { (self.offset, origin) = (offset, .zero - offset) }

    mutating func set(_ pass: Int, at origin: Time) { (self.pass, self.origin) = (pass, origin) }

    /// The first pass, from the group's beginning on.
    mutating func reset() { self = Anchor(offset: offset) }

    /// The pass that the group plays together.
    mutating func follow(_ passes: Passes) { set(passes.number, at: passes.start - offset) }

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

    /// On to the pass that plays at `groupTime`, where each lasts so long; back, too. `last`: how long the last one of all does.
    mutating func move(to groupTime: Time, of length: Time, _ loop: Loop, last: Time? = nil) {
        let apart = (groupTime - origin).ticks
        var passes = max(-pass, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
        if case .passes(let count) = loop {
            passes = min(passes, count - pass)
            // Nothing fades at the end of the last one, which may be longer by that.
            if pass + passes == count, let last,
                groupTime - origin < length * Int64(passes - 1) + last
            {
                passes -= 1
            }
        }
        pass += passes
        origin += length * Int64(passes)
    }
}
