import Media
import Screen
import WallCore

/// What the schedule wants of the screen. Main thread only.
///
/// Off: the wall rests, the window is black, the screen is switched off where the window system lets us. On again: the
/// wall's pictures are decoded first, then presented, then the screen is switched on.
final class DisplaySwitch {
    private let window: Window
    private let runner: WallRunner
    private let tell: (String) -> Void
    private var state = State.on
    private var isTold = false

    private enum State {
        case on
        case off(lookAt: Time)
        /// Its pictures are being decoded.
        case warming(until: Time)
        /// The next present shows the wall.
        case presenting
    }

    enum Power: Sendable { case on, off }

    /// A touch switches a screen on again.
    private static let betweenLooks = Time.seconds(2)
    private static let longestWarmUp = Time.seconds(1)

    init(_ window: Window, _ runner: WallRunner, tell: @escaping (String) -> Void) {
        (self.window, self.runner, self.tell) = (window, runner, tell)
    }

    /// Nothing of the wall is shown.
    var isDark: Bool {
        switch state {
        case .on, .presenting: false
        case .off, .warming: true
        }
    }

    /// When it must look again though nothing comes in.
    var deadline: Time? {
        switch state {
        case .on, .presenting: nil
        case .off(let lookAt): lookAt
        case .warming: WallRunner.now() + .milliseconds(5)
        }
    }

    func switchOff(_ hiding: inout Hiding) {
        if case .off = state { return }
        runner.change { wall, now in hiding.screenIs(.off, &wall, at: now) }
        state = .off(lookAt: WallRunner.now())
    }

    func switchOn(_ hiding: inout Hiding) {
        guard case .off = state else { return }
        runner.change { wall, now in hiding.screenIs(.warming, &wall, at: now) }
        state = .warming(until: WallRunner.now() + Self.longestWarmUp)
    }

    func look(_ hiding: inout Hiding) {
        let now = WallRunner.now()
        switch state {
        case .off(let lookAt) where now >= lookAt:
            if window.darkenScreen() == .notSwitched { tellOnce() }
            state = .off(lookAt: now + Self.betweenLooks)
        case .warming(let until):
            guard now >= until || runner.change({ wall, now in wall.isWarm(at: now) }) else { return }
            runner.change { wall, now in hiding.screenIs(.on, &wall, at: now) }
            state = .presenting
        case .on, .off, .presenting: break
        }
    }

    private func tellOnce() {
        if !isTold { tell("this display can't be switched off from here; the window is black") }
        isTold = true
    }

    /// A scene is on the screen.
    func presented() {
        guard case .presenting = state else { return }
        window.wakeScreen()
        state = .on
    }

    /// The program ends: the screen is left as it was found.
    func end() { window.wakeScreen() }
}
