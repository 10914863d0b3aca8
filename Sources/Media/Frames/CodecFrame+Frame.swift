import Base
import CFFmpeg
import Decoded

extension CodecFrame {
    /// Refers to the planes of a frame without retaining them.
    convenience init(planesOf frame: Frame) {
        self.init(frame.size, frame.format.pixels.rawValue)
        for (place, plane) in frame.planes.enumerated() {
            qd_set_plane(av, Int32(place), UnsafeMutablePointer(mutating: plane.base), Int32(plane.stride))
        }
        if let colours = frame.format.colours { tag(colours) }
    }

    /// States the meaning of its samples.
    func tag(_ colours: Colorimetry) {
        (av.pointee.colorspace, av.pointee.color_range) = (colours.matrix.number, colours.range.number)
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
