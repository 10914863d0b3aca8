/// Power control for the window's whole screen. Main thread only.
extension Window {
    public enum Power: Sendable { case switched, notSwitched }

    /// Turns the screen off until `wakeScreen`. `notSwitched`: the window system does not allow it.
    public func darkenScreen() -> Power {
        guard let state = DPMS.state(of: handle) else { return .notSwitched }
        if screenBefore == nil { screenBefore = state }
        // Input may have turned the screen on again.
        if state.level == .on { DPMS.set(.off, isEnabled: true, of: handle) }
        return .switched
    }

    /// Waits until the X server has carried out all requests.
    public func confirmDisplay() { XServer.confirm(handle) }

    /// Turns on a screen that a killed program has left off.
    public func wakeScreenLeftOff() {
        guard let state = DPMS.state(of: handle), state.level != .on else { return }
        DPMS.set(.on, isEnabled: state.isEnabled, of: handle)
    }

    public func wakeScreen() {
        guard let before = screenBefore else { return }
        screenBefore = nil
        DPMS.set(.on, isEnabled: before.isEnabled, of: handle)
    }
}
