import Foundation

/// Ends all children of a program that is ended by a signal: displays and sound servers would outlive it.
public enum LastWill {
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Called first of all: threads that begin later leave these signals to the one that waits for them.
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
