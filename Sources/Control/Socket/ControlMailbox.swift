import Glibc
import Threads
import WallCore

/// What other threads leave for the socket's thread. Any thread may call it; it never blocks.
final class ControlMailbox: Sendable {
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

    /// Who listens, as the socket's thread has said last.
    struct Listeners: Equatable {
        var receiveEvents = false
        var observeProperties = false
    }

    /// Events that lie here at most; further ones are lost, which happens only when the socket's thread stands still.
    private static let mostEvents = 10_000

    private struct State {
        var content = Content()
        var isWoken = false
        var listeners = Listeners()
    }

    /// A pipe's end that is readable while something lies here.
    let wakeFile: Int32
    private let wakingFile: Int32
    private let state = Monitor(State())

    /// nil: the system has no pipe; errno says why.
    init?() {
        var files: [Int32] = [-1, -1]
        guard pipe(&files) == 0 else { return nil }
        (wakeFile, wakingFile) = (files[0], files[1])
        for file in files { makeUnblockingAndPrivate(file) }
    }

    deinit {
        close(wakeFile)
        close(wakingFile)
    }

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
            // Under the lock: the pipe holds one byte while somebody is woken, and none else.
            var byte: UInt8 = 1
            _ = write(wakingFile, &byte, 1)
        }
    }

    // MARK: The socket's thread

    func takeAll() -> Content {
        state.locked { state in
            if state.isWoken {
                var byte: UInt8 = 0
                _ = read(wakeFile, &byte, 1)
                state.isWoken = false
            }
            defer { state.content = Content() }
            return state.content
        }
    }

    /// Before observed properties are looked at: what changes after that look is said again.
    func set(_ listeners: Listeners) { state.locked { $0.listeners = listeners } }
}

extension ControlMailbox.Content {
    fileprivate var isEmpty: Bool { answers.isEmpty && events.isEmpty && !havePropertiesChanged && !isStopping }
}

/// No call on the file waits, and no program that is started inherits it.
func makeUnblockingAndPrivate(_ file: Int32) {
    _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
}
