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
        socket = try SocketPath(path)
        do {
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
