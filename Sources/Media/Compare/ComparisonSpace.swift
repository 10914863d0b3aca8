import Base
import CFFmpeg

/// The values that figures compare.
public enum ComparisonSpace: String, CaseIterable, Sendable {
    /// Code values as the reference has them.
    case coded
    /// Colours on an SDR display: HDR is tone-mapped, gamuts are mapped to BT.709.
    case sdr
    /// Absolute luminance, encoded by PQ.
    case linear
}

/// Converts frames to a space in which frames of other transfer curves and primaries can be compared. Belongs to one
/// thread.
public final class SpaceConverter {
    private let space: ComparisonSpace
    private let mapper = ColourMapper()
    private let pool = FrameBufferPool(keeping: 16 << 20)

    public init(_ space: ComparisonSpace) { self.space = space }

    /// Returns the frame with its own size, orientation and aspect: BGRA, or grey of 16 bits.
    public func codecFrame(of codecFrame: CodecFrame) throws(SourceTrouble) -> CodecFrame {
        if space == .coded { return codecFrame }
        let colorimetry = codecFrame.colorimetry
        if case .other = colorimetry.transfer {
            throw SourceTrouble(.unsupported, "the transfer \(colorimetry.transfer.words) can't be converted")
        }
        guard let mapping = ColourMapping(of: colorimetry, ToneMapping()) else {
            throw SourceTrouble(.unsupported, "the primaries \(colorimetry.primaries.words) can't be converted")
        }
        let goal: ColourPlan.Goal = space == .linear ? .luminance(mapping) : .mapped(mapping)
        let size = codecFrame.storage, format = space == .sdr ? AV_PIX_FMT_BGRA : AV_PIX_FMT_GRAY16LE
        let result = CodecFrame(size, format.rawValue)
        let status = av_frame_get_buffer(result.av, 0)
        guard status >= 0, let base = qd_plane(result.av, 0) else {
            throw SourceTrouble(.unreadable, words(for: status))
        }
        let target = PlaneBuffer.Plane(base: base, stride: qd_stride(result.av, 0), size: size)
        try mapper.convert(codecFrame, FrameLayout(codecFrame.format), to: goal, size, target, in: pool)
        let tags = SourceColorimetry.Tags(matrix: .rgb, range: .full, transfer: .bt1886, primaries: .bt709)
        let described = try result.described(as: codecFrame)
        described.av.pointee.colorspace = AVCOL_SPC_RGB
        described.av.pointee.color_range = AVCOL_RANGE_JPEG
        described.decided = SourceColorimetry(tags, size: size)
        return described
    }
}
