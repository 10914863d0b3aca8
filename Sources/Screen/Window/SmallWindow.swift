import CSDL2
import WallCore

/// The window as it was before it became small, and where it was small last.
struct LargeWindow {
    let frame: Rect
    let mode: WindowSpec.Mode
    let isBordered: Bool
}

// Picture in picture: the window itself becomes small, frameless and stays on top; then it is what it was.
// So nothing of a picture or of a texture has to move from one window to another.
extension Window {
    private static let margin = 24
    private static let smallest = 160

    public var isSmall: Bool { large != nil }

    /// Where it was small last, or in the lower right corner of its display; as wide as a quarter of it.
    public func becomeSmall(shape: Size) {
        guard large == nil else { return }
        var frame = SDL_Rect()
        SDL_GetWindowPosition(handle, &frame.x, &frame.y)
        SDL_GetWindowSize(handle, &frame.w, &frame.h)
        large = LargeWindow(
            frame: Rect(Int(frame.x), Int(frame.y), Int(frame.w), Int(frame.h)), mode: mode,
            isBordered: SDL_GetWindowFlags(handle) & SDL_WINDOW_BORDERLESS.rawValue == 0)
        if mode == .fullscreen { setMode(.windowed) }
        SDL_SetWindowBordered(handle, SDL_FALSE)
        SDL_SetWindowAlwaysOnTop(handle, SDL_TRUE)
        place(small ?? corner(shape))
    }

    /// As it was before; its place is remembered.
    public func becomeLarge() {
        guard let before = large else { return }
        var frame = SDL_Rect()
        SDL_GetWindowPosition(handle, &frame.x, &frame.y)
        SDL_GetWindowSize(handle, &frame.w, &frame.h)
        small = Rect(Int(frame.x), Int(frame.y), Int(frame.w), Int(frame.h))
        large = nil
        SDL_SetWindowAlwaysOnTop(handle, SDL_FALSE)
        SDL_SetWindowBordered(handle, before.isBordered ? SDL_TRUE : SDL_FALSE)
        place(before.frame)
        if before.mode == .fullscreen { setMode(.fullscreen) }
    }

    /// The small window grows or shrinks by steps, keeping its shape and its lower right corner.
    public func grow(by steps: Double) {
        guard isSmall else { return }
        var frame = SDL_Rect()
        SDL_GetWindowPosition(handle, &frame.x, &frame.y)
        SDL_GetWindowSize(handle, &frame.w, &frame.h)
        let width = max(Self.smallest, Int((Double(frame.w) * (1 + 0.1 * steps)).rounded()))
        let height = max(1, width * Int(frame.h) / max(1, Int(frame.w)))
        place(Rect(Int(frame.x + frame.w) - width, Int(frame.y + frame.h) - height, width, height))
    }

    // MARK: dragging

    /// The button went down on the small window: from now on `drag` moves it with the pointer.
    public func grab() {
        var pointer = (x: Int32(0), y: Int32(0)), corner = (x: Int32(0), y: Int32(0))
        SDL_GetGlobalMouseState(&pointer.x, &pointer.y)
        SDL_GetWindowPosition(handle, &corner.x, &corner.y)
        grip = Point(Int(pointer.x - corner.x), Int(pointer.y - corner.y))
        SDL_CaptureMouse(SDL_TRUE)
    }

    public func drag() {
        guard let grip else { return }
        var pointer = (x: Int32(0), y: Int32(0))
        SDL_GetGlobalMouseState(&pointer.x, &pointer.y)
        SDL_SetWindowPosition(handle, pointer.x - Int32(grip.x), pointer.y - Int32(grip.y))
    }

    public func letGo() {
        grip = nil
        SDL_CaptureMouse(SDL_FALSE)
    }

    private func place(_ frame: Rect) {
        SDL_SetWindowSize(handle, Int32(frame.width), Int32(frame.height))
        SDL_SetWindowPosition(handle, Int32(frame.x), Int32(frame.y))
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
