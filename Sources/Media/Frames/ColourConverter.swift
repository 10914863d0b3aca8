import Base
import CFFmpeg

/// Converts frames of any format by swscale to BGRA or to planes of 16 bits. Belongs to one thread.
final class ColourConverter {
    private let scaling = ScalingContext()

    enum Target: Equatable {
        case bgra
        /// Planes of one size, of Y, U and V or of green, blue and red. Matrix and range stay those of the frame.
        case deepPlanes
        /// Planes of green, blue and red, scaled to a size by means of areas.
        case deepColours(Size)
    }

    func convert(_ codecFrame: CodecFrame, to target: Target = .bgra, in pool: FrameBufferPool) throws(SourceTrouble)
        -> PlaneBuffer
    {
        let from = FrameColours(of: codecFrame)
        var to = from, filter = qd_SWS_BICUBIC
        switch target {
        case .bgra: to.format = AV_PIX_FMT_BGRA
        case .deepPlanes: to.format = from.format.isRGB ? AV_PIX_FMT_GBRP16LE : AV_PIX_FMT_YUV444P16LE
        case .deepColours(let size): (to.format, to.size, filter) = (AV_PIX_FMT_GBRP16LE, size, qd_SWS_AREA)
        }
        let context = try scaling.context(for: Conversion(from: from, to: to, flags: filter | Conversion.accurate))
        let result = try PlaneBuffer(target == .bgra ? .bgra : .i444, to.size, of: .word, in: pool)
        let planes = CodecFrame(planesOf: result, to.format)
        qd_sws_scale_planes(context, planes.av, codecFrame.av)
        return result
    }
}
