import CFFmpeg
import WallCore

/// Which pictures a canvas takes. Opaque and translucent BGRA are taken by each.
public enum PictureFormats: Sendable, Hashable {
    /// Whatever a scaler makes.
    case all
    /// What SDL's YUV textures know: 4:2:0 in BT.601 limited, BT.601 full and BT.709 limited.
    case textures
    /// No YUV.
    case bgra

    public func takes(_ format: Picture.Format) -> Bool {
        switch (self, format) {
        case (.all, _), (_, .bgra): true
        case (.textures, .i420(let colorimetry)):
            colorimetry.matrix == .bt601 || colorimetry == Colorimetry(.bt709, .limited)
        case (.textures, .i444), (.bgra, _): false
        }
    }
}

extension Colorimetry {
    /// As the frame says it; where it says nothing, BT.601 and limited. Nil for a matrix that is none of ours.
    init?(of frame: AVFrame) {
        let matrix: Matrix
        switch frame.colorspace {
        case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: matrix = .bt601
        case AVCOL_SPC_BT709: matrix = .bt709
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: matrix = .bt2020
        default: return nil
        }
        switch AVPixelFormat(frame.format) {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P: self.init(matrix, .full)
        default: self.init(matrix, frame.color_range == AVCOL_RANGE_JPEG ? .full : .limited)
        }
    }
}
