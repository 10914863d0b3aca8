import Foundation

/// Receives a service's notifications, as systemd does.
public final class ServiceManager: @unchecked Sendable {
    public struct Message: Sendable {
        /// Arrival, on CLOCK_MONOTONIC in seconds.
        public let time: Double
        public let lines: [String]
    }

    private let lock = NSLock()
    private var received: [Message] = []
    private var isOver = false
    private let file: Int32
    private let path: String
    private let watchdog: Double

    /// `watchdog`: longest time between two signs of life, in seconds.
    public init(watchdog: Double) throws {
        self.watchdog = watchdog
        path = "/tmp/quadrille-notify-\(UUID().uuidString.prefix(8))"
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Child.Failure.notFound(path) }
        var patience = timeval(tv_sec: 0, tv_usec: 50_000)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !lock.withLock({ isOver }) {
                let count = recv(file, &bytes, bytes.count, 0)
                guard count > 0 else { continue }
                let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
                lock.withLock { received.append(Message(time: RealTime.now, lines: lines)) }
            }
        }
    }

    public var environment: [String: String?] {
        ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "\(Int(watchdog * 1e6))", "WATCHDOG_PID": nil]
    }

    public var messages: [Message] { lock.withLock { received } }

    /// Returns the arrival times of a line.
    public func times(of line: String) -> [Double] { messages.filter { $0.lines.contains(line) }.map(\.time) }

    public var latestStatus: String? {
        messages.flatMap(\.lines).last { $0.hasPrefix("STATUS=") }.map { String($0.dropFirst(7)) }
    }

    public func end() {
        lock.withLock { isOver = true }
        close(file)
        unlink(path)
    }
}
