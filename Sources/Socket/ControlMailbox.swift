import Base
import Commands
import Glibc
import Threads

/// Answers, events and changes from other threads for the socket's thread. Any thread may call; no call blocks.
public final class ControlMailbox: Sendable {
    struct Content {
        var answers: [LateAnswer] = []
        var events: [ControlEvent] = []
        var havePropertiesChanged = false
        var isStopping = false
    }

    /// A command's answer that came after `run` had returned.
    struct LateAnswer {
        var session: Int
        var ticket: Int
        var result: Result<PropertyValue?, ControlError>
    }

    /// The events that any client wants, as last set by the socket's thread.
    public struct Listeners: Equatable {
        var receiveEvents = false
        var observeProperties = false
    }

    /// Most events queued. Further ones are dropped, which happens only if the socket's thread hangs.
    private static let mostEvents = 10_000

    private struct State {
        var content = Content()
        var isWoken = false
        var listeners = Listeners()
    }

    private let wakePipe: WakePipe
    private let state = Locked(State())

    /// Returns nil with errno set if no pipe can be made.
    init?() {
        guard let wakePipe = WakePipe() else { return nil }
        self.wakePipe = wakePipe
    }

    /// Readable while the mailbox is not empty.
    var wakeFile: Int32 { wakePipe.file }

    var listeners: Listeners { state.locked { $0.listeners } }

    func post(_ answer: LateAnswer) { leave { $0.content.answers.append(answer) } }
    func stop() { leave { $0.content.isStopping = true } }

    func post(_ event: ControlEvent) {
        leave { state in
            guard state.listeners.receiveEvents, state.content.events.count < ControlMailbox.mostEvents else { return }
            state.content.events.append(event)
        }
    }

    func propertiesChanged() {
        leave { state in
            if state.listeners.observeProperties { state.content.havePropertiesChanged = true }
        }
    }

    private func leave(_ change: (inout State) -> Void) {
        state.locked { state in
            change(&state)
            guard !state.isWoken, !state.content.isEmpty else { return }
            state.isWoken = true
            wakePipe.wake()
        }
    }

    // MARK: The socket's thread

    func takeAll() -> Content {
        state.locked { state in
            if state.isWoken { wakePipe.clear() }
            state.isWoken = false
            defer { state.content = Content() }
            return state.content
        }
    }

    /// Called before observed properties are compared, so that later changes are posted.
    func set(_ listeners: Listeners) { state.locked { $0.listeners = listeners } }
}

extension ControlMailbox.Content {
    fileprivate var isEmpty: Bool { answers.isEmpty && events.isEmpty && !havePropertiesChanged && !isStopping }
}

/// Makes the file non-blocking and close-on-exec.
func setNonBlockingAndCloseOnExec(_ file: Int32) {
    _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
}
