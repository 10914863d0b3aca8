import Base
import Glibc
import Threads

/// A connection to the control socket of a running wall, from another program. It sends one request at a time.
public final class WallConnection {
    private let path: String
    private let file: Int32
    private var unread: [UInt8] = []

    /// Longest line of a reply that is read.
    private static let longestLine = 64 << 20

    public init(to path: String) throws(ControlSocketTrouble) {
        guard (1...SocketPath.longest).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw ControlSocketTrouble(path: path, reason: path.isEmpty ? .system(ENOENT) : .tooLong)
        }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { throw ControlSocketTrouble(path: path, reason: .system(errno)) }
        guard withSocketAddress(of: path, { connect(file, $0, $1) }) == 0 else {
            let code = errno
            close(file)
            throw ControlSocketTrouble(path: path, reason: code == ECONNREFUSED ? .noListener : .system(code))
        }
        (self.path, self.file) = (path, file)
    }

    deinit { close(file) }

    /// Sends a command, and returns the wall's reply. `limit`: nanoseconds for which it waits.
    public func reply(to command: [PropertyValue], within limit: Int64) throws(ControlSocketTrouble) -> PropertyValue {
        let id = PropertyValue.integer(1)
        try send(JSONWriter.line([PropertyField("command", .list(command)), PropertyField("request_id", id)]))
        let deadline = monotonicNanoseconds() + limit
        while let line = try nextLine(until: deadline) {
            // Events may come before the reply.
            guard let message = try? JSONParser.parse(leniently: line + [0]), message["event"] == nil,
                message["request_id"] == id
            else { continue }
            return message
        }
        throw ControlSocketTrouble(path: path, reason: .noReply)
    }

    private func send(_ bytes: [UInt8]) throws(ControlSocketTrouble) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ControlSocketTrouble(path: path, reason: .system(errno)) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next line without its end; nil if the wall has closed the connection.
    private func nextLine(until deadline: Int64) throws(ControlSocketTrouble) -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return Array(unread[..<end])
            }
            guard unread.count < Self.longestLine else { throw ControlSocketTrouble(path: path, reason: .noReply) }
            var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let left = max(0, deadline - monotonicNanoseconds())
            let ready = poll(&wait, 1, Int32(left / 1_000_000))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw ControlSocketTrouble(path: path, reason: .late) }
            let count = recv(file, &block, block.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ControlSocketTrouble(path: path, reason: .system(errno)) }
            if count == 0 { return nil }
            unread += block[..<count]
        }
    }
}
