import Glibc

/// Calls when the system's clock has come to an instant, and when somebody has set that clock.
///
/// Any thread may call any method. Its thread begins with the first instant; its owner stops it.
public final class CalendarTimer: Sendable {
    private let name: String
    private let call: @Sendable () -> Void
    private let state = Monitor(State())
    private let wakeCondition = WakeCondition()

    private struct State {
        /// Seconds since 1970.
        var due: Int?
        /// What the system's clock is ahead of the monotonic one, when `due` was set.
        var lead: Int64 = 0
        var worker: Worker?
        var isStopping = false
    }

    /// A clock that was set is noticed within so long.
    private static let longestSleep: Int64 = 1_000_000_000
    /// What time servers correct bit by bit is less.
    private static let setBy: UInt64 = 500_000_000

    /// `call` runs on the timer's thread.
    public init(_ name: String, call: @escaping @Sendable () -> Void) { (self.name, self.call) = (name, call) }

    /// Calls once, at this instant at the latest, in seconds since 1970; nil: no more. false: the system has no thread.
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
                let deadline = nanoseconds(ofSeconds: Int64(due)).subtractingClamped(lead), now = monotonicNanoseconds()
                if now >= deadline || lead.subtractingClamped(state.lead).magnitude >= CalendarTimer.setBy {
                    state.due = nil
                    return .done(true)
                }
                return .again(deadline: min(deadline, now + CalendarTimer.longestSleep))
            }
            guard isDue else { return }
            call()
        }
    }

    private static var lead: Int64 { realTimeNanoseconds().subtractingClamped(monotonicNanoseconds()) }

    /// It calls no more once it is joined.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        let worker = state.locked { state in
            state.isStopping = true
            defer { state.worker = nil }
            return state.worker
        }
        wakeCondition.wake()
        return worker?.join(within: limit) ?? .joined
    }
}

extension Int64 {
    /// The nearest that fits.
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, isTooMuch) = subtractingReportingOverflow(other)
        return isTooMuch ? other > 0 ? .min : .max : difference
    }
}
