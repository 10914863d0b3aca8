import Base
import CSDL2

/// State of picture in picture: the window itself becomes small, borderless and always on top, and later returns to its
/// old state. No frame or texture has to move from one window to another.
struct SmallWindow {
    /// State of the window before it became small; nil while it is large.
    fileprivate var before: (rect: Rect, mode: WindowMode, isBordered: Bool)?
    /// Last place of the small window; nil until there was one.
    fileprivate var place: Rect?
    /// Point of the window, in its units, that follows the pointer; nil while the window is not dragged.
    fileprivate var grip: Point?

    fileprivate static let margin = 24
    fileprivate static let smallest = 160

    /// The window was replaced by a large one.
    mutating func windowWasReplaced() { (before, grip) = (nil, nil) }
}

extension Window {
    /// Makes the window small, in its last small place. The first place is the lower right corner of the display, a
    /// quarter as wide.
    public func becomeSmall(shape: Size) {
        guard small.before == nil else { return }
        let mode = native.mode
        if mode == .fullscreen { native.setMode(.windowed) }
        let isBordered = SDL_GetWindowFlags(handle) & SDL_WINDOW_BORDERLESS.rawValue == 0
        small.before = (native.rect, mode, isBordered)
        SDL_SetWindowBordered(handle, SDL_FALSE)
        SDL_SetWindowAlwaysOnTop(handle, SDL_TRUE)
        native.place(small.place ?? corner(shape))
    }

    /// Restores the window, and remembers its small place.
    public func becomeLarge() {
        guard let large = small.before else { return }
        (small.place, small.before) = (native.rect, nil)
        SDL_SetWindowAlwaysOnTop(handle, SDL_FALSE)
        SDL_SetWindowBordered(handle, large.isBordered ? SDL_TRUE : SDL_FALSE)
        native.place(large.rect)
        if large.mode == .fullscreen, native.mode != .fullscreen { native.setMode(.fullscreen) }
    }

    /// Resizes the small window by steps, keeping its shape and its lower right corner.
    public func grow(by steps: Double) {
        guard small.before != nil else { return }
        let rect = native.rect
        let width = max(SmallWindow.smallest, Int((Double(rect.width) * (1 + 0.1 * steps)).rounded()))
        let height = max(1, width * rect.height / max(1, rect.width))
        native.place(Rect(rect.maxX - width, rect.maxY - height, width, height))
    }

    private func corner(_ shape: Size) -> Rect {
        var usable = SDL_Rect()
        SDL_GetDisplayUsableBounds(max(0, SDL_GetWindowDisplayIndex(handle)), &usable)
        let bounds = Rect(usable)
        let width = min(max(320, bounds.width / 4), bounds.width)
        let height = min(max(16, width * max(1, shape.height) / max(1, shape.width)), bounds.height)
        let margin = SmallWindow.margin
        return Rect(bounds.maxX - width - margin, bounds.maxY - height - margin, width, height)
    }

    // MARK: dragging

    public var isGrabbed: Bool { small.grip != nil }

    /// Begins a drag at this pixel of the small window. From now on `drag` moves the window with the pointer.
    public func grab(at pixel: Point) {
        let pixels = native.pixelSize, units = native.rect.size
        small.grip = Point(
            pixel.x * units.width / max(1, pixels.width), pixel.y * units.height / max(1, pixels.height))
        SDL_CaptureMouse(SDL_TRUE)
    }

    /// Moves the small window. Call it regularly as well: SDL reports nothing while the pointer rests in a window that
    /// follows it.
    public func drag() {
        guard let grip = small.grip else { return }
        let pointer = XServer.pointer(over: handle)?.onScreen ?? Self.pointerOfSDL
        SDL_SetWindowPosition(handle, Int32(pointer.x - grip.x), Int32(pointer.y - grip.y))
    }

    private static var pointerOfSDL: Point {
        var place = (x: Int32(0), y: Int32(0))
        SDL_GetGlobalMouseState(&place.x, &place.y)
        return Point(Int(place.x), Int(place.y))
    }

    public func letGo() {
        drag()
        small.grip = nil
        SDL_CaptureMouse(SDL_FALSE)
    }
}
