import Base
import CFFmpeg
import Decoded

/// Converts a wall's frames to frames for an encoder: I420 with the size and the colours of the first frame. Belongs to
/// one thread.
final class EncoderFrameConverter {
    let size: Size
    let colours: Colorimetry
    private let scaling = ScalingContext<Conversion>()

    /// Encoders need even sides. Returns nil if nothing is left.
    init?(like frame: Frame) {
        size = Size(frame.size.width & ~1, frame.size.height & ~1)
        guard size.width > 0, size.height > 0 else { return nil }
        colours = frame.format.colours ?? Colorimetry(size.height >= 720 ? .bt709 : .bt601, .limited)
    }

    /// Copies the frame.
    func codecFrame(of frame: Frame) throws(FilmTrouble) -> CodecFrame {
        let source = CodecFrame(planesOf: frame), result = CodecFrame(size, AV_PIX_FMT_YUV420P.rawValue)
        try FilmTrouble.check(av_frame_get_buffer(result.av, 0), "making a frame")
        result.tag(colours)
        // An odd row or column is left out. swscale then only copies.
        let isAsIs =
            frame.format == .i420(colours) && frame.size.width & ~1 == size.width
            && frame.size.height & ~1 == size.height
        if isAsIs { (source.av.pointee.width, source.av.pointee.height) = (Int32(size.width), Int32(size.height)) }
        let conversion = Conversion(
            from: FrameColours(of: source), to: FrameColours(of: result), flags: qd_SWS_BILINEAR | qd_SWS_ACCURATE_RND)
        do throws(SourceTrouble) {
            qd_scale_frame(try scaling.context(for: conversion), source.av, result.av)
        } catch {
            throw FilmTrouble("swscale can't convert frames of this size to the recording's")
        }
        return result
    }
}

extension CodecFrame {
    /// Refers to the planes of a frame without retaining them.
    convenience init(planesOf frame: Frame) {
        self.init(frame.size, frame.format.pixels.rawValue)
        for (place, plane) in frame.planes.enumerated() {
            qd_set_plane(av, Int32(place), UnsafeMutablePointer(mutating: plane.base), Int32(plane.stride))
        }
        if let colours = frame.format.colours { tag(colours) }
    }

    fileprivate func tag(_ colours: Colorimetry) {
        (av.pointee.colorspace, av.pointee.color_range) = (colours.matrix.number, colours.range.number)
    }
}

extension Frame.Format {
    /// nil if the format is not YUV.
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
    /// FFmpeg's number.
    var number: AVColorSpace {
        switch self {
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}

extension Colorimetry.Range {
    /// FFmpeg's number.
    var number: AVColorRange { self == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
}
