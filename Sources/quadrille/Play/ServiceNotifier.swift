import Base
import CSystemd
import Engine
import Glibc
import Player
import Threads

/// Reports the wall's state to the service manager (systemd) if one has started the program, over the socket that
/// NOTIFY_SOCKET names.
///
/// READY=1 is sent when each tile shows a frame, or after ten seconds. WATCHDOG=1 is sent only while the main thread
/// and the conductor both answer and due frames are on the screen: systemd restarts a wall that hangs. A thread of its
/// own asks both, and sends.
///
/// Both are asked once a second: the main thread by a task, which also makes the X server answer, and the conductor by
/// `post`. `HealthReport.showsWhatItCan` ignores faults that a restart would not mend: a source that is gone, a server
/// that is silent. STATUS= is `HealthReport.status`, which agrees with the property `health`.
final class ServiceNotifier: Sendable {
    private let state = Locked(State())
    private let worker: Worker

    private struct State {
        /// Number of the last question that each thread has answered.
        var screen = 0
        var conductor = 0
        var isPresent = true
        /// True if each tile has shown a frame.
        var isWhole = false
        var status = ""
        var isStopping = false

        func isAnswered(_ number: Int) -> Bool { screen == number && conductor == number }
    }

    /// nil if no service manager has started the program.
    init?(_ runner: LockedWall, _ mainTasks: MainTasks) throws(NoThread) {
        guard let service = Service() else { return nil }
        worker = try Worker("service", stackSize: 1 << 18) { [state] in
            var service = service
            // The number of the question, with which the main thread and the conductor answer.
            for number in 1... {
                mainTasks.add { loop in
                    loop.window.confirmDisplay()
                    state.change { $0.screen = number }
                }
                runner.post { wall, now in
                    let report = HealthReport(wall.snapshot(at: now)), status = report.status
                    let isPresent = report.showsWhatItCan(), isWhole = report.tilesWithoutFrame.isEmpty
                    state.change {
                        ($0.conductor, $0.isPresent, $0.isWhole, $0.status) = (number, isPresent, isWhole, status)
                    }
                }
                // An answer is reported as soon as it arrives. The next question is asked when the interval is over.
                let next = monotonicNanoseconds() + service.interval
                _ = state.wait(by: next) { $0.isStopping || $0.isAnswered(number) ? () : nil }
                let answers = state.locked { $0 }
                if answers.isStopping { break }
                service.report(
                    answers.isAnswered(number) ? answers.status : nil, isPresent: answers.isPresent,
                    isWhole: answers.isWhole)
                if state.wait(by: next, for: { $0.isStopping ? () : nil }) != nil { break }
            }
            service.end()
        }
    }

    func stop(within limit: Int64 = 500_000_000) -> [String] {
        state.change { $0.isStopping = true }
        return worker.join(within: limit)
    }
}

/// State as last sent to the service manager, on the thread that sends it.
private struct Service: Sendable {
    private let began = monotonicNanoseconds()
    private var isReady = false
    private var status = ""
    /// True if the manager wants signs of life.
    private let isWatched: Bool
    /// Interval between two questions, in nanoseconds.
    let interval: Int64

    /// READY=1 is sent after this time even if a tile can't be shown.
    private static let longestStart: Int64 = 10_000_000_000

    /// nil if no service manager has started the program.
    init?() {
        guard getenv("NOTIFY_SOCKET") != nil else { return nil }
        var watchdog: UInt64 = .max
        isWatched = sd_watchdog_enabled(0, &watchdog) > 0
        interval = Int64(min(3_000_000, isWatched ? watchdog : .max)) * 1000 / 3
    }

    /// `answer`: the wall's own status; nil if a thread does not answer. `isWhole`: true if each tile has shown a frame.
    mutating func report(_ answer: String?, isPresent: Bool, isWhole: Bool) {
        var lines: [String] = []
        let isLate = monotonicNanoseconds() - began >= Service.longestStart
        let isReady = isReady || isLate || answer != nil && isWhole
        if isReady != self.isReady { lines.append("READY=1") }
        let status = answer ?? "the display or the wall does not answer"
        if status != self.status { lines.append("STATUS=" + status.printable) }
        if answer != nil, isPresent, isWatched { lines.append("WATCHDOG=1") }
        // Remember only state that the manager accepted. Other state is sent again with the next report.
        if lines.isEmpty || sd_notify(0, lines.joined(separator: "\n")) > 0 {
            (self.isReady, self.status) = (isReady, status)
        }
    }

    func end() { sd_notify(0, "STOPPING=1") }
}
