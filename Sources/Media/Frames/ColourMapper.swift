import Base
import CFFmpeg
import CYUV

/// Converts frames whose colours must be mapped for the display, or whose matrix only `ColourTables` know. Belongs to
/// one thread.
final class ColourMapper {
    private var tables: ColourTables?
    private let converter = ColourConverter()

    /// Planes of one frame, and the index of the plane of each column of the matrix.
    private struct Samples {
        var planes: PlaneBuffer
        /// Bits of a sample.
        var bits: Int
        var order = (0, 1, 2)
        /// BGRA whose alpha the frame has; nil for an opaque frame.
        var alpha: PlaneBuffer?
    }

    private static let orderOfRGB = (2, 0, 1)

    /// Returns BGRA of colours for the display. nil for a frame whose colours can be shown as they are.
    func colours(
        of codecFrame: CodecFrame, _ layout: FrameLayout, size: Size, _ toneMapping: ToneMapping,
        in pool: FrameBufferPool
    ) throws(SourceTrouble) -> PlaneBuffer? {
        guard let goal = ColourPlan.Goal(codecFrame.colorimetry, toneMapping) else { return nil }
        let result = try PlaneBuffer(.bgra, size, in: pool)
        if let alpha = try convert(codecFrame, layout, to: goal, size, result.planes[0], in: pool) {
            let (from, to) = (alpha.planes[0], result.planes[0])
            ARGBCopyAlpha(from.base, from.stride, to.base, to.stride, to.width, to.height)
            result.premultiply()
        }
        return result
    }

    /// Fills `target`, of this size. Returns BGRA with the frame's alpha; nil if the frame is opaque.
    @discardableResult
    func convert(
        _ codecFrame: CodecFrame, _ layout: FrameLayout, to goal: ColourPlan.Goal, _ size: Size,
        _ target: PlaneBuffer.Plane, in pool: FrameBufferPool
    ) throws(SourceTrouble) -> PlaneBuffer? {
        let samples = try samples(of: codecFrame, layout, size, pool)
        let plan = try ColourPlan(codecFrame.colorimetry, bits: samples.bits, to: goal)
        let tables: ColourTables
        if let made = self.tables, made.plan == plan { tables = made } else { tables = ColourTables(plan) }
        self.tables = tables
        try samples.planes.convert(by: tables, order: samples.order, to: target, in: pool)
        return samples.alpha
    }

    private static let noPlanes = SourceTrouble(.unreadable, "a frame without its planes")

    private func samples(
        of codecFrame: CodecFrame, _ layout: FrameLayout, _ size: Size, _ pool: FrameBufferPool
    ) throws(SourceTrouble) -> Samples {
        let bits = codecFrame.bits
        guard case .other(let opacity) = layout else {
            guard let planes = try PlaneBuffer.stored(codecFrame, layout, in: pool) else { throw Self.noPlanes }
            return Samples(planes: planes, bits: bits)
        }
        let format = codecFrame.format, isRGB = format.isRGB
        let isOdd = format.has(AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_PAL)
        if isRGB, format.has(AV_PIX_FMT_FLAG_PLANAR), !isOdd, opacity == .opaque {
            // Planes of green, blue and red.
            guard let planes = PlaneBuffer(.i444, bits > 8 ? .word : .byte, of: codecFrame) else {
                throw Self.noPlanes
            }
            return Samples(planes: planes, bits: bits, order: Self.orderOfRGB)
        }
        let isByBytes = isRGB && bits <= 8, isTranslucent = opacity == .translucent
        let colours =
            isByBytes || isTranslucent
            ? try converter.convert(codecFrame, in: pool).scaled(to: size, as: .bgra, in: pool) : nil
        let alpha = isTranslucent ? colours : nil
        if isByBytes, let colours {
            return Samples(planes: try colours.separated(in: pool), bits: 8, alpha: alpha)
        }
        let planes = try converter.convert(codecFrame, to: .deepPlanes, in: pool)
        return Samples(planes: planes, bits: 16, order: isRGB ? Self.orderOfRGB : (0, 1, 2), alpha: alpha)
    }
}

extension PlaneBuffer {
    /// Returns BGRA as planes of red, green and blue.
    fileprivate func separated(in pool: FrameBufferPool) throws(SourceTrouble) -> PlaneBuffer {
        let result = try PlaneBuffer(.i444, size, in: pool)
        let (from, red, green, blue) = (planes[0], result.planes[0], result.planes[1], result.planes[2])
        SplitARGBPlane(
            from.base, from.stride, red.base, red.stride, green.base, green.stride, blue.base, blue.stride, nil, 0,
            from.width, from.height)
        return result
    }
}
