import Base
import CFFmpeg

/// Converts frames of any format by swscale to BGRA, or to planes of 16 bits, of the same size. Belongs to one thread.
final class ColourConverter {
    private let scaling = ScalingContext<SetUp>()

    private struct SetUp: Hashable {
        let size: Size
        let colours: FrameColours
        let target: Target
    }

    enum Target {
        case bgra
        /// Planes of one size, of Y, U and V or of green, blue and red. Matrix and range stay those of the frame.
        case deepPlanes
    }

    func convert(_ codecFrame: CodecFrame, to target: Target = .bgra, in pool: FrameBufferPool) throws(SourceTrouble)
        -> PlaneBuffer
    {
        let setUp = SetUp(size: codecFrame.storage, colours: FrameColours(of: codecFrame), target: target)
        let context = try scaling.context(for: setUp) { () throws(SourceTrouble) in try makeContext(setUp) }
        switch target {
        case .bgra:
            let result = try PlaneBuffer(.bgra, codecFrame.storage, in: pool)
            qd_scale(context, codecFrame.av, result.planes[0].base, result.planes[0].stride)
            return result
        case .deepPlanes:
            let result = try PlaneBuffer(.i444, codecFrame.storage, of: .word, in: pool)
            let first = result.planes[0]
            qd_scale_planes(context, codecFrame.av, first.base, first.stride, Int(first.stride) * result.size.height)
            return result
        }
    }

    private func makeContext(_ setUp: SetUp) throws(SourceTrouble) -> OpaquePointer {
        let flags = qd_SWS_BICUBIC | qd_SWS_ACCURATE_RND, colours = setUp.colours
        let format =
            switch setUp.target {
            case .bgra: AV_PIX_FMT_BGRA
            case .deepPlanes: colours.isRGB ? AV_PIX_FMT_GBRP16LE : AV_PIX_FMT_YUV444P16LE
            }
        return try colours.context(
            from: setUp.size, to: setUp.size, format, keepsRange: format == AV_PIX_FMT_YUV444P16LE, flags: flags)
    }
}
