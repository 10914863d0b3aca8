/// Runs tasks one after the other on a thread of its own. A task may wait for files without blocking the caller of
/// `add`.
///
/// Any thread may call `add`. A task may take any time. The thread begins with the first task.
public final class TaskQueue: Sendable {
    private let name: String
    private let state = Locked(State())
    private let wakeCondition = WakeCondition()

    private struct State {
        var tasks: [@Sendable () -> Void] = []
        var worker: Worker?
        var isStopping = false
    }

    public init(_ name: String) { self.name = name }

    /// Returns false, and never runs the task, if the system has no thread or the queue is stopped.
    public func add(_ task: @escaping @Sendable () -> Void) -> Bool {
        let isAdded = state.locked { state in
            if state.isStopping { return false }
            if state.worker == nil { state.worker = try? Worker(name, .batch) { [self] in work() } }
            if state.worker != nil { state.tasks.append(task) }
            return state.worker != nil
        }
        wakeCondition.wake()
        return isAdded
    }

    private func work() {
        while true {
            let next = state.wait(on: wakeCondition) { state -> Wait<(@Sendable () -> Void)?> in
                if !state.tasks.isEmpty { return .done(state.tasks.removeFirst()) }
                return state.isStopping ? .done(nil) : .again(deadline: nil)
            }
            guard let next else { return }
            next()
        }
    }

    /// Runs the tasks in the queue, then ends the thread. Waits at most `limit` nanoseconds.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        let worker = state.locked { state in
            state.isStopping = true
            return exchange(&state.worker, with: nil)
        }
        wakeCondition.wake()
        return worker?.join(within: limit) ?? .joined
    }
}
