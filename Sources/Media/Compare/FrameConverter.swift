import Base
import CFFmpeg
import Decoded

/// Converts frames from one shape to another with swscale, as FFmpeg's filter scale does. Belongs to one thread.
final class FrameConverter {
    private let scaling = ScalingContext()

    /// Converter to a format that can be turned, made at the first turn.
    private lazy var first: FrameConverter = FrameConverter()

    /// Lays the samples in `orientation`, then converts to `shape`. Returns the frame itself if nothing is to be done.
    func codecFrame(
        _ codecFrame: CodecFrame, as shape: FrameShape, oriented orientation: Orientation = .upright
    ) throws(SourceTrouble) -> CodecFrame {
        guard orientation == .upright else {
            let planar = try first.codecFrame(codecFrame, as: FrameShape(of: codecFrame).turnable(orientation))
            return try self.codecFrame(try planar.oriented(orientation), as: shape)
        }
        let from = FrameShape(of: codecFrame), reached = shape.reached(from: from)
        if from == reached { return codecFrame }
        let context = try scaling.context(for: Conversion(from: from, to: reached))
        let result = CodecFrame(shape.size, shape.format.rawValue)
        let status = qd_sws_scale_frame(context, result.av, codecFrame.av)
        if status < 0 { throw SourceTrouble(.unreadable, "scaling its frames: \(words(for: status))") }
        result.av.pointee.colorspace = reached.matrix?.number ?? codecFrame.av.pointee.colorspace
        // A matrix that was only assumed stays marked as assumed.
        if reached.matrix == from.matrix { result.decided = codecFrame.decided }
        result.av.pointee.color_range = shape.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        return result
    }
}

/// Converts pairs of frames to the shape in which they are compared. Belongs to one thread.
public final class PairConverter {
    private let references = FrameConverter()
    private let others = FrameConverter()

    public init() {}

    /// Returns both frames in `shape`. `orientation`: that in which the other's samples are laid; nil for that of the
    /// reference.
    public func pair(
        _ reference: CodecFrame, _ other: CodecFrame, as shape: FrameShape, oriented orientation: Orientation? = nil
    ) throws(SourceTrouble) -> FramePair {
        FramePair(
            reference: try references.codecFrame(reference, as: shape),
            other: try others.codecFrame(
                other, as: shape, oriented: orientation ?? other.orientation(toMatch: reference)))
    }
}

extension Conversion {
    /// A matrix that swscale can't convert is kept (`FrameShape.reached`).
    fileprivate init(from: FrameShape, to: FrameShape) {
        var matrices = (from: AVCOL_SPC_UNSPECIFIED, to: AVCOL_SPC_UNSPECIFIED)
        if let one = (from.matrix ?? to.matrix)?.number, let other = (to.matrix ?? from.matrix)?.number {
            matrices = (one, other)
        }
        // With another matrix, swscale converts through RGB.
        let isThroughRGB = from.matrix != nil && matrices.from != matrices.to
        self.init(
            from: from.colours(matrices.from), to: to.colours(matrices.to),
            flags: qd_SWS_BICUBIC | (isThroughRGB ? Conversion.accurate : 0))
    }
}

extension FrameShape {
    fileprivate func colours(_ matrix: AVColorSpace) -> FrameColours {
        FrameColours(
            size: size, format: format, matrix: matrix, range: isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG)
    }
}
