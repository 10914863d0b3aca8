import Base
import CFFmpeg

/// Converts frames of any format to BGRA of the same size, by swscale. Belongs to one thread.
final class ColourConverter {
    private var context: OpaquePointer?
    private var setUp: SetUp?

    private struct SetUp: Hashable {
        let size: Size
        let colours: FrameColours
    }

    deinit { qd_sws_free(context) }

    func convert(_ codecFrame: CodecFrame, in pool: FrameBufferPool) throws(SourceTrouble) -> PlaneBuffer {
        let wanted = SetUp(size: codecFrame.storage, colours: FrameColours(of: codecFrame))
        if wanted != setUp {
            setUp = nil
            qd_sws_free(context)
            context = nil
            context = try wanted.colours.context(
                from: wanted.size, to: wanted.size, AV_PIX_FMT_BGRA, flags: qd_SWS_BICUBIC | qd_SWS_ACCURATE_RND)
            setUp = wanted
        }
        let result = try PlaneBuffer(.bgra, codecFrame.storage, in: pool)
        qd_scale(context, codecFrame.av, result.planes[0].base, result.planes[0].stride)
        return result
    }
}
