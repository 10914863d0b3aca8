import Base
import CSDL2
import Glibc

/// Properties of an X server that SDL does not report. SDL has loaded Xlib by itself, and does not expose it.
public enum XServer {
    /// Returns a function of Xlib; nil if there is none.
    static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        guard let library = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD), let symbol = dlsym(library, name) else {
            return nil
        }
        return unsafeBitCast(symbol, to: type)
    }

    /// SDL's connection; nil if the window is on no X server.
    static func display(of window: OpaquePointer) -> OpaquePointer? {
        qd_x11_display(window).map { OpaquePointer($0) }
    }

    /// Waits until the server has answered.
    static func confirm(_ window: OpaquePointer) {
        typealias Sync = @convention(c) (OpaquePointer, Int32) -> Int32
        guard let display = display(of: window), let sync = function("XSync", Sync.self) else { return }
        _ = sync(display, 0)
    }

    /// Returns the root window.
    private static func root(of display: OpaquePointer) -> UInt? {
        typealias Root = @convention(c) (OpaquePointer) -> UInt
        return function("XDefaultRootWindow", Root.self)?(display)
    }

    /// Place of the pointer on the screen. SDL's own value is stale after another client has moved the pointer.
    static func pointer(over window: OpaquePointer) -> Point? {
        typealias Query =
            @convention(c) (
                OpaquePointer, UInt, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UInt>,
                UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<UInt32>
            ) -> Int32
        guard let display = display(of: window), let query = function("XQueryPointer", Query.self) else { return nil }
        var (root, child) = (UInt(0), UInt(0)), place = (x: Int32(0), y: Int32(0)), within = place, buttons = UInt32(0)
        let isOnScreen = query(
            display, qd_x11_window(window), &root, &child, &place.x, &place.y, &within.x, &within.y, &buttons)
        return isOnScreen != 0 ? Point(Int(place.x), Int(place.y)) : nil
    }

    /// Current size of the screen. SDL's own value is that of the start.
    static func screenSize(of window: OpaquePointer) -> Size? {
        typealias Geometry =
            @convention(c) (
                OpaquePointer, UInt, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>,
                UnsafeMutablePointer<UInt32>
            ) -> Int32
        guard let display = display(of: window), let root = root(of: display),
            let geometry = function("XGetGeometry", Geometry.self)
        else { return nil }
        var (parent, x, y) = (UInt(0), Int32(0), Int32(0))
        var (width, height, border, depth) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        guard geometry(display, root, &parent, &x, &y, &width, &height, &border, &depth) != 0 else {
            return nil
        }
        return Size(Int(width), Int(height))
    }

    /// True if there is a window manager. Without one, a window does not become as large as the screen on request.
    static var hasWindowManager: Bool {
        typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
        typealias Close = @convention(c) (OpaquePointer) -> Int32
        typealias Atom = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int32) -> UInt
        typealias Read =
            @convention(c) (
                OpaquePointer, UInt, UInt, Int, Int, Int32, UInt, UnsafeMutablePointer<UInt>,
                UnsafeMutablePointer<Int32>,
                UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UnsafeMutableRawPointer?>
            ) -> Int32
        typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Int32
        guard let open = function("XOpenDisplay", Open.self), let close = function("XCloseDisplay", Close.self),
            let atom = function("XInternAtom", Atom.self),
            let read = function("XGetWindowProperty", Read.self), let free = function("XFree", Free.self),
            let display = open(nil)
        else { return true }
        defer { _ = close(display) }
        guard let root = root(of: display) else { return true }
        let name = atom(display, "_NET_SUPPORTING_WM_CHECK", 1)
        guard name != 0 else { return false }
        var type = UInt(0), format = Int32(0), count = UInt(0), left = UInt(0), data: UnsafeMutableRawPointer?
        guard read(display, root, name, 0, 1, 0, 0, &type, &format, &count, &left, &data) == 0 else {
            return false
        }
        if let data { _ = free(data) }
        return count > 0
    }
}
