import Base
import CNativeWindow
import CX11
import Glibc
import Threads

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

/// Handles the X server's errors. By default Xlib ends the program at the first one.
///
/// An error for a window or drawable means that another client has destroyed a window of ours (`hasLost`). Any other
/// error is reported once for each kind, and its request has no effect.
public enum XErrors {
    private static let state = Locked(State())

    private struct State {
        /// X11's number of the last window for which a request failed.
        var lost: XID = 0
        /// Reported errors, by error and request.
        var reported: Set<[UInt8]> = []
        var report: (@Sendable (String) -> Void)?
        var loss: (@Sendable () -> Void)?
    }

    /// `report`: called on the thread that talks to the server. It must only store the message.
    public static func onOthers(_ report: (@Sendable (String) -> Void)?) { state.locked { $0.report = report } }

    /// `loss`: called when the X server is gone, on the thread that talked to it. It must only store the fact. The
    /// thread never returns from the error handler, since Xlib would then end the program. With nil, Xlib ends the
    /// program.
    public static func onLoss(_ loss: (@Sendable () -> Void)?) { state.locked { $0.loss = loss } }

    /// Called once SDL has a connection to an X server.
    static func watch() {
        XSetErrorHandler { _, event in
            if let event { XErrors.note(event.pointee) }
            return 0
        }
        XSetIOErrorHandler { _ in
            guard let loss = XErrors.state.locked({ $0.loss }) else { return 0 }
            loss()
            while true { pause() }
        }
    }

    private static func note(_ event: XErrorEvent) {
        let (error, request) = (event.error_code, event.request_code)
        let report = state.locked { state -> (@Sendable (String) -> Void)? in
            if [BadWindow, BadDrawable].contains(Int32(error)) {
                state.lost = event.resourceid
                return nil
            }
            return state.reported.insert([error, request]).inserted ? state.report : nil
        }
        report?("quadrille: the X server refused request \(request) with error \(error); the request has no effect")
    }

    /// True if another client has destroyed this window.
    static func hasLost(_ window: OpaquePointer) -> Bool {
        let lost = state.locked { $0.lost }
        return lost != 0 && lost == XServer.connection(of: window).window
    }
}
