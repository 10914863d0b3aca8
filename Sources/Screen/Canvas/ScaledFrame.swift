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
        planes = [Frame.Plane(base: base, stride: stride)]
        if from.planes.count == 3 {
            for base in [u, v] { planes.append(Frame.Plane(base: base, stride: chromaStride)) }
        }
        switch from.format {
        case .i420, .i444:
            let scale = if case .i420 = from.format { I420Scale } else { I444Scale }
            _ = scale(
                from.planes[0].base, Int32(from.planes[0].stride), from.planes[1].base, Int32(from.planes[1].stride),
                from.planes[2].base, Int32(from.planes[2].stride), old.0, old.1,
                base, Int32(stride), u, Int32(chromaStride), v, Int32(chromaStride), new.0, new.1, filter)
        case .bgra where identity.isExact && identity.edges == .soft:
            let pixels = UnsafeMutablePointer(mutating: from.planes[0].base)
            Raster(base: base, stride: stride, size: size)
                .fill(with: Raster(base: pixels, stride: from.planes[0].stride, size: from.size), at: Rect(size))
        case .bgra:
            ARGBScale(
                from.planes[0].base, Int32(from.planes[0].stride), old.0, old.1, base, Int32(stride), new.0, new.1,
                filter)
        }
    }
}
