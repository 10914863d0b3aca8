import Base
import Commands
import Threads

/// The answer to one command. The socket's thread takes it as soon as `run` has returned, or gets it later by the
/// mailbox.
final class PendingAnswer: Sendable {
    private enum State {
        case open
        case given(Result<PropertyValue?, ControlError>)
        /// The session waits for the answer in the mailbox.
        case awaited
        case done
    }

    private let state = Locked(State.open)
    private let mailbox: ControlMailbox
    private let session: Int
    private let ticket: Int

    init(to session: Int, ticket: Int, _ mailbox: ControlMailbox) {
        (self.session, self.ticket, self.mailbox) = (session, ticket, mailbox)
    }

    /// Any thread may call; only the first call counts.
    func give(_ result: Result<PropertyValue?, ControlError>) {
        let isAwaited = state.locked { state in
            switch state {
            case .open:
                state = .given(result)
                return false
            case .awaited:
                state = .done
                return true
            case .given, .done: return false
            }
        }
        if isAwaited { mailbox.post(ControlMailbox.LateAnswer(session: session, ticket: ticket, result: result)) }
    }

    /// Returns nil if there is no answer yet; a later one goes to the mailbox.
    func takeIfGiven() -> Result<PropertyValue?, ControlError>? {
        state.locked { state in
            guard case .given(let result) = state else {
                state = .awaited
                return nil
            }
            state = .done
            return result
        }
    }
}
