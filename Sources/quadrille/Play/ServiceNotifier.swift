import Base
import Engine
import Glibc
import Player
import Threads

/// Reports the wall's state to the service manager (systemd) if one has started the program, over the socket that
/// NOTIFY_SOCKET names.
///
/// READY=1 is sent when each tile shows a frame, or after ten seconds. WATCHDOG=1 is sent only while the main thread
/// and the conductor both answer and due frames are on the screen: systemd restarts a wall that hangs. A thread of its
/// own asks both.
///
/// Both are asked once a second: the main thread by a task, which also makes the X server answer, and the conductor by
/// `post`. `HealthReport.showsWhatItCan` ignores faults that a restart would not mend: a source that is gone, a server
/// that is silent. STATUS= is `HealthReport.status`, which agrees with the property `health`.
final class ServiceNotifier: Sendable {
    private let state = Locked(State())
    private let wakeCondition = WakeCondition()
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
    }

    /// nil if no service manager has started the program.
    init?(_ runner: LockedWall, _ mainTasks: MainTasks) throws(NoThread) {
        guard let socket = NotifySocket() else { return nil }
        let (state, wakeCondition) = (state, wakeCondition)
        worker = try Worker("service", stackSize: 1 << 18) {
            var service = Service(socket)
            var asked = 0
            while true {
                asked += 1
                ServiceNotifier.ask(asked, runner, mainTasks, state, wakeCondition)
                // An answer is reported as soon as it arrives. The next question is asked when the interval is over.
                let next = monotonicNanoseconds() + service.interval
                let answers = state.wait(on: wakeCondition) { state -> Wait<State> in
                    let isAnswered = state.screen == asked && state.conductor == asked
                    return isAnswered || state.isStopping || monotonicNanoseconds() >= next
                        ? .done(state) : .again(deadline: next)
                }
                if answers.isStopping { break }
                let answer = answers.screen == asked && answers.conductor == asked
                service.report(
                    answer ? answers.status : nil, isPresent: answers.isPresent, isWhole: answers.isWhole)
                let isOver = state.wait(on: wakeCondition) { state -> Wait<Bool> in
                    if state.isStopping { return .done(true) }
                    return monotonicNanoseconds() >= next ? .done(false) : .again(deadline: next)
                }
                if isOver { break }
            }
            service.end()
        }
    }

    /// Asks the main thread and the conductor to answer with this number.
    private static func ask(
        _ number: Int, _ runner: LockedWall, _ mainTasks: MainTasks, _ state: Locked<State>,
        _ wakeCondition: WakeCondition
    ) {
        mainTasks.add { loop in
            loop.confirmDisplay()
            state.locked { $0.screen = number }
            wakeCondition.wake()
        }
        runner.post { wall, now in
            let report = HealthReport(wall.snapshot(at: now))
            let (isPresent, isWhole) = (report.showsWhatItCan(), report.tilesWithoutFrame.isEmpty),
                status = report.status
            state.locked {
                ($0.conductor, $0.isPresent, $0.isWhole, $0.status) = (number, isPresent, isWhole, status)
            }
            wakeCondition.wake()
        }
    }

    func stop(within limit: Int64 = 500_000_000) -> Worker.JoinResult {
        state.locked { $0.isStopping = true }
        wakeCondition.wake()
        return worker.join(within: limit)
    }
}

/// State as last sent to the service manager, on the thread that sends it.
private struct Service {
    private let socket: NotifySocket
    private let began = monotonicNanoseconds()
    private var isReady = false
    private var status = ""
    /// Interval between two questions, in nanoseconds.
    let interval: Int64

    /// READY=1 is sent after this time even if a tile can't be shown.
    private static let longestStart: Int64 = 10_000_000_000

    init(_ socket: NotifySocket) {
        self.socket = socket
        interval = min(1_000_000_000, (socket.watchdog ?? .max) / 3)
    }

    /// `answer`: the wall's own status; nil if a thread does not answer. `isWhole`: true if each tile has shown a frame.
    mutating func report(_ answer: String?, isPresent: Bool, isWhole: Bool) {
        var lines: [String] = []
        let isLate = monotonicNanoseconds() - began >= Service.longestStart
        let isReady = isReady || isLate || answer != nil && isWhole
        if isReady != self.isReady { lines.append("READY=1") }
        let status = answer ?? "the display or the wall does not answer"
        if status != self.status { lines.append("STATUS=" + status.printable) }
        if answer != nil, isPresent, socket.watchdog != nil { lines.append("WATCHDOG=1") }
        // Remember only state that the manager accepted. Other state is sent again with the next report.
        if socket.send(lines) == .taken { (self.isReady, self.status) = (isReady, status) }
    }

    func end() { _ = socket.send(["STOPPING=1"]) }
}

/// The service manager's socket, as in sd_notify(3).
private struct NotifySocket: Sendable {
    private let file: Int32
    private let path: String
    /// Longest time between two WATCHDOG=1 messages, in nanoseconds; nil if the manager wants none.
    let watchdog: Int64?

    /// nil if the environment names no socket.
    init?() {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }),
            name.hasPrefix("/") || name.hasPrefix("@"),
            (2...107).contains(name.utf8.count)
        else { return nil }
        file = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard file >= 0 else { return nil }
        path = name
        func number(_ name: String) -> Int64? { getenv(name).flatMap { Int64(String(cString: $0)) } }
        let isOurs = number("WATCHDOG_PID").map { $0 == getpid() } ?? true
        watchdog = isOurs ? number("WATCHDOG_USEC").flatMap { $0 > 0 && $0 < .max / 1000 ? $0 * 1000 : nil } : nil
    }

    enum Outcome { case taken, refused }

    /// Sends the lines in one message. Drops them if the manager is gone or its queue is full.
    func send(_ lines: [String]) -> Outcome {
        if lines.isEmpty { return .taken }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: bytes)
            // An abstract socket's name begins with a zero byte.
            if bytes[0] == UInt8(ascii: "@") { room[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(file, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent < 0 ? .refused : .taken
    }
}
