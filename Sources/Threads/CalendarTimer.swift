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
    private let mailbox = Mailbox(Setting(), .withoutPipe)

    private struct Setting {
        /// Seconds since 1970.
        var due: Int?
        /// Lead of the system's clock over the monotonic one when `due` was set, in nanoseconds.
        var lead: Int64 = 0
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
        let isSet = due == nil || (try? mailbox.start(name) { [self] in run() }) ?? false
        mailbox.post { $0 = Setting(due: due, lead: CalendarTimer.lead) }
        return isSet
    }

    private func run() {
        var wakesAt: Int64 = 0
        while true {
            mailbox.wait(until: wakesAt)
            if mailbox.isStopping { return }
            mailbox.take { _ in }
            let isDue = mailbox.locked { setting in
                wakesAt = .max
                guard let due = setting.due else { return false }
                let lead = CalendarTimer.lead
                let deadline = nanoseconds(ofSeconds: Int64(due)).minus(lead), now = monotonicNanoseconds()
                wakesAt = min(deadline, now + CalendarTimer.longestSleep)
                guard now >= deadline || lead.minus(setting.lead).magnitude >= CalendarTimer.setBy else { return false }
                setting.due = nil
                return true
            }
            if isDue { call() }
        }
    }

    private static var lead: Int64 { realTimeNanoseconds().minus(monotonicNanoseconds()) }

    /// Stops the timer. Returns its name if its thread has not ended; otherwise `call` is not called again.
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        mailbox.stop(within: limit)
    }
}
