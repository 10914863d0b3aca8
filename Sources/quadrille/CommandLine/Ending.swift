import Glibc
import Threads

/// How the program ends where the main thread can't see to it: it stands in a display, a file or a pipe.
///
/// Who asks for the end (a signal, a display that is gone) gives the main thread some time to be back and `claim` it.
/// Where it is not, the thread "ending" does in its place what was given to `prepare`, and ends the process. Any thread
/// may call any method but for those of the main thread.
final class Ending: Sendable {
    private let state: Monitor<State>
    private let wakeCondition: WakeCondition
    private let worker: Worker

    private struct State {
        /// The exit status, once the end was asked for.
        var status: Int32?
        /// When the thread "ending" does what the main thread has not done; nil: the main thread has its time.
        var deadline: Int64?
        /// When the program is to have ended by itself.
        var latest: Int64?
        var instead: (@Sendable (Int32) -> Int32)?
        var wake: (@Sendable () -> Void)?
        var isClaimed = false
        var isOver = false
    }

    init() throws(NoStart) {
        let state = Monitor(State()), wakeCondition = WakeCondition()
        (self.state, self.wakeCondition) = (state, wakeCondition)
        worker = try NoStart.wrapping { () throws(NoThread) in
            try Worker("ending") {
                let taken = state.wait(on: wakeCondition) { state -> Wait<(Int32, @Sendable (Int32) -> Int32)?> in
                    if state.isOver { return .done(nil) }
                    let deadline = [state.deadline, state.latest].compactMap { $0 }.min()
                    guard let deadline, let instead = state.instead, monotonicNanoseconds() >= deadline else {
                        return .again(deadline: deadline)
                    }
                    state.isClaimed = true
                    return .done((state.status ?? ExitStatus.done, instead))
                }
                if let (status, instead) = taken { _exit(instead(status)) }
            }
        }
    }

    /// How long the main thread may take to come back.
    private static let patience: Int64 = 750_000_000

    /// The main thread ends the program by then (an instant of CLOCK_MONOTONIC), or soon after.
    func expect(by instant: Int64) {
        state.locked { $0.latest = instant + Ending.patience }
        wakeCondition.wake()
    }

    /// A signal, or a command. Where nothing was prepared there is nothing to end: the process ends here.
    func ask(status: Int32) {
        end(status, within: Ending.patience)
        wake()
    }

    /// Nothing is shown any more, and the main thread does not come back.
    func displayIsGone() { end(ExitStatus.displayGone, within: 0) }

    private func end(_ status: Int32, within limit: Int64) {
        state.locked { state in
            if state.isClaimed || state.isOver { return }
            if state.instead == nil { _exit(status) }
            let deadline = monotonicNanoseconds() + limit
            (state.status, state.deadline) = (state.status ?? status, min(state.deadline ?? .max, deadline))
        }
        wakeCondition.wake()
    }

    /// What was asked for; nil: nobody has.
    var status: Int32? { state.locked { $0.status } }
    var isAsked: Bool { status != nil }

    /// From now on there is something to end: `instead` does it, and answers the exit status.
    func prepare(instead: @escaping @Sendable (Int32) -> Int32) { state.locked { $0.instead = instead } }

    /// Who is called when the end is asked for; nil: nobody is there any more.
    func onAsk(_ wake: (@Sendable () -> Void)?) { state.locked { $0.wake = wake } }

    /// The main thread looks again.
    func wake() { state.locked { $0.wake }?() }

    // MARK: the main thread

    /// What is left to do is the main thread's. Does not return where it comes too late.
    func claim() {
        let isTooLate = state.locked { state in
            defer { (state.isClaimed, state.deadline, state.latest) = (true, nil, nil) }
            return state.isClaimed
        }
        while isTooLate { pause() }
    }

    /// The very last: the process ends with this status, even where it does not return.
    func last(status: Int32, within limit: Int64 = 500_000_000, _ body: () -> Void) {
        state.locked { state in
            (state.status, state.instead) = (status, { $0 })
            state.deadline = monotonicNanoseconds() + limit
        }
        wakeCondition.wake()
        body()
    }

    func stop() {
        state.locked { $0.isOver = true }
        wakeCondition.wake()
        _ = worker.join()
    }
}

extension Ending {
    /// Of a subcommand without a window, which asks whether a signal wants its end.
    static func statusOf(_ work: (Ending) throws(NoStart) -> Int32) -> Int32 {
        do throws(NoStart) {
            try NoStart.checkLimits(withSound: false)
            let ending = try Ending()
            defer { ending.stop() }
            let signals = try Signals { ending.ask(status: ExitStatus.signal($0)) }
            defer { signals.stop() }
            return try work(ending)
        } catch {
            printLine("quadrille: \(error.what)")
            return ExitStatus.failed
        }
    }
}
