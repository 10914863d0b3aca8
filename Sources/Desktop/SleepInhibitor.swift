import Glibc

/// Keeps the machine from suspending and from its idle action while the wall plays, through logind. Belongs to the
/// thread "control".
///
/// SDL holds the display's own screensaver (`Window.setScreensaver`), which also keeps a desktop from locking the
/// screen. SDL does not hold suspend, nor logind's idle action, which are held here, from the same instant on.
/// logind holds them as long as a file is open.
final class SleepInhibitor {
    private var state = State.idle
    /// Time at which the file is closed, on CLOCK_MONOTONIC in nanoseconds; nil while the wall plays.
    private var releasesAt: Int64?
    private let address: String?
    private let report: @Sendable (String) -> Void

    private enum State {
        case idle
        case asking(BusConnection)
        case held(file: Int32)
        /// logind is not there or refused. It is asked again when the wall plays after a pause.
        case refused
    }

    /// Time from the end of all motion until the machine may suspend, in nanoseconds.
    static let delay: Int64 = 5_000_000_000
    /// Longest time that logind may take for its answer, in microseconds.
    private static let longestAnswer: UInt64 = 5_000_000

    /// `address`: of the system's bus; nil if there is none. `report` takes remarks for `--verbose`.
    init(_ address: String?, report: @escaping @Sendable (String) -> Void) {
        (self.address, self.report) = (address, report)
    }

    /// The connection to poll; nil unless logind was asked.
    var connection: BusConnection? { if case .asking(let connection) = state { connection } else { nil } }

    var deadline: Int64? {
        if case .idle = state { return nil }
        return [releasesAt, connection?.deadline].compactMap { $0 }.min()
    }

    func note(isPlaying: Bool, at now: Int64) {
        if isPlaying {
            releasesAt = nil
            if case .idle = state { ask() }
        } else if releasesAt == nil {
            releasesAt = now + Self.delay
        }
    }

    private func ask() {
        guard let address else {
            state = .refused
            return
        }
        do throws(BusTrouble) {
            let connection = try BusConnection(address: address)
            let call = try BusMessage.call(
                connection, "org.freedesktop.login1", path: "/org/freedesktop/login1",
                interface: "org.freedesktop.login1.Manager", method: "Inhibit")
            for text in ["idle:sleep", "Quadrille", "plays video", "block"] { try call.append(.text(text)) }
            try connection.call(call, within: Self.longestAnswer) { [unowned self] in take($0) }
            state = .asking(connection)
        } catch { fail("\(error)") }
    }

    private func take(_ answer: BusMessage) {
        if let file = answer.isError ? nil : answer.readFile() {
            state = .held(file: file)
        } else {
            fail(answer.errorText)
        }
    }

    private func fail(_ reason: String) {
        state = .refused
        report("suspend is not inhibited: \(reason)")
    }

    /// Handles messages and the deadline.
    func process(at now: Int64) {
        if let connection {
            // `take` may end the connection meanwhile.
            do throws(BusTrouble) { try connection.process() } catch {
                if case .asking = state { fail("\(error)") }
            }
        }
        if let releasesAt, now >= releasesAt { release() }
    }

    /// Lets the machine suspend.
    func release() {
        if case .held(let file) = state { close(file) }
        (state, releasesAt) = (.idle, nil)
    }
}
