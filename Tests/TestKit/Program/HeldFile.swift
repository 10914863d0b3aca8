import Foundation

/// A file that nobody else can open: the kernel lets whoever tries wait, as a dead share does, until this is let go (or
/// /proc/sys/fs/lease-break-time has passed).
public final class HeldFile: Sendable {
    private let descriptor: Int32

    public struct CannotHold: Error { let number: Int32 }

    /// A copy of a file. It is written through the one descriptor that is held: a program that starts meanwhile would
    /// inherit any other, and the kernel holds nothing that somebody else has open.
    public init(copyOf source: String, at path: String) throws {
        // The kernel tells of whoever waits by a signal that ends a process by default.
        Glibc.signal(SIGIO, SIG_IGN)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        let written = descriptor < 0 ? -1 : bytes.withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) }
        let setLease: Int32 = 1024
        guard written == bytes.count, fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0 else {
            throw CannotHold(number: errno)
        }
    }

    deinit { close(descriptor) }
}
