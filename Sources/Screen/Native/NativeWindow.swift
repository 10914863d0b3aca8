import Base
import CSDL2
import Files
import Layout

/// SDL's window, and the use of SDL's video subsystem. Main thread only. Canvases retain it, so that it is released
/// last.
final class NativeWindow {
    let handle: OpaquePointer
    /// Size and display that were chosen when the window came up.
    let fit: WindowFit
    /// The window's former rect while it fills the screen by its size alone; nil otherwise.
    private var rectBefore: Rect?

    init(_ title: String, _ layout: WindowLayout, for drawing: Drawing) throws(ScreenTrouble) {
        SDL_SetHint("SDL_NO_SIGNAL_HANDLERS", "1")
        SDL_SetHint("SDL_TOUCH_MOUSE_EVENTS", "0")
        SDL_SetHint("SDL_MOUSE_TOUCH_EVENTS", "0")
        // A click that raises the window also goes to the tile under it.
        SDL_SetHint("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")
        SDL_SetHint("SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS", "0")
        // SDL must not quit when the window is closed: the meaning of a close depends on whether the window is small.
        SDL_SetHint("SDL_QUIT_ON_LAST_WINDOW_CLOSE", "0")
        // Compositing is turned off only for a full-screen window.
        SDL_SetHint("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", layout.fullscreen == .on ? "1" : "0")
        // SDL may try no other driver: it would fall back to drivers that show nothing.
        SDL_SetHint("SDL_VIDEODRIVER", "x11,wayland")
        let places = ["WAYLAND_DISPLAY", "DISPLAY"].compactMap(NativeWindow.variable)
        // Without a display, SDL would draw to nothing, or wait for Wayland.
        if places.isEmpty, NativeWindow.variable("SDL_VIDEODRIVER") == nil {
            throw ScreenTrouble(
                .noDisplay,
                "no display: neither DISPLAY nor WAYLAND_DISPLAY is set; "
                    + "start it in a desktop session, or set DISPLAY, often to :0")
        }
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else {
            let reason = String(cString: SDL_GetError()), named = places.joined(separator: " and ")
            throw ScreenTrouble(
                .noDisplay,
                "no display: \(named) can't be reached (\(reason)); check that it runs and that you may use it")
        }

        if NativeWindow.driver == "x11" { XErrors.watch() }
        // By default SDL draws even a plain surface by OpenGL. Turn that off, except for the Wayland driver, which has
        // no other way.
        if NativeWindow.driver != "wayland" { SDL_SetHint("SDL_FRAMEBUFFER_ACCELERATION", "0") }
        SDL_SetHint("SDL_RENDER_SCALE_QUALITY", "linear")

        var flags = SDL_WINDOW_ALLOW_HIGHDPI.rawValue | SDL_WINDOW_RESIZABLE.rawValue
        let fillsByItself = layout.fullscreen == .on && NativeWindow.fillsByItself
        if layout.fullscreen == .on, !fillsByItself { flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }
        if layout.isBorderless { flags |= SDL_WINDOW_BORDERLESS.rawValue }
        if drawing == .openGL { flags |= SDL_WINDOW_OPENGL.rawValue }
        fit = NativeWindow.fit(layout)
        let display = Int32(fit.display)
        let corner = NativeWindow.corner(at: layout.position, onDisplay: display)
        let rect = Rect(corner.x, corner.y, fit.size.width, fit.size.height)
        let first = fillsByItself ? NativeWindow.bounds(of: display) : rect
        guard
            let made = SDL_CreateWindow(
                title, Int32(first.x), Int32(first.y), Int32(first.width), Int32(first.height), flags)
        else {
            let reason = String(cString: SDL_GetError())
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw ScreenTrouble(.noWindow, "no window of \(layout.size.width)x\(layout.size.height): \(reason)")
        }
        handle = made
        if fillsByItself { rectBefore = rect }
    }

    enum Drawing { case plain, openGL }

    deinit {
        // SDL would send requests for the lost window. Their errors would arrive when no handler is left, and end the
        // program.
        if isGone { return }
        SDL_DestroyWindow(handle)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }

    /// True if another client has destroyed the window.
    var isGone: Bool { XErrors.hasLost(handle) }

    /// SDL's name for the window system.
    static var driver: String { SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "" }

    var pixelSize: Size {
        var size = (width: Int32(0), height: Int32(0))
        SDL_GetWindowSizeInPixels(handle, &size.width, &size.height)
        return Size(Int(size.width), Int(size.height))
    }

    // MARK: full screen

    var mode: WindowMode {
        rectBefore != nil || SDL_GetWindowFlags(handle) & SDL_WINDOW_FULLSCREEN.rawValue != 0
            ? .fullscreen : .windowed
    }

    /// True if there is no window manager. SDL's request for full screen would then have no effect, and SDL would take
    /// it as done.
    private static var fillsByItself: Bool { driver == "x11" && !XServer.hasWindowManager }

    func setMode(_ mode: WindowMode) {
        switch mode {
        case .fullscreen where NativeWindow.fillsByItself:
            rectBefore = rect
            place(NativeWindow.bounds(of: max(0, SDL_GetWindowDisplayIndex(handle))))
        case .fullscreen:
            SDL_SetWindowFullscreen(handle, SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue)
        case .windowed:
            if let rectBefore { place(rectBefore) } else { SDL_SetWindowFullscreen(handle, 0) }
            rectBefore = nil
        }
    }

    /// True if the window fills the screen by its size alone, and must follow the screen's size.
    var fillsScreenByItself: Bool { rectBefore != nil }

    func followScreen() {
        guard fillsScreenByItself, SDL_GetNumVideoDisplays() == 1, let screen = XServer.screenSize(of: handle),
            screen != rect.size
        else { return }
        place(Rect(screen))
    }

    static func fit(_ layout: WindowLayout) -> WindowFit {
        let displays = (0..<max(0, SDL_GetNumVideoDisplays())).map { display in
            let bounds = bounds(of: display)
            var usable = SDL_Rect()
            let isKnown = SDL_GetDisplayUsableBounds(display, &usable) == 0
            return WindowFit.Display(bounds: bounds, usable: isKnown ? Rect(usable) : bounds)
        }
        return WindowFit(layout, of: displays)
    }

    /// Returns SDL's place of a window: `position` is an offset from the display's corner; nil for its centre.
    static func corner(at position: Point?, onDisplay display: Int32) -> Point {
        let screen = bounds(of: display), centred = Int(qd_WINDOWPOS_CENTERED_DISPLAY(display))
        return position.map { Point(screen.x + $0.x, screen.y + $0.y) } ?? Point(centred, centred)
    }

    private static func bounds(of display: Int32) -> Rect {
        var bounds = SDL_Rect()
        SDL_GetDisplayBounds(display, &bounds)
        return Rect(bounds)
    }

    /// Rect on the desktop, in the units of SDL's pointer coordinates.
    var rect: Rect {
        var rect = SDL_Rect()
        SDL_GetWindowPosition(handle, &rect.x, &rect.y)
        SDL_GetWindowSize(handle, &rect.w, &rect.h)
        return Rect(rect)
    }

    func place(_ rect: Rect) {
        SDL_SetWindowSize(handle, Int32(rect.width), Int32(rect.height))
        SDL_SetWindowPosition(handle, Int32(rect.x), Int32(rect.y))
    }

    private static func variable(_ name: String) -> String? { environment(name).map { "\(name)=\($0)" } }
}

extension Rect {
    init(_ rect: SDL_Rect) { self.init(Int(rect.x), Int(rect.y), Int(rect.w), Int(rect.h)) }
}

extension SDL_Rect {
    init(_ rect: Rect) {
        self.init(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
    }
}

/// The displays that are connected now.
public enum ConnectedDisplays {
    /// Names in the order of the displays' numbers; empty if no display can be reached. Opens no window. Called on the
    /// main thread, in a program that shows none.
    public static func names() -> [String] {
        guard environment("WAYLAND_DISPLAY") ?? environment("DISPLAY") != nil else { return [] }
        SDL_SetHint("SDL_VIDEODRIVER", "x11,wayland")
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { return [] }
        defer { SDL_QuitSubSystem(SDL_INIT_VIDEO) }
        return (0..<max(0, SDL_GetNumVideoDisplays())).map { number in
            SDL_GetDisplayName(number).map { String(cString: $0) } ?? ""
        }
    }
}
