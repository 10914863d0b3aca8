import Foundation

/// Accepts connections on a port that the system chooses. Any thread may call any method.
final class Listener: @unchecked Sendable {
    let port: Int
    private let descriptor: Int32
    private let lock = NSLock()
    private var open: Set<Int32> = []
    private var hasEnded = false

    /// `serve` is called for each connection on a thread of its own. The connection is closed when it returns.
    init(_ host: String = "127.0.0.1", _ serve: @escaping @Sendable (Int32) -> Void) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(listening, raw, size) == 0, listen(listening, 64) == 0 else { return -1 }
                return getsockname(listening, raw, &size)
            }
        }
        guard listening >= 0, result == 0 else { throw WebServer.CannotListen(number: errno) }
        descriptor = listening
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in take(serve) }.start()
    }

    private func take(_ serve: @escaping @Sendable (Int32) -> Void) {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else { break }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            guard lock.withLock({ hasEnded ? false : open.insert(connection).inserted }) else {
                close(connection)
                break
            }
            Thread { [self] in
                serve(connection)
                lock.withLock {
                    open.remove(connection)
                    // Ends the connection even if a child inherited it before its flag was set.
                    shutdown(connection, Int32(SHUT_RDWR))
                    _ = close(connection)
                }
            }.start()
        }
        close(descriptor)
    }

    /// Stops listening and ends every connection; `serve` sees the end of its connection.
    func end() {
        lock.withLock {
            hasEnded = true
            for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}
