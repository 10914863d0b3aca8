import Commands
import Glibc
import Threads

/// A Unix socket that speaks mpv's JSON IPC, and its thread. Passes its clients' requests to a `ControlTarget`.
///
///     clients ─▶ ControlClient (bytes, lines) ─▶ ControlSession (the protocol) ─▶ ControlTarget
///     other threads ─▶ ControlMailbox (late answers, events, changes) ─▶ ControlLoop (the thread "control")
///
/// Any thread may call any method but `stop`, which its owner calls. No call waits for a client.
public final class ControlSocket: Sendable {
    private let socket: SocketPath
    private let link: RuntimeLink?
    private let mailbox: ControlMailbox
    private let worker: Worker

    /// The socket listens when `init` returns. Replaces a socket at the path on which no process listens; leaves
    /// anything else alone.
    public convenience init(path: String, target: any ControlTarget) throws(ControlSocketTrouble) {
        try self.init(path: path, target: target, linkedIn: .ofUser)
    }

    /// A socket in the runtime folder, by which `quadrille ctl` finds this process. nil if it can't be made.
    public convenience init?(in folder: RuntimeFolder, target: any ControlTarget) {
        guard folder.prepare() else { return nil }
        try? self.init(path: folder.ownEntry, target: target, linkedIn: nil)
    }

    init(path: String, target: any ControlTarget, linkedIn folder: RuntimeFolder?) throws(ControlSocketTrouble) {
        guard let mailbox = ControlMailbox() else { throw ControlSocketTrouble(path: path, reason: .system(errno)) }
        let socket = try SocketPath(path)
        do {
            let listener = socket.listener
            worker = try Worker("control") { ControlLoop(listener: listener, target, mailbox).run() }
        } catch {
            socket.remove()
            close(socket.listener)
            throw ControlSocketTrouble(path: path, reason: .noThread("\(error)"))
        }
        self.socket = socket
        self.mailbox = mailbox
        link = folder.flatMap { RuntimeLink(to: path, in: $0) }
    }

    /// Path at which it listens.
    public var path: String { socket.path }

    /// Removes the path, sends `shutdown` and other output that the clients take at once, closes them and joins the
    /// thread. Called once, by the owner. Waits at most `limit` nanoseconds, in case the target hangs.
    @discardableResult
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        link?.remove()
        socket.remove()
        mailbox.post(ControlEvent(.shutdown))
        mailbox.stop()
        return worker.join(within: limit)
    }

    /// Reports that observed properties may have changed. The socket's thread compares them soon, at most 60 times a
    /// second. Costs almost nothing while no client observes.
    public func propertiesChanged() { mailbox.propertiesChanged() }

    /// Sends the event to those clients that want it.
    public func post(_ event: ControlEvent) { mailbox.post(event) }

    /// True if any client would receive events or changes.
    public var hasListeners: Bool { mailbox.listeners != ControlMailbox.Listeners() }
}
