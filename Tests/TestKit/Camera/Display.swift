import Foundation

/// A private X server (Xvfb), ended by its id when it is released.
public final class Display: Sendable {
    /// Name in the form of DISPLAY.
    public let name: String
    public let width: Int
    public let height: Int
    /// Process of the server, to measure its share of a program's cost.
    public var process: pid_t { server.pid }
    private let server: Child

    /// `name`: nil for the next free one.
    public init(width: Int = 1280, height: Int = 720, named name: String? = nil) throws {
        (self.width, self.height) = (width, height)
        let server = try Child(
            ["Xvfb"] + (name.map { [$0] } ?? []) + [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp", "-noreset",
                "-ac", "+extension", "MIT-SHM",
            ])
        RealTime.wait(atMost: 20) { server.output.hasSuffix("\n") || server.exitStatus != nil }
        guard let number = Int(server.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailed(command: ["Xvfb"], status: server.exitStatus, errors: server.errors)
        }
        self.name = ":\(number)"
        self.server = server
    }

    /// Changes the screen's size, as when another screen is plugged in. Not larger than at first.
    public func setSize(_ width: Int, _ height: Int) throws {
        let name = "\(width)x\(height)"
        func xrandr(_ arguments: String...) throws { try run(["xrandr"] + arguments, environment: environment) }
        if (width, height) != (self.width, self.height) {
            let timing = [width, width + 16, width + 32, width + 64, height, height + 4, height + 8, height + 16]
            try run(["xrandr", "--newmode", name, "25"] + timing.map { "\($0)" }, environment: environment)
            try xrandr("--addmode", "screen", name)
        }
        try xrandr("--output", "screen", "--mode", name)
    }

    /// Environment of a program that must show itself on this display only.
    public var environment: [String: String?] {
        ["DISPLAY": name, "WAYLAND_DISPLAY": nil, "SDL_VIDEODRIVER": "x11", "XAUTHORITY": nil]
    }
}
