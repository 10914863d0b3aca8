import Base
import CFFmpeg
import CYUV
import Decoded

/// Converts a wall's frames to frames for an encoder: I420 with the size and the colours of the first frame. Belongs to
/// one thread.
final class EncoderFrameConverter {
    let size: Size
    let colours: Colorimetry
    private let scaling = ScalingContext<SetUp>()

    private struct SetUp: Equatable {
        let size: Size
        let format: Frame.Format
    }

    /// Encoders need even sides. Returns nil if nothing is left.
    init?(like frame: Frame) {
        size = Size(frame.size.width & ~1, frame.size.height & ~1)
        guard size.width > 0, size.height > 0 else { return nil }
        colours = frame.format.colours ?? Colorimetry(size.height >= 720 ? .bt709 : .bt601, .limited)
    }

    /// Copies the frame.
    func codecFrame(of frame: Frame) throws(FilmTrouble) -> CodecFrame {
        let made = CodecFrame(size, AV_PIX_FMT_YUV420P.rawValue), codecFrame = made.av
        try FilmTrouble.check(av_frame_get_buffer(codecFrame, 0), "making a frame")
        let isAsIs =
            frame.format == .i420(colours) && frame.size.width & ~1 == size.width
            && frame.size.height & ~1 == size.height
        if isAsIs { copy(frame, into: codecFrame) } else { try scale(frame, into: codecFrame) }
        return made
    }

    private func copy(_ frame: Frame, into codecFrame: UnsafeMutablePointer<AVFrame>) {
        for (index, plane) in frame.planes.enumerated() {
            let shift = index == 0 ? 0 : 1
            CopyPlane(
                plane.base, Int32(plane.stride), qd_plane(codecFrame, Int32(index)),
                qd_stride(codecFrame, Int32(index)),
                Int32(size.width >> shift), Int32(size.height >> shift))
        }
    }

    private func scale(_ frame: Frame, into codecFrame: UnsafeMutablePointer<AVFrame>) throws(FilmTrouble) {
        let setUp = SetUp(size: frame.size, format: frame.format)
        let context = try scaling.context(for: setUp) { () throws(FilmTrouble) in try makeContext(from: frame) }
        let planes: [UnsafePointer<UInt8>?] = frame.planes.map { $0.base } + [nil, nil, nil]
        let strides = frame.planes.map { Int32($0.stride) } + [0, 0, 0]
        let targets: [UnsafeMutablePointer<UInt8>?] = (0..<3).map { qd_plane(codecFrame, $0) } + [nil]
        let targetStrides = (0..<3).map { qd_stride(codecFrame, $0) } + [0]
        qd_sws_scale(context, planes, strides, Int32(frame.size.height), targets, targetStrides)
    }

    private func makeContext(from frame: Frame) throws(FilmTrouble) -> OpaquePointer {
        let flags = qd_SWS_BILINEAR | qd_SWS_FULL_CHR_H_INP | qd_SWS_ACCURATE_RND
        let made = qd_sws_make(
            Int32(frame.size.width), Int32(frame.size.height), frame.format.pixels, Int32(size.width),
            Int32(size.height), AV_PIX_FMT_YUV420P, flags)
        guard let made else { throw FilmTrouble("swscale can't convert frames of this size to the recording's") }
        let from = frame.format.colours
        // swscale requires a table for RGB too, and ignores it.
        let tables = (
            sws_getCoefficients(Int32((from ?? colours).matrix.number.rawValue)),
            sws_getCoefficients(Int32(colours.matrix.number.rawValue))
        )
        qd_sws_set_details(
            made, tables.0, from?.range == .limited ? 0 : 1, tables.1, colours.range == .full ? 1 : 0, 0, 1 << 16,
            1 << 16)
        return made
    }
}

extension Frame.Format {
    /// nil if the format is not YUV.
    var colours: Colorimetry? {
        switch self {
        case .i420(let colours), .i444(let colours): colours
        case .bgra: nil
        }
    }

    var pixels: AVPixelFormat {
        switch self {
        case .i420: AV_PIX_FMT_YUV420P
        case .i444: AV_PIX_FMT_YUV444P
        case .bgra: AV_PIX_FMT_BGRA
        }
    }
}

extension Colorimetry.Matrix {
    /// FFmpeg's number.
    var number: AVColorSpace {
        switch self {
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}
