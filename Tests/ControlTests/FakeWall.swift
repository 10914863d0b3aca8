import Base
import Commands
import Glibc
import Protocols
import Testing
import Threads

@testable import Socket

/// A stand-in for the wall: properties in a table, and a few commands.
final class FakeWall: ControlTarget {
    typealias Answer = @Sendable (Result<PropertyValue?, ControlError>) -> Void

    private struct State {
        var properties: [String: PropertyValue] = [
            "pause": .flag(false), "volume": .number(100), "pid": .integer(4711), "playlist": .list([]),
            "metadata": .object([PropertyField("b", .integer(1)), PropertyField("a", .null)]), "title": .text("é"),
        ]
        var held: [Answer] = []
        var ran: [ControlCommand] = []
        var reads = 0
        var times: [String: Int64] = [:]
        var onNext: (@Sendable () -> Void)?
    }
    private let state = Locked(State())
    private let commandCame = WakeCondition()

    let eventNames = ["seam"]

    var ran: [ControlCommand] { state.locked { $0.ran } }
    /// Number of properties that were read.
    var reads: Int { state.locked { $0.reads } }

    subscript(name: String) -> PropertyValue? {
        get { state.locked { $0.properties[name] } }
        set { state.locked { $0.properties[name] = newValue } }
    }

    /// Reading this property takes nanoseconds of processor time.
    func takes(_ name: String, _ nanoseconds: Int64) {
        self[name] = .text(name)
        state.locked { $0.times[name] = nanoseconds }
    }

    /// Answers the oldest `hold` on the calling thread. Waits until there is one.
    func release(_ result: Result<PropertyValue?, ControlError> = .success(.text("late"))) {
        let answer = state.wait(on: commandCame) { state -> Wait<Answer> in
            state.held.isEmpty ? .again(deadline: nil) : .done(state.held.removeFirst())
        }
        answer(result)
    }

    func waitForCommands(_ count: Int) {
        state.wait(on: commandCame) { $0.ran.count < count ? .again(deadline: nil) : .done(()) }
    }

    /// `body` is called once, by the socket's thread, while the next command runs.
    func onNextCommand(_ body: @escaping @Sendable () -> Void) { state.locked { $0.onNext = body } }

    func run(_ command: ControlCommand, answer: @escaping Answer) {
        let onNext = state.locked { state in
            defer { state.onNext = nil }
            return state.onNext
        }
        onNext?()
        defer {
            state.locked { $0.ran.append(command) }
            commandCame.wake()
        }
        switch (command.name, command.arguments) {
        case ("set", let arguments) where arguments.count == 2:
            guard case .text(let name) = arguments[0], self[name] != nil else { return answer(.failure(.commandError)) }
            self[name] = arguments[1]
            answer(.success(nil))
        case ("echo", let arguments) where arguments.count == 1: answer(.success(arguments[0]))
        case ("twice", _):
            answer(.success(.integer(1)))
            answer(.success(.integer(2)))
        case ("named", _): answer(.success(.object(command.named)))
        case ("hold", _):
            state.locked { $0.held.append(answer) }
        default: answer(.failure(.invalidParameter))
        }
    }

    func property(_ name: String) -> Result<PropertyValue, ControlError> {
        let length = state.locked { state in
            state.reads += 1
            return state.times[name] ?? 0
        }
        let end = monotonicNanoseconds() + length
        while monotonicNanoseconds() < end {}
        if name == "time-pos" { return .failure(.propertyUnavailable) }
        if name == "large" { return .success(.text(String(repeating: "x", count: 100_000))) }
        return self[name].map { .success($0) } ?? .failure(.propertyNotFound)
    }

    func setProperty(_ name: String, _ value: PropertyValue) -> ControlError? {
        guard self[name] != nil else { return .propertyNotFound }
        guard name != "pid" else { return .propertyError }
        self[name] = value
        return nil
    }
}

/// A socket on a thread of its own. The owner stops it.
final class LoneSocket: Sendable {
    private let loop = ProtocolLoop()
    private let socket: ControlSocket

    init(
        _ path: String, _ wall: FakeWall = FakeWall(), linkedIn folder: RuntimeFolder? = nil
    ) throws(ControlSocketTrouble) {
        socket = try ControlSocket(path: path, target: wall, linkedIn: folder, on: loop)
    }

    var hasListeners: Bool { loop.mailbox.hasListeners }
    func post(_ event: ControlEvent) { loop.mailbox.post(event) }
    func propertiesChanged() { loop.mailbox.propertiesChanged() }

    @discardableResult
    func stop() -> [String] {
        socket.remove()
        return loop.stop(within: 5_000_000_000)
    }
}

/// Runs `body` with a socket and its wall in a folder of their own, which are stopped and removed afterwards.
func withSocket(_ body: (_ socket: LoneSocket, _ wall: FakeWall, _ path: String) throws -> Void) throws {
    try withFolder { folder in
        let wall = FakeWall()
        let socket = try LoneSocket("\(folder)/s", wall)
        defer { socket.stop() }
        try body(socket, wall, "\(folder)/s")
    }
}

func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/qd-control-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer {
        if let entries = opendir(folder) {
            while let entry = readdir(entries) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { unlink("\(folder)/\(name)") }
            }
            closedir(entries)
        }
        rmdir(folder)
    }
    try body(folder)
}

/// Waits until another thread makes `condition` true, at most 10 s. Looks every millisecond, since the conditions are
/// states of the socket and its kernel buffers, which wake no one.
func comesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = monotonicNanoseconds() + 10_000_000_000
    while !condition() {
        if monotonicNanoseconds() >= deadline { return false }
        usleep(1000)
    }
    return true
}
