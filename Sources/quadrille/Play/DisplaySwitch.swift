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
    private var hiding: Hiding

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

    init(_ window: Window, _ runner: LockedWall, _ hidden: Hidden, report: @escaping @Sendable (String) -> Void) {
        (self.window, self.runner, self.report) = (window, runner, report)
        hiding = Hiding(hidden)
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

    /// Sets how much of the wall rests from now on while the window is hidden.
    func setPolicy(_ hidden: Hidden) { hiding.policy = hidden }

    /// Activity of the wall until its window was hidden.
    enum Activity { case playing, standing }

    func windowIsHidden() -> Activity {
        hiding.isHidden = true
        return runner.change { wall, now in
            defer { hiding.settle(&wall, at: now) }
            return wall.snapshot(at: now).isMoving ? .playing : .standing
        }
    }

    func windowIsShown() {
        hiding.isHidden = false
        runner.change { wall, now in hiding.settle(&wall, at: now) }
    }

    // MARK: the screen

    func set(_ power: DisplayPower) {
        switch power {
        case .off(let cec): switchOff(cec: cec)
        case .on: switchOn()
        }
    }

    private func screenIs(_ screen: Hiding.Screen) {
        hiding.screen = screen
        runner.change { wall, now in hiding.settle(&wall, at: now) }
    }

    private func switchOff(cec: Bool) {
        if cec != isTelevisionOff { setTelevision(cec ? .standby : .on) }
        if case .off = state { return }
        screenIs(.off)
        state = .off(lookAt: Time.now)
    }

    /// Switches the screen on. Even if this wall never switched the screen off, a wall that was killed may have left it
    /// off.
    private func switchOn() {
        if case .on = state { return window.wakeScreenLeftOff() }
        guard case .off = state else { return }
        screenIs(.warming)
        state = .warming(until: Time.now + Self.longestWarmUp)
    }

    func update() {
        let now = Time.now
        switch state {
        case .off(let lookAt) where now >= lookAt:
            if window.darkenScreen() == .notSwitched { switchOutputsOff() }
            state = .off(lookAt: now + Self.betweenLooks)
        case .warming(let until):
            guard now >= until || runner.read({ wall, now in wall.snapshot(at: now).isWarm() })
            else { return }
            screenIs(.on)
            state = .presenting
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

    private func switchOutputsOn() {
        if areOutputsOff { setOutputs(.on) }
        areOutputsOff = false
    }

    /// Called when a scene is on the screen.
    func presented() {
        guard case .presenting = state else { return }
        window.wakeScreen()
        switchOutputsOn()
        if isTelevisionOff { setTelevision(.on) }
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
        window.wakeScreen()
        switchOutputsOn()
        if isTelevisionOff { setTelevision(.on) }
        if tasks.stop() == .stillRunning { report("not waited for: display") }
    }
}

/// Decides how much of a wall that is not visible rests. Minimised, the wall runs on, makes only sound, or pauses.
/// While the screen is switched off, the whole wall rests.
struct Hiding {
    var policy: Hidden
    var isHidden = false
    var screen = Screen.on
    private var rest = Rest.none

    /// Part of the wall that rests.
    fileprivate enum Rest { case none, frames, clocks, all }

    /// `warming`: the screen is about to be switched on, and frames are decoded for it.
    enum Screen { case on, warming, off }

    init(_ policy: Hidden) { self.policy = policy }

    private var wanted: Rest {
        switch (screen, policy) {
        case (.off, _): .all
        case (.warming, _): .clocks
        case (.on, .sound) where isHidden: .frames
        case (.on, .pause) where isHidden: .clocks
        case (.on, _): .none
        }
    }

    /// Follows a change of the window or the screen. A changed policy takes effect then.
    mutating func settle(_ wall: inout Wall, at now: Time) {
        let (before, after) = (rest, wanted)
        rest = after
        guard before != after else { return }
        if before.hasFrames != after.hasFrames {
            wall.note(.frames(after.hasFrames ? .all : .none), at: now)
        }
        if before.hasClocks != after.hasClocks {
            if after.hasClocks { wall.note(.restEnded, at: now) } else { wall.note(.restBegan, at: now) }
        }
    }
}

extension Hiding.Rest {
    fileprivate var hasFrames: Bool { self == .none || self == .clocks }
    fileprivate var hasClocks: Bool { self == .none || self == .frames }
}
