import Threads

/// Queue of tasks for the main thread, which owns the window. Any thread may add; the main thread runs them.
final class MainTasks: Sendable {
    private let state = Locked(State())

    private struct State {
        var tasks: [@Sendable (PlayLoop) -> Void] = []
        var wake: (@Sendable () -> Void)?
    }

    /// Sets the callback that wakes the main thread when a task was added; nil once the main loop has ended.
    func onTask(_ wake: (@Sendable () -> Void)?) { state.locked { $0.wake = wake } }

    func add(_ task: @escaping @Sendable (PlayLoop) -> Void) {
        state.locked { state in
            state.tasks.append(task)
            return state.wake
        }?()
    }

    func run(on loop: PlayLoop) {
        let tasks = state.locked { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task(loop) }
    }
}
