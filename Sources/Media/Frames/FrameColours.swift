import Base
import CFFmpeg

/// Size of a frame and meaning of its samples, for swscale.
struct FrameColours: Equatable {
    var size: Size
    var format: AVPixelFormat
    /// swscale uses the factors of BT.601 for a matrix that it does not know.
    var matrix: AVColorSpace
    var range: AVColorRange
}

extension FrameColours {
    init(of codecFrame: CodecFrame) {
        // A matrix that swscale can't convert has no number. The frame's own `colorspace` is used then.
        let av = codecFrame.av.pointee, matrix = codecFrame.colorimetry.matrix.number ?? av.colorspace
        self.init(size: codecFrame.storage, format: codecFrame.format, matrix: matrix, range: av.color_range)
    }

    /// swscale's factors for the matrix. RGB needs some too, which swscale ignores.
    fileprivate var table: UnsafePointer<Int32>? { sws_getCoefficients(Int32(matrix.rawValue)) }

    /// Returns swscale's number of the range. `usual`: that of the format, for frames that state none.
    fileprivate func range(usually usual: Int32) -> Int32 {
        switch range {
        case AVCOL_RANGE_JPEG: 1
        case AVCOL_RANGE_MPEG: 0
        default: usual
        }
    }
}

/// A conversion by swscale.
struct Conversion: Equatable {
    let from: FrameColours
    let to: FrameColours
    let flags: Int32

    /// Flags for exact colours.
    static let accurate = qd_SWS_ACCURATE_RND | qd_SWS_FULL_CHR_H_INT | qd_SWS_FULL_CHR_H_INP

    /// Ranges are set first: swscale chooses its conversion by them.
    fileprivate func makeContext() throws(SourceTrouble) -> OpaquePointer {
        guard let context = qd_sws_alloc() else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
        let options = [
            ("srcw", Int32(from.size.width)), ("srch", Int32(from.size.height)), ("src_format", from.format.rawValue),
            ("src_range", from.range(usually: 0)), ("dstw", Int32(to.size.width)), ("dsth", Int32(to.size.height)),
            ("dst_format", to.format.rawValue), ("dst_range", to.range(usually: 0)), ("sws_flags", flags),
        ]
        for (name, value) in options { qd_sws_set_option(context, name, Int64(value)) }
        guard qd_sws_init(context) >= 0 else {
            qd_sws_free(context)
            let (own, target) = (from.format.name ?? "unknown", to.format.name ?? "unknown")
            throw SourceTrouble(.unsupported, "the pixel format \(own) can't be converted to \(target)")
        }
        var (range, targetRange): (Int32, Int32) = (0, 0)
        var (brightness, contrast, saturation): (Int32, Int32, Int32) = (0, 0, 0)
        var (table, targetTable): (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
        qd_sws_get_details(context, &table, &range, &targetTable, &targetRange, &brightness, &contrast, &saturation)
        range = from.range(usually: range)
        qd_sws_set_details(
            context, from.table, range, to.table, to.range(usually: range), brightness, contrast, saturation)
        return context
    }
}

/// A context of swscale, made anew when it is wanted for another conversion. Belongs to one thread.
final class ScalingContext {
    private var made: (context: OpaquePointer, conversion: Conversion)?

    deinit { qd_sws_free(made?.context) }

    func context(for conversion: Conversion) throws(SourceTrouble) -> OpaquePointer {
        if let made, made.conversion == conversion { return made.context }
        qd_sws_free(made?.context)
        made = nil
        let context = try conversion.makeContext()
        made = (context, conversion)
        return context
    }
}
