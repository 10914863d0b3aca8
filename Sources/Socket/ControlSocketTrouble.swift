import Glibc

/// The reason for a missing control socket. The path is as the caller gave it.
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
    }

    public var description: String {
        switch reason {
        case .tooLong: "\(path): a socket's path has \(SocketPath.longest) bytes at most"
        case .inUse: "\(path): another program listens there; stop it, or choose another path"
        case .notASocket: "\(path): a file that is not a socket exists; it is not replaced"
        case .system(let code): "\(path): \(String(cString: strerror(code)))"
        case .noThread(let why): "\(path): \(why)"
        }
    }
}
