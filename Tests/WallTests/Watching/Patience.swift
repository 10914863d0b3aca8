import Foundation
import TestKit

#if compiler(>=6.1)
    import Testing
#else
    // Traits that run tests are no public part of Swift Testing before 6.1.
    @_spi(Experimental) import Testing
#endif

/// Runs each test once, on a thread of its own and in one of the `Lanes`. Its cameras must have seen enough. Tests that
/// are in another part of the run are skipped (`RunPart`).
///
/// A test whose expectation of timing failed (`expectInTime`) is counted as an overrun if the machine was measurably held
/// up meanwhile (`Metronome`), for long enough to explain by how much the wall was late (`Stalls.explain`). A run may have
/// three overruns; its report names them, with the stalls. The fourth fails the run. Every other failed expectation fails
/// it at once: a status, a crash, a count of decoders, a wrong frame, a trace.
struct Patience: TestTrait, SuiteTrait {
    var isRecursive: Bool { true }

    func prepare(for test: Test) async throws {
        guard !test.isSuite, let part = RunPart.current else { return }
        try await ConditionTrait.enabled(if: RunPart(test) == part, RunPart.skipped).prepare(for: test)
    }

    /// Runs one test; a suite is run as it is.
    private func run(_ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await function() }
        let lane = RunPart.lane(of: test)
        try await withTaskExecutorPreference(Threads.shared) {
            Lanes.shared.enter(lane)
            defer { Lanes.shared.leave(lane) }
            try await watch(test, function)
        }
    }

    private func watch(_ test: Test, _ function: @Sendable () async throws -> Void) async throws {
        let began = RealTime.now
        let mark = Metronome.shared.mark()
        let verdict = Verdict(test.name)
        try await withKnownIssue("late while the machine was held up", isIntermittent: true) {
            try await Album.$current.withValue(Album()) {
                defer { Album.current?.close() }
                try await function()
                for sight in Album.current?.sights ?? [] { expectSight(sight) }
            }
        } matching: { issue in
            guard let late = issue.error as? Late else { return false }
            let stalls = Metronome.shared.stalls(since: mark)
            guard stalls.explain(late.lateness) else {
                print("\(test.name): \(stalls). That does not explain it: \(late)")
                return false
            }
            return verdict.isExcused("\(late); \(stalls)")
        }
        Overruns.shared.note(test.name, seconds: RealTime.now - began)
    }

    /// Counts a test once, however many of its expectations of timing failed.
    private final class Verdict: @unchecked Sendable {
        private let name: String
        private let lock = NSLock()
        private var isExcused: Bool?

        init(_ name: String) { self.name = name }

        /// `reason`: the first lateness, and the stalls that explain it.
        func isExcused(_ reason: String) -> Bool {
            lock.withLock {
                let result = isExcused ?? Overruns.shared.count("\(name): \(reason)")
                isExcused = result
                return result
            }
        }
    }
}

#if compiler(>=6.1)
    extension Patience: TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await run(test, testCase, function)
        }
    }
#else
    extension Patience: CustomExecutionTrait {
        func execute(
            _ function: @escaping @Sendable () async throws -> Void, for test: Test, testCase: Test.Case?
        ) async throws {
            try await run(test, testCase, function)
        }
    }
#endif

extension Trait where Self == Patience {
    static var patient: Self { Patience() }
}

/// Overruns and slow tests of a whole run, printed at its end.
///
/// A run may consist of several processes, one after the other. OVERRUNS names a file with a line for each overrun of
/// the run.
final class Overruns: @unchecked Sendable {
    static let shared = Overruns()
    private static let most = 3
    private static let file = ProcessInfo.processInfo.environment["OVERRUNS"]

    private let lock = NSLock()
    /// A line for each: the test, by how much it was late, and the stalls.
    private var counted: [String] = []
    private var lengths: [(name: String, seconds: Double)] = []
    /// Overruns of earlier processes of the run, a line each.
    private let before: String

    private init() {
        before = Overruns.file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        atexit {
            print(Overruns.shared.report)
            Overruns.shared.keep()
        }
    }

    private func keep() {
        guard let file = Overruns.file else { return }
        let lines = lock.withLock { counted.map { $0 + "\n" }.joined() }
        try? (before + lines).write(toFile: file, atomically: false, encoding: .utf8)
    }

    /// Counts a test that was late. Returns true if no more than `most` of the run are counted.
    func count(_ line: String) -> Bool {
        lock.withLock {
            counted.append(line.split(separator: "\n").joined(separator: " "))
            return before.split(separator: "\n").count + counted.count <= Overruns.most
        }
    }

    func note(_ name: String, seconds: Double) { lock.withLock { lengths.append((name, seconds)) } }

    private var report: String {
        lock.withLock {
            let longest = lengths.sorted { $0.seconds > $1.seconds }.prefix(8)
                .map { String(format: "%.1f s %@", $0.seconds, $0.name) }
            return """
                Late while the machine was held up, \(Overruns.most) tests at most: \
                \(counted.isEmpty ? "none" : counted.joined(separator: "\n    "))
                Longest: \(longest.joined(separator: ", "))
                """
        }
    }
}
