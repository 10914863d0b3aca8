import Foundation

/// A private sound server with one null sink: PulseAudio's daemon if installed, else PipeWire's.
/// QUADRILLE_SOUND=pipewire chooses PipeWire. The server ends with this object.
///
/// PulseAudio's null sink drops a fraction of a microsecond with each block that is no whole number of microseconds.
/// Mostly it is some 80 ppm fast, as crystals of cheap sound cards are; in some runs it is exact.
public final class SoundServer: Sendable {
    public enum Kind: Sendable { case pulseAudio, pipeWire }

    public static let kind: Kind = {
        if ProcessInfo.processInfo.environment["QUADRILLE_SOUND"] == "pipewire" { return .pipeWire }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/pulseaudio", X_OK) == 0 } ? .pulseAudio : .pipeWire
    }()

    /// The address, as PULSE_SERVER holds it.
    public let address: String
    public let home: String
    /// Server processes, in the order in which they are ended.
    private let servers: [Child]

    /// Starts the server in a new folder, or in `folder` if it takes the place of a server that ended.
    public init(in folder: String? = nil) throws {
        home = try folder ?? Scratch.newFolder("pulse")
        switch SoundServer.kind {
        case .pulseAudio:
            address = "unix:\(home)/native"
            servers = try SoundServer.pulseAudio(home)
        case .pipeWire:
            address = "unix:\(home)/pulse/native"
            servers = try SoundServer.pipeWire(home)
        }
    }

    /// Returns an environment without a desktop's files and bus.
    private static func surroundings(_ home: String) -> [String: String?] {
        [
            "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
            "PULSE_RUNTIME_PATH": home, "PULSE_STATE_PATH": home, "PIPEWIRE_RUNTIME_DIR": home, "DISPLAY": nil,
            "WAYLAND_DISPLAY": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
        ]
    }

    private static func wait(for socket: String, of server: Child, _ name: String) throws {
        // The socket's file is there some time before the server listens.
        guard RealTime.wait(atMost: 20, until: { (try? listener(at: socket)) != nil || server.exitStatus != nil }),
            server.exitStatus == nil
        else { throw CommandFailed(command: [name], status: server.exitStatus, errors: server.errors) }
    }

    private static func pulseAudio(_ home: String) throws -> [Child] {
        let server = try Child(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--system=no",
                "-L",
                "module-null-sink sink_name=wall rate=48000 channels=2",
                "-L", "module-native-protocol-unix socket=\(home)/native auth-anonymous=1",
            ], environment: surroundings(home))
        try wait(for: "\(home)/native", of: server, "pulseaudio")
        return [server]
    }

    private static func pipeWire(_ home: String) throws -> [Child] {
        unlink("\(home)/pipewire-0")
        unlink("\(home)/pulse/native")
        let server = try Child(["pipewire"], environment: surroundings(home))
        try wait(for: "\(home)/pipewire-0", of: server, "pipewire")
        // The session manager needs a bus, and ends with the server.
        let manager = try Child(["dbus-run-session", "--", "wireplumber"], environment: surroundings(home))
        let pulse = try Child(["pipewire-pulse"], environment: surroundings(home))
        try wait(for: "\(home)/pulse/native", of: pulse, "pipewire-pulse")
        var client = surroundings(home)
        client["PULSE_SERVER"] = "unix:\(home)/pulse/native"
        func sinks() -> String { (try? run(["pactl", "list", "short", "sinks"], environment: client)) ?? "" }
        try run(
            ["pactl", "load-module", "module-null-sink", "sink_name=wall", "rate=48000", "channels=2"],
            environment: client)
        guard RealTime.wait(atMost: 10, until: { sinks().contains("wall") }) else {
            throw CommandFailed(command: ["wireplumber"], status: manager.exitStatus, errors: manager.errors)
        }
        return [pulse, server, manager]
    }

    /// Adds a sink, whose monitor is an input. Returns a function that removes the sink.
    public func addOutput(_ name: String) throws -> () throws -> Void {
        let environment = environment
        let module = try run(
            ["pactl", "load-module", "module-null-sink", "sink_name=\(name)", "rate=48000", "channels=2"],
            environment: environment
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        return { try run(["pactl", "unload-module", module], environment: environment) }
    }

    /// Environment of a program that is to play on this server only.
    public var environment: [String: String?] {
        ["PULSE_SERVER": address, "SDL_AUDIODRIVER": "pulseaudio", "HOME": home, "PULSE_COOKIE": "\(home)/cookie"]
    }

    /// Ends the server, as if it crashed during a show.
    public func end() {
        for server in servers.dropLast(servers.count > 1 ? 1 : 0) { server.end() }
        if let last = servers.last, last.wait(atMost: 3) == nil { last.end() }
    }

    deinit { end() }
}
