import Base
import CFFmpeg
import Decoded

/// Converts a part of a frame to 16-bit colours, from its original if that has more than what is shown.
///
/// Belongs to one thread. Planes keep their memory allocated, but the next request may overwrite it.
public final class DeepColours {
    private let scaler = PlanarScaler()
    private let turned = SampleMemory()

    public init() {}

    /// One plane for each colour, in rows of `stride` samples. The upper bytes are 8-bit colours: swscale's white is
    /// 0xFF03.
    public struct Planes {
        public let red: UnsafePointer<UInt16>
        public let green: UnsafePointer<UInt16>
        public let blue: UnsafePointer<UInt16>
        public let stride: Int
        /// Allocation that contains the planes; nil if the caller keeps it.
        var block: SampleMemory.Block?
    }

    /// `part`: area in pixels of the frame. Returns nil if swscale can't convert it.
    public func planes(of frame: Frame, part: Rect, size: Size) -> Planes? {
        do throws(SourceTrouble) {
            let (codecFrame, orientation) = try frame.samples(of: part)
            let stored = try scaler.colours(of: codecFrame, size: size.turned(orientation.turn))
            return orientation == .upright ? stored : oriented(stored, orientation, size)
        } catch {
            return nil
        }
    }

    private func oriented(_ stored: Planes, _ orientation: Orientation, _ size: Size) -> Planes {
        let before = size.turned(orientation.turn), count = size.width * size.height
        let block = turned.block(of: 3 * count), base = block.base
        for (plane, from) in [stored.red, stored.green, stored.blue].enumerated() {
            let to = base + plane * count
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = orientation.stored(x, y, in: before)
                    to[y * size.width + x] = from[place.y * stored.stride + place.x]
                }
            }
        }
        return Planes(
            red: UnsafePointer(base), green: UnsafePointer(base + count), blue: UnsafePointer(base + 2 * count),
            stride: size.width, block: block)
    }
}

/// Sample memory that grows on demand. Belongs to one thread.
final class SampleMemory {
    private var current = Block(count: 0)

    /// An allocation that stays valid as long as it is retained.
    final class Block {
        let base: UnsafeMutablePointer<UInt16>
        let count: Int

        fileprivate init(count: Int) {
            (base, self.count) = (.allocate(capacity: count), count)
            base.initialize(repeating: 0, count: count)
        }

        deinit { base.deallocate() }
    }

    /// Returns at least `count` samples, not cleared: the previous block if it is large enough.
    func block(of count: Int) -> Block {
        if current.count < count { current = Block(count: count) }
        return current
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

/// Converts any frame to 16-bit colours with swscale, one plane for each colour. Belongs to one thread.
private final class PlanarScaler {
    private let scaling = ScalingContext<Conversion>()
    private let memory = SampleMemory()

    func colours(of codecFrame: CodecFrame, size: Size) throws(SourceTrouble) -> DeepColours.Planes {
        let from = FrameColours(of: codecFrame), to = from.converted(to: AV_PIX_FMT_GBRP16LE, size)
        let context = try scaling.context(
            for: Conversion(from: from, to: to, flags: qd_SWS_AREA | qd_SWS_ACCURATE_RND))
        let stride = (size.width + 31) & ~31, count = stride * size.height
        // swscale writes whole vectors, also beyond the end.
        let block = memory.block(of: 3 * count + 64), base = block.base
        qd_scale_planes(
            context, codecFrame.av, UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self),
            Int32(2 * stride),
            2 * count)
        return DeepColours.Planes(
            red: UnsafePointer(base + 2 * count), green: UnsafePointer(base), blue: UnsafePointer(base + count),
            stride: stride, block: block)
    }
}
