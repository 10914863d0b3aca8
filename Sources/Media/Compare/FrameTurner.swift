import Base
import CFFmpeg
import Decoded

// Frames are compared as they are on screen. If a container turns or mirrors only one of two frames, that frame's
// samples are rearranged like the other's. No sample value changes.
extension CodecFrame {
    /// Returns the orientation in which the samples must be stored to match the samples of `reference`.
    func orientation(toMatch reference: CodecFrame) -> Orientation { orientation.then(reference.orientation.undone) }

    /// Returns a frame of the same samples, stored in `orientation`. The format must have each component in a plane of
    /// its own (`PlaneLayout`) and permit the turn (`FrameShape.oriented`).
    func oriented(_ orientation: Orientation) throws(SourceTrouble) -> CodecFrame {
        if orientation == .upright { return self }
        let shape = FrameShape(of: self)
        guard let target = shape.oriented(orientation), let from = PlaneLayout(shape.format),
            let to = PlaneLayout(target.format)
        else { throw SourceTrouble(.unsupported, "\(shape.words) can't be turned") }
        let result = CodecFrame(target.size, target.format.rawValue)
        result.decided = decided
        let status = av_frame_get_buffer(result.av, 0)
        guard status >= 0 else { throw SourceTrouble(.unreadable, words(for: status)) }
        result.av.pointee.colorspace = av.pointee.colorspace
        result.av.pointee.color_primaries = av.pointee.color_primaries
        result.av.pointee.color_trc = av.pointee.color_trc
        result.av.pointee.color_range = target.isFullRange ? AVCOL_RANGE_JPEG : av.pointee.color_range
        for index in 0..<to.count {
            guard let one = plane(index, from), let other = result.plane(index, to) else {
                throw SourceTrouble(.damaged, "a frame lacks a plane")
            }
            one.copy(to: other, to.bits > 8 ? .word : .byte, in: orientation)
        }
        return result
    }
}

extension Orientation {
    /// For messages; nil if nothing is done.
    var words: String? {
        let turned = turn == .none ? nil : "turned by \(turn.rawValue) degrees"
        let mirrored = mirroring == .none ? nil : "mirrored"
        let words = [mirrored, turned].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: " and ")
    }
}

extension FrameShape {
    /// Shape after its planes are stored in `orientation`; nil if the planes can't be rearranged, or if no pixel format
    /// describes the result.
    func oriented(_ orientation: Orientation) -> FrameShape? {
        guard let planes = PlaneLayout(format) else { return nil }
        guard orientation.turn == .quarter || orientation.turn == .threeQuarters else { return self }
        var shape = self
        shape.size = Size(size.height, size.width)
        if planes.chromaWidthShift == planes.chromaHeightShift || planes.count < 3 { return shape }
        guard let sideways = FrameShape.sideways.first(where: { $0.from == format })?.to else { return nil }
        shape.format = sideways
        return shape
    }

    /// Returns the shape of samples stored in `orientation`, before the conversion to the reference's shape.
    public func compared(_ orientation: Orientation) -> FrameShape {
        orientation == .upright ? self : oriented(orientation) ?? turnable(orientation).oriented(orientation) ?? self
    }

    /// Returns a shape in which samples can be stored in `orientation`: this one, or one with at least as much chroma.
    func turnable(_ orientation: Orientation) -> FrameShape {
        let planar = comparable
        if planar.oriented(orientation) != nil { return planar }
        var shape = planar
        let bits = PlaneLayout(planar.format)?.bits ?? 8
        shape.format = av_get_pix_fmt(bits > 8 ? "yuv444p\(bits)" : "yuv444p")
        return shape
    }

    /// Formats with chroma of half the width, and the formats that a quarter turn makes of them, with chroma of half
    /// the height. A list: in Swift 6.0, C's enums are not Hashable.
    private static let sideways: [(from: AVPixelFormat, to: AVPixelFormat)] = {
        let pairs = ["", "10", "12"].map { (av_get_pix_fmt("yuv422p\($0)"), av_get_pix_fmt("yuv440p\($0)")) }
        let known = pairs.filter { $0 != AV_PIX_FMT_NONE && $1 != AV_PIX_FMT_NONE }
        return known + known.map { ($1, $0) }
    }()
}
