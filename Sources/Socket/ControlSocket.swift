import Commands
import Glibc
import Protocols
import Threads

/// A Unix socket that speaks mpv's JSON IPC on the thread of a `ProtocolLoop`. Passes its clients' requests to a
/// `ControlTarget`.
///
///     clients ─▶ SocketServer ─▶ ControlClient (bytes, lines) ─▶ ControlSession (the protocol) ─▶ ControlTarget
///
/// The owner removes it, and then stops the loop. No call waits for a client.
public final class ControlSocket: Sendable {
    private let socket: SocketPath
    private let link: RuntimeLink?

    /// A socket in the runtime folder, by which `quadrille ctl` finds this process. nil if it can't be made.
    public convenience init?(in folder: RuntimeFolder, target: any ControlTarget, on loop: ProtocolLoop) {
        guard folder.prepare() else { return nil }
        try? self.init(path: folder.ownEntry, target: target, linkedIn: nil, on: loop)
    }

    /// The socket listens when `init` returns. Replaces a socket at the path on which no process listens; leaves
    /// anything else alone.
    public init(
        path: String, target: any ControlTarget, linkedIn folder: RuntimeFolder? = .ofUser, on loop: ProtocolLoop
    ) throws(ControlSocketTrouble) {
        do throws(ControlSocketTrouble.Reason) { socket = try SocketPath(path) } catch {
            throw ControlSocketTrouble(path: path, reason: error)
        }
        do throws(NoThread) {
            try loop.add { [socket] in SocketServer(listener: socket.listener, target, $0) }
        } catch {
            socket.remove()
            close(socket.listener)
            throw ControlSocketTrouble(path: path, reason: .noThread("\(error)"))
        }
        link = folder.flatMap { RuntimeLink(to: path, in: $0) }
    }

    /// Path at which it listens.
    public var path: String { socket.path }

    /// Removes the path. Clients stay connected until the loop is stopped.
    public func remove() {
        link?.remove()
        socket.remove()
    }
}

/// The reason for a missing control socket, or for a missing reply. The path is as the caller gave it.
public struct ControlSocketTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: Reason

    public enum Reason: Error, Hashable {
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
