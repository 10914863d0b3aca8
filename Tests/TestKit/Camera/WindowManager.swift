import CX11
import Foundation

/// A window manager on a private display, ended by its id when it is released.
public final class WindowManager: Sendable {
    private let manager: Child

    /// Returns when it manages windows.
    public init(_ display: Display) throws {
        manager = try Child(
            ["blackbox"], environment: display.environment.merging(["HOME": try Scratch.newFolder("home")]) { $1 })
        let connection = try XConnection.open(display)
        defer { XConnection.close(connection) }
        let mark = XInternAtom(connection, "_NET_SUPPORTING_WM_CHECK", 0)
        let isThere = RealTime.wait(atMost: 10) {
            var (type, format, count, rest): (Atom, Int32, UInt, UInt) = (0, 0, 0, 0)
            var value: UnsafeMutablePointer<UInt8>?
            XGetWindowProperty(
                connection, XDefaultRootWindow(connection), mark, 0, 1, 0, 0, &type, &format, &count, &rest, &value)
            if let value { XFree(value) }
            return count == 1
        }
        guard isThere else {
            throw CommandFailed(command: ["blackbox"], status: manager.exitStatus, errors: manager.errors)
        }
    }
}

/// A window of one colour that belongs to another program. Used by one thread at a time.
public final class Curtain {
    private let connection: OpaquePointer
    private let window: Window
    /// Holds the display: a connection to a server that has ended would end the tests.
    private let display: Display

    /// Maps and raises the window; a window manager may put another above it.
    public init(_ display: Display, _ area: Area, _ colour: Colour) throws {
        let connection = try XConnection.open(display)
        (self.connection, self.display) = (connection, display)
        let pixel = UInt(colour.red << 16 | colour.green << 8 | colour.blue)
        window = XCreateSimpleWindow(
            connection, XDefaultRootWindow(connection), Int32(area.x), Int32(area.y), UInt32(area.width),
            UInt32(area.height), 0, pixel, pixel)
        XStoreName(connection, window, "curtain")
        XMapRaised(connection, window)
        XSync(connection, 0)
    }

    public func raise() {
        XRaiseWindow(connection, window)
        XSync(connection, 0)
    }

    deinit { XConnection.close(connection) }
}
