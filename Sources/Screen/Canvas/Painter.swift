import Base
import Scene

/// Draws scenes into memory, as the CPU canvas shows them. Used by one thread at a time.
///
/// Remembers the last scene, and draws only what differs from it.
public final class Painter {
    let drawings: SceneDrawings
    private var last: Scene?
    private var drawers: [ViewKey: FrameDrawer] = [:]

    public init(texts: TextMaker?) { drawings = SceneDrawings(texts: texts) }

    public enum Extent {
        case changes
        /// The raster does not hold the last scene.
        case everything
    }

    /// Draws into `raster`, which must have the scene's size. Returns the rects that changed.
    public func paint(_ scene: Scene, into raster: Raster, _ extent: Extent) -> [Rect] {
        let keys = scene.keys
        var scene = scene
        let bounds = Rect(scene.size).intersection(Rect(raster.size))
        let ready = drawings.follow(&scene, keys)
        let since: Scene? =
            switch extent {
            case .changes: last
            case .everything: nil
            }
        var rects = scene.damage(since: since).map { $0.intersection(bounds) }
        for rect in ready.map({ $0.intersection(bounds) }) where !rects.contains(where: { $0.contains(rect) }) {
            rects.append(rect)
        }
        rects.removeAll { $0.isEmpty }

        let present = Set(keys)
        drawers = drawers.filter { present.contains($0.key) }
        drawings.keepOnly(present)
        for rect in rects {
            let layers = scene.layers(in: rect)
            for bare in layers.bare { raster.fill(bare, scene.background) }
            for place in layers.first..<max(layers.first, scene.views.count)
            where scene.views[place].extent.intersects(rect) {
                draw(scene.views[place], keys[place], rect, raster)
            }
            raster.blend(drawings.decorations.overlay, rect)
        }
        last = scene
        return rects
    }

    private func draw(_ view: View, _ key: ViewKey, _ clip: Rect, _ raster: Raster) {
        switch view.content {
        case .frame(let placed), .poster(let placed):
            drawers[key, default: FrameDrawer()].draw(placed, clip, raster)
        case .fade(let fade): draw(fade, key, clip, raster)
        case .comparison(let frames, let target): draw(frames, target, key, clip, raster)
        case .card, .blank: break
        }
        guard let decoration = drawings.decorations.decoration(of: key) else { return }
        let part = clip.intersection(view.rect)
        if part.isEmpty { return }
        if let panel = decoration.panel { raster.fill(part, panel) }
        for layer in decoration.layers { raster.blend(layer, part) }
    }

    private func draw(_ fade: FadedFrame, _ key: ViewKey, _ clip: Rect, _ raster: Raster) {
        let part = clip.intersection(fade.target)
        if part.isEmpty { return }
        guard let (frame, place) = drawings.mixer(of: key).mix(fade, in: Rect(raster.size)) else { return }
        let seen = part.intersection(place)
        PixelSource(frame, crop: .all).draw(
            Rect(seen.x - place.x, seen.y - place.y, seen.width, seen.height), into: raster, x: seen.x, y: seen.y)
    }

    private func draw(
        _ frames: ComparedFrames, _ target: Rect, _ key: ViewKey, _ clip: Rect, _ raster: Raster
    ) {
        let part = clip.intersection(target)
        if part.isEmpty { return }
        let composed = drawings.compositions[key]
        if frames.mode == .wipe { return composed.drawWipe(frames, in: target, part, into: raster) }
        composed.compose(frames, size: target.size)
        PixelSource(composed.frame, crop: .all).draw(
            Rect(part.x - target.x, part.y - target.y, part.width, part.height), into: raster, x: part.x, y: part.y)
    }
}
