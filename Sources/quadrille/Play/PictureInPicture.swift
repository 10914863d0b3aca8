import Base
import Commands
import Engine
import Feeds
import Layout
import Player
import Screen
import Threads

/// Shows the focused tile in a small window of its own, and brings the wall back. Main thread only.
///
/// Emits `started` when the small frame is on the screen, and `stopped` when the wall is.
final class PictureInPicture {
    private let window: Window
    private let runner: LockedWall
    /// Name of the tile in the small window, and what happens to the window; nil while the wall is shown. Events are
    /// emitted for the name even after the tile was removed.
    private var shown: (tile: String, phase: Phase)?
    /// Size of the scene presented last; nil until one was.
    private var presentedSize: Size?

    private enum Phase {
        case starting(until: Time)
        case on
        /// The hidden tiles decode again before the wall comes back.
        case warming(until: Time)
        case stopping(until: Time)

        /// True until the wall is called back.
        var isSmall: Bool {
            switch self {
            case .starting, .on: true
            case .warming, .stopping: false
            }
        }
    }

    /// Longest wait for a window system that does not resize the window.
    private static let patience = Time.seconds(1)
    private static let betweenDrags = Time.milliseconds(10)
    private static let longestWarmUp = Time.milliseconds(300)

    init(window: Window, runner: LockedWall) { (self.window, self.runner) = (window, runner) }

    var isOn: Bool { shown != nil }

    func toggle() {
        guard let shown else { return start() }
        guard shown.phase.isSmall else { return }
        emit(shown.tile, .willStop)
        runner.note(.wallReturns)
        self.shown?.phase = .warming(until: Time.now + Self.longestWarmUp)
    }

    /// Called when the wall was minimised while it played. Shows the focused tile in the small window if its layout
    /// asks for that.
    func wallWasMinimised() {
        let pip = runner.read { wall, _ in wall.focus.map { wall.layout(of: $0).pip } }
        guard !isOn, pip == .automatic else { return }
        window.restore()
        start()
    }

    private func start() {
        let focused = runner.read { wall, now in
            wall.focus.map { (id: $0, layout: wall.layout(of: $0), shape: wall.snapshot(at: now).shape(of: $0)) }
        }
        guard let focused else { return }
        let tile = focused.layout.id
        guard focused.layout.pip != .denied else { return emit(tile, .failed, "the layout does not allow it") }
        emit(tile, .willStart)
        window.becomeSmall(shape: focused.shape)
        runner.note(.pictureInPictureShows(focused.id))
        shown = (tile, .starting(until: Time.now + Self.patience))
    }

    /// Time at which `update` must be called again if no event arrives; nil if none is needed.
    var deadline: Time? {
        if case .warming(let until)? = shown?.phase { return until }
        return window.isGrabbed ? Time.now + Self.betweenDrags : nil
    }

    /// Moves the small window while it is dragged. Brings the wall back as soon as its tiles have their frames.
    func update() {
        if window.isGrabbed { window.drag() }
        guard case .warming(let until)? = shown?.phase else { return }
        guard Time.now >= until || runner.read({ wall, now in wall.snapshot(at: now).isWarm() }) else { return }
        window.becomeLarge()
        showWall()
    }

    private func showWall() {
        runner.note(.pictureInPictureShows(nil))
        shown?.phase = .stopping(until: Time.now + Self.patience)
    }

    /// Called when the small window was destroyed. Brings the wall back in a new window.
    func windowIsGone() throws(ScreenTrouble) {
        guard let shown else { return }
        if shown.phase.isSmall { emit(shown.tile, .willStop) }
        try window.reopen()
        runner.note(.resized(to: window.pixelSize))
        showWall()
    }

    /// Called when a scene of this size was presented.
    func presented(_ size: Size) {
        let isResized = size != presentedSize
        presentedSize = size
        guard let (tile, phase) = shown else { return }
        switch phase {
        case .starting(let until) where isResized || Time.now >= until:
            shown?.phase = .on
            emit(tile, .started)
        case .stopping(let until) where isResized || Time.now >= until:
            shown = nil
            emit(tile, .stopped)
        default: break
        }
    }

    /// Handles an event of the small window. Returns true if the event was for it.
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
        runner.note(.pictureInPicture(state, of: tile, reason: reason))
    }
}
