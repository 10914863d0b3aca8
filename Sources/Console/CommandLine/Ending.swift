import Files
import Glibc
import Threads

/// Ends the program if the main thread can't, because it is blocked in a display, a file or a pipe.
///
/// A request to end (a signal, a lost display) gives the main thread some time to return and carry out the end
/// (`leaveToMainThread`). If the main thread does not, the thread "ending" calls the function given to `prepare`, and
/// ends the process. Any thread may call any method but those of the main thread.
///
/// For `play` that time is 750 ms. If Xlib reports that the server is gone, the thread "ending" takes over at once: the
/// thread that Xlib calls (`XErrors.onLoss`) must not return. The loss of a Wayland compositor comes as SDL's quit
/// event. `render` is ended even if it is blocked in a pipe or a disk. A second signal, of any kind, removes the
/// unfinished files (`UnfinishedFiles`) and ends the program at once. A third signal ends even a blocked program.
public final class Ending: Sendable {
    private let state = Locked(State())
    private let worker: Worker

    private struct State {
        /// Exit status; nil until the end was requested.
        var status: Int32?
        /// Time at which the thread "ending" takes over from the main thread; nil while no end is pending.
        var deadline: Int64?
        /// Time by which the program should have ended by itself; nil until `expect` sets it.
        var latest: Int64?
        var fallback: (@Sendable (Int32) -> Int32)?
        var wake: (@Sendable () -> Void)?
        /// The thread that carries out the end; nil while neither does.
        var carrier: Carrier?
        var isOver = false

        enum Carrier { case mainThread, ending }
    }

    public init() throws(NoThread) {
        worker = try Worker("ending") { [state] in
            let taken = state.wait { state -> Wait<(Int32, @Sendable (Int32) -> Int32)?> in
                if state.isOver { return .done(nil) }
                let deadline = [state.deadline, state.latest].compactMap { $0 }.min()
                guard let deadline, let fallback = state.fallback, monotonicNanoseconds() >= deadline else {
                    return .again(deadline: deadline)
                }
                state.carrier = .ending
                return .done((state.status ?? ExitStatus.done, fallback))
            }
            if let (status, fallback) = taken { _exit(fallback(status)) }
        }
    }

    /// Time that the main thread has to return, in nanoseconds.
    private static let patience: Int64 = 750_000_000

    /// Announces that the main thread ends the program by `instant` of CLOCK_MONOTONIC, or soon after.
    public func expect(by instant: Int64) {
        state.change { $0.latest = instant + Ending.patience }
    }

    /// Requests the end, for a signal or a command. If nothing was prepared, the process ends here.
    public func request(status: Int32) {
        end(status, within: Ending.patience)
        wake()
    }

    /// Ends the program at once: nothing is shown any more, and the main thread does not return.
    public func displayIsGone() { end(ExitStatus.displayGone, within: 0) }

    private func end(_ status: Int32, within limit: Int64) {
        state.change { state in
            if state.carrier != nil || state.isOver { return }
            if state.fallback == nil { _exit(status) }
            let deadline = monotonicNanoseconds() + limit
            (state.status, state.deadline) = (state.status ?? status, min(state.deadline ?? .max, deadline))
        }
    }

    /// Requested exit status; nil until the end is requested.
    public var status: Int32? { state.locked { $0.status } }
    public var isRequested: Bool { status != nil }

    /// Sets `fallback`, which ends the program in place of the main thread and returns the exit status. By default, it
    /// removes unfinished files.
    public func prepare(fallback: (@Sendable (Int32) -> Int32)? = nil) {
        let removal: @Sendable (Int32) -> Int32 = { status in
            UnfinishedFiles.removeAll()
            return status
        }
        state.locked { $0.fallback = fallback ?? removal }
    }

    /// Sets the function that is called when the end is requested. nil removes it.
    public func onRequest(_ wake: (@Sendable () -> Void)?) { state.locked { $0.wake = wake } }

    /// Wakes the main thread.
    public func wake() { state.locked { $0.wake }?() }

    // MARK: the main thread

    /// Leaves the rest to the main thread. Does not return if the thread "ending" has taken over.
    public func leaveToMainThread() {
        let isTooLate = state.locked { state in
            if state.carrier == nil { (state.carrier, state.deadline, state.latest) = (.mainThread, nil, nil) }
            return state.carrier == .ending
        }
        while isTooLate { pause() }
    }

    /// Runs the last step. The process ends with this status even if `body` does not return.
    public func last(status: Int32, within limit: Int64 = 500_000_000, _ body: () -> Void) {
        state.change { state in
            (state.status, state.fallback) = (status, { $0 })
            state.deadline = monotonicNanoseconds() + limit
        }
        body()
    }

    public func stop() {
        state.change { $0.isOver = true }
        _ = worker.join()
    }

    /// Prints the names of threads that did not end in time.
    public static func reportMissing(_ missing: [String]) {
        for name in missing { printLine("quadrille: not waited for: \(name)") }
    }

    /// Runs a subcommand without a window. Prints why it fails, and returns its exit status: that of a signal if it was
    /// interrupted. Ends the process at once if threads were left behind. `work` asks its `Ending` whether a signal
    /// ends it.
    public static func status(of work: (Ending) throws -> Int32) -> Int32 {
        Failure.status {
            try Failure.checkLimits(withSound: false)
            let ending = try Ending()
            defer { ending.stop() }
            let signals = try Signals { ending.request(status: ExitStatus.signal($0)) }
            defer { signals.stop() }
            var status = Failure.status { try work(ending) }
            ending.leaveToMainThread()
            if status != ExitStatus.done { status = ending.status ?? status }
            if Worker.areAnyDetached { _exit(status) }
            return status
        }
    }
}
