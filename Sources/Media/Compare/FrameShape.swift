import Base
import CFFmpeg

/// Size, pixel format, range and matrix of a frame. Frames are compared if these are equal.
public struct FrameShape: Equatable {
    var size: Size
    /// The frame's format, with the plain format in place of one that implies a full range.
    var format: AVPixelFormat
    var isFullRange: Bool
    /// nil for RGB and for gray, which have none.
    private(set) var matrix: SourceColorimetry.Matrix?
    /// Decides if a frame that is converted to this shape keeps its own matrix.
    private var matrices = Matrices.converted

    /// Treatment of a matrix that differs.
    private enum Matrices { case converted, keptIfAssumed, kept }

    public init(of codecFrame: CodecFrame) {
        let name = codecFrame.format.name ?? "", impliesFull = name.hasPrefix("yuvj")
        format = impliesFull ? av_get_pix_fmt("yuv" + name.dropFirst(4)) : codecFrame.format
        size = codecFrame.storage
        isFullRange = impliesFull || codecFrame.av.pointee.color_range == AVCOL_RANGE_JPEG
        let colorimetry = codecFrame.colorimetry
        if colorimetry.matrix != .rgb, format.traits?.nb_components ?? 0 >= 3 {
            matrix = colorimetry.matrix
            if colorimetry.assumed.contains(.matrix) { matrices = .keptIfAssumed }
        }
    }

    /// Shape in which frames of this shape are compared: this shape itself if its planes can be compared.
    public var comparable: FrameShape {
        if PlaneLayout(format) != nil { return self }
        var shape = self
        let choices = FrameShape.planar + [AV_PIX_FMT_NONE]
        var loss: Int32 = 0
        shape.format = avcodec_find_best_pix_fmt_of_list(choices, format, 0, &loss)
        // swscale converts RGB to limited range, and FFmpeg's filters convert it to BT.601.
        if format.isRGB { (shape.isFullRange, shape.matrix) = (false, .bt601) }
        return shape
    }

    func comparable(in colours: FilmComparison.Colours) -> FrameShape {
        var shape = comparable
        if colours == .asCoded { shape.matrices = .kept }
        return shape
    }

    /// Shape to which a frame of shape `from` is converted before it is compared with a frame of this shape.
    ///
    /// Two matrices that were both assumed from sizes are most likely equal, so code values are left as they are.
    public func reached(from: FrameShape) -> FrameShape {
        var shape = self
        let isKept = matrices == .kept || matrices == .keptIfAssumed && from.matrices == .keptIfAssumed
        if let own = from.matrix, isKept || matrix == nil || own.number == nil || matrix?.number == nil {
            shape.matrix = own
        }
        shape.matrices = from.matrices
        return shape
    }

    /// Formats in the machine's byte order.
    private static let planar = {
        let yuv = ["", "10", "12", "16"].flatMap { bits in ["yuv420p", "yuv422p", "yuv444p"].map { $0 + bits } }
        return (yuv + ["gray", "gray10", "gray16"]).map { (name: String) in av_get_pix_fmt(name) }
    }()

    /// For messages: this shape and the one to which it is converted; nil if they are the same. `isMapped`: both have the
    /// colours of a space of comparison, whose formats are no formats of the films.
    public func words(convertedTo target: FrameShape, isMapped: Bool) -> (own: String, target: String)? {
        guard isMapped else { return self == target ? nil : (words(beside: target), target.words(beside: self)) }
        guard size != target.size else { return nil }
        return ("\(size.width)x\(size.height)", "\(target.size.width)x\(target.size.height)")
    }

    /// For messages: `1280x720 yuv420p, BT.709`.
    private func words(beside other: FrameShape) -> String {
        guard let matrix, let others = other.matrix, matrix != others else { return words }
        return "\(words), \(matrix.words)"
    }

    /// For messages: `1280x720 yuv420p`.
    var words: String {
        "\(size.width)x\(size.height) \(format.name ?? "unknown")\(isFullRange ? " of full range" : "")"
    }
}

/// Layout of a frame with planes that can be compared: Y, U, V and alpha each in a plane of its own, in whole samples.
struct PlaneLayout {
    let bits: Int
    /// Number of planes: 4, 3 without alpha, or 1 without colour.
    let count: Int
    let chromaWidthShift: Int
    let chromaHeightShift: Int

    init?(_ format: AVPixelFormat) {
        let others = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL
        guard let traits = format.traits, traits.nb_components > 0, !format.isRGB,
            !format.has(others | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER)
        else { return nil }
        let all = [traits.comp.0, traits.comp.1, traits.comp.2, traits.comp.3]
        let components = all.prefix(traits.nb_components < 3 ? 1 : Int(traits.nb_components))
        let bits = Int(components[0].depth), bytes = bits > 8 ? 2 : 1
        for (index, component) in components.enumerated() {
            guard component.plane == index, component.depth == bits, component.step == bytes, component.shift == 0,
                component.offset == 0, (8...16).contains(bits)
            else { return nil }
        }
        (self.bits, count) = (bits, components.count)
        chromaWidthShift = Int(traits.log2_chroma_w)
        chromaHeightShift = Int(traits.log2_chroma_h)
    }

    func size(ofPlane index: Int, in size: Size) -> Size {
        guard index == 1 || index == 2 else { return size }
        return Size(-(-size.width >> chromaWidthShift), -(-size.height >> chromaHeightShift))
    }
}

extension CodecFrame {
    /// A plane of a frame with this layout; nil if the frame lacks it.
    func plane(_ index: Int, _ layout: PlaneLayout) -> PlaneBuffer.Plane? {
        qd_plane(av, Int32(index)).map {
            PlaneBuffer.Plane(
                base: $0, stride: qd_stride(av, Int32(index)), size: layout.size(ofPlane: index, in: storage))
        }
    }
}
