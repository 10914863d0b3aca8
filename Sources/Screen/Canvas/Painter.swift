import Base
import Scene

/// Draws scenes into memory, as the CPU canvas shows them. Used by one thread at a time.
///
/// Remembers the last scene, and draws only what differs from it.
public final class Painter {
    let drawings: SceneDrawings

    public init(texts: TextMaker?) { drawings = SceneDrawings(texts: texts) }

    public enum Extent {
        case changes
        /// The raster does not hold the last scene.
        case everything
    }

    /// Draws into `raster`, which must have the scene's size. Returns the rects that changed.
    public func paint(_ scene: Scene, into raster: Raster, _ extent: Extent) -> [Rect] {
        var scene = scene
        let bounds = Rect(scene.size).intersection(Rect(raster.size))
        let damage = drawings.follow(&scene, isWhole: extent == .changes)
        let rects = damage.map { $0.intersection(bounds) }.filter { !$0.isEmpty }
        for rect in rects {
            let layers = scene.layers(in: rect)
            for bare in layers.bare { raster.fill(bare, scene.background) }
            // A wall has many views, and the rect of a view is cheaper to find than its extent, which lies within.
            for place in layers.first..<max(layers.first, scene.views.count)
            where scene.views[place].rect.intersects(rect) && scene.views[place].extent.intersects(rect) {
                draw(scene.views[place], drawings.views[place], rect, raster)
            }
            raster.blend(drawings.wall.marks, rect)
        }
        return rects
    }

    private func draw(_ view: View, _ kept: ViewDrawings, _ clip: Rect, _ raster: Raster) {
        let part = clip.intersection(view.rect), covered = clip.intersection(view.content.target ?? view.rect)
        switch view.content {
        case _ where covered.isEmpty: break
        case .comparison(let frames) where frames.mode == .wipe:
            kept.composed.drawWipe(frames, in: frames.target, covered, into: raster)
        case .card: raster.fill(part, Card.panel)
        case let content:
            guard let frame = kept.frame(of: content, in: Rect(raster.size)) else { break }
            raster.draw(frame, clip, keeping: &kept.scaled)
        }
        if part.isEmpty { return }
        for layer in kept.layers { raster.blend(layer, part) }
    }
}
