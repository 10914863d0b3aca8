import CX11
import Foundation

/// Opens and closes connections to X servers, one at a time: Xlib makes a connection's internal lists at the first use,
/// without a lock. Any thread may call any method.
enum XConnection {
    private static let lock = NSRecursiveLock()

    static func open(_ display: Display) throws -> OpaquePointer {
        try alone {
            guard let connection = XOpenDisplay(display.name) else { throw NoDisplay(name: display.name) }
            return connection
        }
    }

    static func close(_ connection: OpaquePointer) { alone { _ = XCloseDisplay(connection) } }

    /// Runs `body` under the lock, for the first use of an extension and the last.
    static func alone<Result>(_ body: () throws -> Result) rethrows -> Result { try lock.withLock(body) }

    struct NoDisplay: Error { let name: String }
}
