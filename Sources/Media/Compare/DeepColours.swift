import Base
import Decoded

/// Converts a part of a frame to 16-bit colours, from its original if that has more than what is shown.
///
/// Belongs to one thread.
public final class DeepColours {
    private let converter = ColourConverter()
    private let pool = FrameBufferPool(keeping: 32 << 20)

    public init() {}

    /// One plane for each colour, in rows of `stride` samples. The upper bytes are 8-bit colours: swscale's white is
    /// 0xFF03.
    public struct Planes {
        public let red: UnsafePointer<UInt16>
        public let green: UnsafePointer<UInt16>
        public let blue: UnsafePointer<UInt16>
        public let stride: Int
        /// Holds the planes; nil if the caller does.
        var owner: (any AnyObject & Sendable)?
    }

    /// `part`: area in pixels of the frame. Returns nil if swscale can't convert it.
    public func planes(of frame: Frame, part: Rect, size: Size) -> Planes? {
        do throws(SourceTrouble) {
            let (codecFrame, orientation) = try frame.samples(of: part)
            let stored = try converter.convert(
                codecFrame, to: .deepColours(size.turned(orientation.turn)), in: pool)
            return Planes(try stored.oriented(orientation, in: pool))
        } catch {
            return nil
        }
    }
}

extension DeepColours.Planes {
    fileprivate init(_ buffer: PlaneBuffer) {
        let planes = buffer.planes.map { UnsafeRawPointer($0.base).assumingMemoryBound(to: UInt16.self) }
        (green, blue, red) = (planes[0], planes[1], planes[2])
        (stride, owner) = (Int(buffer.planes[0].stride) / 2, buffer.owner)
    }
}

extension Frame {
    /// Returns the stored samples of `part`, and the orientation that makes them upright.
    fileprivate func samples(of part: Rect) throws(SourceTrouble) -> (CodecFrame, Orientation) {
        guard isReduced, let original, let decoded = original.codecFrame else {
            let codecFrame = CodecFrame(planesOf: self)
            codecFrame.crop(to: part)
            return (codecFrame, .upright)
        }
        let codecFrame = try decoded.described(as: decoded)
        let corners = [(part.x, part.y), (part.maxX, part.maxY)].map { x, y in
            original.orientation.stored(Double(x) / Double(size.width), Double(y) / Double(size.height))
        }
        let whole = codecFrame.storage
        func side(_ a: Double, _ b: Double, _ length: Int) -> (first: Int, count: Int) {
            let first = Int((min(a, b) * Double(length)).rounded()), last = Int((max(a, b) * Double(length)).rounded())
            return (min(first, length - 1), max(1, last - first))
        }
        let across = side(corners[0].x, corners[1].x, whole.width),
            down = side(corners[0].y, corners[1].y, whole.height)
        codecFrame.crop(to: Rect(across.first, down.first, across.count, down.count))
        return (codecFrame, original.orientation)
    }
}
