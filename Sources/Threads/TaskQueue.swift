/// Runs tasks in their order, on threads of its own. A task may wait for files without blocking the caller of `add`.
///
/// Any thread may call `add`. A task may take any time. The threads begin with the first task, or with `start`.
public final class TaskQueue: Sendable {
    private let name: String
    private let manner: Worker.Manner
    private let threads: Int
    private let most: Int
    private let state = Locked(State())

    private struct State {
        var tasks: [@Sendable () -> Void] = []
        var workers: [Worker] = []
        var isStopping = false
    }

    /// `most`: largest number of tasks in the queue. `add` waits while there are so many.
    public init(_ name: String, _ manner: Worker.Manner = .batch, threads: Int = 1, most: Int = .max) {
        (self.name, self.manner, self.threads, self.most) = (name, manner, threads, most)
    }

    /// Starts the threads. If the system has fewer, they do the same work, only slower. Throws if it has none.
    public func start() throws(NoThread) {
        try state.locked { (state: inout State) throws(NoThread) in try start(&state) }
    }

    private func start(_ state: inout State) throws(NoThread) {
        while state.workers.count < threads {
            do throws(NoThread) { state.workers.append(try Worker(name, manner) { [self] in work() }) } catch {
                if state.workers.isEmpty { throw error }
                return
            }
        }
    }

    /// Returns false, and never runs the task, if the system has no thread or the queue is stopped.
    @discardableResult
    public func add(_ task: @escaping @Sendable () -> Void) -> Bool {
        let isAdded = state.wait { state -> Wait<Bool> in
            if state.isStopping { return .done(false) }
            if state.workers.isEmpty { try? start(&state) }
            if state.workers.isEmpty { return .done(false) }
            guard state.tasks.count < most else { return .again(deadline: nil) }
            state.tasks.append(task)
            return .done(true)
        }
        state.wake()
        return isAdded
    }

    private func work() {
        while true {
            let next = state.wait { state -> Wait<(@Sendable () -> Void)?> in
                if !state.tasks.isEmpty { return .done(state.tasks.removeFirst()) }
                return state.isStopping ? .done(nil) : .again(deadline: nil)
            }
            guard let next else { return }
            state.wake()
            next()
        }
    }

    /// Runs the tasks in the queue, then ends the threads. Waits at most `limit` nanoseconds for each thread. Returns the
    /// names of those that have not ended.
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        let workers = state.change { state in
            state.isStopping = true
            return exchange(&state.workers, with: [])
        }
        return workers.flatMap { $0.join(within: limit) }
    }
}
