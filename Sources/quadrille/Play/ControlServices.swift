import Commands
import Control
import Desktop
import Engine
import Layout
import Socket
import Threads

/// A service through which other programs control the wall and hear of it, such as the control socket. Any thread may
/// call any method; each returns at once, except `stop`.
protocol ControlService: Sendable {
    /// Name of the service in the message that it did not end in time.
    var name: String { get }
    /// True if any client would receive events or changes.
    var hasListeners: Bool { get }
    /// Sends the event to those clients that want it.
    func post(_ event: ControlEvent)
    /// Reports that properties may have changed.
    func propertiesChanged()
    /// Disconnects the clients. Called once.
    func stop() -> Worker.JoinResult
}

extension ControlSocket: ControlService {
    var name: String { "control" }
    func stop() -> Worker.JoinResult { stop(within: 1_000_000_000) }
}

extension DesktopService: ControlService {
    var name: String { "desktop" }
    func stop() -> Worker.JoinResult { stop(within: 1_000_000_000) }
}

/// The control services that run beside a playing wall. Any thread may call any method.
final class ControlServices: Sendable {
    private let running = Locked<[any ControlService]>([])
    private let desktop = Locked<DesktopService?>(nil)
    private let path = Locked<String?>(nil)
    private let reach: Reach

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
        _ options: PlayOptions, _ input: WindowInput, _ router: CommandRouter, _ runner: WallRunner,
        report: @escaping @Sendable (String) -> Void
    ) throws(ControlSocketTrouble) {
        var services: [any ControlService] = []
        let socket =
            try options.ipc.map { path throws(ControlSocketTrouble) in try ControlSocket(path: path, target: router) }
            ?? (reach == .none ? nil : RuntimeFolder.ofUser.flatMap { ControlSocket(in: $0, target: router) })
        if let socket { services.append(socket) }
        path.locked { [path = socket?.path] in $0 = path }
        var buses = BusAddresses.usual
        if reach != .all { buses.session = nil }
        if let service = DesktopService(router, listing(input), on: buses, report: report) {
            services.append(service)
            desktop.locked { $0 = service }
        }
        guard !services.isEmpty else { return }
        running.locked { [services] in $0 = services }
        runner.onChange { [self] in if hasListeners { propertiesChanged() } }
    }

    /// Path of the control socket; nil if there is none.
    var socketPath: String? { path.locked { $0 } }

    var hasListeners: Bool { running.locked { $0.contains(where: \.hasListeners) } }

    func post(_ event: ControlEvent) { for service in running.locked({ $0 }) { service.post(event) } }

    func propertiesChanged() { for service in running.locked({ $0 }) { service.propertiesChanged() } }

    // MARK: the desktop

    /// Follows a layout that allows other input: what may not be controlled at the window is no player of the desktop.
    func allow(_ input: WindowInput) { desktop.locked { $0 }?.set(listing(input)) }

    /// Notes whether a tile plays. The machine does not suspend meanwhile.
    func note(isPlaying: Bool) { desktop.locked { $0 }?.set(isPlaying: isPlaying) }

    private func listing(_ input: WindowInput) -> DesktopListing {
        reach == .all && input == .all ? .listed : .absent
    }

    /// Stops all services. Returns the names of those that did not end in time.
    func stop() -> [String] {
        let services = running.locked { running in
            defer { running = [] }
            return running
        }
        desktop.locked { $0 = nil }
        return services.filter { $0.stop() == .stillRunning }.map(\.name)
    }
}
