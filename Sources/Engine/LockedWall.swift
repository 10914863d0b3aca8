import Base
import Commands
import Decoded
import Feeds
import Glibc
import Media
import Opened
import Player
import Threads

/// Keeps the wall behind one lock, and carries out the wall's effects outside of that lock.
///
/// The wall's feeds and clocks are objects that are not Sendable. They never leave the lock: what `change` and `read`
/// return are values.
///
/// Any thread may call `change`; openers call `answer`. Lock order: the wall's lock before the lock of its open
/// sources, before the frame buffer pool's, and before the locks that `record` takes. `record` takes, one at a time,
/// the locks of the event log, the file of the day, the running program (`PlayCommand`, `PlayingProgram`) and the
/// mailboxes of the control services. ARCHITECTURE.md, Locks, lists all orders.
///
/// Time is the monotonic clock, or stepped time, which moves only by calls of `step`. In stepped time a thread that
/// waits for an instant is woken by steps alone.
public final class LockedWall: Sendable {
    private let state: Locked<State>
    /// Sources that the wall has open. A source is added in the change in which its opener hands it to the wall, and is
    /// taken out when the wall closes it. Until then the wall lends the source to one pipeline at a time. Releasing the
    /// wall closes the sources that are left.
    let sources = Locked<[OpenSourceID: Source]>([:])
    private let pipelineConditions: [WakeCondition]
    /// Changes for the conductor, the thread that updates the wall (`WallThreads.init`). Never locked while the wall is
    /// locked.
    private let posts = Mailbox<[Post]>([], .withoutPipe)
    private let listeners = Locked(Listeners())
    /// Stores events in order. Called with the wall locked, so it must do nothing else.
    private let record: @Sendable ([Event]) -> Void

    private struct State {
        var wall: Wall
        var time: WallClock
        var isStopping = false
        /// Sources to be closed by the conductor.
        var sourcesToClose: [Source] = []
        var conductorSleepsUntil: Time?
        /// Commands for the window, until `takeWindowCommands`.
        var window: [Change.WindowCommand] = []
    }

    public typealias Post = @Sendable (inout Wall, Time) -> Void

    public init(_ wall: Wall, pipelines: Int, time: WallClock, record: @escaping @Sendable ([Event]) -> Void) {
        state = Locked(State(wall: wall, time: time))
        pipelineConditions = (0..<max(pipelines, Self.mostPipelines)).map { _ in WakeCondition() }
        self.record = record
    }

    /// Largest number of pipelines that a change of the layout can request.
    static let mostPipelines = 64

    /// Callbacks, called from any thread with nothing locked.
    public struct Listeners: Sendable {
        /// The content of the screen has changed.
        public var screen: (@Sendable () -> Void)?
        /// The sound may have changed.
        public var sound: (@Sendable () -> Void)?
        /// A recording has started or ended.
        public var takes: (@Sendable () -> Void)?
        /// The wall has another layout.
        public var layout: (@Sendable () -> Void)?
        /// The wall has changed in any way. Called often.
        public var change: (@Sendable () -> Void)?
        /// The wait of these pipelines is no longer needed.
        var interrupt: (@Sendable (Set<Int>) -> Void)?
        /// Carries out the orders on other threads: sources to open, images to load, frames to measure.
        var orders: (@Sendable (Effects) -> Void)?
    }

    /// Sets callbacks. Any thread may call it.
    public func listen(_ body: (inout Listeners) -> Void) { listeners.locked(body) }

    /// Removes and returns the commands for the window, in order.
    public func takeWindowCommands() -> [Change.WindowCommand] { state.locked { exchange(&$0.window, with: []) } }

    /// Reports an event of the shell.
    public func note(_ event: ShellEvent) { change { wall, now in wall.note(event, at: now) } }

    /// Runs `body` on the wall at this instant, then carries out the effects.
    @discardableResult
    public func change<Result>(_ body: (inout Wall, Time) -> Result) -> Result {
        let (result, effects, wakesConductor) = state.locked { run(body, &$0) }
        carryOut(effects, wakesConductor)
        return result
    }

    /// Lets an opener change the wall, on the opener's thread. Returns false if the wall is stopping; `body` is not
    /// called then.
    ///
    /// There may be more openers than cores. Opening a source uses up a thread's time slice, and an opener that is
    /// preempted with the wall locked delays the screen. An opener therefore yields first and locks in a new slice.
    func answer(_ body: (inout Wall, Time) -> Void) -> Bool {
        sched_yield()
        let done = state.locked { state in state.isStopping ? nil : run(body, &state) }
        guard let (_, effects, wakesConductor) = done else { return false }
        carryOut(effects, wakesConductor)
        return true
    }

    /// Runs `body`, records the events of the change, and returns its other effects. `wakesConductor`: true if the
    /// conductor must be woken.
    private func run<Result>(
        _ body: (inout Wall, Time) -> Result, _ state: inout State
    ) -> (Result, Effects, wakesConductor: Bool) {
        // Features follow the change with the instant at which it was made.
        let now = state.time.now
        let result = body(&state.wall, now), effects = state.wall.finishChange(at: now)
        if !effects.events.isEmpty { record(effects.events) }
        let hasRubbish = !effects.close.isEmpty
        if hasRubbish {
            state.sourcesToClose += sources.locked { open in effects.close.compactMap { open.removeValue(forKey: $0) } }
        }
        state.window += effects.window
        let next = state.wall.nextUpdate ?? .distantFuture
        return (result, effects, hasRubbish || next < state.conductorSleepsUntil ?? .zero)
    }

    /// Has the conductor run `body` on the wall soon, after everything posted before. For threads that must not wait
    /// for the wall's lock, and for results that come while effects are carried out, where another change would nest.
    public func post(_ body: @escaping Post) { posts.post { $0.append(body) } }

    /// Returns the value of `body` for the wall as it is now. Changes nothing.
    public func read<Result>(_ body: (Wall, Time) -> Result) -> Result { state.locked { body($0.wall, $0.time.now) } }

    private func carryOut(_ effects: Effects, _ wakesConductor: Bool) {
        for pipeline in effects.pipelinesToWake { pipelineConditions[pipeline].wake() }
        let listeners = listeners.locked { $0 }
        listeners.orders?(effects)
        if wakesConductor { callConductor() }
        if !effects.interrupts.isEmpty { listeners.interrupt?(effects.interrupts) }
        if effects.changesLayout { listeners.layout?() }
        if effects.wakesScreen { listeners.screen?() }
        if effects.wakesSound { listeners.sound?() }
        if effects.wakesTakes { listeners.takes?() }
        listeners.change?()
        state.wake()
    }

    // MARK: stepped time

    /// Sets stepped time to `now` and wakes all waiting threads.
    public func step(to now: Time) {
        state.locked { $0.time = .stepped(now) }
        change { wall, now in wall.update(at: now) }
        for wakeCondition in pipelineConditions { wakeCondition.wake() }
        callConductor()
    }

    /// Waits until `body` returns a value; nil at `deadline` (CLOCK_MONOTONIC). Calls `body` again after each change.
    public func wait<Result>(until deadline: Int64, _ body: (inout Wall, Time) -> Result?) -> Result? {
        state.wait(by: deadline) { body(&$0.wall, $0.time.now) }
    }

    /// Makes threads in `wait` call their `body` again.
    public func wakeWaiting() { state.wake() }

    // MARK: waits of threads

    /// The next task of this pipeline; nil when the wall stops. `hasDecoder`: true if an open decoder waits, too. After
    /// five seconds its buffers count as unneeded, as those of `SpareMemory` do, and the task is to close it.
    func nextTask(_ pipeline: Int, hasDecoder: Bool) -> PipelineTask? {
        let latest = hasDecoder ? monotonicNanoseconds() + 5_000_000_000 : nil
        return state.wait(on: pipelineConditions[pipeline]) { state -> Wait<PipelineTask?> in
            if state.isStopping { return .done(nil) }
            if let task = state.wall.takeTask(pipeline) { return .done(task) }
            if let latest, monotonicNanoseconds() >= latest { return .done(.closeDecoder) }
            return .again(deadline: latest)
        }
    }

    /// Time at which the lease's decoded frames run out; nil while the group's clock is paused.
    func deadline(of lease: Lease) -> Time? { state.locked { deadline(of: lease, $0) } }

    /// An answer about a lease, with the time at which its decoded frames run out; nil while the group's clock is
    /// paused. Both are found in one trip of the lock.
    typealias Timed<Answer> = (answer: Answer, deadline: Time?)

    /// Hands over a frame, and returns what the pipeline does next. `expected`: decision by which the frame was scaled
    /// before the wall has decided on it; nil if the wall has. `next`: the frame that follows; nil if it is not decoded
    /// yet.
    func deliver(
        _ frame: Frame, of decoded: TimedCodecFrame, _ lease: Lease, _ stillness: Stillness,
        expecting expected: FrameDecision?, before next: TimedCodecFrame?
    ) -> NextStep {
        change { wall, now in
            wall.deliver(
                lease, frame, of: DecodedFrame(decoded), expecting: expected, stillness: stillness,
                before: next.map(DecodedFrame.init), at: now)
        }
    }

    /// Decides on a frame, and counts it if it is skipped, without waiting. `.wait` is a possible answer. The wall changes
    /// without `finishChange`: the effects leave with the next change.
    func askDecision(_ lease: Lease, _ frame: TimedCodecFrame) -> Timed<FrameDecision> {
        state.locked { (decision(lease, frame, &$0), deadline(of: lease, $0)) }
    }

    /// Decides on a frame, as `askDecision`. Waits until there is room for the frame or the lease is over.
    func decide(_ lease: Lease, _ frame: TimedCodecFrame) -> Timed<FrameDecision> {
        state.wait(on: pipelineConditions[lease.pipeline]) { state -> Wait<Timed<FrameDecision>> in
            let decision = decision(lease, frame, &state)
            guard case .wait(let until) = decision else { return .done((decision, deadline(of: lease, state))) }
            return .again(deadline: until.flatMap { state.time.deadline(for: $0) })
        }
    }

    private func decision(_ lease: Lease, _ frame: TimedCodecFrame, _ state: inout State) -> FrameDecision {
        state.isStopping ? .returnSource : state.wall.decide(lease, DecodedFrame(frame), at: state.time.now)
    }

    private func deadline(of lease: Lease, _ state: State) -> Time? {
        state.wall.deadline(of: lease, at: state.time.now)
    }

    /// Waits while other pipelines need the cores. Returns true if this lease goes on.
    func rest(_ lease: Lease) -> Timed<Bool> {
        state.wait(on: pipelineConditions[lease.pipeline]) { state -> Wait<Timed<Bool>> in
            if state.isStopping { return .done((false, nil)) }
            switch state.wall.leaseDecision(lease, at: state.time.now) {
            case .decodes: return .done((true, deadline(of: lease, state)))
            case .rests: return .again(deadline: nil)
            case .returnsSource: return .done((false, deadline(of: lease, state)))
            }
        }
    }

    /// True if the frames of this lease are still to be shown.
    func isWanted(_ lease: Lease) -> Timed<Bool> {
        state.locked { (!$0.isStopping && $0.wall.isWanted(lease), deadline(of: lease, $0)) }
    }

    /// Returns when the wall has an update due, or sources to be closed. Returns nil when the wall stops. Runs posted
    /// changes meanwhile.
    ///
    /// `last`: time of the previous return, on the monotonic clock. For overdue updates the function returns at most
    /// once a millisecond. `wake`: monotonic time at which the function returns even if nothing is due.
    func nextDuty(after last: Time, wakingAt wake: Int64) -> [Source]? {
        while true {
            for body in posts.take({ exchange(&$0, with: []) }) ?? [] { change(body) }
            switch state.locked({ duty(&$0, after: last, wakingAt: wake) }) {
            case .stop: return nil
            case .work(let sources): return sources
            case .sleep(let deadline): _ = posts.wait(until: deadline)
            }
        }
    }

    private enum Duty {
        case work(sources: [Source])
        case sleep(deadline: Int64)
        case stop
    }

    private func duty(_ state: inout State, after last: Time, wakingAt wake: Int64) -> Duty {
        if state.isStopping { return .stop }
        if !state.sourcesToClose.isEmpty { return .work(sources: exchange(&state.sourcesToClose, with: [])) }
        if wake <= monotonicNanoseconds() { return .work(sources: []) }
        guard let next = state.wall.nextUpdate else {
            state.conductorSleepsUntil = .distantFuture
            return .sleep(deadline: wake)
        }
        let soonest = last + .milliseconds(1)
        state.conductorSleepsUntil = next
        guard next <= state.time.now else {
            return .sleep(deadline: min(wake, state.time.deadline(for: max(next, soonest)) ?? wake))
        }
        return soonest <= Time.now ? .work(sources: []) : .sleep(deadline: soonest.nanoseconds)
    }

    /// Has the conductor look again at what is due.
    private func callConductor() { posts.post { _ in } }

    /// Makes every thread that waits here return.
    func stop() {
        state.locked {
            $0.isStopping = true
            $0.wall.stop()
        }
        for wakeCondition in pipelineConditions { wakeCondition.wake() }
        callConductor()
    }
}

extension DecodedFrame {
    fileprivate init(_ frame: TimedCodecFrame) {
        self.init(pts: frame.start, length: frame.length, natural: frame.codecFrame.natural)
    }
}

/// Time source of a wall.
public enum WallClock: Sendable {
    /// CLOCK_MONOTONIC.
    case live
    /// A time that moves only in steps.
    case stepped(Time)

    private var step: Time? { if case .stepped(let time) = self { time } else { nil } }

    var drive: PlayerCore.TimeDrive { step == nil ? .keepsUp : .waits }

    var now: Time { step ?? .now }

    /// Monotonic time at which a thread that waits for wall time `now` wakes up by itself; nil if only a step wakes the
    /// thread.
    func deadline(for now: Time) -> Int64? { step == nil ? now.nanoseconds : nil }
}
