import Base
import CSDL2
import Commands
import Glibc
import Layout
import Scene
import Threads

/// The window with its canvas and its input. Main thread only, but for its `waker`.
///
/// A present may block while the window system takes the frame, and `confirmDisplay` until the X server answers. No other
/// call but `wait` blocks.
public final class Window {
    public let waker: Waker
    private(set) var native: NativeWindow
    private var canvas: any Canvas
    private let title: String
    private let layout: WindowLayout
    private let choice: CanvasChoice
    private let texts: TextMaker?
    private var reader: EventReader
    private var knownInterval: Int64?
    /// Time of the next look at the screen's size, on the monotonic clock.
    private var looksAtScreenAt: Int64 = 0
    var small = SmallWindow()
    /// Set while the screen is dark.
    var screenBefore: (level: DPMS.Level, isEnabled: Bool)?
    var handle: OpaquePointer { native.handle }

    /// `texts`: owned by the caller. If nil, cards and labels have no text.
    public init(
        title: String, _ layout: WindowLayout, canvas choice: CanvasChoice, texts: TextMaker?
    ) throws(ScreenTrouble) {
        (self.title, self.layout, self.choice, self.texts) = (title, layout, choice, texts)
        (native, canvas) = try choice.open(title, layout, texts)
        waker = Waker(eventType: Window.wakeType)
        reader = EventReader(
            window: SDL_GetWindowID(native.handle), pixelSize: native.pixelSize, wakeType: waker.eventType)
        measure()
    }

    /// True if another client has destroyed the window: no input comes, and nothing is visible.
    public var isGone: Bool { native.isGone }

    /// Replaces the window by a new one in the initial state.
    public func reopen() throws(ScreenTrouble) {
        (native, canvas) = try choice.open(title, layout, texts)
        reader.window = SDL_GetWindowID(native.handle)
        small.windowWasReplaced()
        knownInterval = nil
        measure()
    }

    public var pixelSize: Size { native.pixelSize }
    /// "cpu" or "gpu".
    public var canvasName: String { canvas.name }

    /// Nanoseconds between two refreshes of the window's display; 60 Hz if unknown.
    public var refreshInterval: Int64 {
        if let knownInterval { return knownInterval }
        var mode = SDL_DisplayMode()
        let display = SDL_GetWindowDisplayIndex(native.handle)
        let isKnown = display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 && mode.refresh_rate > 0
        knownInterval = 1_000_000_000 / Int64(isKnown ? mode.refresh_rate : 60)
        return knownInterval!
    }

    /// Puts the scene on the screen. Its size must be `pixelSize`.
    @discardableResult
    public func present(_ scene: Scene) -> Presentation { canvas.present(scene) }

    /// Time after the last presented scene at which the lyrics must be redrawn; nil if they don't change by themselves.
    public var lyricsChange: Time? { canvas.drawings.lyricsChange }

    /// Gains of differences that were chosen from the frames of the last presented scene.
    public var gains: [TileID: Double] { canvas.drawings.gains }

    /// Returns the canvas's pixels, row by row, 0xFFRRGGBB.
    public func snapshot() -> (Size, [UInt32]) { canvas.snapshot() }

    public var mode: WindowMode { native.mode }

    /// The resulting size arrives as an event.
    public func setMode(_ mode: WindowMode) { if mode != native.mode { native.setMode(mode) } }

    /// Size and display that were chosen when the window came up.
    public var fit: WindowFit { native.fit }

    /// Applies border, mode, size and place, where they differ from those of the layout before. The resulting size
    /// arrives as an event. Returns remarks for the user.
    public func follow(_ after: WindowLayout, after before: WindowLayout) -> [String] {
        if before.isBorderless != after.isBorderless {
            SDL_SetWindowBordered(handle, after.isBorderless ? SDL_FALSE : SDL_TRUE)
        }
        if before.fullscreen != after.fullscreen { setMode(after.fullscreen == .off ? .windowed : .fullscreen) }
        guard mode == .windowed else { return [] }
        let fit = NativeWindow.fit(after)
        var remarks: [String?] = []
        if before.size != after.size {
            SDL_SetWindowSize(handle, Int32(fit.size.width), Int32(fit.size.height))
            remarks.append(fit.sizeRemark)
        }
        if before.position != after.position || before.display != after.display {
            let corner = NativeWindow.corner(at: after.position, onDisplay: Int32(fit.display))
            SDL_SetWindowPosition(handle, Int32(corner.x), Int32(corner.y))
            if before.display != after.display { remarks.append(fit.displayRemark) }
        }
        return remarks.compactMap { $0 }
    }

    public func restore() { SDL_RestoreWindow(native.handle) }

    /// Restores a minimised window, and asks the window manager to put the window above all others.
    public func raise() {
        if SDL_GetWindowFlags(native.handle) & SDL_WINDOW_MINIMIZED.rawValue != 0 { restore() }
        SDL_RaiseWindow(native.handle)
    }

    // MARK: pointer, title, screensaver

    public enum Pointer: Sendable { case shown, hidden }

    public func setPointer(_ pointer: Pointer) { SDL_ShowCursor(pointer == .shown ? SDL_ENABLE : SDL_DISABLE) }

    public func setTitle(_ title: String) { SDL_SetWindowTitle(native.handle, title) }

    /// The screensaver is held while something plays. A new window holds it.
    public func setScreensaver(isHeld: Bool) { if isHeld { SDL_DisableScreenSaver() } else { SDL_EnableScreenSaver() } }

    // MARK: input

    /// Sleeps until input, a wake-up or `deadline` (CLOCK_MONOTONIC; nil for none). Returns all input in its order,
    /// possibly none.
    public func wait(untilNanoseconds deadline: Int64?) -> [InputEvent] {
        var event = SDL_Event()
        var events: [InputEvent] = []
        let look = nextLookAtScreen()
        guard sleep(until: [deadline, look].compactMap { $0 }.min(), &event) else { return [] }
        repeat {
            take(event)
            guard let read = reader.read(event).map(placed) else { continue }
            if read == .wake { waker.arrived() }
            // Keeps only the last of consecutive pointer positions.
            if case .pointerMoved = read, case .pointerMoved = events.last { events.removeLast() }
            events.append(read)
        } while SDL_PollEvent(&event) != 0
        return events
    }

    /// Returns a drop with its place and with the modifiers; any other event as it is.
    private func placed(_ event: InputEvent) -> InputEvent {
        guard case .dropped(let sources, nil, _) = event else { return event }
        if let pointer = XServer.pointer(over: native.handle) {
            return .dropped(sources, at: pointer.inWindow, pointer.isShiftDown ? .shift : [])
        }
        var (x, y) = (Int32(0), Int32(0))
        SDL_GetMouseState(&x, &y)
        let isInside = Rect(native.rect.size).contains(x: Int(x), y: Int(y))
        return .dropped(
            sources, at: isInside ? reader.point(x, y) : nil,
            SDL_GetModState().rawValue & KMOD_SHIFT.rawValue != 0 ? .shift : [])
    }

    /// Time of the next look at the screen's size; nil unless the window fills the screen by its size alone.
    private func nextLookAtScreen() -> Int64? {
        guard native.fillsScreenByItself else { return nil }
        let now = monotonicNanoseconds()
        if now >= looksAtScreenAt {
            native.followScreen()
            looksAtScreenAt = now + Window.betweenLooks
        }
        return looksAtScreenAt
    }

    private static let betweenLooks: Int64 = 1_000_000_000

    /// Returns true if `event` holds an event.
    private func sleep(until deadline: Int64?, _ event: inout SDL_Event) -> Bool {
        guard let deadline else { return SDL_WaitEvent(&event) != 0 }
        while true {
            let left = deadline - monotonicNanoseconds()
            if left <= 0 { return SDL_PollEvent(&event) != 0 }
            if left < 1_000_000 {
                // SDL's timeout has a resolution of a millisecond.
                Threads.sleep(until: deadline)
            } else if SDL_WaitEventTimeout(&event, Int32(clamping: left / 1_000_000)) != 0 {
                return true
            }
        }
    }

    /// Applies an event to the window itself.
    private func take(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_WINDOWEVENT where event.window.windowID == reader.window:
            switch SDL_WindowEventID(UInt32(event.window.event)) {
            case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED:
                measure()
                canvas.invalidate(losesTextures: false)
            case SDL_WINDOWEVENT_EXPOSED:
                canvas.invalidate(losesTextures: false)
            case SDL_WINDOWEVENT_MOVED, SDL_WINDOWEVENT_DISPLAY_CHANGED:
                knownInterval = nil
            default: break
            }
        case SDL_RENDER_TARGETS_RESET: canvas.invalidate(losesTextures: false)
        case SDL_RENDER_DEVICE_RESET: canvas.invalidate(losesTextures: true)
        case SDL_DISPLAYEVENT: knownInterval = nil
        default: break
        }
    }

    private func measure() {
        let pixels = native.pixelSize, units = native.rect.size
        reader.pixelSize = pixels
        if !units.isEmpty {
            reader.pixelsPerUnit = (
                Double(pixels.width) / Double(units.width), Double(pixels.height) / Double(units.height)
            )
        }
    }

    private static let wakeType = SDL_RegisterEvents(1)
}

/// Ends the main thread's wait. Any thread may call it, as often as it likes. It never blocks.
public final class Waker: Sendable {
    /// SDL's number for the event.
    let eventType: UInt32
    private let isUnderWay = Locked(false)

    init(eventType: UInt32) { self.eventType = eventType }

    /// At most one wake-up is in SDL's queue at a time.
    public func wake() {
        if isUnderWay.locked({ exchange(&$0, with: true) }) { return }
        var event = SDL_Event()
        event.type = eventType
        if SDL_PushEvent(&event) != 1 { isUnderWay.locked { $0 = false } }
    }

    /// Called when the main thread has seen the event. The next `wake` sends a new one.
    func arrived() { isUnderWay.locked { $0 = false } }
}

/// Power control for the window's whole screen. Main thread only.
extension Window {
    /// Turns the screen off until `wakeScreen`. Returns false if the window system does not allow it.
    public func darkenScreen() -> Bool {
        guard let state = DPMS.state(of: handle) else { return false }
        if screenBefore == nil { screenBefore = state }
        // Input may have turned the screen on again.
        if state.level == .on { DPMS.set(.off, isEnabled: true, of: handle) }
        return true
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
