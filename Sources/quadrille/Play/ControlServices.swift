import Commands
import Control
import Desktop
import Engine
import Layout
import Protocols
import Socket
import Threads

/// The control socket and the desktop's player, which run beside a playing wall on one thread. Any thread may call any
/// method; each returns at once, except `stop`.
final class ControlServices: Sendable {
    private let loop = ProtocolLoop()
    private let running = Locked(Running())
    private let reach: Reach

    private struct Running {
        var socket: ControlSocket?
        var desktop: DesktopService?
    }

    /// Which programs may control the wall.
    enum Reach {
        /// Clients of the socket, and programs on the session's bus.
        case all
        /// Clients of the socket.
        case socket
        /// None: a test reveals nothing, and only its keys control it.
        case none
    }

    init(_ reach: Reach) { self.reach = reach }

    /// Starts the services: the socket of `--ipc`, or else the one by which `quadrille ctl` finds this wall, and the
    /// desktop's if there is a bus. `report` takes remarks for `--verbose`.
    func start(
        _ options: PlayOptions, _ input: WindowInput, _ router: CommandRouter, _ runner: LockedWall,
        report: @escaping @Sendable (String) -> Void
    ) throws(ControlSocketTrouble) {
        let socket: ControlSocket? =
            if let path = options.control.ipc {
                try ControlSocket(path: path, target: router, on: loop)
            } else if reach != .none {
                RuntimeFolder.ofUser.flatMap { ControlSocket(in: $0, target: router, on: loop) }
            } else {
                nil
            }
        var buses = BusAddresses.usual
        if reach != .all { buses.session = nil }
        let desktop = DesktopService(router, listing(input), on: buses, loop, report: report)
        guard socket != nil || desktop != nil else { return }
        running.locked { $0 = Running(socket: socket, desktop: desktop) }
        runner.listen { [mailbox] in $0.change = { mailbox.propertiesChanged() } }
    }

    /// Path of the control socket; nil if there is none.
    var socketPath: String? { running.locked { $0.socket }?.path }

    /// Takes events and changes for the clients that want them.
    var mailbox: ControlMailbox { loop.mailbox }

    // MARK: the desktop

    /// Follows a layout that allows other input: what may not be controlled at the window is no player of the desktop.
    func allow(_ input: WindowInput) { running.locked { $0.desktop }?.set(listing(input)) }

    /// Notes whether a tile plays. The machine does not suspend meanwhile.
    func note(isPlaying: Bool) { running.locked { $0.desktop }?.set(isPlaying: isPlaying) }

    private func listing(_ input: WindowInput) -> DesktopListing {
        reach == .all && input == .all ? .listed : .absent
    }

    /// Disconnects all clients. Returns the name of the thread if it did not end in time.
    func stop() -> [String] {
        let ended = running.locked { running in exchange(&running, with: Running()) }
        ended.socket?.remove()
        return loop.stop()
    }
}
