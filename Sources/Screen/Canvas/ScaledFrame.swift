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
        var edges = Edges.soft
        /// True for comparisons: scaling must not change colours.
        var isExact = false
    }
    /// Edges of enlarged pixels.
    enum Edges { case soft, square }

    private(set) var identity: Identity
    private(set) var source: PixelSource
    private let memory = RasterMemory()

    /// Returns the frame in the size in which it is drawn. `kept`: frame of which the memory is used again, scaled anew
    /// only if it is another one.
    static func of(_ frame: Frame, _ identity: Identity, keeping kept: ScaledFrame?) -> ScaledFrame {
        guard let kept else { return ScaledFrame(frame, identity) }
        if kept.identity != identity { kept.scale(frame, identity) }
        return kept
    }

    private init(_ frame: Frame, _ identity: Identity) {
        self.identity = identity
        source = PixelSource(size: Size(0, 0), format: frame.format, planes: [])
        scale(frame, identity)
    }

    /// Scales into the existing memory, if that suffices.
    private func scale(_ frame: Frame, _ identity: Identity) {
        self.identity = identity
        let from = PixelSource(frame, part: identity.part)
        let size = identity.size
        let chroma: Size =
            switch from.format {
            case .i420: Size((size.width + 1) / 2, (size.height + 1) / 2)
            case .i444: size
            case .bgra: Size(0, 0)
            }
        let stride = RasterMemory.rowLength(from.planes.count == 1 ? size.width * 4 : size.width)
        let chromaStride = RasterMemory.rowLength(chroma.width)
        let base = memory.bytes(stride * size.height + 2 * chromaStride * chroma.height)
        let u = base + stride * size.height, v = u + chromaStride * chroma.height
        // The box filter is for shrinking by more than two. For less, libyuv switches to bilinear by itself.
        let filter = identity.edges == .square ? kFilterNone : kFilterBox
        let (old, new) = ((Int32(from.size.width), Int32(from.size.height)), (Int32(size.width), Int32(size.height)))
        let planes = from.planes
        switch from.format {
        case .i420, .i444:
            let scale = if case .i420 = from.format { I420Scale } else { I444Scale }
            _ = scale(
                planes[0].base, Int32(planes[0].stride), planes[1].base, Int32(planes[1].stride),
                planes[2].base, Int32(planes[2].stride), old.0, old.1,
                base, Int32(stride), u, Int32(chromaStride), v, Int32(chromaStride), new.0, new.1, filter)
        case .bgra where identity.isExact && identity.edges == .soft:
            let pixels = UnsafeMutablePointer(mutating: planes[0].base)
            Raster(base: base, stride: stride, size: size)
                .fill(with: Raster(base: pixels, stride: planes[0].stride, size: from.size), at: Rect(size))
        case .bgra:
            ARGBScale(
                planes[0].base, Int32(planes[0].stride), old.0, old.1, base, Int32(stride), new.0, new.1, filter)
        }
        var scaled = [Frame.Plane(base: base, stride: stride)]
        if planes.count == 3 {
            scaled.append(Frame.Plane(base: u, stride: chromaStride))
            scaled.append(Frame.Plane(base: v, stride: chromaStride))
        }
        source = PixelSource(size: size, format: from.format, planes: scaled)
    }
}
