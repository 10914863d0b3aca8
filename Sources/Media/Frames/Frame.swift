import Base

/// A decoded, scaled, upright frame. Immutable once published: any thread may read it.
///
/// Its planes live in a buffer that returns to its `FrameStore` when the last reference is released.
public final class Frame: @unchecked Sendable {
    /// Size in pixels, after scaling, rotation, turn and flip.
    public let size: Size
    /// Size of the whole upright frame in the source's own square pixels, before scaling (sample aspect, rotation, turn
    /// applied). The fit is computed from it.
    public let natural: Size
    public let format: Format
    public let planes: [Plane]
    /// Coding of the decoded frame; nil for a frame that was drawn.
    public let coded: CodedTraits?
    /// The frame as it was decoded; nil if it was not kept.
    public let original: Original?
    /// Bits of a sample of the decoded frame.
    private let bits: Int
    private let giveBack: () -> Void

    public enum Format: Hashable, Sendable {
        /// 8 bit planar; three planes Y, U, V.
        case i420(Colorimetry)
        case i444(Colorimetry)
        /// One plane of B, G, R, A bytes (libyuv's ARGB). Premultiplied if translucent.
        case bgra(Opacity)
    }
    public enum Opacity: Hashable, Sendable { case opaque, translucent }

    /// One plane; rows are `stride` bytes apart.
    public struct Plane: @unchecked Sendable {
        public let base: UnsafePointer<UInt8>
        public let stride: Int
        public init(base: UnsafePointer<UInt8>, stride: Int) { (self.base, self.stride) = (base, stride) }
    }

    /// `giveBack` runs once, on the thread that releases the last reference.
    public convenience init(
        size: Size, natural: Size, format: Format, planes: [Plane], giveBack: @escaping () -> Void
    ) {
        self.init(
            size: size, natural: natural, format: format, planes: planes, coded: nil, original: nil, bits: 8,
            giveBack: giveBack)
    }

    init(
        size: Size, natural: Size, format: Format, planes: [Plane], coded: CodedTraits?, original: Original?,
        bits: Int, giveBack: @escaping () -> Void
    ) {
        (self.size, self.natural, self.format, self.planes) = (size, natural, format, planes)
        (self.coded, self.original, self.bits, self.giveBack) = (coded, original, bits, giveBack)
    }

    deinit { giveBack() }

    /// True if nothing beneath the frame can be seen.
    public var isOpaque: Bool { format != .bgra(.translucent) }

    /// The decoded frame from which a frame was made, and the orientation that was applied.
    public struct Original {
        public let codecFrame: CodecFrame
        public let orientation: Orientation
        /// True if the decoded frame and the frame share their planes.
        let isShared: Bool
    }

    public func keeps(_ keeping: FrameKeeping) -> Bool {
        switch keeping {
        case .none: true
        case .deep: original != nil || bits <= 8
        case .all: original != nil
        }
    }

    /// Memory that the frame holds, in bytes.
    public var bytes: Int { bytesOfPlanes + (original.map { $0.isShared ? 0 : $0.codecFrame.bytes } ?? 0) }

    private var bytesOfPlanes: Int {
        switch format {
        case .i420: planes[0].stride * size.height + (planes[1].stride + planes[2].stride) * ((size.height + 1) / 2)
        case .i444: planes.reduce(0) { $0 + $1.stride * size.height }
        case .bgra: planes[0].stride * size.height
        }
    }
}

/// Meaning of the values of a YUV frame as colours.
public struct Colorimetry: Hashable, Sendable {
    public var matrix: Matrix
    public var range: Range
    public enum Matrix: Sendable { case bt601, bt709, bt2020 }
    public enum Range: Sendable { case limited, full }
    public init(_ matrix: Matrix, _ range: Range) { (self.matrix, self.range) = (matrix, range) }
}
