/// Feeds that share one clock, and, where they loop together, one beginning of each pass.
struct Group {
    let name: String
    let loop: GroupLoop
    let until: Until
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
    var wanted: Wanted?
    /// After a step to a picture whose beginning is not known: the feed at whose picture the clock is to stand.
    var alignsTo: FeedID?

    enum Wanted: Equatable {
        case position(Time)
        /// Pictures on, or back, from the one that comes first.
        case steps(Int)
    }

    enum Phase: Equatable {
        /// Before the wall was begun.
        case asleep
        /// The clock waits for its feeds' pictures, at most until this wall time, then goes on.
        case waiting(until: Time, then: Clock.Motion)
        case going
    }

    var isTogether: Bool { loop == .together }

    /// How its clock is, or will be when its pictures are there.
    var motionToCome: Clock.Motion { if case .waiting(_, let then) = phase { then } else { clock.motion } }
}
