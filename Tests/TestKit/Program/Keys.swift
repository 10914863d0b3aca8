import CX11

/// Sends input to the keyboard, the mouse and the window's decoration, by the `xdotool` command.
public struct Keys: Sendable {
    private let display: Display

    public init(_ display: Display) { self.display = display }

    /// Presses a key by its X name: "q", "space", "shift+Tab".
    public func press(_ key: String) throws { try tool(["key", "--clearmodifiers", key]) }

    public func hold(_ key: String) throws { try tool(["keydown", key]) }
    public func release(_ key: String) throws { try tool(["keyup", key]) }
    public func move(to place: (x: Int, y: Int)) throws { try tool(["mousemove", "\(place.x)", "\(place.y)"]) }

    public func click(_ x: Int, _ y: Int) throws { try tool(["mousemove", "\(x)", "\(y)", "click", "1"]) }

    /// Presses the button, moves in small steps, and releases.
    public func drag(from: (Int, Int), to: (Int, Int), steps: Int = 10) throws {
        var script = ["mousemove", "\(from.0)", "\(from.1)", "mousedown", "1"]
        for step in 1...steps {
            script += [
                "mousemove", "\(from.0 + (to.0 - from.0) * step / steps)", "\(from.1 + (to.1 - from.1) * step / steps)",
            ]
        }
        try tool(script + ["mouseup", "1"])
    }

    /// Returns the ids of the visible windows, by a part of their title.
    public func windows(_ title: String = "") throws -> [String] {
        let found = try? tool(["search", "--onlyvisible", "--name", title])
        return (found ?? "").split(separator: "\n").map(String.init)
    }

    /// Gives the keyboard to a window; a display without a window manager does not do it by itself.
    public func focus(_ window: String) throws { try tool(["windowfocus", "--sync", window]) }

    /// Destroys a window without asking its program to close.
    public func destroy(_ window: String) throws { try tool(["windowclose", window]) }

    public func resize(_ window: String, _ width: Int, _ height: Int) throws {
        try tool(["windowsize", window, "\(width)", "\(height)"])
    }

    public func size(of window: String) throws -> (width: Int, height: Int) {
        let lines = try tool(["getwindowgeometry", "--shell", window]).split(separator: "\n")
        func value(_ name: String) -> Int {
            lines.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) } ?? 0
        }
        return (value("WIDTH="), value("HEIGHT="))
    }

    /// Iconifies and maps a window, as a window manager's button and its window list do.
    public func minimise(_ window: String) throws { try tool(["windowminimize", window]) }
    public func restore(_ window: String) throws { try tool(["windowmap", window]) }

    /// Switches the window manager to a desktop, counted from 0.
    public func show(desktop: Int) throws { try tool(["set_desktop", "\(desktop)"]) }

    /// Asks a window to close, as its title bar's button would.
    public func close(_ window: String) throws {
        guard let number = UInt(window) else { throw NoWindow() }
        let connection = try XConnection.open(display)
        defer { XConnection.close(connection) }
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = number
        event.xclient.message_type = XInternAtom(connection, "WM_PROTOCOLS", 0)
        event.xclient.format = 32
        event.xclient.data.l.0 = Int(XInternAtom(connection, "WM_DELETE_WINDOW", 0))
        XSendEvent(connection, number, 0, NoEventMask, &event)
        XSync(connection, 0)
    }

    public struct NoWindow: Error {}

    @discardableResult
    private func tool(_ command: [String]) throws -> String {
        try run(["xdotool"] + command, environment: display.environment, atMost: 20)
    }
}
