import Base
import Glibc

/// Calls `call` when the system's clock has reached an instant, and when that clock was set.
///
/// Any thread may call any method. The timer's thread begins with the first instant. The owner stops the timer.
///
/// While an instant is set, the timer wakes each second to notice that the system's clock was set.
public final class CalendarTimer: Sendable {
    private let name: String
    private let call: @Sendable () -> Void
    private let state = Locked(State())
    private let wakeCondition = WakeCondition()

    private struct State {
        /// Seconds since 1970.
        var due: Int?
        /// Lead of the system's clock over the monotonic one when `due` was set, in nanoseconds.
        var lead: Int64 = 0
        var worker: Worker?
        var isStopping = false
    }

    /// Time within which a change of the system's clock is noticed.
    private static let longestSleep: Int64 = 1_000_000_000
    /// Smallest jump of the system's clock that means the clock was set, in nanoseconds. Time servers correct the clock
    /// in smaller steps.
    private static let setBy: UInt64 = 500_000_000

    /// `call` runs on the timer's thread.
    public init(_ name: String, call: @escaping @Sendable () -> Void) { (self.name, self.call) = (name, call) }

    /// Calls once: at `due`, in seconds since 1970, or earlier if the system's clock was set. nil cancels. Returns
    /// false if the system has no thread.
    @discardableResult
    public func set(_ due: Int?) -> Bool {
        let isSet = state.locked { state in
            if state.isStopping { return false }
            (state.due, state.lead) = (due, CalendarTimer.lead)
            if state.worker == nil, due != nil { state.worker = try? Worker(name, .batch) { [self] in run() } }
            return state.worker != nil || due == nil
        }
        wakeCondition.wake()
        return isSet
    }

    private func run() {
        while true {
            let isDue = state.wait(on: wakeCondition) { state -> Wait<Bool> in
                if state.isStopping { return .done(false) }
                guard let due = state.due else { return .again(deadline: nil) }
                let lead = CalendarTimer.lead
                let deadline = nanoseconds(ofSeconds: Int64(due)).minus(lead), now = monotonicNanoseconds()
                if now >= deadline || lead.minus(state.lead).magnitude >= CalendarTimer.setBy {
                    state.due = nil
                    return .done(true)
                }
                return .again(deadline: min(deadline, now + CalendarTimer.longestSleep))
            }
            guard isDue else { return }
            call()
        }
    }

    private static var lead: Int64 { realTimeNanoseconds().minus(monotonicNanoseconds()) }

    /// Stops the timer. After `.joined`, `call` is not called again.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        let worker = state.locked { state in
            state.isStopping = true
            return exchange(&state.worker, with: nil)
        }
        wakeCondition.wake()
        return worker?.join(within: limit) ?? .joined
    }
}
