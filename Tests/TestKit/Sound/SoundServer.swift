import Foundation

/// A private PulseAudio daemon with one null sink, ended by its id when nobody holds it any more.
public final class SoundServer: Sendable {
    /// As in PULSE_SERVER.
    public let address: String
    public let home: String
    private let server: Child

    /// In a folder of its own; a server that takes the place of one that ended is given that one's folder.
    public init(in folder: String? = nil) throws {
        home = try folder ?? Scratch.newFolder("pulse")
        let socket = "\(home)/native"
        address = "unix:\(socket)"
        server = try Child(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--system=no",
                "-L", "module-null-sink sink_name=wall rate=48000 channels=2",
                "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
            ],
            environment: [
                "HOME": home, "XDG_RUNTIME_DIR": home, "PULSE_RUNTIME_PATH": home, "PULSE_STATE_PATH": home,
                "DISPLAY": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
            ])
        guard Clock.wait(atMost: 20, until: { access(socket, R_OK) == 0 || server.exitStatus != nil }),
            server.exitStatus == nil
        else { throw CommandFailed(command: ["pulseaudio"], status: server.exitStatus, errors: server.errors) }
    }

    /// For a program that is to be heard here and nowhere else.
    public var environment: [String: String?] {
        ["PULSE_SERVER": address, "SDL_AUDIODRIVER": "pulseaudio", "HOME": home, "PULSE_COOKIE": "\(home)/cookie"]
    }

    /// Ends the server, as a server that goes away in the middle of a show.
    public func end() { server.end() }
}
