import Base
import CSDL2
import Scene

/// Draws into the window's own pixels, in memory shared with the X server. Only changed parts are drawn and sent.
final class CPUCanvas: Canvas {
    let name = "cpu"
    private let window: NativeWindow
    private let painter: Painter
    private var surface: UnsafeMutablePointer<SDL_Surface>?
    /// Surface to draw into if the window's surface has another pixel format.
    private var own: UnsafeMutablePointer<SDL_Surface>?
    private var isWhole = false

    init(window: NativeWindow, texts: TextMaker?) {
        self.window = window
        painter = Painter(texts: texts)
    }

    deinit { if let own { SDL_FreeSurface(own) } }

    var drawings: SceneDrawings { painter.drawings }

    func invalidate(losesTextures: Bool) {
        isWhole = false
        surface = nil
    }

    func present(_ scene: Scene) -> Presentation {
        // SDL makes a new surface after a size event, and reports it only here.
        guard let now = SDL_GetWindowSurface(window.handle) else {
            invalidate(losesTextures: false)
            return .lost
        }
        if surface != now {
            surface = now
            isWhole = false
        }
        guard let drawn = drawable(of: now), Size(drawn) == scene.size else {
            isWhole = false
            return .lost
        }
        let raster = Raster(drawn)
        let rects = painter.paint(scene, into: raster, isWhole ? .changes : .everything)
        if rects.isEmpty { return .unchanged }
        var areas = rects.map { SDL_Rect($0) }
        if drawn != now {
            for index in areas.indices {
                var target = areas[index]
                SDL_UpperBlit(drawn, &areas[index], now, &target)
            }
        }
        isWhole = SDL_UpdateWindowSurfaceRects(window.handle, &areas, Int32(areas.count)) == 0
        return isWhole ? .drawn : .lost
    }

    func snapshot() -> (Size, [UInt32]) {
        guard let surface = SDL_GetWindowSurface(window.handle), let drawn = drawable(of: surface)
        else { return (Size(0, 0), []) }
        return (Size(drawn), Raster(drawn).pixels)
    }

    /// Returns the surface itself, or one of its size in our pixel format.
    private func drawable(of surface: UnsafeMutablePointer<SDL_Surface>) -> UnsafeMutablePointer<SDL_Surface>? {
        let format = surface.pointee.format.pointee.format
        if format == SDL_PIXELFORMAT_RGB888.rawValue || format == SDL_PIXELFORMAT_ARGB8888.rawValue { return surface }
        if let own, Size(own) == Size(surface) { return own }
        if let own { SDL_FreeSurface(own) }
        own = SDL_CreateRGBSurfaceWithFormat(
            0, surface.pointee.w, surface.pointee.h, 32, SDL_PIXELFORMAT_RGB888.rawValue)
        isWhole = false
        return own
    }
}

extension Size {
    fileprivate init(_ surface: UnsafeMutablePointer<SDL_Surface>) {
        self.init(Int(surface.pointee.w), Int(surface.pointee.h))
    }
}

extension Raster {
    fileprivate init(_ surface: UnsafeMutablePointer<SDL_Surface>) {
        self.init(
            base: surface.pointee.pixels.assumingMemoryBound(to: UInt8.self), stride: Int(surface.pointee.pitch),
            size: Size(surface))
    }
}
