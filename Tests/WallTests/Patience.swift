import Foundation
import Testing

/// A machine with two cores and other work can hold up a display for longer than any picture lasts. So a wall is
/// watched up to three times: what is wrong with the program is wrong each time, and the third time counts.
struct Patience: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for _ in 0..<2 {
            let verdict = Verdict()
            try await withKnownIssue("seen on a busy machine; watched again", isIntermittent: true) {
                try await function()
            } matching: { _ in
                verdict.fail()
                return true
            }
            if verdict.isGood { return }
        }
        try await function()
    }

    private final class Verdict: @unchecked Sendable {
        private let lock = NSLock()
        private var hasFailed = false
        var isGood: Bool { lock.withLock { !hasFailed } }
        func fail() { lock.withLock { hasFailed = true } }
    }
}

extension Trait where Self == Patience {
    static var patient: Self { Patience() }
}
