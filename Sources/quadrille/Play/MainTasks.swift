import Threads

/// What others want done by the main thread, which has the window. Any thread may add; the main thread runs them.
final class MainTasks: Sendable {
    private let state = Monitor(State())

    private struct State {
        var tasks: [@Sendable (PlayLoop) -> Void] = []
        var wake: (@Sendable () -> Void)?
    }

    /// Who is called when there is something to do; nil: nobody is there any more.
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
