import Base
import CSDL2
import Scene

/// SDL's renderer: a texture per view, uploaded when its frame changes, scaled and blended by the GPU.
final class GPUCanvas: Canvas {
    let name = "gpu"
    /// True if the renderer draws on the CPU.
    let isSoftware: Bool
    private let window: NativeWindow
    private let renderer: OpaquePointer
    let drawings: SceneDrawings
    private let textures: TextureStore
    private var isWhole = false

    /// nil if there is no renderer. `mayBeSoftware`: true to accept SDL's own renderer, too.
    init?(window: NativeWindow, mayBeSoftware: Bool, texts: TextMaker?) {
        // A Wayland compositor never tears, and with vsync SDL would wait for a window that is covered.
        let sync = NativeWindow.driver == "x11" ? SDL_RENDERER_PRESENTVSYNC.rawValue : 0
        var made = SDL_CreateRenderer(window.handle, -1, SDL_RENDERER_ACCELERATED.rawValue | sync)
        if made == nil && mayBeSoftware {
            made = SDL_CreateRenderer(window.handle, -1, SDL_RENDERER_SOFTWARE.rawValue)
        }
        guard let made else { return nil }
        (self.window, renderer) = (window, made)
        isSoftware = GPUCanvas.isSoftware(made)
        if isSoftware { SDL_RenderSetVSync(made, 0) }
        drawings = SceneDrawings(texts: texts)
        textures = TextureStore(renderer: made)
    }

    deinit {
        forgetTextures()
        SDL_DestroyRenderer(renderer)
    }

    private func forgetTextures() {
        textures.forget()
        for view in drawings.views { view.texture = nil }
    }

    func invalidate(losesTextures: Bool) {
        isWhole = false
        if losesTextures { forgetTextures() }
    }

    func present(_ scene: Scene) -> Presentation {
        var scene = scene
        if drawings.follow(&scene, isWhole: isWhole).isEmpty { return .unchanged }
        var size = (width: Int32(0), height: Int32(0))
        let isKnown = SDL_GetRendererOutputSize(renderer, &size.width, &size.height) == 0
        guard isKnown, Size(Int(size.width), Int(size.height)) == scene.size else {
            isWhole = false
            return .lost
        }
        isWhole = draw(scene)
        SDL_RenderPresent(renderer)
        return isWhole ? .drawn : .lost
    }

    /// Draws the last scene again, since presented pixels cannot be read.
    func snapshot() -> (Size, [UInt32]) {
        guard let last = drawings.last, draw(last) else { return (Size(0, 0), []) }
        var pixels = [UInt32](repeating: 0, count: last.size.width * last.size.height)
        let status = SDL_RenderReadPixels(
            renderer, nil, SDL_PIXELFORMAT_ARGB8888.rawValue, &pixels, Int32(last.size.width * 4))
        if status != 0 { return (Size(0, 0), []) }
        return (last.size, pixels.map { $0 | 0xFF00_0000 })
    }

    private func draw(_ scene: Scene) -> Bool {
        var isComplete = true
        set(scene.background)
        SDL_RenderClear(renderer)
        for (view, kept) in zip(scene.views, drawings.views) where view.extent.intersects(Rect(scene.size)) {
            if case .card = view.content {
                var rect = SDL_Rect(view.rect)
                set(Card.panel)
                SDL_RenderFillRect(renderer, &rect)
            } else if let frame = kept.frame(of: view.content, in: Rect(scene.size)), !draw(frame, kept) {
                isComplete = false
            }
            for mark in kept.layers.joined() { draw(mark, view.rect) }
        }
        for mark in drawings.wall.marks { draw(mark, Rect(scene.size)) }
        textures.dropUnusedBitmaps()
        return isComplete
    }

    private func draw(_ placed: PlacedFrame, _ kept: ViewDrawings) -> Bool {
        guard let texture = textures.texture(of: placed.frame, placed.stamp, keeping: &kept.texture) else {
            return false
        }
        textures.setMode(for: texture.kind)
        let target = placed.target
        let placement = FramePlacement(of: placed.frame, crop: placed.crop, in: target)
        var source = SDL_Rect(placement.source), goal = SDL_Rect(placement.target), clip = SDL_Rect(target)
        SDL_SetTextureScaleMode(texture.handle, placement.isMagnified ? SDL_ScaleModeNearest : SDL_ScaleModeLinear)
        if placement.target != target { SDL_RenderSetClipRect(renderer, &clip) }
        SDL_RenderCopy(renderer, texture.handle, &source, &goal)
        if placement.target != target { SDL_RenderSetClipRect(renderer, nil) }
        return true
    }

    private func draw(_ mark: Mark, _ clip: Rect) {
        let seen = mark.rect.intersection(mark.clip).intersection(clip)
        if seen.isEmpty { return }
        guard let texture = textures.texture(of: mark.bitmap) else { return }
        var part = Rect(seen.x - mark.rect.x, seen.y - mark.rect.y, seen.width, seen.height)
        if mark.bitmap.size.width == 1 { (part.x, part.width) = (0, 1) }
        var source = SDL_Rect(part), goal = SDL_Rect(seen)
        SDL_RenderCopy(renderer, texture, &source, &goal)
    }

    private func set(_ color: Color) { SDL_SetRenderDrawColor(renderer, color.red, color.green, color.blue, 255) }

    private static func isSoftware(_ renderer: OpaquePointer) -> Bool {
        var info = SDL_RendererInfo()
        SDL_GetRendererInfo(renderer, &info)
        if info.flags & SDL_RENDERER_SOFTWARE.rawValue != 0 { return true }
        // GL_RENDERER of the renderer that was just made, if it uses OpenGL.
        typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
        guard SDL_GL_GetCurrentContext() != nil, let address = SDL_GL_GetProcAddress("glGetString"),
            let name = unsafeBitCast(address, to: GetString.self)(0x1F01).map({ String(cString: $0).lowercased() })
        else { return false }
        return ["llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"].contains { name.contains($0) }
    }
}
