import Base
import CYUV
import Decoded
import Scene

/// A part of a frame in the size in which it is drawn, kept while the same frame stays.
final class ScaledFrame {
    struct Identity: Hashable {
        var stamp: Stamp
        /// Part of the frame, in the frame's pixels.
        var part: Rect
        var size: Size
        var scaling: Scaling
    }

    enum Scaling {
        case soft
        /// For comparisons: scaling must not change colours.
        case exact
        /// Enlarged pixels have edges.
        case square
    }

    private var identity: Identity?
    private let memory = RasterMemory()
    private var planes: [Frame.Plane] = []

    /// Returns the part of a frame in the size in which it is drawn. `kept`: its memory, which is used again; scaled
    /// anew only if the identity is another one. nil if the frame has that size itself.
    static func source(_ frame: Frame, _ identity: Identity, keeping kept: inout ScaledFrame?) -> PixelSource {
        if identity.part.size == identity.size {
            kept = nil
            return PixelSource(frame, part: identity.part)
        }
        let scaled = kept ?? ScaledFrame()
        kept = scaled
        if scaled.identity != identity { scaled.scale(PixelSource(frame, part: identity.part), identity) }
        return PixelSource(size: identity.size, format: frame.format, planes: scaled.planes)
    }

    /// Scales into the existing memory, if that suffices.
    private func scale(_ from: PixelSource, _ identity: Identity) {
        self.identity = identity
        planes = []
        // The box filter is for shrinking by more than two. For less, libyuv switches to bilinear by itself.
        let filter = identity.scaling == .square ? kFilterNone : kFilterBox
        let sizes = from.planes.indices.map { from.format.size(ofPlane: $0, of: identity.size) }
        let strides = sizes.map { RasterMemory.rowLength($0.width * from.bytesOfPixel) }
        var base = memory.bytes(zip(sizes, strides).reduce(0) { $0 + $1.0.height * $1.1 })
        for (number, plane) in from.planes.enumerated() {
            let (old, new, stride) = (from.format.size(ofPlane: number, of: from.size), sizes[number], strides[number])
            switch from.format {
            case .i420, .i444:
                ScalePlane(
                    plane.base, Int32(plane.stride), Int32(old.width), Int32(old.height), base, Int32(stride),
                    Int32(new.width), Int32(new.height), filter)
            case .bgra where identity.scaling == .exact:
                let pixels = UnsafeMutablePointer(mutating: plane.base)
                Raster(base: base, stride: stride, size: new)
                    .fill(with: Raster(base: pixels, stride: plane.stride, size: old), at: Rect(new))
            case .bgra:
                ARGBScale(
                    plane.base, Int32(plane.stride), Int32(old.width), Int32(old.height), base, Int32(stride),
                    Int32(new.width), Int32(new.height), filter)
            }
            planes.append(Frame.Plane(base: base, stride: stride))
            base += stride * new.height
        }
    }
}

extension Raster {
    /// Draws a frame. Only pixels within `clip` are drawn. `kept`: the frame in the size in which it was drawn last.
    func draw(
        _ placed: PlacedFrame, _ clip: Rect, keeping kept: inout ScaledFrame?, _ manner: PixelSource.Manner = .over
    ) {
        var (crop, target) = (placed.crop, placed.target)
        if clip.intersection(target).isEmpty { return }
        if target.width > 2 * size.width || target.height > 2 * size.height {
            // A target far larger than the raster is reduced to its visible part, so that no more is scaled.
            let seen = target.intersection(Rect(size))
            (crop, target) = (Fractions(seen, in: target).of(crop), seen)
        }
        let placement = FramePlacement(of: placed.frame, crop: crop, in: target)
        let identity = ScaledFrame.Identity(
            stamp: placed.stamp, part: placement.source, size: placement.target.size,
            scaling: placement.isMagnified ? .square : .soft)
        let source = ScaledFrame.source(placed.frame, identity, keeping: &kept)
        source.draw(clip.intersection(target), of: placement.target, into: self, manner)
    }
}
