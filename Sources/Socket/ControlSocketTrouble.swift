import Glibc

/// The reason for a missing control socket, or for a missing reply. The path is as the caller gave it.
public struct ControlSocketTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: Reason

    public enum Reason: Hashable, Sendable {
        /// The path exceeds the longest socket address.
        case tooLong
        /// Another process listens at the path.
        case inUse
        /// A file that is no socket is at the path; it is left as it is.
        case notASocket
        /// The system's error number.
        case system(Int32)
        case noThread(String)
        /// The socket was left by a program that has ended.
        case noListener
        /// The wall closed the connection.
        case noReply
        /// The wall did not reply in time.
        case late
    }

    public var description: String {
        switch reason {
        case .tooLong: "\(path): a socket's path has \(SocketPath.longest) bytes at most"
        case .inUse: "\(path): another program listens there; stop it, or choose another path"
        case .notASocket: "\(path): a file that is not a socket exists; it is not replaced"
        case .system(let code): "\(path): \(String(cString: strerror(code)))"
        case .noThread(let why): "\(path): \(why)"
        case .noListener: "\(path): no wall listens there"
        case .noReply: "\(path): the wall ended before it replied"
        case .late: "\(path): the wall did not reply in time"
        }
    }
}
