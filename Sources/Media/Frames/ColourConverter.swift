import Base
import CFFmpeg

/// Converts frames of any format by swscale to BGRA, or to planes of 16 bits, of the same size. Belongs to one thread.
final class ColourConverter {
    private let scaling = ScalingContext<Conversion>()

    enum Target {
        case bgra
        /// Planes of one size, of Y, U and V or of green, blue and red. Matrix and range stay those of the frame.
        case deepPlanes
    }

    func convert(_ codecFrame: CodecFrame, to target: Target = .bgra, in pool: FrameBufferPool) throws(SourceTrouble)
        -> PlaneBuffer
    {
        let from = FrameColours(of: codecFrame)
        let deep = from.isRGB ? AV_PIX_FMT_GBRP16LE : AV_PIX_FMT_YUV444P16LE
        let to = from.converted(to: target == .bgra ? AV_PIX_FMT_BGRA : deep, from.size)
        let context = try scaling.context(
            for: Conversion(from: from, to: to, flags: qd_SWS_BICUBIC | qd_SWS_ACCURATE_RND))
        let result =
            target == .bgra
            ? try PlaneBuffer(.bgra, from.size, in: pool) : try PlaneBuffer(.i444, from.size, of: .word, in: pool)
        let first = result.planes[0]
        switch target {
        case .bgra: qd_scale(context, codecFrame.av, first.base, first.stride)
        case .deepPlanes:
            qd_scale_planes(context, codecFrame.av, first.base, first.stride, Int(first.stride) * from.size.height)
        }
        return result
    }
}
