import Foundation

/// A file that nobody else can open: the kernel lets whoever tries wait, as a dead share does, until this is let go (or
/// /proc/sys/fs/lease-break-time has passed).
public final class HeldFile: Sendable {
    private let descriptor: Int32

    public struct CannotHold: Error { let number: Int32 }

    /// A file of one's own that nobody has open.
    public init(_ path: String) throws {
        // The kernel tells of whoever waits by a signal that ends a process by default.
        Glibc.signal(SIGIO, SIG_IGN)
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        let setLease: Int32 = 1024
        guard descriptor >= 0, fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0 else {
            throw CannotHold(number: errno)
        }
    }

    deinit { close(descriptor) }
}
