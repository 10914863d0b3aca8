import Glibc
import Testing

/// A client that waits for its answers, at most 10 s.
final class TestClient {
    private let file: Int32
    private var read: [UInt8] = []

    init(_ path: String) throws {
        // A program that another test starts meanwhile must not inherit it: the connection would stay open.
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0, "connect: \(String(cString: strerror(errno)))")
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    private var isOpen = true

    func close() {
        guard isOpen else { return }
        isOpen = false
        // A process that another test forks has a copy of the descriptor until it executes its program. Without this
        // call the connection would stay open until then.
        shutdown(file, Int32(SHUT_RDWR))
        Glibc.close(file)
    }

    /// Ends the sending side of the connection.
    func endSending() { shutdown(file, Int32(SHUT_WR)) }

    func send(_ line: String) { send(bytes: Array(line.utf8) + [0x0A]) }

    /// Returns the number of bytes that were taken before the other end closed.
    @discardableResult
    func send(bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress! + sent, min($0.count - sent, 1 << 20), Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// The next line; nil if the connection has ended or nothing came in time.
    func line() -> String? { lineBytes().map { String(decoding: $0, as: UTF8.self) } }

    func lineBytes() -> [UInt8]? {
        while true {
            if let end = read.firstIndex(of: 0x0A) {
                defer { read.removeFirst(end + 1) }
                return Array(read[..<end])
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            read += buffer[..<count]
        }
    }

    func lines(_ count: Int) -> [String] { (0..<count).compactMap { _ in line() } }

    func reply(to line: String) -> String? {
        send(line)
        return self.line()
    }

    /// True if the other end closes the connection, however much it sends before.
    func isClosedByOther() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET }
        }
    }
}
