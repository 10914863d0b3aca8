import Base
import CFFmpeg

/// Size of a frame and meaning of its samples, for swscale: pixel format, matrix and range.
struct FrameColours: Hashable {
    private(set) var size: Size
    private(set) var format: AVPixelFormat
    private let matrix: UInt32
    private let range: UInt32

    init(of codecFrame: CodecFrame) {
        let av = codecFrame.av.pointee
        // A matrix that swscale can't convert has no number. The frame's own `colorspace` is used then.
        let matrix = codecFrame.colorimetry.matrix.number ?? av.colorspace
        (size, format) = (codecFrame.storage, codecFrame.format)
        (self.matrix, range) = (matrix.rawValue, av.color_range.rawValue)
    }

    /// Returns the same matrix and range in another format.
    func converted(to format: AVPixelFormat, _ size: Size) -> FrameColours {
        var result = self
        (result.size, result.format) = (size, format)
        return result
    }

    /// swscale's factors for the matrix. RGB needs some too, which swscale ignores.
    fileprivate var table: UnsafePointer<Int32>? { sws_getCoefficients(Int32(matrix)) }

    /// Returns swscale's number of the range. `usual`: that of the format, for frames that state none.
    fileprivate func range(usually usual: Int32) -> Int32 {
        switch AVColorRange(range) {
        case AVCOL_RANGE_JPEG: 1
        case AVCOL_RANGE_MPEG: 0
        default: usual
        }
    }
}

/// A conversion by swscale.
struct Conversion: Equatable, ScalingSetUp {
    let from: FrameColours
    let to: FrameColours
    let flags: Int32

    func makeContext() throws(SourceTrouble) -> OpaquePointer {
        let made = qd_sws_make(
            Int32(from.size.width), Int32(from.size.height), from.format, Int32(to.size.width), Int32(to.size.height),
            to.format, flags | qd_SWS_FULL_CHR_H_INT | qd_SWS_FULL_CHR_H_INP)
        guard let context = made else {
            let name = from.format.name ?? "unknown"
            throw SourceTrouble(.unsupported, "the pixel format \(name) can't be converted")
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

/// The sizes, formats and colours for which a context of swscale is made.
protocol ScalingSetUp: Equatable {
    /// Returns a context of swscale. The caller frees it.
    func makeContext() throws(SourceTrouble) -> OpaquePointer
}

/// A context of swscale, made anew when it is wanted for another setup. Belongs to one thread.
final class ScalingContext<SetUp: ScalingSetUp> {
    private var made: (context: OpaquePointer, setUp: SetUp)?

    deinit { qd_sws_free(made?.context) }

    func context(for setUp: SetUp) throws(SourceTrouble) -> OpaquePointer {
        if let made, made.setUp == setUp { return made.context }
        qd_sws_free(made?.context)
        made = nil
        let context = try setUp.makeContext()
        made = (context, setUp)
        return context
    }
}
