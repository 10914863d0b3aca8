import CFFmpeg
import WallCore

/// swscale, from one frame's shape to another's, as FFmpeg's filter scale does it. Belongs to one thread.
final class FrameConverter {
    private var context: OpaquePointer?
    private var setUp: SetUp?

    private struct SetUp: Hashable {
        let from: FrameShape
        let to: FrameShape
        let matrix: UInt32
    }

    deinit { qd_sws_free(context) }

    /// The frame itself where it has this shape.
    func frame(_ frame: Frame, as shape: FrameShape) throws(SourceTrouble) -> Frame {
        let wanted = SetUp(from: FrameShape(of: frame), to: shape, matrix: frame.av.pointee.colorspace.rawValue)
        if wanted.from == shape { return frame }
        if wanted != setUp {
            setUp = nil
            try prepare(wanted)
            setUp = wanted
        }
        let result = try Frame()
        result.av.pointee.format = shape.format
        result.av.pointee.width = Int32(shape.size.width)
        result.av.pointee.height = Int32(shape.size.height)
        let status = qd_sws_scale_frame(context, result.av, frame.av)
        guard status >= 0 else {
            throw SourceTrouble(.unreadable, "scaling its pictures: \(words(for: status))")
        }
        result.av.pointee.colorspace = frame.av.pointee.colorspace
        result.av.pointee.color_range = shape.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        return result
    }

    /// Where it throws there is no context any more. swscale is told of ranges before it chooses its ways.
    private func prepare(_ wanted: SetUp) throws(SourceTrouble) {
        qd_sws_free(context)
        context = qd_sws_alloc()
        guard let context else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
        let options = [
            ("srcw", wanted.from.size.width), ("srch", wanted.from.size.height),
            ("src_format", Int(wanted.from.format)),
            ("src_range", wanted.from.isFullRange ? 1 : 0), ("dstw", wanted.to.size.width),
            ("dsth", wanted.to.size.height), ("dst_format", Int(wanted.to.format)),
            ("dst_range", wanted.to.isFullRange ? 1 : 0), ("sws_flags", Int(qd_SWS_BICUBIC)),
        ]
        for (name, value) in options { qd_sws_set_option(context, name, Int64(value)) }
        guard qd_sws_init(context) >= 0 else {
            qd_sws_free(context)
            self.context = nil
            throw SourceTrouble(.unsupported, "no way from \(wanted.from.words) to \(wanted.to.words)")
        }
        let table = sws_getCoefficients(
            wanted.matrix == AVCOL_SPC_UNSPECIFIED.rawValue ? SWS_CS_DEFAULT : Int32(wanted.matrix))
        qd_sws_set_details(
            context, table, wanted.from.isFullRange ? 1 : 0, table, wanted.to.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    }
}
