import Foundation

/// A file with a write lease: another program's `open` blocks, as on a dead network share, until the lease ends or
/// /proc/sys/fs/lease-break-time has passed.
public final class HeldFile: Sendable {
    private let descriptor: Int32

    public struct CannotHold: Error { let number: Int32 }

    /// Copies `source` to `path` and takes the lease. The copy is written through the leased descriptor. A program
    /// started meanwhile would inherit a second descriptor, and the kernel grants no lease on a file that is open
    /// elsewhere.
    public init(copyOf source: String, at path: String) throws {
        // The kernel reports a blocked `open` by SIGIO, which ends a process by default.
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
