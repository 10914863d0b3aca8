import Base
import Commands
import Layout

/// Feeds that share one clock and, if they loop together, the beginning of each iteration.
///
///     asleep ──begin──▶ waiting(until, then) ──frames are there, or until──▶ going
///                          ▲      │ pause: turns `then`                         │ pause, rate: the clock
///                          └──────┴────── seek, step, another item ◀────────────┘  pauses or runs at once
///
/// A group is asleep until the wall begins. While the group is waiting, its clock is paused, and `then` is the motion
/// that the clock will have. The first start waits until the first frame of each seated feed is on the screen, at most
/// 500 ms, so the first frames are not late. After a jump, the clock waits until the frames are decoded, at most 250
/// ms. After a step, it waits at most 5 s, since all feeds show the new frame in one present.
///
/// A jump requested before the last one was shown is kept in `jump.pending`, as a position or a number of steps of a
/// feed. The newest request wins. The jump begins when the frames of the jump before were on the screen, or after a
/// second, or 5 s after a step. A tile that was moved alone has a group of its own (`isAlone`) until Home.
public struct Group {
    public let name: String
    /// True for the group of a tile that was moved alone.
    public let isAlone: Bool
    public private(set) var clock: Clock
    /// Clock of the group's live feeds. It is paused while `clock` is paused, and runs while `clock` runs or waits. Its
    /// rate is always 1, and it is never sought.
    public private(set) var liveClock = Clock(position: .zero, rate: .one)
    public private(set) var phase = Phase.asleep(then: .running)
    /// Time before its start at which a frame is due, in group time. The least tolerance of the feeds, so that their
    /// seams stay in step.
    public var dueTolerance = Time.zero
    /// True once the clock has started. The first start waits until the first frames are on the screen, so that none is
    /// late.
    public private(set) var hasStarted = false
    public var iterations: Iterations
    public var jump = Jump()
    private var repeated: Repeated
    /// Total time by which the clock was set back, at the ends of A-B loops and breaks. Sound is not set back, so its
    /// plans are shifted by this.
    public private(set) var totalSetBack = Time.zero
    /// Group time from which the reported position is held; nil if it follows the clock. The clock itself runs on.
    public var heldFrom: Time?

    /// The last jump, and the one that waits.
    public struct Jump {
        /// Wall time of the last seek.
        public fileprivate(set) var at: Time?
        /// True if the clock was sought and has not run since. The frames up to its position were then never due.
        public fileprivate(set) var isSought = false
        /// Jump that the user asked for; made when the frames of the jump before have been shown.
        public var pending: PendingJump?
        /// Feed to align the clock to, after a step to a frame with an unknown beginning. Once the beginning is known,
        /// the clock moves to it.
        public var alignsTo: FeedID?
    }

    /// The part of the group's time that is repeated.
    private struct Repeated {
        var marks = ABLoopMarks()
        var abLoop: ABLoop?
        /// Iterations at the beginning of the A-B loop.
        var iterationsAtBegin: Iterations
    }

    public var marks: ABLoopMarks { repeated.marks }
    /// Part of the group's time that is repeated; nil if there is none.
    public var abLoop: ABLoop? { repeated.abLoop }

    public enum PendingJump: Equatable {
        case position(Time)
        /// The beginning of a frame, which all feeds show in the same present: steps, once the frame that they lead to is
        /// known.
        case frame(at: Time)
        /// Number of frames of this feed to step forward, or back if negative.
        case steps(Int, of: FeedID)

        /// Group time to which the jump goes; nil for steps, which begin wherever the clock is.
        public var position: Time? {
            switch self {
            case .position(let position), .frame(let position): position
            case .steps: nil
            }
        }
    }

    public enum Phase: Equatable {
        /// The group has not played yet. `then`: motion of its clock once it plays.
        case asleep(then: Clock.Motion)
        /// The clock waits for frames of its feeds, at most until this wall time. `then`: its motion afterwards.
        case waiting(until: Time, then: Clock.Motion)
        case going
    }

    public init(name: String, _ loop: GroupLoop, _ until: Until) {
        (self.name, isAlone, iterations) = (name, false, Iterations(loop, until))
        repeated = Repeated(iterationsAtBegin: iterations)
        clock = Clock(position: .zero, rate: .one)
    }

    /// Makes a group for one tile that leaves `other`, in the state of `other`.
    init(alone tile: String, of other: Group) {
        (name, isAlone, iterations) = (tile, true, Iterations(.each, other.until))
        (repeated, totalSetBack) = (Repeated(iterationsAtBegin: iterations), other.totalSetBack)
        (clock, liveClock, phase, hasStarted) = (other.clock, other.liveClock, other.phase, other.hasStarted)
        dueTolerance = other.dueTolerance
    }

    /// This group as its live feeds see it: they wait for no frames and share no iterations.
    public var ofLiveFeeds: Group {
        var group = self
        (group.clock, group.iterations) = (liveClock, Iterations(.each, until))
        (group.repeated.abLoop, group.totalSetBack, group.dueTolerance) = (nil, .zero, .zero)
        if case .waiting = phase { (group.phase, group.hasStarted) = (.going, true) }
        return group
    }

    public var isTogether: Bool { iterations.loop == .together }
    public var until: Until { iterations.until }
    public var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    public var isAsleep: Bool { if case .asleep = phase { true } else { false } }

    /// Motion of the clock, now or once its frames are there.
    public var motionToCome: Clock.Motion {
        switch phase {
        case .asleep(let then), .waiting(_, let then): then
        case .going: clock.motion
        }
    }

    /// Group time of the clock, or of the jump that it is about to make.
    public func destination(at now: Time) -> Time { jump.pending?.position ?? clock.position(at: now) }

    // MARK: clock

    /// Frames and runs that start by this group time are due.
    public func dueTime(at now: Time) -> Time { clock.position(at: now) + dueTolerance }

    /// Sets the state in which the clock starts; only valid before it has started.
    public mutating func set(_ start: Clock.Start) {
        clock = Clock(position: start.position, rate: start.rate)
        phase = .asleep(then: start.motion)
    }

    /// Stops the clock until the frames of its feeds are there.
    public mutating func wait(at now: Time, until latest: Time, then motion: Clock.Motion) {
        clock.pause(at: now)
        phase = .waiting(until: latest, then: motion)
        if motion == .running { liveClock.run(at: now) }
    }

    /// Called when the frames that the clock waited for are there.
    public mutating func go(at now: Time, after delay: Time) {
        if motionToCome == .running { runClock(at: now, after: delay) }
        (phase, hasStarted) = (.going, true)
    }

    public mutating func pause(at now: Time) {
        pauseExceptLive(at: now)
        liveClock.pause(at: now)
    }

    /// Pauses the clock of the group, as for a scrub. Live feeds go on.
    mutating func pauseExceptLive(at now: Time) {
        clock.pause(at: now)
        change(motionToCome: .paused)
    }

    /// Starts the clock, now or once its frames are there.
    public mutating func run(at now: Time, after delay: Time) {
        change(motionToCome: .running)
        if phase == .going { runClock(at: now, after: delay) }
        if !isAsleep { liveClock.run(at: now) }
    }

    private mutating func runClock(at now: Time, after delay: Time) {
        clock.run(at: now, after: delay)
        jump.isSought = false
    }

    private mutating func change(motionToCome motion: Clock.Motion) {
        switch phase {
        case .asleep: phase = .asleep(then: motion)
        case .waiting(let until, _): phase = .waiting(until: until, then: motion)
        case .going: break
        }
    }

    public mutating func setRate(_ change: Change.RateChange, at now: Time) {
        let next: Rate =
            switch change {
            case .faster: clock.rate.faster
            case .slower: clock.rate.slower
            case .to(let rate): rate
            }
        clock.setRate(min(max(next, .slowest), .fastest), at: now)
    }

    // MARK: jumps

    /// Moves the clock to `target`. The group waits for frames of its feeds until `latest`, then goes on as before.
    public mutating func seek(to target: Time, at now: Time, until latest: Time) {
        (jump, heldFrom) = (Jump(at: now, isSought: true), nil)
        let motion = motionToCome
        clock.pause(at: now)
        clock.seek(to: target, at: now)
        if hasStarted { phase = .waiting(until: latest, then: motion) }
        if isTogether, target < iterations.start { iterations.beginAnew() }
    }

    /// Moves the clock back to `begins`.
    public mutating func align(at begins: Time, at now: Time) {
        jump.alignsTo = nil
        if begins < clock.position(at: now) { clock.seek(to: begins, at: now) }
    }

    // MARK: A-B loops

    /// Sets the marks and the A-B loop between them, which lasts at least `shortest`. The marks of a loop are moved to
    /// its ends.
    public mutating func mark(_ marks: ABLoopMarks, shortest: Time) {
        (repeated.marks, repeated.abLoop) = (marks, marks.abLoop(lastingAtLeast: shortest))
        guard let abLoop else { return }
        repeated.marks = ABLoopMarks(a: abLoop.begin..<abLoop.begin, b: abLoop.end..<abLoop.end)
    }

    /// Sets the clock back by that many iterations of the A-B loop.
    public mutating func setBack(abIterations: Int) {
        guard let abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        clock.shift(by: .zero - change)
        (totalSetBack, iterations) = (totalSetBack + change, repeated.iterationsAtBegin)
    }

    /// Iterations during this iteration of the A-B loop, as far as they are known.
    func iterations(ofABIteration abIteration: Int) -> Iterations {
        abIteration == 0 ? iterations : repeated.iterationsAtBegin
    }

    /// Later iterations of the A-B loop begin in the iteration in which the loop begins.
    public mutating func noteIterationsAtBegin() {
        if let abLoop, iterations.start <= abLoop.begin { repeated.iterationsAtBegin = iterations }
    }

    // MARK: time that does not count

    /// The reported position follows the clock again. `length`: time by which the clock is set back, as if it had been
    /// paused; nil to leave the clock. Returns false, and leaves the clock, if the position already goes on because of
    /// a seek.
    public mutating func releasePosition(settingBackBy length: Time?) -> Bool {
        guard let begin = heldFrom else { return false }
        heldFrom = nil
        guard let length else { return true }
        clock.shift(by: .zero - length)
        totalSetBack += length
        iterations.leaveOut(length, since: begin)
        return true
    }

    /// State of the clock as reported to the user and to programs.
    public var reportedState: Event.ClockState {
        if case .going = phase { return clock.motion == .running ? .playing : .paused }
        return .waiting
    }

    /// Position of the clock as reported to the user and to programs.
    public func reportedPosition(at now: Time) -> Time {
        let position = clock.position(at: now)
        return heldFrom.map { min(position, $0) } ?? position
    }

    /// Returns to the first iteration, with the settings that were made last.
    public mutating func beginAnew() {
        iterations.takeNext()
        iterations.beginAnew()
    }
}

/// Iterations of a group. If its feeds loop together: the current iteration and its beginning, in group time.
///
/// A group with `loop: together` has one iteration for all, which ends with its longest (or shortest) member. Unknown
/// lengths are read by openings made for that alone (`askForLength`), also for members without a seat. A member that
/// can't be played is not counted. If a member begins late, the iteration is longer by the delay
/// (`Transport.noteNextIteration`).
public struct Iterations {
    private(set) var loop: GroupLoop
    private(set) var until: Until
    /// Settings from the next iteration on; nil if they do not change.
    private var next: (loop: GroupLoop, until: Until)?
    public private(set) var number = 0
    public private(set) var start = Time.zero
    public var nextStart: Time?
    /// True if the beginning of the next iteration was expected but unknown, because a length was missing.
    public private(set) var lacksLength = false

    init(_ loop: GroupLoop, _ until: Until) { (self.loop, self.until) = (loop, until) }

    /// Sets loop and end of iterations. The values take effect with the next iteration if the feeds loop together, else
    /// now.
    public mutating func set(_ loop: GroupLoop, _ until: Until) {
        next = (loop, until)
        if self.loop != .together { takeNext() }
    }

    mutating func takeNext() { if let next { (loop, until, self.next) = (next.loop, next.until, nil) } }

    /// Notes when the next iteration starts; nil if that is not known. `isExpected`: true if there will be one.
    public mutating func setNextStart(_ time: Time?, isExpected: Bool) {
        (nextStart, lacksLength) = (time, time == nil && isExpected)
    }

    /// Counts `count` iterations of equal `length` as over. The start of the next one is not known.
    public mutating func turn(_ count: Int, of length: Time) {
        number += count
        start += length * Int64(count)
        takeNext()
        setNextStart(nil, isExpected: false)
    }

    /// Moves iterations that begin after `begin` earlier by `length`, because the clock was set back by `length`.
    mutating func leaveOut(_ length: Time, since begin: Time) {
        if start > begin { start -= length }
        if let next = nextStart, next > begin { nextStart = next - length }
    }

    /// Group time at which an iteration begins; nil if unknown or long past.
    func start(of iteration: Int) -> Time? { iteration == number ? start : iteration == number + 1 ? nextStart : nil }

    /// The feeds join in this iteration, which began at `time`.
    public mutating func enter(_ iteration: Int, begunAt time: Time) { (number, start) = (iteration, time) }

    mutating func beginAnew() { (number, start, nextStart, lacksLength) = (0, .zero, nil, false) }
}
