import Commands
import Control
import Engine
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

/// The control services that run beside a playing wall. Any thread may call any method.
final class ControlServices: Sendable {
    private let running = Locked<[any ControlService]>([])

    /// Starts the services: the socket of `--ipc`, or else the one by which `quadrille ctl` finds this wall.
    func start(_ options: PlayOptions, _ router: CommandRouter, _ runner: WallRunner) throws(ControlSocketTrouble) {
        var services: [any ControlService] = []
        if let path = options.ipc {
            services.append(try ControlSocket(path: path, target: router))
        } else if let socket = RuntimeFolder.ofUser.flatMap({ ControlSocket(in: $0, target: router) }) {
            services.append(socket)
        }
        guard !services.isEmpty else { return }
        running.locked { [services] in $0 = services }
        runner.onChange { [self] in if hasListeners { propertiesChanged() } }
    }

    var hasListeners: Bool { running.locked { $0.contains(where: \.hasListeners) } }

    func post(_ event: ControlEvent) { for service in running.locked({ $0 }) { service.post(event) } }

    func propertiesChanged() { for service in running.locked({ $0 }) { service.propertiesChanged() } }

    /// Stops all services. Returns the names of those that did not end in time.
    func stop() -> [String] {
        let services = running.locked { running in
            defer { running = [] }
            return running
        }
        return services.filter { $0.stop() == .stillRunning }.map(\.name)
    }
}
