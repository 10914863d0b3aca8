import Base
import CFFmpeg
import Decoded

/// Converts frames from one shape to another with swscale, as FFmpeg's filter scale does. Belongs to one thread.
public final class FrameConverter {
    private let scaling = ScalingContext<SetUp>()

    private struct SetUp: ScalingSetUp {
        let from: FrameShape
        let to: FrameShape

        /// swscale's numbers of the matrices. A matrix that swscale can't convert is kept (`FrameShape.reached`).
        var tables: (from: Int32, to: Int32) {
            guard let first = (from.matrix ?? to.matrix)?.number, let second = (to.matrix ?? from.matrix)?.number else {
                return (SWS_CS_DEFAULT, SWS_CS_DEFAULT)
            }
            return (Int32(first.rawValue), Int32(second.rawValue))
        }

        /// Ranges are set first: swscale chooses its conversion by them.
        func makeContext() throws(SourceTrouble) -> OpaquePointer {
            guard let context = qd_sws_alloc() else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
            let (fromTable, toTable) = tables
            // With another matrix, swscale converts through RGB.
            let accurate = qd_SWS_ACCURATE_RND | qd_SWS_FULL_CHR_H_INT | qd_SWS_FULL_CHR_H_INP
            let flags = qd_SWS_BICUBIC | (from.matrix != nil && fromTable != toTable ? accurate : 0)
            let options = [
                ("srcw", from.size.width), ("srch", from.size.height), ("src_format", Int(from.format.rawValue)),
                ("src_range", from.isFullRange ? 1 : 0), ("dstw", to.size.width), ("dsth", to.size.height),
                ("dst_format", Int(to.format.rawValue)), ("dst_range", to.isFullRange ? 1 : 0), ("sws_flags", Int(flags)),
            ]
            for (name, value) in options { qd_sws_set_option(context, name, Int64(value)) }
            guard qd_sws_init(context) >= 0 else {
                qd_sws_free(context)
                throw SourceTrouble(.unsupported, "swscale can't convert \(from.words) to \(to.words)")
            }
            qd_sws_set_details(
                context, sws_getCoefficients(fromTable), from.isFullRange ? 1 : 0, sws_getCoefficients(toTable),
                to.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
            return context
        }
    }

    public init() {}

    /// Converter to a format that can be turned, made at the first turn.
    private lazy var first = FrameConverter()

    /// Lays the samples in `orientation`, then converts to `shape`. Returns the frame itself if nothing is to be done.
    public func codecFrame(
        _ codecFrame: CodecFrame, as shape: FrameShape, oriented orientation: Orientation = .upright
    ) throws(SourceTrouble) -> CodecFrame {
        guard orientation == .upright else {
            let planar = try first.codecFrame(codecFrame, as: FrameShape(of: codecFrame).turnable(orientation))
            return try self.codecFrame(try planar.oriented(orientation), as: shape)
        }
        let from = FrameShape(of: codecFrame), wanted = SetUp(from: from, to: shape.reached(from: from))
        if wanted.from == wanted.to { return codecFrame }
        let context = try scaling.context(for: wanted)
        let result = CodecFrame(shape.size, shape.format.rawValue)
        let status = qd_sws_scale_frame(context, result.av, codecFrame.av)
        if status < 0 { throw SourceTrouble(.unreadable, "scaling its frames: \(words(for: status))") }
        result.av.pointee.colorspace = wanted.to.matrix?.number ?? codecFrame.av.pointee.colorspace
        // A matrix that was only assumed stays marked as assumed.
        if wanted.to.matrix == from.matrix { result.decided = codecFrame.decided }
        result.av.pointee.color_range = shape.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        return result
    }
}
