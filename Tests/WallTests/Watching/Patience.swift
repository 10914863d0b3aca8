import Foundation
import TestKit

#if compiler(>=6.1)
    import Testing
#else
    // Traits that run tests are no public part of Swift Testing before 6.1.
    @_spi(Experimental) import Testing
#endif

/// Retries a test only if an expectation of timing failed (`expectInTime`) and the machine itself was held up meanwhile
/// (`Metronome`). There are at most two retries for a test and twelve in a run. If the host still holds the machine up
/// for a fiftieth of the time, the test is not judged, and the run's report states that. All else fails at once: a
/// status, a crash, a count of decoders, a wrong frame, a trace.
///
/// Each test runs on a thread of its own, in one of the `Lanes`, and its cameras must have seen enough.
struct Patience: TestTrait, SuiteTrait {
    var isRecursive: Bool { true }

    /// Runs one test; a suite is run as it is.
    private func run(_ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await function() }
        let lane: Lanes.Lane = test.tags.contains(.alone) ? .alone : .shared
        try await withTaskExecutorPreference(Threads.shared) {
            Lanes.shared.enter(lane)
            defer { Lanes.shared.leave(lane) }
            while try await watch(test, function) == .again {}
        }
    }

    private enum Outcome { case done, again }

    private func watch(_ test: Test, _ function: @Sendable () async throws -> Void) async throws -> Outcome {
        let began = Clock.now
        let mark = Metronome.shared.mark()
        let verdict = Verdict()
        try await withKnownIssue("too late while the machine was held up", isIntermittent: true) {
            try await Album.$current.withValue(Album()) {
                defer { Album.current?.close() }
                try await function()
                for sight in Album.current?.sights ?? [] { expectSight(sight) }
            }
        } matching: { issue in
            guard issue.isOfTiming else { return false }
            return verdict.pardons {
                Tries.shared.pardon(test.name, Metronome.shared.stall(since: mark))
            }
        }
        if verdict.pardon == .again { return .again }
        Tries.shared.note(test.name, seconds: Clock.now - began)
        return .done
    }

    /// Pardons all timing failures of one try together, or none.
    private final class Verdict: @unchecked Sendable {
        private let lock = NSLock()
        private var decided: Tries.Pardon?
        var pardon: Tries.Pardon? { lock.withLock { decided } }
        func pardons(_ decide: () -> Tries.Pardon) -> Bool {
            lock.withLock {
                if decided == nil { decided = decide() }
                return decided != .denied
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

extension Tag {
    /// Runs alone: the wall needs the machine for itself.
    @Tag static var alone: Self
}

/// Retries and slow tests of a whole run, printed at its end.
final class Tries: @unchecked Sendable {
    static let shared = Tries()
    private static let (most, mostOfATest) = (12, 2)

    enum Pardon {
        case denied
        /// The test is to run again.
        case again
        /// The test can't be judged on this machine now.
        case unjudged
    }

    private let lock = NSLock()
    private var taken: [(name: String, stall: Metronome.Stall)] = []
    private var unjudged: [(name: String, stall: Metronome.Stall)] = []
    private var lengths: [(name: String, seconds: Double)] = []

    private init() {
        atexit { print(Tries.shared.report) }
    }

    /// Decides about a test that failed in timing.
    func pardon(_ name: String, _ stall: Metronome.Stall) -> Pardon {
        lock.withLock {
            guard stall.isLong else { return .denied }
            if taken.count < Tries.most, taken.count(where: { $0.name == name }) < Tries.mostOfATest {
                taken.append((name, stall))
                return .again
            }
            guard stall.isUnbearable else { return .denied }
            unjudged.append((name, stall))
            return .unjudged
        }
    }

    func note(_ name: String, seconds: Double) { lock.withLock { lengths.append((name, seconds)) } }

    private var report: String {
        lock.withLock {
            let longest = lengths.sorted { $0.seconds > $1.seconds }.prefix(8)
                .map { String(format: "%.1f s %@", $0.seconds, $0.name) }
            func list(_ tests: [(name: String, stall: Metronome.Stall)]) -> String {
                tests.isEmpty ? "none" : tests.map { "\($0.name) (\($0.stall))" }.joined(separator: ", ")
            }
            return """
                Watched again, of \(Tries.most) times at most: \(list(taken))
                Not judged, since the machine's host held it up: \(list(unjudged))
                Longest: \(longest.joined(separator: ", "))
                """
        }
    }
}
