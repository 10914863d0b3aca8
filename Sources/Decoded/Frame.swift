import Base

/// A decoded, scaled, upright frame. Immutable: any thread may read it.
///
/// Media makes frames, the player passes them on, and the canvases draw them.
public final class Frame: Sendable {
    /// Size in pixels, after scaling, rotation, turn and flip.
    public let size: Size
    /// Size of the whole upright frame in the source's own square pixels, before scaling (sample aspect, rotation, turn
    /// applied). The fit is computed from it.
    public let natural: Size
    /// Size of the same frame in stored pixels, which need not be square.
    public let stored: Size
    public let format: Format
    public let planes: [Plane]
    /// Coding of the decoded frame; nil for a frame that was drawn.
    public let coded: CodedTraits?
    /// Type with which the frame was coded; nil if its codec has no types.
    public let type: CodedType?
    /// The frame as it was decoded; nil if it was not kept.
    public let original: Original?
    /// Memory that the frame holds, in bytes.
    public let bytes: Int
    /// Bits of a sample of the decoded frame.
    public let bits: Int
    /// Object that holds the planes; nil if they outlive the frame.
    let owner: (any AnyObject & Sendable)?

    public enum Format: Hashable, Sendable {
        /// 8 bit planar; three planes Y, U, V.
        case i420(Colorimetry)
        case i444(Colorimetry)
        /// One plane of B, G, R, A bytes (libyuv's ARGB). Premultiplied if translucent.
        case bgra(Opacity)
    }
    /// I: coded by itself. P: predicted from frames before. B: predicted from frames on both sides.
    public enum CodedType: String, Sendable { case intra = "I", predicted = "P", bidirectional = "B" }
    public enum Opacity: Hashable, Sendable { case opaque, translucent }

    /// One plane; rows are `stride` bytes apart.
    public struct Plane: @unchecked Sendable {
        public let base: UnsafePointer<UInt8>
        public let stride: Int
        public init(base: UnsafePointer<UInt8>, stride: Int) { (self.base, self.stride) = (base, stride) }
    }

    /// Makes a frame of planes in memory. `owner` holds that memory, and is released with the frame, on the thread that
    /// releases the last reference. `bits`: bits of a sample of the decoded frame. `stored`: nil if its pixels are
    /// square. `bytes`: memory that the frame holds; nil if that is the memory of the planes and the original.
    public init(
        size: Size, natural: Size, stored: Size? = nil, format: Format, planes: [Plane], coded: CodedTraits? = nil,
        type: CodedType? = nil, original: Original? = nil, bytes: Int? = nil, bits: Int = 8,
        owner: (any AnyObject & Sendable)? = nil
    ) {
        (self.size, self.natural, self.stored) = (size, natural, stored ?? natural)
        (self.format, self.planes, self.bits, self.owner) = (format, planes, bits, owner)
        (self.coded, self.type, self.original) = (coded, type, original)
        self.bytes = bytes ?? format.bytes(of: planes, size) + (original?.bytes ?? 0)
    }

    /// True if nothing beneath the frame can be seen.
    public var isOpaque: Bool { format != .bgra(.translucent) }

    /// True if the frame keeps everything that `keeping` asks for.
    public func keeps(_ keeping: FrameKeeping) -> Bool {
        original != nil || !keeping.includes(bits: bits, coded?.colorimetry)
    }

    /// True if the frame has kept an original that has more than what is shown: bits, or colours.
    public var isReduced: Bool {
        original.map { FrameKeeping.reduced.includes(bits: $0.bits, $0.colorimetry) } ?? false
    }

    /// Returns the pixel at these shares of width and height, from 0 to 1; nil if the frame has kept no original.
    public func values(atX x: Double, y: Double) -> PixelValues? { original?.read(self, x, y) }
}

extension Frame {
    /// The decoded frame from which a frame was made: its samples in memory, as its decoder stored them.
    public struct Original: Sendable {
        public let colorimetry: SourceColorimetry
        /// Bits of a sample.
        public let bits: Int
        /// Orientation that was applied.
        public let orientation: Orientation
        /// Memory that the original holds beside the frame's own planes, in bytes.
        public let bytes: Int
        /// The decoded frame in the form that the target has that decoded it.
        public let decoded: any AnyObject & Sendable
        /// Returns a pixel of the frame that has this original, at shares of its width and height.
        let read: PixelReader

        public typealias PixelReader = @Sendable (_ frame: Frame, _ x: Double, _ y: Double) -> PixelValues?

        public init(
            _ decoded: any AnyObject & Sendable, _ colorimetry: SourceColorimetry, bits: Int,
            _ orientation: Orientation, bytes: Int, read: @escaping PixelReader
        ) {
            (self.decoded, self.colorimetry, self.bits) = (decoded, colorimetry, bits)
            (self.orientation, self.bytes, self.read) = (orientation, bytes, read)
        }
    }
}

extension Frame.Format {
    /// Size of planes of a frame, with the padding of their rows, in bytes.
    fileprivate func bytes(of planes: [Frame.Plane], _ size: Size) -> Int {
        planes.indices.reduce(0) { $0 + planes[$1].stride * self.size(ofPlane: $1, of: size).height }
    }

    /// Number of pixels that share a sample of a plane, each way.
    public func step(ofPlane number: Int) -> Int { if case .i420 = self, number > 0 { 2 } else { 1 } }

    /// Returns the size of a plane of an image with this format.
    public func size(ofPlane number: Int, of image: Size) -> Size {
        let step = step(ofPlane: number)
        return Size((image.width + step - 1) / step, (image.height + step - 1) / step)
    }

    /// Number of pixels that share a chroma sample, each way.
    public var chromaStep: Int { step(ofPlane: 1) }
}

/// Meaning of the values of a YUV frame as colours.
public struct Colorimetry: Hashable, Sendable {
    public var matrix: Matrix
    public var range: Range
    public enum Matrix: Sendable { case bt601, bt709, bt2020 }
    public typealias Range = SourceColorimetry.Range
    public init(_ matrix: Matrix, _ range: Range) { (self.matrix, self.range) = (matrix, range) }

    /// nil for a matrix that only swscale knows.
    public init?(_ source: SourceColorimetry) {
        switch source.matrix {
        case .bt601: self.init(.bt601, source.range)
        case .bt709: self.init(.bt709, source.range)
        case .bt2020: self.init(.bt2020, source.range)
        case .rgb, .other: return nil
        }
    }
}

/// Frame formats that a canvas accepts. Every canvas accepts opaque and translucent BGRA.
public enum FrameFormats: Sendable, Hashable {
    /// Every format that a scaler makes.
    case all
    /// The formats of SDL's YUV textures: 4:2:0 in BT.601 limited, BT.601 full and BT.709 limited.
    case textures
    /// No YUV.
    case bgra

    public func takes(_ format: Frame.Format) -> Bool {
        switch (self, format) {
        case (.all, _), (_, .bgra): true
        case (.textures, .i420(let colorimetry)):
            colorimetry.matrix == .bt601 || colorimetry == Colorimetry(.bt709, .limited)
        case (.textures, .i444), (.bgra, _): false
        }
    }
}

extension Frame {
    /// True if no sample of a grid over the frame is visibly brighter than black.
    public var isBlack: Bool {
        switch format {
        case .i420(let colorimetry), .i444(let colorimetry):
            let black = colorimetry.range == .limited ? 16 : 0
            return isBelow(black + Self.darkest, bytes: 1)
        case .bgra(.opaque): return isBelow(Self.darkest, bytes: 4)
        case .bgra(.translucent): return false
        }
    }

    /// Distance above black; noise and the first frames of a slow fade lie below it.
    private static let darkest = 14
    private static let (columns, rows) = (48, 27)

    private func isBelow(_ limit: Int, bytes: Int) -> Bool {
        let across = max(1, size.width / Self.columns), down = max(1, size.height / Self.rows)
        for y in stride(from: down / 2, to: size.height, by: down) {
            let row = planes[0].base + y * planes[0].stride
            for x in stride(from: across / 2, to: size.width, by: across) {
                // The alpha byte of four is ignored.
                for byte in 0..<min(bytes, 3) where Int(row[x * bytes + byte]) > limit { return false }
            }
        }
        return true
    }
}
