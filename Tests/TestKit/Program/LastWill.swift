import Foundation

/// Ends all children of a program that a signal ends: displays and sound servers would outlive it.
public enum LastWill {
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Must be called before other threads start: they inherit the blocked mask and leave these signals to the thread
    /// that waits for them.
    public static func write() {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for signal in signals { sigaddset(&awaited, signal) }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let awaiting = awaited
        Thread.detachNewThread {
            var set = awaiting
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { return }
            Child.endAll()
            exit(128 + signal)
        }
    }
}
