import Base
import CFFmpeg

/// Meaning of a frame's samples: pixel format, matrix and range.
struct FrameColours: Hashable {
    let format: Int32
    let matrix: UInt32
    let range: UInt32

    init(of codecFrame: CodecFrame) {
        let av = codecFrame.av.pointee
        // A matrix that swscale can't convert has no number. The frame's own `colorspace` is used then.
        let matrix = codecFrame.colorimetry.matrix.number ?? av.colorspace
        (format, self.matrix, range) = (av.format, matrix.rawValue, av.color_range.rawValue)
    }

    var isRGB: Bool {
        let flags = av_pix_fmt_desc_get(AVPixelFormat(format))?.pointee.flags ?? 0
        return flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// Returns a swscale context for the conversion to `target`. The caller frees it. `keepsRange`: false for a target
    /// of full range.
    func context(
        from: Size, to: Size, _ target: AVPixelFormat, keepsRange: Bool = false, flags: Int32
    ) throws(SourceTrouble) -> OpaquePointer {
        let flags = flags | qd_SWS_FULL_CHR_H_INT | qd_SWS_FULL_CHR_H_INP
        let made = qd_sws_make(
            Int32(from.width), Int32(from.height), AVPixelFormat(format), Int32(to.width), Int32(to.height), target,
            flags)
        guard let context = made else {
            let name = av_get_pix_fmt_name(AVPixelFormat(format)).map { String(cString: $0) } ?? "unknown"
            throw SourceTrouble(.unsupported, "the pixel format \(name) can't be converted")
        }
        var (range, targetRange): (Int32, Int32) = (0, 0)
        var (brightness, contrast, saturation): (Int32, Int32, Int32) = (0, 0, 0)
        var (table, targetTable): (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
        qd_sws_get_details(context, &table, &range, &targetTable, &targetRange, &brightness, &contrast, &saturation)
        switch AVColorRange(self.range) {
        case AVCOL_RANGE_JPEG: range = 1
        case AVCOL_RANGE_MPEG: range = 0
        default: break
        }
        let coefficients = sws_getCoefficients(Int32(matrix))
        qd_sws_set_details(
            context, coefficients, range, coefficients, keepsRange ? range : 1, brightness, contrast, saturation)
        return context
    }
}

/// A context of swscale, made anew when it is wanted for another setup. Belongs to one thread.
final class ScalingContext<SetUp: Equatable> {
    private var made: (context: OpaquePointer, setUp: SetUp)?

    deinit { qd_sws_free(made?.context) }

    /// `make`: makes a context for the setup.
    func context<Failure: Error>(
        for setUp: SetUp, _ make: () throws(Failure) -> OpaquePointer
    ) throws(Failure) -> OpaquePointer {
        if let made, made.setUp == setUp { return made.context }
        qd_sws_free(made?.context)
        made = nil
        let context = try make()
        made = (context, setUp)
        return context
    }
}
