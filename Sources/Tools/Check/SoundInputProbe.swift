import Base
import Speaker
import Threads

/// Tests whether a sound input is there.
enum SoundInputProbe {
    private static let patience: Int64 = 3_000_000_000

    private enum Answer { case isThere, lost(String) }

    /// Returns the trouble of a sound input. nil if it is there. Waits until the input has sent sound, or the server
    /// reports that it is not there.
    static func trouble(of name: String) -> SourceTrouble? {
        let answer = Locked<Answer?>(nil), wake = WakeCondition()
        @Sendable func note(_ what: Answer) {
            answer.locked { if $0 == nil { $0 = what } }
            wake.wake()
        }
        let input = SoundInput(name.isEmpty ? nil : name, take: { _, _ in note(.isThere) }, loss: { note(.lost($0)) })
        guard let input else { return SourceTrouble(.unreachable, "the system has no thread for it") }
        let deadline = monotonicNanoseconds() + patience
        let reported = answer.wait(on: wake) { answer -> Wait<Answer?> in
            if let answer { return .done(answer) }
            return monotonicNanoseconds() < deadline ? .again(deadline: deadline) : .done(nil)
        }
        input.stop()
        switch reported {
        case .isThere: return nil
        case .lost(let reason): return SourceTrouble(.unreachable, reason)
        case nil: return SourceTrouble(.timeout, "no sound came from it in time")
        }
    }
}
