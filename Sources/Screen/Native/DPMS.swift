import CX11

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
