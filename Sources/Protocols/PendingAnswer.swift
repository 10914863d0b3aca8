import Base
import Commands
import Threads

/// The answer to one command. A protocol takes it as soon as `run` has returned, or gets it later by the mailbox.
public final class PendingAnswer: Sendable {
    private struct State {
        var result: Result<PropertyValue?, ControlError>?
        /// True if the protocol waits for the answer in the mailbox.
        var isAwaited = false
    }

    private let state = Locked(State())
    private let mailbox: ControlMailbox

    public init(_ mailbox: ControlMailbox) { self.mailbox = mailbox }

    /// Any thread may call; only the first call counts.
    public func give(_ result: Result<PropertyValue?, ControlError>) {
        let isLate = state.locked { state in
            guard state.result == nil else { return false }
            state.result = result
            return state.isAwaited
        }
        if isLate { mailbox.post { $0.answers.append(self) } }
    }

    /// Returns nil if there is no result yet; the answer then comes by the mailbox.
    public func result() -> Result<PropertyValue?, ControlError>? {
        state.locked { state in
            state.isAwaited = true
            return state.result
        }
    }
}
