import Base
import Engine
import Layout
import Player
import Policy
import Screen
import Threads

/// Switches the screen as the schedule states, and lets a wall that is not visible rest. Main thread only.
///
/// Off: the wall rests, the window is black, and the screen is switched off if the window system allows that. On again:
/// the wall's frames are decoded first, then presented, then the screen is switched on.
///
/// DPMS or the Wayland compositor (`WaylandOutputs`) switches the screen. A network share may block the thread that
/// reads layouts. The timer's thread therefore requests the switch: off at once, on when the layout is there, and after
/// 5 s in any case. If a command resumes a group meanwhile, its clock starts when the wall is visible again
/// (`Clocks.suspended`).
final class DisplaySwitch {
    private let window: Window
    private let runner: LockedWall
    private let report: @Sendable (String) -> Void
    /// Queue for calls that may take seconds.
    private let tasks = TaskQueue("display")
    private var isTelevisionOff = false
    /// True if the compositor was asked to switch its outputs off.
    private var areOutputsOff = false
    private var state = State.on
    private var isReported = false
    private var isHidden = false
    /// How much of the wall rests while the window is hidden.
    private var policy: Hidden
    /// True for those parts of the wall that rest.
    private var rest = (frames: false, clocks: false)

    private enum State {
        case on
        case off(lookAt: Time)
        /// Frames of the wall are being decoded.
        case warming(until: Time)
        /// The next present shows the wall.
        case presenting
    }

    /// Time between checks while the screen is off: a touch switches a screen on again.
    private static let betweenLooks = Time.seconds(2)
    private static let longestWarmUp = Time.seconds(1)

    init(_ window: Window, _ runner: LockedWall, _ policy: Hidden, report: @escaping @Sendable (String) -> Void) {
        (self.window, self.runner, self.policy, self.report) = (window, runner, policy, report)
    }

    /// True while nothing of the wall is shown.
    var isDark: Bool {
        switch state {
        case .on, .presenting: false
        case .off, .warming: true
        }
    }

    /// Time of the next check, even if nothing comes in; nil if there is none.
    var deadline: Time? {
        switch state {
        case .on, .presenting: nil
        case .off(let lookAt): lookAt
        case .warming: Time.now + .milliseconds(5)
        }
    }

    // MARK: the window

    /// Sets the policy that takes effect with the next change of the window or the screen.
    func setPolicy(_ policy: Hidden) { self.policy = policy }

    /// Returns true if the wall has played until its window was hidden.
    func windowIsHidden() -> Bool {
        isHidden = true
        return runner.change { wall, now in
            defer { settle(&wall, at: now) }
            return wall.snapshot(at: now).isMoving
        }
    }

    func windowIsShown() {
        isHidden = false
        runner.change { wall, now in settle(&wall, at: now) }
    }

    /// Lets the parts of the wall rest that are not needed. Minimised, the wall runs on, makes only sound, or pauses.
    /// While the screen is switched off, the whole wall rests; before it is switched on again, frames are decoded.
    private func settle(_ wall: inout Wall, at now: Time) {
        let before = rest
        rest =
            switch state {
            case .off: (frames: true, clocks: true)
            case .warming: (frames: false, clocks: true)
            case .on, .presenting: (frames: isHidden && policy == .sound, clocks: isHidden && policy == .pause)
            }
        if rest.frames != before.frames { wall.note(.frames(rest.frames ? .none : .all), at: now) }
        if rest.clocks != before.clocks { wall.note(rest.clocks ? .restBegan : .restEnded, at: now) }
    }

    // MARK: the screen

    func set(_ power: DisplayPower) {
        switch (power, state) {
        case (.off(let cec), let state):
            if cec != isTelevisionOff { setTelevision(cec ? .standby : .on) }
            if case .off = state { return }
            enter(.off(lookAt: Time.now))
        // Even if this wall never switched the screen off, a wall that was killed may have left it off.
        case (.on, .on): window.wakeScreenLeftOff()
        case (.on, .off): enter(.warming(until: Time.now + Self.longestWarmUp))
        case (.on, .warming), (.on, .presenting): break
        }
    }

    private func enter(_ next: State) {
        state = next
        runner.change { wall, now in settle(&wall, at: now) }
    }

    func update() {
        let now = Time.now
        switch state {
        case .off(let lookAt) where now >= lookAt:
            if !window.darkenScreen() { switchOutputsOff() }
            state = .off(lookAt: now + Self.betweenLooks)
        case .warming(let until):
            guard now >= until || runner.read({ wall, now in wall.snapshot(at: now).isWarm() }) else { return }
            enter(.presenting)
        case .on, .off, .presenting: break
        }
    }

    /// Asks a Wayland compositor, if the window system can't switch the screen.
    private func switchOutputsOff() {
        if areOutputsOff || isReported { return }
        guard WaylandOutputs.mayBeThere else {
            isReported = true
            return report("this display can't be switched off from here; the window is black")
        }
        areOutputsOff = true
        setOutputs(.off)
    }

    private func setOutputs(_ power: WaylandOutputs.Power) {
        let report = report
        _ = tasks.add {
            guard let trouble = WaylandOutputs.set(power) else { return }
            report("this display can't be switched \(power == .off ? "off; the window is black" : "on"): \(trouble)")
        }
    }

    /// Switches everything on again that was switched off.
    private func wake() {
        window.wakeScreen()
        if areOutputsOff { setOutputs(.on) }
        areOutputsOff = false
        if isTelevisionOff { setTelevision(.on) }
    }

    /// Called when a scene is on the screen.
    func presented() {
        guard case .presenting = state else { return }
        wake()
        state = .on
    }

    private func setTelevision(_ power: Television.Power) {
        isTelevisionOff = power == .standby
        let report = report
        _ = tasks.add {
            if let trouble = Television.set(power) { report("the television can't be switched: \(trouble)") }
        }
    }

    /// Leaves the screen as it was found. Called when the program ends.
    func end() {
        wake()
        for name in tasks.stop() { report("not waited for: \(name)") }
    }
}
