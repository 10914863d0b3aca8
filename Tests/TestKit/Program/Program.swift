import CLinux
import Foundation

/// The built `quadrille`, started by a test. QUADRILLE names the executable; otherwise the newest build is used.
///
/// The program holds its display and its sound server, and ends with them when it is released.
public final class Program: @unchecked Sendable {
    public let child: Child
    public let decoders: DecoderCount?
    public let allocations: LargeAllocations?
    public let tracePath: String
    private let display: Display?
    private let sound: SoundServer?
    private let preloads: [Preload]

    public static var path: String? {
        if let named = ProcessInfo.processInfo.environment["QUADRILLE"] { return named }
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../.build").standardizedFileURL.path
        return ["release", "debug"].map { "\(root)/\($0)/quadrille" }
            .filter { access($0, X_OK) == 0 }
            .max { changed($0) < changed($1) }
    }

    /// Counter that is preloaded into the program.
    public enum Counting { case decoders, allocations, nothing }

    /// Starts the program on a private display and, if given, a private sound server (else with --no-audio). Standard
    /// error goes to `terminal`, or to a file if it is nil.
    public init(
        _ arguments: [String], on display: Display? = nil, sound: SoundServer? = nil,
        counting: Counting = .nothing, slowed slow: SlowDecoder? = nil, clock: SystemClock? = nil,
        service: ServiceManager? = nil, stuck: StuckThread? = nil, cec: FakeCEC? = nil,
        dpms: FakeDPMS? = nil, heap: HeapInUse? = nil,
        bus: MessageBus? = nil, terminal: PseudoTerminal? = nil, folder: String? = nil,
        environment others: [String: String?] = [:]
    ) throws {
        guard let path = Program.path else {
            throw Child.Failure.notFound("quadrille: build it, or name it in QUADRILLE")
        }
        (self.display, self.sound) = (display, sound)
        tracePath = Scratch.path("trace.jsonl")
        decoders = counting == .decoders ? try DecoderCount() : nil
        allocations = counting == .allocations ? try LargeAllocations() : nil
        preloads = [
            decoders?.preload, allocations?.preload, slow?.preload, clock?.preload, stuck?.preload, cec?.preload,
            dpms?.preload, heap?.preload,
        ].compactMap { $0 }
        var environment: [String: String?] = display?.environment ?? ["DISPLAY": nil, "WAYLAND_DISPLAY": nil]
        environment.merge(sound?.environment ?? ["PULSE_SERVER": "unix:/nowhere"]) { $1 }
        environment.merge(bus?.environment ?? MessageBus.nowhere) { $1 }
        // The user's own keys.conf has no effect.
        environment["XDG_CONFIG_HOME"] = "/nowhere"
        environment.merge(try Preload.environment(preloads)) { $1 }
        if let clock {
            environment["TZ"] = clock.zone
            try clock.begin()
        }
        environment.merge(service?.environment ?? ["NOTIFY_SOCKET": nil]) { $1 }
        environment.merge(others) { $1 }
        var command = [path]
        if display != nil {
            command += ["--trace", tracePath, "--trace-events", "all"] + (sound == nil ? ["--no-audio"] : [])
        }
        child = try Child(
            command + arguments, environment: environment, folder: folder,
            errors: terminal.map { .file($0.path) })
    }

    /// Runs the program to its end without a display, for subcommands, mistakes and help.
    public static func run(
        _ arguments: [String], clock: SystemClock? = nil, folder: String? = nil,
        environment: [String: String?] = [:], atMost limit: Double = 30
    ) throws -> (status: Int32?, output: String, errors: String) {
        let program = try Program(arguments, clock: clock, folder: folder, environment: environment)
        let status = program.child.wait(atMost: limit)
        return (status, program.child.output, program.child.errors)
    }

    /// The trace so far; complete once the program has ended.
    public var trace: Trace {
        Trace(text: String(decoding: FileManager.default.contents(atPath: tracePath) ?? Data(), as: UTF8.self))
    }

    /// The point up to which a trace was read: a file and an offset in bytes.
    public struct TraceMark {
        fileprivate var file: ino_t?
        fileprivate var read = 0

        public init() {}

        fileprivate init(file: ino_t, read: Int) { (self.file, self.read) = (file, read) }
    }

    /// Returns the complete lines traced since the mark, and moves the mark behind them. Follows the trace into one new
    /// file (--trace-max).
    public func trace(from mark: inout TraceMark) -> Trace {
        guard let (file, content) = Program.fileAndContent(of: tracePath) else { return Trace(text: "") }
        var before = Data()
        if mark.file != file {
            if let old = Program.fileAndContent(of: tracePath + ".1"), mark.file == nil || mark.file == old.file {
                before = old.content.dropFirst(mark.read)
            }
            mark.read = 0
        }
        let new = content.dropFirst(mark.read)
        let bytes = new.prefix(upTo: new.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? new.startIndex)
        mark = TraceMark(file: file, read: mark.read + bytes.count)
        return Trace(text: String(decoding: before + bytes, as: UTF8.self))
    }

    private static func fileAndContent(of path: String) -> (file: ino_t, content: Data)? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0, let content = try? handle.readToEnd() ?? Data() else {
            return nil
        }
        return (status.st_ino, content)
    }

    /// Resident memory of the running program, in bytes.
    public var memory: Int { Program.memory(of: child.pid) }

    /// Resident memory of the running program without the files that it has mapped, in bytes.
    public var anonymousMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    public static func memory(of process: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Returns the processor time of all threads of a process, user and system, in seconds.
    public static func processorTime(of process: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // The name in parentheses may contain anything, so the fields are split behind it.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func changed(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }
}
