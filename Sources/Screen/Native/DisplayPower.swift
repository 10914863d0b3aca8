import CSDL2
import Glibc

/// The X server's power control for its screens (DPMS). Main thread only.
enum DisplayPower {
    enum Level: UInt16 { case on = 0, off = 3 }

    private typealias Query =
        @convention(c) (OpaquePointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Int32
    private typealias Test = @convention(c) (OpaquePointer) -> Int32
    private typealias Info =
        @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt8>) -> Int32
    private typealias Force = @convention(c) (OpaquePointer, UInt16) -> Int32

    /// Returns a function of libXext, which SDL loads with Xlib.
    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        guard let library = dlopen("libXext.so.6", RTLD_NOW), let symbol = dlsym(library, name) else { return nil }
        return unsafeBitCast(symbol, to: type)
    }

    /// nil if the window is on no X server, or the server can't switch screens.
    static func state(of window: OpaquePointer) -> (level: Level, isEnabled: Bool)? {
        guard let display = XServer.display(of: window), let query = function("DPMSQueryExtension", Query.self),
            let isCapable = function("DPMSCapable", Test.self), let info = function("DPMSInfo", Info.self)
        else { return nil }
        var (event, error) = (Int32(0), Int32(0)), level = UInt16(0), isEnabled = UInt8(0)
        guard query(display, &event, &error) != 0, isCapable(display) != 0, info(display, &level, &isEnabled) != 0
        else { return nil }
        return (level == 0 ? .on : .off, isEnabled != 0)
    }

    /// `isEnabled`: true if the server continues to switch screens off by itself.
    static func set(_ level: Level, isEnabled: Bool, of window: OpaquePointer) {
        guard let display = XServer.display(of: window), let enable = function("DPMSEnable", Test.self),
            let disable = function("DPMSDisable", Test.self), let force = function("DPMSForceLevel", Force.self),
            let flush = XServer.function("XFlush", Test.self)
        else { return }
        // DPMS obeys only while it is enabled.
        _ = enable(display)
        _ = force(display, level.rawValue)
        if !isEnabled { _ = disable(display) }
        _ = flush(display)
    }
}
