/// Feeds that share one clock, and, where they loop together, one beginning of each pass.
struct Group {
    let name: String
    private(set) var loop: GroupLoop
    private(set) var until: Until
    /// Of the next pass on.
    private var saidPasses: (loop: GroupLoop, until: Until)?
    var clock: Clock
    var phase: Phase
    /// The first start waits until the first pictures are on the screen, so that none of them is late.
    var hasStarted = false
    /// Where its feeds loop together: the pass that plays and when it began, in group time.
    var pass = 0
    var passStart = Time.zero
    var nextPassStart: Time?
    /// When its clock was last moved by hand.
    var jumpedAt: Time?
    /// Where a hand wants it next: it goes there when the pictures of the jump before have been shown.
    var pendingJump: PendingJump?
    /// After a step to a picture whose beginning is not known: the feed at whose picture the clock is to stand.
    var alignsTo: FeedID?

    enum PendingJump: Equatable {
        case position(Time)
        /// Pictures of a feed on, or back, from the one that comes first.
        case steps(Int, of: FeedID)
    }

    enum Phase: Equatable {
        /// Before the wall was begun.
        case asleep
        /// The clock waits for its feeds' pictures, at most until this wall time, then goes on.
        case waiting(until: Time, then: Clock.Motion)
        case going
    }

    /// Whose only tile it is that was moved alone.
    let isAlone: Bool

    init(
        name: String, loop: GroupLoop, until: Until, clock: Clock, phase: Phase, hasStarted: Bool = false,
        isAlone: Bool = false
    ) {
        (self.name, self.loop, self.until, self.clock) = (name, loop, until, clock)
        (self.phase, self.hasStarted, self.isAlone) = (phase, hasStarted, isAlone)
    }

    /// How its passes are from now on.
    mutating func setPasses(_ loop: GroupLoop, _ until: Until) {
        (self.loop, self.until, saidPasses) = (loop, until, nil)
    }

    /// How its passes are when the one that plays is over.
    mutating func setNextPasses(_ loop: GroupLoop, _ until: Until) { saidPasses = (loop, until) }

    /// A pass is over; says whether its feeds are each by itself from now on.
    mutating func turnPass() -> Bool {
        if let saidPasses { setPasses(saidPasses.loop, saidPasses.until) }
        return !isTogether
    }

    /// Its first pass plays, as its passes were said last.
    mutating func beginAnew() {
        _ = turnPass()
        (pass, passStart, nextPassStart) = (0, .zero, nil)
    }

    var isTogether: Bool { loop == .together }

    /// How its clock is, or will be when its pictures are there.
    var motionToCome: Clock.Motion { if case .waiting(_, let then) = phase { then } else { clock.motion } }
}
