import Threads
import WallCore

/// Keeps the wall behind one lock, and does outside of it what the wall ordered.
///
/// Any thread may call `change`; one that steps back behind others hands in its changes by `post`. Lock order: the wall
/// before whoever records its events (the chronicle, the control socket's mailbox), and before the store that frames
/// go back to; nothing else is locked inside.
///
/// Its time is the monotonic clock, or one that stands until somebody steps it: then what waits for an instant is
/// woken by steps alone.
public final class WallRunner: Sendable {
    private let state: Monitor<State>
    private let pipelineConditions: [WakeCondition]
    private let desk = Monitor(Desk())
    private let conductorCondition = WakeCondition()
    /// In stepped time: something has changed.
    private let changeCondition = WakeCondition()
    private let listeners = Monitor(Listeners())
    /// Takes events in order. It is called with the wall locked: it must only store them.
    private let record: @Sendable ([Event]) -> Void
    /// Asked to open a source on a thread of its own.
    private let open: @Sendable (OpenOrder) -> Void
    private let load: @Sendable (PosterOrder) -> Void
    private let measure: @Sendable (FiguresOrder) -> Void

    private struct State {
        var wall: Wall
        var time: WallClock
        var isStopping = false
        /// Sources to be closed by the conductor.
        var rubbish: [any WallSource] = []
        var conductorSleepsUntil: Time?
        /// Commands for whoever has the window.
        var window: [Command.WindowCommand] = []
    }

    /// What brings the conductor back to the wall. It is not locked while the wall is.
    fileprivate struct Desk {
        var changes: [Change] = []
        var isCalled = false
    }
    public typealias Change = @Sendable (inout Wall, Time) -> Void

    public init(
        _ wall: Wall, pipelines: Int, time: WallClock, record: @escaping @Sendable ([Event]) -> Void,
        open: @escaping @Sendable (OpenOrder) -> Void, load: @escaping @Sendable (PosterOrder) -> Void,
        measure: @escaping @Sendable (FiguresOrder) -> Void
    ) {
        state = Monitor(State(wall: wall, time: time))
        pipelineConditions = (0..<max(pipelines, Self.mostPipelines)).map { _ in WakeCondition() }
        (self.record, self.open, self.load, self.measure) = (record, open, load, measure)
    }

    /// Of a wall whose layout changes.
    static let mostPipelines = 64

    /// Who is called, from any thread, with nothing locked.
    private struct Listeners {
        var screen: (@Sendable () -> Void)?
        var sound: (@Sendable () -> Void)?
        var change: (@Sendable () -> Void)?
        var takes: (@Sendable () -> Void)?
        var interrupt: (@Sendable (Set<Int>) -> Void)?
    }

    public static func now() -> Time { Time(nanoseconds: monotonicNanoseconds()) }

    /// Who is called, from any thread, when the screen must look again.
    public func onScreenChange(_ wake: @escaping @Sendable () -> Void) { listeners.locked { $0.screen = wake } }

    /// Who is called, from any thread, when what is heard may be something else.
    public func onSoundChange(_ wake: (@Sendable () -> Void)?) { listeners.locked { $0.sound = wake } }

    /// Who is called, from any thread, when a recording begins or ends.
    public func onTakes(_ look: (@Sendable () -> Void)?) { listeners.locked { $0.takes = look } }

    /// Who is called, from any thread, after whatever has changed: often.
    public func onChange(_ note: (@Sendable () -> Void)?) { listeners.locked { $0.change = note } }

    /// Who is called, from any thread, for pipelines that wait for what nobody wants any more.
    func onInterrupt(_ interrupt: (@Sendable (Set<Int>) -> Void)?) { listeners.locked { $0.interrupt = interrupt } }

    /// The commands that concern the window, in their order; each is answered once.
    public func takeWindowCommands() -> [Command.WindowCommand] {
        state.locked { state in
            defer { state.window = [] }
            return state.window
        }
    }

    /// Runs `body` on the wall at this instant, then does what came of it.
    @discardableResult
    public func change<Result>(_ body: (inout Wall, Time) -> Result) -> Result {
        let (result, effects, isEarlier) = state.locked { state in
            let result = body(&state.wall, state.time.now)
            let (effects, isEarlier) = takeEffects(&state)
            return (result, effects, isEarlier)
        }
        carryOut(effects, isEarlier)
        return result
    }

    /// Has the conductor run `body` on the wall soon, after what was posted before. For openers, which may be many: one that
    /// was set aside while it had the wall locked would hold up the screen. Of pipelines no more work than there are cores.
    public func post(_ body: @escaping Change) {
        desk.locked { $0.changes.append(body) }
        conductorCondition.wake()
    }

    /// What `body` answers of the wall as it is now; it changes nothing.
    public func read<Result>(_ body: (Wall, Time) -> Result) -> Result {
        state.locked { body($0.wall, $0.time.now) }
    }

    private func takeEffects(_ state: inout State) -> (Effects, Bool) {
        let effects = state.wall.takeEffects()
        if !effects.events.isEmpty { record(effects.events) }
        state.rubbish += effects.close
        state.window += effects.window
        let hasRubbish = !effects.close.isEmpty
        let next = state.wall.nextUpdate ?? .distantFuture
        return (effects, hasRubbish || next < state.conductorSleepsUntil ?? .zero)
    }

    private func carryOut(_ effects: Effects, _ wakesConductor: Bool) {
        for pipeline in effects.pipelines { pipelineConditions[pipeline].wake() }
        for order in effects.open { open(order) }
        for order in effects.posters { load(order) }
        if let order = effects.figures { measure(order) }
        if wakesConductor { callConductor() }
        let listeners = listeners.locked { $0 }
        if !effects.interrupts.isEmpty { listeners.interrupt?(effects.interrupts) }
        if effects.wakesScreen { listeners.screen?() }
        if effects.wakesSound { listeners.sound?() }
        if effects.wakesTakes { listeners.takes?() }
        listeners.change?()
        changeCondition.wake()
    }

    // MARK: stepped time

    /// Time goes on to `wall`, and everybody looks again.
    public func step(to now: Time) {
        state.locked { $0.time = .stepped(now) }
        change { wall, now in wall.update(at: now) }
        for wakeCondition in pipelineConditions { wakeCondition.wake() }
        callConductor()
    }

    /// Waits until `body` answers; it is asked again after each change, and at `deadline` (CLOCK_MONOTONIC).
    public func wait<Result>(until deadline: Int64, _ body: (inout Wall, Time) -> Result?) -> Result? {
        state.wait(on: changeCondition) { state -> Wait<Result?> in
            if let result = body(&state.wall, state.time.now) { return .done(result) }
            return monotonicNanoseconds() >= deadline ? .done(nil) : .again(deadline: deadline)
        }
    }

    /// Whoever stands in `wait` asks again.
    public func wakeWaiting() { changeCondition.wake() }

    // MARK: what threads wait for

    /// The next task of this pipeline; nil when the wall stops.
    func nextTask(_ pipeline: Int) -> PipelineTask? {
        state.wait(on: pipelineConditions[pipeline]) { state -> Wait<PipelineTask?> in
            if state.isStopping { return .done(nil) }
            return state.wall.takeTask(pipeline).map { .done($0) } ?? .again(deadline: nil)
        }
    }

    /// When what this lease has decoded runs out; nil: nobody has to wait for another.
    func due(_ lease: Lease) -> Time? { state.locked { $0.wall.due(lease, at: $0.time.now) } }

    /// What to do with a frame, at once; to `.wait` is an answer, too.
    func askDecision(_ lease: Lease, _ frame: TimedFrame) -> FrameDecision {
        state.locked { decision(lease, frame, &$0) }
    }

    /// What to do with a frame: waits until there is room for it, or nobody wants it any more.
    func decide(_ lease: Lease, _ frame: TimedFrame) -> FrameDecision {
        state.wait(on: pipelineConditions[lease.pipeline]) { state -> Wait<FrameDecision> in
            let decision = decision(lease, frame, &state)
            guard case .wait(let until) = decision else { return .done(decision) }
            return .again(deadline: until.flatMap { state.time.deadline(for: $0) })
        }
    }

    private func decision(_ lease: Lease, _ frame: TimedFrame, _ state: inout State) -> FrameDecision {
        if state.isStopping { return .drop }
        return state.wall.decide(
            lease, pts: frame.start, length: frame.length, natural: frame.codecFrame.natural, at: state.time.now)
    }

    /// Waits while others are to have the cores; says whether this lease goes on.
    func rest(_ lease: Lease) -> Bool {
        state.wait(on: pipelineConditions[lease.pipeline]) { state -> Wait<Bool> in
            if state.isStopping { return .done(false) }
            switch state.wall.leaseDecision(lease, at: state.time.now) {
            case .decodes: return .done(true)
            case .rests: return .again(deadline: nil)
            case .drops: return .done(false)
            }
        }
    }

    /// Whether what this lease decodes is still to be shown.
    func isWanted(_ lease: Lease) -> Bool { state.locked { !$0.isStopping && $0.wall.isWanted(lease) } }

    /// Returns when the wall has something due, or sources are to be closed; nil when it stops. What was posted is done
    /// meanwhile.
    ///
    /// `last`: when it returned before, on the monotonic clock; what is overdue is looked at once a millisecond. `wake`, by
    /// that clock: it returns by then, even if nothing is due.
    func nextDuty(after last: Time, wakingAt wake: Int64) -> [any WallSource]? {
        while true {
            for body in desk.locked({ $0.takeChanges() }) { change(body) }
            switch state.locked({ duty(&$0, after: last, wakingAt: wake) }) {
            case .stop: return nil
            case .work(let rubbish): return rubbish
            case .sleep(let deadline): sleep(until: deadline)
            }
        }
    }

    private enum Duty {
        case work(rubbish: [any WallSource])
        case sleep(deadline: Int64)
        case stop
    }

    private func duty(_ state: inout State, after last: Time, wakingAt wake: Int64) -> Duty {
        if state.isStopping { return .stop }
        if !state.rubbish.isEmpty {
            defer { state.rubbish = [] }
            return .work(rubbish: state.rubbish)
        }
        if wake <= monotonicNanoseconds() { return .work(rubbish: []) }
        guard let next = state.wall.nextUpdate else {
            state.conductorSleepsUntil = .distantFuture
            return .sleep(deadline: wake)
        }
        let soonest = last + .milliseconds(1)
        state.conductorSleepsUntil = next
        guard next <= state.time.now else {
            return .sleep(deadline: min(wake, state.time.deadline(for: max(next, soonest)) ?? wake))
        }
        return soonest <= WallRunner.now() ? .work(rubbish: []) : .sleep(deadline: soonest.nanoseconds)
    }

    /// The conductor's, until it is called or something is posted.
    private func sleep(until deadline: Int64) {
        desk.wait(on: conductorCondition) { desk -> Wait<Void> in
            if desk.isCalled || !desk.changes.isEmpty {
                desk.isCalled = false
                return .done(())
            }
            if monotonicNanoseconds() >= deadline { return .done(()) }
            return .again(deadline: deadline)
        }
    }

    private func callConductor() {
        desk.locked { $0.isCalled = true }
        conductorCondition.wake()
    }

    /// Every thread that waits here comes back.
    func stop() {
        state.locked {
            $0.isStopping = true
            $0.wall.stop()
        }
        for wakeCondition in pipelineConditions { wakeCondition.wake() }
        callConductor()
    }
}

extension WallRunner.Desk {
    fileprivate mutating func takeChanges() -> [WallRunner.Change] {
        defer { changes = [] }
        return changes
    }
}
