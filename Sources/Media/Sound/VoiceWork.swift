/// Work of a voice's thread, and its end. Not thread-safe.
struct VoiceWork {
    private(set) var isStopping = false
    /// True once the thread has ended.
    private(set) var hasEnded = false
    /// Deadline of the file that is being opened or read.
    private var reading: Deadline?

    /// Cancels the thread's work.
    mutating func stop() {
        isStopping = true
        reading?.cancel()
    }

    /// Notes the deadline of a file that is about to be opened. Returns false if the thread is stopping.
    mutating func begin(reading deadline: Deadline) -> Bool {
        reading = deadline
        return !isStopping
    }

    mutating func end() { hasEnded = true }
}
