import CLinux
import Foundation

/// The built `quadrille`, started by a test: by QUADRILLE, else the newest build beside the tests.
///
/// Holds its display and its sound server; ends with them when nobody holds it any more.
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

    /// What is looked at from outside besides the screen.
    public enum Counting { case decoders, allocations, nothing }

    /// Starts it on a private display and, where given, a private sound server (else with --no-audio).
    public init(
        _ arguments: [String], on display: Display? = nil, sound: SoundServer? = nil,
        counting: Counting = .nothing, slowed slow: SlowDecoder? = nil, clock: SystemClock? = nil,
        service: ServiceManager? = nil, stuck: StuckThread? = nil, cec: FakeCEC? = nil,
        dpms: FakeDPMS? = nil, heap: HeapInUse? = nil,
        folder: String? = nil
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
        environment.merge(try Preload.environment(preloads)) { $1 }
        if let clock { environment["TZ"] = clock.zone }
        environment.merge(service?.environment ?? ["NOTIFY_SOCKET": nil]) { $1 }
        var command = [path]
        if display != nil {
            command += ["--trace", tracePath, "--trace-events", "all"] + (sound == nil ? ["--no-audio"] : [])
        }
        child = try Child(command + arguments, environment: environment, folder: folder)
    }

    /// Runs it to its end without a display: subcommands, mistakes, help.
    public static func run(
        _ arguments: [String], clock: SystemClock? = nil, folder: String? = nil, atMost limit: Double = 30
    ) throws -> (status: Int32?, output: String, errors: String) {
        let program = try Program(arguments, clock: clock, folder: folder)
        let status = program.child.wait(atMost: limit)
        return (status, program.child.output, program.child.errors)
    }

    /// What it has traced so far; whole once it has ended.
    public var trace: Trace {
        Trace(text: String(decoding: FileManager.default.contents(atPath: tracePath) ?? Data(), as: UTF8.self))
    }

    /// How far a trace has been read: to this byte of this file.
    public struct TraceMark {
        fileprivate var file: ino_t?
        fileprivate var read = 0

        public init() {}

        fileprivate init(file: ino_t, read: Int) { (self.file, self.read) = (file, read) }
    }

    /// The whole lines that have been traced since the mark, and the mark behind them; also where the trace has gone on in
    /// one new file meanwhile (--trace-max).
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

    /// Resident memory of the running program in bytes.
    public var memory: Int { Program.memory(of: child.pid) }

    public static func memory(of process: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Seconds that its threads have worked, theirs and the kernel's for them.
    public static func processorTime(of process: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // The name before them may hold anything.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func changed(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }
}
