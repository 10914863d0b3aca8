import Base
import CYUV
import Decoded
import Scene

/// Mixes two frames into one while a seam fades, for either canvas. Where only one of the frames covers an area, that
/// frame is mixed with whatever lies beneath the view.
final class FadeMixer {
    private let memory = RasterMemory()
    private let from = Layer()
    private let to = Layer()
    private var identity: FadedFrame.Identity?
    private var area = Rect(0, 0, 0, 0)
    /// Rises with each mixed frame.
    private var serial = 0

    /// Returns the part of the mixed frame within `bounds`; nil if there is none. Its memory belongs to this object.
    func mix(_ fade: FadedFrame, in bounds: Rect) -> PlacedFrame? {
        let seen = fade.target.intersection(bounds)
        if seen.isEmpty { return nil }
        let raster = memory.raster(seen.size)
        if identity != fade.identity || area != seen {
            (identity, area, serial) = (fade.identity, seen, serial + 1)
            let (below, above) = (from.raster(of: fade.from, in: seen), to.raster(of: fade.to, in: seen))
            ARGBInterpolate(
                below.base, Int32(below.stride), above.base, Int32(above.stride), raster.base, Int32(raster.stride),
                Int32(seen.width), Int32(seen.height), Int32(min(fade.weight, 255)))
        }
        let mixed = raster.frame(fade.isOpaque ? .opaque : .translucent)
        return PlacedFrame(mixed, stamp: Stamp(faded: serial), crop: .all, target: seen)
    }

    /// One of the two frames, drawn once for as long as it stays.
    private final class Layer {
        private let memory = RasterMemory()
        private var scaled: ScaledFrame?
        private var drawn: (identity: PlacedFrame.Identity, area: Rect)?

        func raster(of placed: PlacedFrame, in area: Rect) -> Raster {
            let raster = memory.raster(area.size)
            if let drawn, drawn.identity == placed.identity, drawn.area == area { return raster }
            drawn = (placed.identity, area)
            let target = Rect(
                placed.target.x - area.x, placed.target.y - area.y, placed.target.width, placed.target.height)
            if !(placed.frame.isOpaque && target.contains(Rect(area.size))) { raster.clear() }
            let moved = PlacedFrame(placed.frame, stamp: placed.stamp, crop: placed.crop, target: target)
            raster.draw(moved, Rect(area.size), keeping: &scaled, .replacing)
            return raster
        }
    }
}

extension Raster {
    fileprivate func clear() { ARGBRect(base, Int32(stride), 0, 0, Int32(size.width), Int32(size.height), 0) }
}
