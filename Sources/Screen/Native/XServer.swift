import Base
import CNativeWindow
import CX11

/// Properties of an X server that SDL does not report.
public enum XServer {
    /// SDL's connection; nil if the window is on no X server.
    static func display(of window: OpaquePointer) -> OpaquePointer? { connection(of: window).display }

    /// SDL's connection, and the number of its window; nil and 0 if the window is on no X server.
    static func connection(of window: OpaquePointer) -> (display: OpaquePointer?, window: CX11.Window) {
        var number: UInt = 0
        let display = qd_x11_connection(UnsafeMutableRawPointer(window), &number)
        return (display.map { OpaquePointer($0) }, number)
    }

    /// Waits until the server has answered.
    static func confirm(_ window: OpaquePointer) {
        if let display = display(of: window) { XSync(display, 0) }
    }

    /// The pointer, as the server knows it. SDL's own values are stale after another client has moved the pointer, and
    /// while another window has the keyboard. Returns its places on the screen and in the window.
    static func pointer(over window: OpaquePointer) -> (onScreen: Point, inWindow: Point, isShiftDown: Bool)? {
        let x11 = connection(of: window)
        guard let display = x11.display else { return nil }
        var (root, child) = (CX11.Window(0), CX11.Window(0)), buttons = UInt32(0)
        var place = (x: Int32(0), y: Int32(0)), within = place
        let isOnScreen = XQueryPointer(
            display, x11.window, &root, &child, &place.x, &place.y, &within.x, &within.y, &buttons)
        guard isOnScreen != 0 else { return nil }
        return (
            Point(Int(place.x), Int(place.y)), Point(Int(within.x), Int(within.y)), buttons & UInt32(ShiftMask) != 0
        )
    }

    /// Current size of the screen. SDL's own value is that of the start.
    static func screenSize(of window: OpaquePointer) -> Size? {
        guard let display = display(of: window) else { return nil }
        var (root, x, y) = (CX11.Window(0), Int32(0), Int32(0))
        var (width, height, border, depth) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        let isKnown = XGetGeometry(
            display, XDefaultRootWindow(display), &root, &x, &y, &width, &height, &border, &depth)
        return isKnown != 0 ? Size(Int(width), Int(height)) : nil
    }

    /// True if there is a window manager. Without one, a window does not become as large as the screen on request.
    static var hasWindowManager: Bool {
        guard let display = XOpenDisplay(nil) else { return true }
        defer { XCloseDisplay(display) }
        let name = XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", 1)
        guard name != 0 else { return false }
        var type = Atom(0), format = Int32(0), count = UInt(0), left = UInt(0), data: UnsafeMutablePointer<UInt8>?
        let status = XGetWindowProperty(
            display, XDefaultRootWindow(display), name, 0, 1, 0, 0, &type, &format, &count, &left, &data)
        guard status == Success else { return false }
        if let data { XFree(data) }
        return count > 0
    }
}

/// The X server's power control for its screens (DPMS). Main thread only.
enum DPMS {
    enum Level: CARD16 { case on = 0, off = 3 }

    /// nil if the window is on no X server, or the server can't switch screens.
    static func state(of window: OpaquePointer) -> (level: Level, isEnabled: Bool)? {
        guard let display = XServer.display(of: window) else { return nil }
        var (event, error) = (Int32(0), Int32(0)), level = CARD16(0), isEnabled = BOOL(0)
        guard DPMSQueryExtension(display, &event, &error) != 0, DPMSCapable(display) != 0,
            DPMSInfo(display, &level, &isEnabled) != 0
        else { return nil }
        return (level == 0 ? .on : .off, isEnabled != 0)
    }

    /// `isEnabled`: true if the server continues to switch screens off by itself.
    static func set(_ level: Level, isEnabled: Bool, of window: OpaquePointer) {
        guard let display = XServer.display(of: window) else { return }
        // DPMS obeys only while it is enabled.
        DPMSEnable(display)
        DPMSForceLevel(display, level.rawValue)
        if !isEnabled { DPMSDisable(display) }
        XFlush(display)
    }
}
