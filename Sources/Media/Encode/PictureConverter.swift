import CFFmpeg
import CYUV
import WallCore

/// Makes frames for an encoder from a wall's pictures: I420 of one size and one meaning, those of the first picture.
/// Belongs to one thread.
final class PictureConverter {
    let size: Size
    let colours: Colorimetry
    private var context: OpaquePointer?
    private var setUp: SetUp?

    private struct SetUp: Equatable {
        let size: Size
        let format: Picture.Format
    }

    /// Encoders take whole pairs of rows and columns; nil: there is none.
    init?(like picture: Picture) {
        size = Size(picture.size.width & ~1, picture.size.height & ~1)
        guard size.width > 0, size.height > 0 else { return nil }
        colours = picture.format.colours ?? Colorimetry(size.height >= 720 ? .bt709 : .bt601, .limited)
    }

    deinit { qd_sws_free(context) }

    /// Copies. The caller frees the frame.
    func codecFrame(of picture: Picture) throws(FilmTrouble) -> UnsafeMutablePointer<AVFrame> {
        var made = av_frame_alloc()
        guard let codecFrame = made else { throw FilmTrouble(qd_ENOMEM, "making a frame") }
        (codecFrame.pointee.width, codecFrame.pointee.height) = (Int32(size.width), Int32(size.height))
        codecFrame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        do throws(FilmTrouble) {
            let status = av_frame_get_buffer(codecFrame, 0)
            guard status >= 0 else { throw FilmTrouble(status, "making a frame") }
            let isAsIs =
                picture.format == .i420(colours) && picture.size.width & ~1 == size.width
                && picture.size.height & ~1 == size.height
            if isAsIs { copy(picture, into: codecFrame) } else { try scale(picture, into: codecFrame) }
        } catch {
            av_frame_free(&made)
            throw error
        }
        return codecFrame
    }

    private func copy(_ picture: Picture, into codecFrame: UnsafeMutablePointer<AVFrame>) {
        for (index, plane) in picture.planes.enumerated() {
            let shift = index == 0 ? 0 : 1
            CopyPlane(
                plane.base, Int32(plane.stride), qd_plane(codecFrame, Int32(index)),
                qd_stride(codecFrame, Int32(index)),
                Int32(size.width >> shift), Int32(size.height >> shift))
        }
    }

    private func scale(_ picture: Picture, into codecFrame: UnsafeMutablePointer<AVFrame>) throws(FilmTrouble) {
        let wanted = SetUp(size: picture.size, format: picture.format)
        if wanted != setUp {
            qd_sws_free(context)
            (context, setUp) = (sws(from: picture), wanted)
        }
        guard let context else { throw FilmTrouble("no way from pictures of this size to the recording's") }
        let planes: [UnsafePointer<UInt8>?] = picture.planes.map { $0.base } + [nil, nil, nil]
        let strides = picture.planes.map { Int32($0.stride) } + [0, 0, 0]
        let targets: [UnsafeMutablePointer<UInt8>?] = (0..<3).map { qd_plane(codecFrame, $0) } + [nil]
        let targetStrides = (0..<3).map { qd_stride(codecFrame, $0) } + [0]
        qd_sws_scale(context, planes, strides, Int32(picture.size.height), targets, targetStrides)
    }

    private func sws(from picture: Picture) -> OpaquePointer? {
        let flags = qd_SWS_BILINEAR | qd_SWS_FULL_CHR_H_INP | qd_SWS_ACCURATE_RND
        let made = qd_sws_make(
            Int32(picture.size.width), Int32(picture.size.height), picture.format.pixels, Int32(size.width),
            Int32(size.height), AV_PIX_FMT_YUV420P, flags)
        guard let made else { return nil }
        let from = picture.format.colours
        // swscale asks for a table of RGB too, and does not look at it.
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

extension Picture.Format {
    /// nil: it has no YUV.
    fileprivate var colours: Colorimetry? {
        switch self {
        case .i420(let colours), .i444(let colours): colours
        case .bgra: nil
        }
    }

    fileprivate var pixels: AVPixelFormat {
        switch self {
        case .i420: AV_PIX_FMT_YUV420P
        case .i444: AV_PIX_FMT_YUV444P
        case .bgra: AV_PIX_FMT_BGRA
        }
    }
}

extension Colorimetry.Matrix {
    /// FFmpeg's.
    var number: AVColorSpace {
        switch self {
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}
