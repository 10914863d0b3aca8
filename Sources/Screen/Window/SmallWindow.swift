import Base
import CSDL2

/// State of the window before it became small.
struct LargeWindow {
    let rect: Rect
    let mode: WindowSpec.Mode
    let isBordered: Bool
}

// Picture in picture: the window itself becomes small, borderless and always on top, and later returns to its old
// state. No frame or texture has to move from one window to another.
extension Window {
    private static let margin = 24
    private static let smallest = 160

    public var isSmall: Bool { large != nil }

    /// Makes the window small, in its last small place. The first place is the lower right corner of the display, a
    /// quarter as wide.
    public func becomeSmall(shape: Size) {
        guard large == nil else { return }
        let mode = mode
        if mode == .fullscreen { setMode(.windowed) }
        large = LargeWindow(
            rect: native.rect, mode: mode,
            isBordered: SDL_GetWindowFlags(handle) & SDL_WINDOW_BORDERLESS.rawValue == 0)
        SDL_SetWindowBordered(handle, SDL_FALSE)
        SDL_SetWindowAlwaysOnTop(handle, SDL_TRUE)
        native.place(small ?? corner(shape))
    }

    /// Restores the window, and remembers its small place.
    public func becomeLarge() {
        guard let before = large else { return }
        small = native.rect
        large = nil
        SDL_SetWindowAlwaysOnTop(handle, SDL_FALSE)
        SDL_SetWindowBordered(handle, before.isBordered ? SDL_TRUE : SDL_FALSE)
        native.place(before.rect)
        if before.mode == .fullscreen { setMode(.fullscreen) }
    }

    /// Resizes the small window by steps, keeping its shape and its lower right corner.
    public func grow(by steps: Double) {
        guard isSmall else { return }
        let rect = native.rect
        let width = max(Self.smallest, Int((Double(rect.width) * (1 + 0.1 * steps)).rounded()))
        let height = max(1, width * rect.height / max(1, rect.width))
        native.place(Rect(rect.maxX - width, rect.maxY - height, width, height))
    }

    // MARK: dragging

    /// Begins a drag at this pixel of the small window. From now on `drag` moves the window with the pointer.
    public func grab(at pixel: Point) {
        let pixels = native.pixelSize, units = native.unitSize
        grip = Point(
            pixel.x * units.width / max(1, pixels.width), pixel.y * units.height / max(1, pixels.height))
        SDL_CaptureMouse(SDL_TRUE)
    }

    public var isGrabbed: Bool { grip != nil }

    /// Moves the small window. Call it regularly as well: SDL reports nothing while the pointer rests in a window that
    /// follows it.
    public func drag() {
        guard let grip else { return }
        let pointer = pointer
        SDL_SetWindowPosition(handle, Int32(pointer.x - grip.x), Int32(pointer.y - grip.y))
    }

    /// Place of the pointer on the screen.
    private var pointer: Point {
        if let place = XServer.pointer(over: handle) { return place }
        var place = (x: Int32(0), y: Int32(0))
        SDL_GetGlobalMouseState(&place.x, &place.y)
        return Point(Int(place.x), Int(place.y))
    }

    public func letGo() {
        drag()
        grip = nil
        SDL_CaptureMouse(SDL_FALSE)
    }

    private func corner(_ shape: Size) -> Rect {
        var bounds = SDL_Rect()
        SDL_GetDisplayUsableBounds(max(0, SDL_GetWindowDisplayIndex(handle)), &bounds)
        let width = min(max(320, Int(bounds.w) / 4), Int(bounds.w))
        let height = min(max(16, width * max(1, shape.height) / max(1, shape.width)), Int(bounds.h))
        return Rect(
            Int(bounds.x + bounds.w) - width - Self.margin, Int(bounds.y + bounds.h) - height - Self.margin, width,
            height)
    }
}
