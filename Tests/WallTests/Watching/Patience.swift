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
/// A test whose expectation of timing failed (`expectInTime`) is counted as an overrun if the machine itself was held
/// up meanwhile (`Metronome`), or if the value was over its limit by at most half of it: beside other walls on two
/// cores, a frame may be a refresh late. A run may have three overruns; its report names them. The fourth fails the
/// run. Every other failed expectation fails it at once: a status, a crash, a count of decoders, a wrong frame, a
/// trace.
struct Patience: TestTrait, SuiteTrait {
    var isRecursive: Bool { true }

    func prepare(for test: Test) async throws {
        guard !test.isSuite, let part = RunPart.current else { return }
        try await ConditionTrait.enabled(if: RunPart(test) == part, RunPart.skipped).prepare(for: test)
    }

    /// Runs one test; a suite is run as it is.
    private func run(_ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await function() }
        let lane: Lanes.Lane = test.tags.contains(.large) ? .large : test.tags.contains(.timed) ? .timed : .light
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
        try await withKnownIssue("too late beside other walls", isIntermittent: true) {
            try await Album.$current.withValue(Album()) {
                defer { Album.current?.close() }
                try await function()
                for sight in Album.current?.sights ?? [] { expectSight(sight) }
            }
        } matching: { issue in
            guard issue.isOfTiming else { return false }
            let stall = Metronome.shared.stall(since: mark)
            return (issue.isNearlyInTime || stall.isLong) && verdict.isCounted(stall)
        }
        Overruns.shared.note(test.name, seconds: RealTime.now - began)
    }

    /// Counts a test once, however many of its expectations of timing failed.
    private final class Verdict: @unchecked Sendable {
        private let name: String
        private let lock = NSLock()
        private var isCounted: Bool?

        init(_ name: String) { self.name = name }

        func isCounted(_ stall: Metronome.Stall) -> Bool {
            lock.withLock {
                let result = isCounted ?? Overruns.shared.counts(name, stall)
                isCounted = result
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
    private var counted: [(name: String, stall: Metronome.Stall)] = []
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
        let lines = lock.withLock { counted.map { $0.name + "\n" }.joined() }
        try? (before + lines).write(toFile: file, atomically: false, encoding: .utf8)
    }

    /// Counts a test that was late. Returns true if no more than three of the run are counted.
    func counts(_ name: String, _ stall: Metronome.Stall) -> Bool {
        lock.withLock {
            counted.append((name, stall))
            return before.split(separator: "\n").count + counted.count <= Overruns.most
        }
    }

    func note(_ name: String, seconds: Double) { lock.withLock { lengths.append((name, seconds)) } }

    private var report: String {
        lock.withLock {
            let longest = lengths.sorted { $0.seconds > $1.seconds }.prefix(8)
                .map { String(format: "%.1f s %@", $0.seconds, $0.name) }
            let names = counted.map { "\($0.name) (\($0.stall))" }
            return """
                Too late beside other walls, \(Overruns.most) tests at most: \
                \(names.isEmpty ? "none" : names.joined(separator: ", "))
                Longest: \(longest.joined(separator: ", "))
                """
        }
    }
}
