import Foundation

/// A process that the tests started and that they end by its id.
///
/// Any thread may call any method. Its output goes to files, so the process never waits for a reader.
public final class Child: @unchecked Sendable {
    public let pid: pid_t
    /// CLOCK_MONOTONIC at the start.
    public let began: Double
    private let lock = NSLock()
    private var status: Int32?
    private let outputPath: String
    private let errorPath: String

    public enum Failure: Error { case notFound(String), notStarted(String, POSIXError) }

    enum Ending { case withTests, alone }

    /// How the scheduler treats a child.
    public enum Priority: String, Sendable {
        case usual
        /// A tenth of the usual share.
        ///
        /// A process in the scheduler's idle class gets so little beside others that locks of the kernel that it holds,
        /// such as those of a library's mappings, keep other processes waiting for seconds.
        case low
    }

    /// Standard input, output or error of a child.
    public enum Stream {
        case nothing
        case file(String)
        case descriptor(Int32)
    }

    /// `environment` overrides the tests' own; a nil value removes a name. The process ends with the tests, however
    /// they end.
    public convenience init(
        _ command: [String], environment: [String: String?] = [:], folder: String? = nil,
        input: Stream = .nothing, output: Stream? = nil, errors: Stream? = nil, priority: Priority = .usual
    ) throws {
        try self.init(
            command, environment: environment, folder: folder, input: input, output: output, errors: errors,
            priority: priority, ending: .withTests)
    }

    init(
        _ command: [String], environment: [String: String?] = [:], folder: String? = nil,
        input: Stream = .nothing, output: Stream? = nil, errors: Stream? = nil, priority: Priority = .usual,
        ending: Ending
    ) throws {
        let name = (command[0] as NSString).lastPathComponent
        outputPath = Scratch.path("\(name).out")
        errorPath = Scratch.path("\(name).err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Child.tie(0, to: input, O_RDONLY, &actions)
        Child.tie(1, to: output ?? .file(outputPath), O_WRONLY | O_CREAT | O_TRUNC, &actions)
        Child.tie(2, to: errors ?? .file(errorPath), O_WRONLY | O_CREAT | O_TRUNC, &actions)

        var names = ProcessInfo.processInfo.environment
        for (name, value) in environment { names[name] = value }
        var command = folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + command } ?? command
        if ending == .withTests { command = [try Spawner.helper.get(), "\(getpid())", priority.rawValue] + command }
        began = RealTime.now
        do {
            pid = try Spawner.shared.spawn(command, names, &actions).get()
        } catch {
            throw Failure.notStarted(command[0], error)
        }
        let started = pid
        Child.living.change { _ = $0.insert(started) }
    }

    private static let living = Living()

    /// A lock, since the thread sanitizer reports `Synchronization.Mutex` as a race.
    private final class Living: @unchecked Sendable {
        private let lock = NSLock()
        private var children: Set<pid_t> = []

        func change(_ body: (inout Set<pid_t>) -> Void) { lock.withLock { body(&children) } }
    }

    /// Ends every child that still runs. Called before this program ends itself.
    static func endAll() { living.change { $0.forEach { kill($0, SIGTERM) } } }

    private static func tie(
        _ number: Int32, to stream: Stream, _ flags: Int32, _ actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
    }

    /// The exit status (128 + the signal if one ended it); nil while the process runs.
    public var exitStatus: Int32? {
        lock.withLock {
            if let status { return status }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            Child.living.change { _ = $0.remove(pid) }
            status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
            return status
        }
    }

    /// Waits until the process has ended, at most `limit` seconds. Returns nil if it still runs.
    @discardableResult
    public func wait(atMost limit: Double) -> Int32? {
        RealTime.wait(atMost: limit) { exitStatus != nil }
        return exitStatus
    }

    public func signal(_ number: Int32) {
        lock.withLock { if status == nil { _ = kill(pid, number) } }
    }

    /// Ends the process by SIGTERM, then by SIGKILL, and reaps it.
    @discardableResult
    public func end() -> Int32? {
        if exitStatus == nil { signal(SIGTERM) }
        if wait(atMost: 3) == nil { signal(SIGKILL) }
        return wait(atMost: 3)
    }

    public var output: String { Child.text(outputPath) }
    public var errors: String { Child.text(errorPath) }

    private static func text(_ path: String) -> String {
        // `FileManager.contents` leaks 4 KiB for an empty file, which the address sanitizer reports.
        let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    deinit {
        end()
        unlink(outputPath)
        unlink(errorPath)
    }
}

/// Runs a command to its end and returns its standard output. Throws its standard error if it fails.
@discardableResult
public func run(_ command: [String], environment: [String: String?] = [:], atMost limit: Double = 120) throws -> String
{
    let child = try Child(command, environment: environment)
    guard child.wait(atMost: limit) == 0 else {
        throw CommandFailed(command: command, status: child.end(), errors: child.errors)
    }
    return child.output
}

public struct CommandFailed: Error {
    public let command: [String]
    public let status: Int32?
    public let errors: String

    public init(command: [String], status: Int32?, errors: String) {
        (self.command, self.status, self.errors) = (command, status, errors)
    }
}
