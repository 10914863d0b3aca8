/// Runs tasks one after the other on a thread of its own: what waits for files, and must not hold up who asks for it.
///
/// Any thread may call `add`; a task may take as long as it takes. The thread begins with the first task.
public final class TaskQueue: Sendable {
    private let name: String
    private let state = Monitor(State())
    private let wakeCondition = WakeCondition()

    private struct State {
        var tasks: [@Sendable () -> Void] = []
        var worker: Worker?
        var isStopping = false
    }

    public init(_ name: String) { self.name = name }

    /// false: the system has no thread for it, or the queue is stopped; the task is never run.
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

    /// What was added is done first. Waits at most so long.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        let worker = state.locked { state in
            state.isStopping = true
            defer { state.worker = nil }
            return state.worker
        }
        wakeCondition.wake()
        return worker?.join(within: limit) ?? .joined
    }
}
