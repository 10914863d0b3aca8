/// Runs tasks one after the other on a thread of its own. A task may wait for files without blocking the caller of
/// `add`.
///
/// Any thread may call `add`. A task may take any time. The thread begins with the first task.
public final class TaskQueue: Sendable {
    private let name: String
    /// Tasks that wait; nil once the thread has taken its last ones.
    private let mailbox = Mailbox<[@Sendable () -> Void]?>([], .withoutPipe)

    public init(_ name: String) { self.name = name }

    /// Returns false, and never runs the task, if the system has no thread or the queue is stopped.
    public func add(_ task: @escaping @Sendable () -> Void) -> Bool {
        guard (try? mailbox.start(name) { [self] in work() }) ?? false else { return false }
        var isAdded = false
        mailbox.post { tasks in isAdded = tasks?.append(task) != nil }
        return isAdded
    }

    private func work() {
        var isLast = false
        while !isLast {
            mailbox.wait()
            isLast = mailbox.isStopping
            let tasks = mailbox.take { exchange(&$0, with: isLast ? nil : []) } ?? nil
            for task in tasks ?? [] { task() }
        }
    }

    /// Runs the tasks in the queue, then ends the thread. Waits at most `limit` nanoseconds. Returns the queue's name if
    /// the thread has not ended.
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        mailbox.stop(within: limit)
    }
}
