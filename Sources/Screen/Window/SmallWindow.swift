import Base
import CSDL2

/// Picture in picture: the window itself becomes small, borderless and always on top, and later returns to its old
/// state. No frame or texture has to move from one window to another. Main thread only.
struct SmallWindow {
    /// State of the window before it became small; nil while it is large.
    private var before: Large?
    /// Last place of the small window; nil until there was one.
    private var place: Rect?
    /// Point of the window, in its units, that follows the pointer; nil while the window is not dragged.
    private var grip: Point?

    private struct Large {
        let rect: Rect
        let mode: WindowSpec.Mode
        let isBordered: Bool
    }

    private static let margin = 24
    private static let smallest = 160

    /// The window was replaced by a large one.
    mutating func windowWasReplaced() { (before, grip) = (nil, nil) }

    /// Makes the window small, in its last small place. The first place is the lower right corner of the display, a
    /// quarter as wide.
    mutating func begin(_ native: NativeWindow, shape: Size) {
        guard before == nil else { return }
        let mode = native.mode
        if mode == .fullscreen { native.setMode(.windowed) }
        before = Large(
            rect: native.rect, mode: mode,
            isBordered: SDL_GetWindowFlags(native.handle) & SDL_WINDOW_BORDERLESS.rawValue == 0)
        SDL_SetWindowBordered(native.handle, SDL_FALSE)
        SDL_SetWindowAlwaysOnTop(native.handle, SDL_TRUE)
        native.place(place ?? Self.corner(native, shape))
    }

    /// Restores the window, and remembers its small place.
    mutating func end(_ native: NativeWindow) {
        guard let large = before else { return }
        place = native.rect
        before = nil
        SDL_SetWindowAlwaysOnTop(native.handle, SDL_FALSE)
        SDL_SetWindowBordered(native.handle, large.isBordered ? SDL_TRUE : SDL_FALSE)
        native.place(large.rect)
        if large.mode == .fullscreen, native.mode != .fullscreen { native.setMode(.fullscreen) }
    }

    /// Resizes the small window by steps, keeping its shape and its lower right corner.
    func grow(_ native: NativeWindow, by steps: Double) {
        guard before != nil else { return }
        let rect = native.rect
        let width = max(Self.smallest, Int((Double(rect.width) * (1 + 0.1 * steps)).rounded()))
        let height = max(1, width * rect.height / max(1, rect.width))
        native.place(Rect(rect.maxX - width, rect.maxY - height, width, height))
    }

    private static func corner(_ native: NativeWindow, _ shape: Size) -> Rect {
        var bounds = SDL_Rect()
        SDL_GetDisplayUsableBounds(max(0, SDL_GetWindowDisplayIndex(native.handle)), &bounds)
        let width = min(max(320, Int(bounds.w) / 4), Int(bounds.w))
        let height = min(max(16, width * max(1, shape.height) / max(1, shape.width)), Int(bounds.h))
        return Rect(
            Int(bounds.x + bounds.w) - width - margin, Int(bounds.y + bounds.h) - height - margin, width, height)
    }

    // MARK: dragging

    var isGrabbed: Bool { grip != nil }

    mutating func grab(_ native: NativeWindow, at pixel: Point) {
        let pixels = native.pixelSize, units = native.unitSize
        grip = Point(
            pixel.x * units.width / max(1, pixels.width), pixel.y * units.height / max(1, pixels.height))
        SDL_CaptureMouse(SDL_TRUE)
    }

    func drag(_ native: NativeWindow) {
        guard let grip else { return }
        let pointer = Self.pointer(over: native)
        SDL_SetWindowPosition(native.handle, Int32(pointer.x - grip.x), Int32(pointer.y - grip.y))
    }

    mutating func letGo(_ native: NativeWindow) {
        drag(native)
        grip = nil
        SDL_CaptureMouse(SDL_FALSE)
    }

    /// Place of the pointer on the screen.
    private static func pointer(over native: NativeWindow) -> Point {
        if let pointer = XServer.pointer(over: native.handle) { return pointer.onScreen }
        var place = (x: Int32(0), y: Int32(0))
        SDL_GetGlobalMouseState(&place.x, &place.y)
        return Point(Int(place.x), Int(place.y))
    }
}
