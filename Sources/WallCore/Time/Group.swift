/// Feeds that share one clock, and, where they loop together, one beginning of each iteration.
///
///     asleep ──wait──▶ waiting ──go──▶ going
///                         ▲              │
///                         └────seek──────┘
struct Group {
    let name: String
    /// Whose only tile it is that was moved alone.
    let isAlone: Bool
    private(set) var clock: Clock
    /// Of its live feeds: it stands where the other stands and runs where that runs or waits, always at rate 1, and is
    /// never sought.
    private(set) var liveClock = Clock(position: .zero, rate: .one)
    private(set) var phase = Phase.asleep(then: .running)
    /// How long before its start a frame is due, in group time: the least of its feeds, so that their seams stay in step.
    private(set) var dueTolerance = Time.zero
    /// The first start waits until the first frames are on the screen, so that none of them is late.
    private(set) var hasStarted = false
    private(set) var iterations: Iterations
    /// When its clock was last moved by hand.
    private(set) var jumpedAt: Time?
    /// Where a user wants it next: it goes there when the frames of the jump before have been shown.
    private(set) var pendingJump: PendingJump?
    /// After a step to a frame whose beginning is not known: the feed at whose frame the clock is to stand.
    private(set) var alignsTo: FeedID?
    private(set) var marks = ABLoopMarks()
    /// What it plays again and again; nil: all.
    private(set) var abLoop: ABLoop?
    /// How far its clock has gone back at the ends of A-B loops. Sound does not: it plays on.
    private(set) var woundBack = Time.zero
    /// A break of all of its tiles: its clock goes on for it, and is set back when it is over.
    private var pausing: (name: String, begin: Time, end: Time?)?
    /// As they were when the A-B loop began.
    private var iterationsAtBegin: Iterations

    enum PendingJump: Equatable {
        case position(Time)
        /// Frames of a feed on, or back, from the one that comes first.
        case steps(Int, of: FeedID)
    }

    enum Phase: Equatable {
        /// Before it plays for the first time, and how its clock will be then.
        case asleep(then: Clock.Motion)
        /// The clock waits for its feeds' frames, at most until this wall time, then goes on.
        case waiting(until: Time, then: Clock.Motion)
        case going
    }

    init(name: String, _ loop: GroupLoop, _ until: Until) {
        (self.name, isAlone, iterations) = (name, false, Iterations(loop, until))
        iterationsAtBegin = iterations
        clock = Clock(position: .zero, rate: .one)
    }

    /// For one of its tiles alone: goes on as this one does.
    init(alone tile: String, of other: Group) {
        (name, isAlone, iterations) = (tile, true, Iterations(.each, other.until))
        (iterationsAtBegin, woundBack) = (iterations, other.woundBack)
        (clock, liveClock, phase, hasStarted) = (other.clock, other.liveClock, other.phase, other.hasStarted)
        dueTolerance = other.dueTolerance
    }

    /// What its live feeds know of it: they wait for nobody, and share no iterations.
    var ofLiveFeeds: Group {
        var group = self
        (group.clock, group.iterations) = (liveClock, Iterations(.each, until))
        (group.abLoop, group.woundBack, group.dueTolerance) = (nil, .zero, .zero)
        if case .waiting = phase { (group.phase, group.hasStarted) = (.going, true) }
        return group
    }

    var isTogether: Bool { iterations.loop == .together }
    var until: Until { iterations.until }
    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    private var isAsleep: Bool { if case .asleep = phase { true } else { false } }

    /// How its clock is, or will be when its frames are there.
    var motionToCome: Clock.Motion {
        switch phase {
        case .asleep(let then), .waiting(_, let then): then
        case .going: clock.motion
        }
    }

    /// Where the clock is, or is about to be.
    func destination(at now: Time) -> Time {
        if case .position(let wanted) = pendingJump { wanted } else { clock.position(at: now) }
    }

    // MARK: its clock

    /// Frames and runs that start by this group time are due.
    func dueTime(at now: Time) -> Time { clock.position(at: now) + dueTolerance }

    mutating func setDueTolerance(_ tolerance: Time) { dueTolerance = tolerance }

    /// Before it has begun.
    mutating func set(_ start: Clock.Start) {
        clock = Clock(position: start.position, rate: start.rate)
        phase = .asleep(then: start.motion)
    }

    /// The clock stands, and waits for its feeds' frames.
    mutating func wait(at now: Time, until latest: Time, then motion: Clock.Motion) {
        clock.stand(at: now)
        phase = .waiting(until: latest, then: motion)
        if motion == .running { liveClock.run(at: now) }
    }

    /// What it waited for is there.
    mutating func go(at now: Time, after hold: Time) {
        if motionToCome == .running { clock.run(at: now, after: hold) }
        (phase, hasStarted) = (.going, true)
    }

    mutating func stand(at now: Time) {
        hold(at: now)
        liveClock.stand(at: now)
    }

    /// It is moved by a pointer: what is live goes on.
    mutating func hold(at now: Time) {
        clock.stand(at: now)
        change(motionToCome: .standing)
    }

    /// Goes on, at once or when its frames are there.
    mutating func run(at now: Time, after hold: Time) {
        change(motionToCome: .running)
        if phase == .going { clock.run(at: now, after: hold) }
        if !isAsleep { liveClock.run(at: now) }
    }

    private mutating func change(motionToCome motion: Clock.Motion) {
        switch phase {
        case .asleep: phase = .asleep(then: motion)
        case .waiting(let until, _): phase = .waiting(until: until, then: motion)
        case .going: break
        }
    }

    mutating func setRate(_ change: Command.RateChange, at now: Time) {
        let next: Rate =
            switch change {
            case .faster: clock.rate.faster
            case .slower: clock.rate.slower
            case .doubled: clock.rate * Rate(2)
            case .halved: clock.rate * Rate(0.5)
            case .reset: .one
            case .to(let rate): rate
            }
        clock.setRate(min(max(next, .slowest), .fastest), at: now)
    }

    // MARK: jumps

    mutating func want(_ jump: PendingJump?) { pendingJump = jump }

    /// The clock goes there, waits for its feeds' frames until `latest`, and goes on as it was.
    mutating func seek(to target: Time, at now: Time, until latest: Time) {
        (jumpedAt, pendingJump, alignsTo, pausing) = (now, nil, nil, nil)
        let motion = motionToCome
        clock.stand(at: now)
        clock.seek(to: target, at: now)
        if hasStarted { phase = .waiting(until: latest, then: motion) }
        if isTogether, target < iterations.start { iterations.beginAnew() }
    }

    /// The clock is to stand where the frame of this feed begins, once that is known.
    mutating func align(to feed: FeedID) { alignsTo = feed }

    /// Now it is; says whether that moved the clock.
    mutating func align(at begins: Time, at now: Time) -> Bool {
        alignsTo = nil
        guard begins < clock.position(at: now) else { return false }
        clock.seek(to: begins, at: now)
        return true
    }

    // MARK: A-B loops

    /// `shortest`: an A-B loop is no shorter. The marks of one stand at its ends.
    mutating func mark(_ marks: ABLoopMarks, shortest: Time) {
        (self.marks, abLoop) = (marks, marks.abLoop(lastingAtLeast: shortest))
        guard let abLoop else { return }
        self.marks = ABLoopMarks(a: abLoop.begin..<abLoop.begin, b: abLoop.end..<abLoop.end)
    }

    /// So many iterations are over: the clock stands as much earlier.
    mutating func windBack(by abIterations: Int) {
        guard let abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        clock.shift(by: .zero - change)
        (woundBack, iterations) = (woundBack + change, iterationsAtBegin)
    }

    /// Those of the iteration that plays, or of one to come, as far as they are known.
    func iterations(ofABIteration abIteration: Int) -> Iterations { abIteration == 0 ? iterations : iterationsAtBegin }

    /// Laps to come begin in the iteration that its A-B loop begins in.
    mutating func noteIterationsAtBegin() {
        if let abLoop, iterations.start <= abLoop.begin { iterationsAtBegin = iterations }
    }

    // MARK: breaks of all of its tiles

    /// To whoever asks, its clock stands from then on.
    mutating func beginBreak(_ name: String, at begin: Time) { pausing = (name, begin, nil) }

    mutating func noteEnd(ofBreak name: String, at end: Time) {
        if let pausing, pausing.name == name, pausing.end == nil { self.pausing?.end = end }
    }

    /// The clock is as if it had stood; answers for how long it did not.
    mutating func endBreak(_ name: String) -> Time? {
        guard let pausing, pausing.name == name else { return nil }
        self.pausing = nil
        guard let end = pausing.end, end > pausing.begin else { return nil }
        let length = end - pausing.begin
        clock.shift(by: .zero - length)
        woundBack += length
        iterations.leaveOut(length, since: pausing.begin)
        return length
    }

    /// Where its clock is, as people are told it.
    func reportedPosition(at now: Time) -> Time {
        let position = clock.position(at: now)
        return pausing.map { min(position, $0.begin) } ?? position
    }

    // MARK: iterations

    mutating func changeIterations(_ change: (inout Iterations) -> Void) { change(&iterations) }

    /// Its first iteration plays, as its iterations were said last.
    mutating func beginAnew() {
        iterations.takeNext()
        iterations.beginAnew()
    }
}

/// The iterations of a group. Where its feeds loop together: the one that plays and when it began, in group time.
struct Iterations {
    private(set) var loop: GroupLoop
    private(set) var until: Until
    /// Of the next pass on.
    private var next: (loop: GroupLoop, until: Until)?
    private(set) var number = 0
    private(set) var start = Time.zero
    private(set) var nextStart: Time?
    /// A length was missing to say when the next iteration begins.
    private(set) var lacksLength = false

    init(_ loop: GroupLoop, _ until: Until) { (self.loop, self.until) = (loop, until) }

    /// How they are from now on.
    mutating func set(_ loop: GroupLoop, _ until: Until) { (self.loop, self.until, next) = (loop, until, nil) }

    /// How they are when the one that plays is over.
    mutating func setNext(_ loop: GroupLoop, _ until: Until) { next = (loop, until) }

    mutating func takeNext() { if let next { set(next.loop, next.until) } }

    mutating func setNextStart(_ time: Time?) { nextStart = time }

    mutating func setNextStart(_ time: Time?, isExpected: Bool) {
        (nextStart, lacksLength) = (time, time == nil && isExpected)
    }

    /// So many, each so long, are over.
    mutating func turn(_ count: Int, of length: Time) {
        number += count
        start += length * Int64(count)
        takeNext()
    }

    /// A stretch of time that began then is over, and is not counted.
    mutating func leaveOut(_ length: Time, since begin: Time) {
        if start > begin { start -= length }
        if let next = nextStart, next > begin { nextStart = next - length }
    }

    /// When an iteration begins; nil: that is not known, or long ago.
    func start(of iteration: Int) -> Time? { iteration == number ? start : iteration == number + 1 ? nextStart : nil }

    mutating func enter(_ iteration: Int, begunAt time: Time) { (number, start) = (iteration, time) }

    mutating func beginAnew() { (number, start, nextStart, lacksLength) = (0, .zero, nil, false) }
}
