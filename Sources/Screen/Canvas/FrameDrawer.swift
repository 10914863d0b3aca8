import Base
import Scene

/// Draws the frames of one view, and keeps the last one in the size in which it is drawn.
struct FrameDrawer {
    private var scaled: ScaledFrame?

    /// Draws a frame. Only pixels within `clip` are drawn.
    mutating func draw(
        _ placed: PlacedFrame, _ clip: Rect, _ raster: Raster, _ manner: PixelSource.Manner = .over
    ) {
        var (crop, target) = (placed.crop, placed.target)
        var part = clip.intersection(target)
        if part.isEmpty { return }
        if target.width > 2 * raster.size.width || target.height > 2 * raster.size.height {
            (crop, target) = cut(crop, target, to: Rect(raster.size))
            part = clip.intersection(target)
        }
        let placement = FramePlacement(of: placed.frame, crop: crop, in: target)
        let identity = ScaledFrame.Identity(
            stamp: placed.stamp, part: placement.source, size: placement.target.size,
            scaling: placement.isMagnified ? .square : .soft)
        let source = ScaledFrame.source(placed.frame, identity, keeping: &scaled)
        source.draw(part, of: placement.target, into: raster, manner)
    }

    /// Reduces a target far larger than the window to its visible part, so that no more is scaled.
    private func cut(_ crop: Fractions, _ target: Rect, to bounds: Rect) -> (Fractions, Rect) {
        let seen = target.intersection(bounds)
        let across = crop.width / Double(target.width), down = crop.height / Double(target.height)
        let part = Fractions(
            crop.x + Double(seen.x - target.x) * across, crop.y + Double(seen.y - target.y) * down,
            Double(seen.width) * across, Double(seen.height) * down)
        return (part, seen)
    }
}
