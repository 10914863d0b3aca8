/// The screen that the window is on, as a whole. Main thread only.
extension Window {
    public enum Power: Sendable { case switched, notSwitched }

    /// Nobody sees anything until `wakeScreen`. `notSwitched`: the window system does not let us.
    public func darkenScreen() -> Power {
        guard let state = DisplayPower.state(of: handle) else { return .notSwitched }
        if screenBefore == nil { screenBefore = state }
        // An input may have switched it on again.
        if state.level == .on { DisplayPower.set(.off, isEnabled: true, of: handle) }
        return .switched
    }

    /// Comes back when the X server has done all that it was asked for.
    public func confirmDisplay() { XServer.confirm(handle) }

    /// One that was killed may have left it off.
    public func wakeScreenLeftOff() {
        guard let state = DisplayPower.state(of: handle), state.level != .on else { return }
        DisplayPower.set(.on, isEnabled: state.isEnabled, of: handle)
    }

    public func wakeScreen() {
        guard let before = screenBefore else { return }
        screenBefore = nil
        DisplayPower.set(.on, isEnabled: before.isEnabled, of: handle)
    }
}
