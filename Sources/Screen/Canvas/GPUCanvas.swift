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
    private var last: Scene?
    private var isWhole = false

    enum Want { case hardware, anything }

    /// nil if there is no such renderer.
    init?(window: NativeWindow, want: Want, texts: TextMaker?) {
        // A Wayland compositor never tears, and with vsync SDL would wait for a window that is covered.
        let sync = NativeWindow.driver == "x11" ? SDL_RENDERER_PRESENTVSYNC.rawValue : 0
        var made = SDL_CreateRenderer(window.handle, -1, SDL_RENDERER_ACCELERATED.rawValue | sync)
        if made == nil && want == .anything {
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
        textures.forget()
        SDL_DestroyRenderer(renderer)
    }

    func invalidate(_ loss: CanvasLoss) {
        isWhole = false
        switch loss {
        case .pixels: break
        case .textures: textures.forget()
        }
    }

    func present(_ scene: Scene) -> Presentation {
        let keys = scene.keys
        var scene = scene
        let ready = drawings.follow(&scene, keys)
        let damage = scene.damage(since: isWhole ? last : nil)
        if damage.isEmpty && ready.isEmpty { return .unchanged }
        var size = (width: Int32(0), height: Int32(0))
        let isKnown = SDL_GetRendererOutputSize(renderer, &size.width, &size.height) == 0
        guard isKnown, Size(Int(size.width), Int(size.height)) == scene.size else {
            isWhole = false
            return .lost
        }
        last = scene
        isWhole = draw(scene, keys)
        SDL_RenderPresent(renderer)
        return isWhole ? .drawn : .lost
    }

    /// Draws the last scene again, since presented pixels cannot be read.
    func snapshot() -> (Size, [UInt32]) {
        guard let last, draw(last, last.keys) else { return (Size(0, 0), []) }
        var pixels = [UInt32](repeating: 0, count: last.size.width * last.size.height)
        let status = SDL_RenderReadPixels(
            renderer, nil, SDL_PIXELFORMAT_ARGB8888.rawValue, &pixels, Int32(last.size.width * 4))
        if status != 0 { return (Size(0, 0), []) }
        return (last.size, pixels.map { $0 | 0xFF00_0000 })
    }

    private func draw(_ scene: Scene, _ keys: [ViewKey]) -> Bool {
        var isComplete = true
        let present = Set(keys)
        textures.keepOnly(present)
        drawings.keepOnly(present)
        set(scene.background)
        SDL_RenderClear(renderer)
        for (view, key) in zip(scene.views, keys) where view.extent.intersects(Rect(scene.size)) {
            switch view.content {
            case .frame(let placed), .poster(let placed):
                if !draw(placed, key) { isComplete = false }
            case .fade(let fade):
                if !draw(fade, key, in: Rect(scene.size)) { isComplete = false }
            case .comparison(let frames, let target):
                if !draw(frames, target, key) { isComplete = false }
            case .card, .blank: break
            }
            guard let decoration = drawings.decorations.decoration(of: key) else { continue }
            if let panel = decoration.panel {
                var rect = SDL_Rect(view.rect)
                set(panel)
                SDL_RenderFillRect(renderer, &rect)
            }
            for mark in decoration.layers.joined() { draw(mark, view.rect) }
        }
        for mark in drawings.decorations.overlay { draw(mark, Rect(scene.size)) }
        textures.dropUnusedBitmaps()
        return isComplete
    }

    private func draw(_ placed: PlacedFrame, _ key: ViewKey) -> Bool {
        guard let texture = textures.texture(of: placed.frame, placed.stamp, for: key) else { return false }
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

    /// The CPU compares, since SDL's blend modes round differently: both canvases must show the same.
    private func draw(_ frames: ComparedFrames, _ target: Rect, _ key: ViewKey) -> Bool {
        let composed = drawings.compositions[key]
        composed.compose(frames, size: target.size)
        let stamp = Stamp(composed: composed.serial)
        return draw(PlacedFrame(composed.frame, stamp: stamp, crop: .all, target: target), key)
    }

    /// The CPU mixes as well, since SDL's blend modes round differently.
    private func draw(_ fade: FadedFrame, _ key: ViewKey, in bounds: Rect) -> Bool {
        let mixer = drawings.mixer(of: key)
        guard let (frame, place) = mixer.mix(fade, in: bounds) else { return true }
        return draw(PlacedFrame(frame, stamp: Stamp(faded: mixer.serial), crop: .all, target: place), key)
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
        guard let name = nameOfGL() else { return false }
        return ["llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"]
            .contains { name.lowercased().contains($0) }
    }

    /// Returns GL_RENDERER of the renderer that was just made; nil if it does not use OpenGL.
    private static func nameOfGL() -> String? {
        guard SDL_GL_GetCurrentContext() != nil, let address = SDL_GL_GetProcAddress("glGetString") else { return nil }
        typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
        return unsafeBitCast(address, to: GetString.self)(0x1F01).map { String(cString: $0) }
    }
}
