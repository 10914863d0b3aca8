import Base
import CFFmpeg
import CYUV
import Decoded

/// Memory layout of a frame's pixels, as far as libyuv supports it.
enum FrameLayout: Hashable {
    case planar(PlaneBuffer.Layout)
    /// 16-bit words, of which `bits` bits are used.
    case deep(PlaneBuffer.Layout, bits: Int)
    case interleavedChroma(Order)
    /// A layout for swscale.
    case other(Opacity)

    enum Order { case uv, vu }
    typealias Opacity = Frame.Opacity

    init(_ format: AVPixelFormat) {
        switch format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: self = .planar(.i420)
        case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: self = .planar(.i422)
        case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: self = .planar(.i444)
        case AV_PIX_FMT_NV12: self = .interleavedChroma(.uv)
        case AV_PIX_FMT_NV21: self = .interleavedChroma(.vu)
        case AV_PIX_FMT_YUV420P10LE: self = .deep(.i420, bits: 10)
        case AV_PIX_FMT_YUV422P10LE: self = .deep(.i422, bits: 10)
        case AV_PIX_FMT_YUV444P10LE: self = .deep(.i444, bits: 10)
        case AV_PIX_FMT_YUV420P12LE: self = .deep(.i420, bits: 12)
        case AV_PIX_FMT_YUV422P12LE: self = .deep(.i422, bits: 12)
        case AV_PIX_FMT_YUV444P12LE: self = .deep(.i444, bits: 12)
        default: self = .other(format.has(AV_PIX_FMT_FLAG_ALPHA) ? .translucent : .opaque)
        }
    }
}

extension PlaneBuffer {
    /// Returns a frame's pixels in 8-bit planes: its own, or a copy. nil if libyuv does not support the layout.
    static func planes(of codecFrame: CodecFrame, _ layout: FrameLayout, in pool: FrameBufferPool) throws(SourceTrouble)
        -> PlaneBuffer?
    {
        switch layout {
        case .planar(let layout): PlaneBuffer(layout, of: codecFrame)
        case .deep(let layout, let bits): try shallow(codecFrame, layout, bits, pool)
        case .interleavedChroma(let order): try separated(codecFrame, order, pool)
        case .other: nil
        }
    }

    /// Returns a frame's pixels in planes of all their bits. nil if libyuv does not support the layout.
    static func stored(_ codecFrame: CodecFrame, _ layout: FrameLayout, in pool: FrameBufferPool) throws(SourceTrouble)
        -> PlaneBuffer?
    {
        if case .deep(let layout, _) = layout { return PlaneBuffer(layout, .word, of: codecFrame) }
        return try planes(of: codecFrame, layout, in: pool)
    }

    private static func shallow(_ codecFrame: CodecFrame, _ layout: Layout, _ bits: Int, _ pool: FrameBufferPool)
        throws(SourceTrouble) -> PlaneBuffer
    {
        let result = try PlaneBuffer(layout, codecFrame.storage, in: pool)
        for (index, plane) in result.planes.enumerated() {
            let stride = qd_stride(codecFrame.av, Int32(index))
            let words = UnsafeRawPointer(qd_plane(codecFrame.av, Int32(index))!).assumingMemoryBound(to: UInt16.self)
            Convert16To8Plane(
                words, stride / 2, plane.base, plane.stride, Int32(1 << (24 - bits)), plane.width, plane.height)
        }
        return result
    }

    private static func separated(_ codecFrame: CodecFrame, _ order: FrameLayout.Order, _ pool: FrameBufferPool)
        throws(SourceTrouble) -> PlaneBuffer
    {
        let result = try PlaneBuffer(.i420, codecFrame.storage, in: pool)
        let (y, u, v) = (result.planes[0], result.planes[1], result.planes[2])
        CopyPlane(qd_plane(codecFrame.av, 0), qd_stride(codecFrame.av, 0), y.base, y.stride, y.width, y.height)
        let (first, second) = order == .uv ? (u, v) : (v, u)
        SplitUVPlane(
            qd_plane(codecFrame.av, 1), qd_stride(codecFrame.av, 1), first.base, first.stride, second.base,
            second.stride,
            u.width, u.height)
        return result
    }
}
