import Foundation

/// A private message bus, which programs take for the session's. Ends with this object.
public final class MessageBus: @unchecked Sendable {
    /// The same after a restart.
    public let address: String
    private let path: String
    private let lock = NSLock()
    private var daemon: Child?

    public init() throws {
        path = try Scratch.newFolder("bus") + "/bus"
        address = "unix:path=\(path)"
        try start()
    }

    /// Starts the bus, again after `die`.
    public func start() throws {
        let daemon = try Child(["dbus-daemon", "--session", "--nofork", "--address=\(address)", "--print-address=1"])
        lock.withLock { self.daemon = daemon }
        // The address is printed once clients can connect.
        guard RealTime.wait(atMost: 10, until: { !daemon.output.isEmpty || daemon.exitStatus != nil }),
            daemon.exitStatus == nil
        else { throw CommandFailed(command: ["dbus-daemon"], status: daemon.exitStatus, errors: daemon.errors) }
    }

    /// Ends the bus, as if it crashed.
    public func die() {
        let daemon = lock.withLock { self.daemon }
        daemon?.signal(SIGKILL)
        daemon?.wait(atMost: 5)
        unlink(path)
    }

    /// Environment of a program on this bus. playerctl lists the players of the system's bus, too.
    public var environment: [String: String?] {
        MessageBus.nowhere.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    }

    /// Environment of a program without a bus, wherever the tests run.
    public static let nowhere: [String: String?] = [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
    ]

    /// Runs `playerctl`, and returns its output without the line feed at its end. Throws if it fails.
    @discardableResult
    public func playerctl(_ words: String...) throws -> String {
        try run(["playerctl"] + words, environment: environment).trimmingCharacters(in: .newlines)
    }

    /// Names of the players that playerctl finds, sorted.
    public var players: [String] {
        // playerctl fails if there is none.
        ((try? playerctl("--list-all")) ?? "").split(separator: "\n").map(String.init).sorted()
    }

    /// Calls a method of a player, and returns the answer as `dbus-send` writes it, blanks and line feeds as one blank.
    @discardableResult
    public func call(_ method: String, _ arguments: String..., of player: String = "quadrille") throws -> String {
        let text = try run(
            [
                "dbus-send", "--session", "--print-reply=literal", "--dest=org.mpris.MediaPlayer2.\(player)",
                "/org/mpris/MediaPlayer2", method,
            ] + arguments, environment: environment)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Reads a property of the interface Player; of the interface MediaPlayer2 with `root`.
    public func get(_ property: String, root: Bool = false) throws -> String {
        try call(
            "org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2\(root ? "" : ".Player")",
            "string:\(property)")
    }
}
