import Media
import Screen
import WallCore

/// The focused tile in a small window of its own, and back. Main thread only.
///
/// Its states are told when they are true: `started` when the small frame is on the screen, `stopped` when the wall is.
final class PictureInPicture {
    private let window: Window
    private let runner: WallRunner
    private var state = State.off

    /// Tiles by name: a tile that goes is told of to the end.
    private enum State {
        case off
        case starting(tile: String, until: Time)
        case on(tile: String)
        /// The hidden tiles are decoded again, before the wall comes back.
        case warming(tile: String, until: Time)
        case stopping(tile: String, until: Time)
    }

    /// A window system that refuses the size is not waited for longer.
    private static let patience = Time.seconds(1)
    private static let betweenDrags = Time.milliseconds(10)
    private static let longestWarmUp = Time.milliseconds(300)

    init(window: Window, runner: WallRunner) {
        (self.window, self.runner) = (window, runner)
    }

    var isOn: Bool { if case .off = state { false } else { true } }

    func toggle() {
        switch state {
        case .off: start()
        case .starting(let tile, _), .on(let tile): stop(tile)
        case .warming, .stopping: break
        }
    }

    /// The wall was minimised while it played: the focused tile goes on, where the layout wants that.
    func wallWasMinimised() {
        let pip = runner.change { wall, _ in wall.focus.map { wall.layout(of: $0).pip } }
        guard case .off = state, pip == .automatic else { return }
        window.restore()
        start()
    }

    private func start() {
        let focused = runner.change { wall, _ in
            wall.focus.map { (id: $0, layout: wall.layout(of: $0), shape: wall.shape(of: $0)) }
        }
        guard let focused else { return }
        let tile = focused.layout.id
        guard focused.layout.pip != .denied else { return emit(tile, .failed, "the layout does not allow it") }
        emit(tile, .willStart)
        window.becomeSmall(shape: focused.shape)
        runner.change { wall, now in wall.show(only: focused.id, at: now) }
        state = .starting(tile: tile, until: WallRunner.now() + Self.patience)
    }

    private func stop(_ tile: String) {
        emit(tile, .willStop)
        runner.change { wall, now in wall.warmHidden(at: now) }
        state = .warming(tile: tile, until: WallRunner.now() + Self.longestWarmUp)
    }

    /// When it must look again though nothing comes in.
    var deadline: Time? {
        if case .warming(_, let until) = state { return until }
        return window.isGrabbed ? WallRunner.now() + Self.betweenDrags : nil
    }

    /// Moves the small window that is held; brings the wall back as soon as its tiles have their frames.
    func look() {
        if window.isGrabbed { window.drag() }
        guard case .warming(let tile, let until) = state else { return }
        guard WallRunner.now() >= until || runner.change({ wall, now in wall.isWarm(at: now) }) else { return }
        window.becomeLarge()
        runner.change { wall, now in wall.show(only: nil, at: now) }
        state = .stopping(tile: tile, until: WallRunner.now() + Self.patience)
    }

    /// The small window was destroyed: the wall comes back in a new one.
    func windowIsGone() throws(ScreenTrouble) {
        let tile: String
        switch state {
        case .off: return
        case .starting(let small, _), .on(let small):
            tile = small
            emit(tile, .willStop)
        case .warming(let small, _), .stopping(let small, _): tile = small
        }
        try window.reopen()
        let size = window.pixelSize
        runner.change { wall, now in
            wall.resize(to: size, at: now)
            wall.show(only: nil, at: now)
        }
        state = .stopping(tile: tile, until: WallRunner.now() + Self.patience)
    }

    /// A scene is on the screen. `sizeBefore` is the window's size when it was last presented.
    func presented(_ change: SizeChange) {
        switch state {
        case .starting(let tile, let until) where change == .resized || WallRunner.now() >= until:
            state = .on(tile: tile)
            emit(tile, .started)
        case .stopping(let tile, let until) where change == .resized || WallRunner.now() >= until:
            state = .off
            emit(tile, .stopped)
        default: break
        }
    }

    enum SizeChange { case same, resized }

    /// Takes what is meant for the small window; says whether it was.
    func take(_ event: InputEvent) -> Bool {
        guard isOn else { return false }
        switch event {
        case .pointerDown(let point, .left, _): window.grab(at: point)
        case .pointerMoved: window.drag()
        case .pointerUp(_, .left, _): window.letGo()
        case .wheel(_, let notches): window.grow(by: notches)
        case .window(.closeRequested), .keyDown(.escape, _, _): toggle()
        case .touchDown, .touchMoved, .touchUp: break
        default: return false
        }
        return true
    }

    private func emit(_ tile: String, _ state: PipState, _ reason: String? = nil) {
        runner.change { wall, now in wall.emit(pip: state, of: tile, reason: reason, at: now) }
    }
}
