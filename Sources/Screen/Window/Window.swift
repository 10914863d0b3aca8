import CSDL2
import Glibc
import Media
import Threads
import WallCore

/// The window, what is drawn on it and what comes in from it. Main thread only, but for its `waker`.
///
/// A present may block while the window system takes the frame; nothing else here waits but `wait`.
public final class Window {
    public let waker: Waker
    private(set) var native: NativeWindow
    private var canvas: any Canvas
    private let spec: WindowSpec
    private let choice: CanvasChoice
    private let texts: TextMaker?
    private var reader: EventReader
    private var knownInterval: Int64?
    /// On the monotonic clock.
    private var looksAtScreenAt: Int64 = 0
    /// Set while it is small; see SmallWindow.swift.
    var large: LargeWindow?
    var small: Rect?
    var grip: Point?
    /// Set while the screen is dark; see Window+Power.swift.
    var screenBefore: (level: DisplayPower.Level, isEnabled: Bool)?
    var handle: OpaquePointer { native.handle }

    /// `texts` stays the caller's; without one, cards and labels have no text.
    public init(spec: WindowSpec, canvas choice: CanvasChoice, texts: TextMaker?) throws(ScreenTrouble) {
        (self.spec, self.choice, self.texts) = (spec, choice, texts)
        (native, canvas) = try choice.open(spec, texts)
        waker = Waker(eventType: Window.wakeType)
        reader = EventReader(
            window: SDL_GetWindowID(native.handle), pixelSize: native.pixelSize, wakeType: waker.eventType)
        measure()
    }

    /// Somebody else has destroyed it: nothing comes in from it any more, and nothing is seen on it.
    public var isGone: Bool { native.isGone }

    /// Another in its place, as it was at first.
    public func reopen() throws(ScreenTrouble) {
        (native, canvas) = try choice.open(spec, texts)
        reader = EventReader(
            window: SDL_GetWindowID(native.handle), pixelSize: native.pixelSize, wakeType: waker.eventType)
        (large, grip, knownInterval) = (nil, nil, nil)
        measure()
    }

    public var pixelSize: Size { native.pixelSize }
    /// "cpu" or "gpu".
    public var canvasName: String { canvas.name }

    /// Nanoseconds between two frames of the display that the window is on; 60 Hz where unknown.
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

    /// So soon after the instant of the scene that was presented last its words are to be drawn anew; nil: not by
    /// themselves.
    public var lyricsChange: Time? { canvas.lyricsChange }

    /// What the canvas shows, row by row, 0xFFRRGGBB.
    public func snapshot() -> (Size, [UInt32]) { canvas.snapshot() }

    public var mode: WindowSpec.Mode { native.mode }

    /// The size that comes of it arrives as an event.
    public func setMode(_ mode: WindowSpec.Mode) { if mode != native.mode { native.setMode(mode) } }

    /// As it came up.
    public var fit: WindowFit { native.fit }

    /// Asks for another size of the window, in the units of `WindowSpec.size`; what comes of it arrives as an event.
    public func resize(to fit: WindowFit) {
        SDL_SetWindowSize(native.handle, Int32(fit.size.width), Int32(fit.size.height))
    }

    public func setBorder(_ border: WindowFit.Border) {
        SDL_SetWindowBordered(native.handle, border == .decorated ? SDL_TRUE : SDL_FALSE)
    }

    /// How such a window would fit the displays that are there.
    public func fit(_ size: Size, _ border: WindowFit.Border, onDisplay number: Int) -> WindowFit {
        NativeWindow.fit(size, border, onDisplay: number)
    }

    /// From its display's corner; nil: to its centre.
    public func move(to position: Point?, _ fit: WindowFit) {
        let number = Int32(fit.display)
        guard let position else {
            let centre = Int32(bitPattern: UInt32(SDL_WINDOWPOS_CENTERED_MASK) | UInt32(number))
            return SDL_SetWindowPosition(native.handle, centre, centre)
        }
        var bounds = SDL_Rect()
        SDL_GetDisplayBounds(number, &bounds)
        SDL_SetWindowPosition(native.handle, bounds.x + Int32(position.x), bounds.y + Int32(position.y))
    }

    public func restore() { SDL_RestoreWindow(native.handle) }

    public enum Pointer: Sendable { case shown, hidden }

    public func setPointer(_ pointer: Pointer) { SDL_ShowCursor(pointer == .shown ? SDL_ENABLE : SDL_DISABLE) }

    public func setTitle(_ title: String) { SDL_SetWindowTitle(native.handle, title) }

    public enum Screensaver: Sendable { case allowed, held }

    /// Held while something plays, from the window's start.
    public func setScreensaver(_ screensaver: Screensaver) {
        switch screensaver {
        case .allowed: SDL_EnableScreenSaver()
        case .held: SDL_DisableScreenSaver()
        }
    }

    /// Sleeps until something comes in, somebody wakes it, or that instant of CLOCK_MONOTONIC (nil: no such).
    /// Returns all that has come in, in its order; that may be nothing.
    public func wait(untilNanoseconds deadline: Int64?) -> [InputEvent] {
        var event = SDL_Event()
        var events: [InputEvent] = []
        let look = nextLookAtScreen()
        guard sleep(until: [deadline, look].compactMap { $0 }.min(), &event) else { return [] }
        repeat {
            take(event)
            guard let read = reader.read(event) else { continue }
            if read == .wake { waker.arrived() }
            // Of the pointer's way only the last place counts.
            if case .pointerMoved = read, case .pointerMoved = events.last { events.removeLast() }
            events.append(read)
        } while SDL_PollEvent(&event) != 0
        return events
    }

    /// nil: somebody else sees to it that the window fills the screen, or it does not.
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

    /// Whether `event` holds one.
    private func sleep(until deadline: Int64?, _ event: inout SDL_Event) -> Bool {
        guard let deadline else { return SDL_WaitEvent(&event) != 0 }
        while true {
            let left = deadline - monotonicNanoseconds()
            if left <= 0 { return SDL_PollEvent(&event) != 0 }
            if left < 1_000_000 {
                // SDL counts in milliseconds.
                Threads.sleep(until: deadline)
            } else if SDL_WaitEventTimeout(&event, Int32(clamping: left / 1_000_000)) != 0 {
                return true
            }
        }
    }

    /// What an event means for the window itself.
    private func take(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_WINDOWEVENT where event.window.windowID == reader.window:
            switch SDL_WindowEventID(UInt32(event.window.event)) {
            case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED:
                measure()
                canvas.invalidate(.pixels)
            case SDL_WINDOWEVENT_EXPOSED:
                canvas.invalidate(.pixels)
            case SDL_WINDOWEVENT_MOVED, SDL_WINDOWEVENT_DISPLAY_CHANGED:
                knownInterval = nil
            default: break
            }
        case SDL_RENDER_TARGETS_RESET: canvas.invalidate(.pixels)
        case SDL_RENDER_DEVICE_RESET: canvas.invalidate(.textures)
        case SDL_DISPLAYEVENT: knownInterval = nil
        default: break
        }
    }

    private func measure() {
        let pixels = native.pixelSize, units = native.unitSize
        reader.pixelSize = pixels
        if !units.isEmpty {
            reader.pixelsPerUnit = (
                Double(pixels.width) / Double(units.width), Double(pixels.height) / Double(units.height)
            )
        }
    }

    private static let wakeType = SDL_RegisterEvents(1)
}
