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
        let route = Route(layout, AVPixelFormat(codecFrame.av.pointee.format), codecFrame.bits)
        let plan = try ColourPlan(codecFrame.colorimetry, bits: route.bits, to: goal)
        let tables: ColourTables
        if let made = self.tables, made.plan == plan { tables = made } else { tables = ColourTables(plan) }
        self.tables = tables
        let samples = try samples(of: codecFrame, layout, route, size, pool)
        try samples.planes.convert(by: tables, order: samples.order, to: target, in: pool)
        return samples.alpha
    }

    /// The way from a frame's pixels to planes.
    private enum Route {
        case planes(bits: Int)
        /// Planes of green, blue and red.
        case planesOfRGB(bits: Int)
        /// By BGRA.
        case bytes
        /// By swscale's planes of 16 bits.
        case deep(isRGB: Bool)

        init(_ layout: FrameLayout, _ format: AVPixelFormat, _ bits: Int) {
            guard case .other(let opacity) = layout else {
                self = .planes(bits: bits)
                return
            }
            let flags = Int32(truncatingIfNeeded: av_pix_fmt_desc_get(format)?.pointee.flags ?? 0)
            let isRGB = flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
            let isOdd = flags & (AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_PAL) != 0
            if isRGB, flags & AV_PIX_FMT_FLAG_PLANAR != 0, !isOdd, opacity == .opaque {
                self = .planesOfRGB(bits: bits)
            } else {
                self = isRGB && bits <= 8 ? .bytes : .deep(isRGB: isRGB)
            }
        }

        /// Bits of a sample in the planes.
        var bits: Int {
            switch self {
            case .planes(let bits), .planesOfRGB(let bits): bits
            case .bytes: 8
            case .deep: 16
            }
        }
    }

    private static let noPlanes = SourceTrouble(.unreadable, "a frame without its planes")

    private func samples(
        of codecFrame: CodecFrame, _ layout: FrameLayout, _ route: Route, _ size: Size, _ pool: FrameBufferPool
    ) throws(SourceTrouble) -> Samples {
        let isTranslucent = layout == .other(.translucent)
        switch route {
        case .planes:
            guard let planes = try PlaneBuffer.stored(codecFrame, layout, in: pool) else { throw Self.noPlanes }
            return Samples(planes: planes)
        case .planesOfRGB(let bits):
            guard let planes = PlaneBuffer(.i444, bits > 8 ? .word : .byte, of: codecFrame) else {
                throw Self.noPlanes
            }
            return Samples(planes: planes, order: Self.orderOfRGB)
        case .bytes:
            let colours = try converter.convert(codecFrame, in: pool).scaled(to: size, as: .bgra, in: pool)
            return Samples(planes: try colours.separated(in: pool), alpha: isTranslucent ? colours : nil)
        case .deep(let isRGB):
            let planes = try converter.convert(codecFrame, to: .deepPlanes, in: pool)
            let alpha =
                isTranslucent
                ? try converter.convert(codecFrame, in: pool).scaled(to: size, as: .bgra, in: pool) : nil
            return Samples(planes: planes, order: isRGB ? Self.orderOfRGB : (0, 1, 2), alpha: alpha)
        }
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
