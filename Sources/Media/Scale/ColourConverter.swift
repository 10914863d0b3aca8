import CFFmpeg
import WallCore

/// swscale, from whatever a frame holds to BGRA of the same size. Belongs to one thread.
final class ColourConverter {
    private var context: OpaquePointer?
    private var setUp: SetUp?

    private struct SetUp: Hashable {
        let size: Size
        let format: Int32
        let matrix: UInt32
        let range: UInt32
    }

    deinit { sws_freeContext(context) }

    func convert(_ frame: Frame, in store: PictureStore) throws(SourceTrouble) -> PlaneBuffer {
        let av = frame.av.pointee
        let wanted = SetUp(
            size: frame.storage, format: av.format, matrix: av.colorspace.rawValue, range: av.color_range.rawValue)
        if wanted != setUp {
            setUp = nil
            try prepare(wanted)
            setUp = wanted
        }
        let result = try PlaneBuffer(.bgra, frame.storage, in: store)
        qd_scale(context, frame.av, result.planes[0].base, result.planes[0].stride)
        return result
    }

    /// Where it throws there is no context any more.
    private func prepare(_ wanted: SetUp) throws(SourceTrouble) {
        sws_freeContext(context)
        let (width, height) = (Int32(wanted.size.width), Int32(wanted.size.height))
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        context = sws_getContext(
            width, height, AVPixelFormat(wanted.format), width, height, AV_PIX_FMT_BGRA, flags, nil, nil, nil)
        guard let context else {
            let name = av_get_pix_fmt_name(AVPixelFormat(wanted.format)).map { String(cString: $0) } ?? "unknown"
            throw SourceTrouble(.unsupported, "no way to show pixels of the format \(name)")
        }
        var (range, targetRange): (Int32, Int32) = (0, 0)
        var (brightness, contrast, saturation): (Int32, Int32, Int32) = (0, 0, 0)
        var (table, targetTable): (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?)
        sws_getColorspaceDetails(
            context, &table, &range, &targetTable, &targetRange, &brightness, &contrast, &saturation)
        switch AVColorRange(wanted.range) {
        case AVCOL_RANGE_JPEG: range = 1
        case AVCOL_RANGE_MPEG: range = 0
        default: break
        }
        let coefficients = sws_getCoefficients(
            wanted.matrix == AVCOL_SPC_UNSPECIFIED.rawValue ? SWS_CS_DEFAULT : Int32(wanted.matrix))
        sws_setColorspaceDetails(
            context, coefficients, range, coefficients, 1, brightness, contrast, saturation)
    }
}
