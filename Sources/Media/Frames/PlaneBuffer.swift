import Base
import CFFmpeg
import Decoded

/// A frame inside a scaler: planes within a `CodecFrame` or within a buffer of the pool.
struct PlaneBuffer {
    let layout: Layout
    let sample: Sample
    let size: Size
    private(set) var planes: [Plane]
    /// The `CodecFrame` or `FrameBuffer` that holds the planes.
    let owner: any AnyObject & Sendable

    enum Layout {
        case i420, i422, i444, bgra

        /// The size of plane `index` in a frame of `size`, in that plane's own pixels.
        func planeSize(_ index: Int, of size: Size) -> Size {
            guard index > 0 else { return size }
            switch self {
            case .i420: return Size((size.width + 1) / 2, (size.height + 1) / 2)
            case .i422: return Size((size.width + 1) / 2, size.height)
            case .i444, .bgra: return size
            }
        }

        var planeCount: Int { self == .bgra ? 1 : 3 }
    }

    /// A sample of YUV and of planar RGB, or a pixel of BGRA. The raw value is its size in bytes.
    enum Sample: Int {
        case byte = 1
        /// 16 bits, of which fewer may be used.
        case word = 2
        case colours = 4
    }

    struct Plane {
        let base: UnsafeMutablePointer<UInt8>
        let stride: Int32
        let size: Size
        var width: Int32 { Int32(size.width) }
        var height: Int32 { Int32(size.height) }
    }

    /// Allocates planes in the pool, with rows a multiple of 64 bytes apart.
    init(_ layout: Layout, _ size: Size, of sample: Sample = .byte, in pool: FrameBufferPool) throws(SourceTrouble) {
        let sample = layout == .bgra ? .colours : sample
        func stride(_ index: Int) -> Int { (layout.planeSize(index, of: size).width * sample.rawValue + 63) & ~63 }
        let indices = 0..<layout.planeCount
        let bytes = indices.reduce(0) { $0 + stride($1) * layout.planeSize($1, of: size).height }
        // libyuv may read a little beyond the end of its widest rows.
        let buffer = try pool.buffer(ofBytes: bytes + 64)
        var next = buffer.base.assumingMemoryBound(to: UInt8.self)
        planes = []
        planes.reserveCapacity(layout.planeCount)
        for index in indices {
            let planeSize = layout.planeSize(index, of: size)
            planes.append(Plane(base: next, stride: Int32(stride(index)), size: planeSize))
            next += stride(index) * planeSize.height
        }
        (self.layout, self.sample, self.size, owner) = (layout, sample, size, buffer)
    }

    /// Refers to a frame's own planes, which are read only.
    init?(_ layout: Layout, _ sample: Sample = .byte, of codecFrame: CodecFrame) {
        planes = []
        planes.reserveCapacity(layout.planeCount)
        for index in 0..<layout.planeCount {
            guard let base = qd_plane(codecFrame.av, Int32(index)) else { return nil }
            planes.append(
                Plane(
                    base: base, stride: qd_stride(codecFrame.av, Int32(index)),
                    size: layout.planeSize(index, of: codecFrame.storage)))
        }
        (self.layout, self.sample, size, owner) = (layout, sample, codecFrame.storage, codecFrame)
    }

    /// Returns the finished `Frame` for a codec frame, turned by `turn` beside the container's rotation. It retains the
    /// memory, and the codec frame if `orientation` is given.
    func frame(
        _ format: Frame.Format, turned turn: Turn, of codecFrame: CodecFrame, oriented orientation: Orientation?
    ) -> Frame {
        Frame(
            size: size, natural: codecFrame.natural.turned(turn), stored: codecFrame.upright.turned(turn),
            format: format,
            planes: planes.map { Frame.Plane(base: $0.base, stride: Int($0.stride)) },
            coded: codecFrame.codedTraits, type: codecFrame.codedType,
            original: orientation.map {
                Frame.Original(codecFrame, oriented: $0, isShared: owner === codecFrame)
            },
            bits: codecFrame.bits, owner: owner)
    }
}
