import Foundation

/// Starts the children of the tests, so that they end with the tests, even after SIGKILL.
///
/// The kernel ends a child when the thread that started it ends. Hence one thread starts all children, and lives as
/// long as the process.
public final class Spawner: @unchecked Sendable {
    static let shared = Spawner()

    private let condition = NSCondition()
    private var tasks: [() -> Void] = []

    private init() {
        let thread = Thread { [self] in
            while true {
                condition.lock()
                while tasks.isEmpty { condition.wait() }
                let task = tasks.removeFirst()
                condition.unlock()
                task()
            }
        }
        thread.name = "spawner"
        thread.start()
    }

    /// Calls posix_spawnp. Returns the process's id, or the error.
    func spawn(
        _ command: [String], _ environment: [String: String], _ actions: UnsafePointer<posix_spawn_file_actions_t>
    ) -> Result<pid_t, POSIXError> {
        let isDone = DispatchSemaphore(value: 0), answer = Answer()
        condition.lock()
        tasks.append {
            answer.result = Spawner.spawned(command, environment, actions)
            isDone.signal()
        }
        condition.signal()
        condition.unlock()
        isDone.wait()
        return answer.result
    }

    /// Result, written by the spawner's thread and read once the task is done.
    private final class Answer { var result = Result<pid_t, POSIXError>.failure(POSIXError(.EINVAL)) }

    private static func spawned(
        _ command: [String], _ environment: [String: String], _ actions: UnsafePointer<posix_spawn_file_actions_t>
    ) -> Result<pid_t, POSIXError> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        // The tests ignore SIGPIPE. A shell ignores the others for what it runs in the background.
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGHUP, SIGQUIT, SIGTERM] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var started: pid_t = 0
        let status = Conduit.spawning.withLock {
            posix_spawnp(&started, command[0], actions, &attributes, arguments, variables)
        }
        return status == 0 ? .success(started) : .failure(POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL))
    }

    /// Path of a helper that ends with its parent and executes a command (dies-with-us.c). Built once.
    public static let helper: Result<String, any Error> = Result {
        let source = (#filePath as NSString).deletingLastPathComponent + "/dies-with-us.c"
        let path = Scratch.path("dies-with-us")
        let compiler = try Child(["cc", "-static", "-O1", "-o", path, source], ending: .alone)
        guard compiler.wait(atMost: 60) == 0 else {
            throw CommandFailed(command: ["cc"], status: compiler.end(), errors: compiler.errors)
        }
        return path
    }
}
