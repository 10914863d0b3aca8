import Base
import Scene

/// JPEG images of a pair of frames, both upright and in colours, and of their difference.
public struct PairImages: Sendable {
    public let size: Size
    public let reference: [UInt8]
    public let other: [UInt8]
    /// |a − b| times `gain` of each colour: brighter means a larger difference.
    public let difference: [UInt8]

    /// `longest`: longest side in pixels. Returns nil if there is no memory, or no encoder.
    public init?(_ pair: FramePair, longest: Int, gain: Int) {
        guard let other = try? pair.other.described(as: pair.reference) else { return nil }
        let natural = pair.reference.natural
        let scale = min(1, Double(longest) / Double(max(1, natural.width, natural.height)))
        let wanted = Size(
            max(1, Int((Double(natural.width) * scale).rounded())),
            max(1, Int((Double(natural.height) * scale).rounded()))
        )
        let scaler = Scaler(), pool = FrameBufferPool()
        func frame(_ codecFrame: CodecFrame) -> Frame? {
            try? scaler.frame(from: codecFrame, size: wanted, formats: .bgra, pool: pool)
        }
        guard let a = frame(pair.reference), let b = frame(other), a.size == b.size else { return nil }
        size = a.size
        let difference = PairImages.difference(a.planes[0], b.planes[0], a.size, gain: gain)
        let jpegs = [a.planes[0], b.planes[0]].map { JPEG.bytes(of: $0.base, stride: $0.stride, size: a.size) }
        guard let first = jpegs[0], let second = jpegs[1],
            let third = difference.withUnsafeBufferPointer({
                JPEG.bytes(of: $0.baseAddress!, stride: a.size.width * 4, size: a.size)
            })
        else { return nil }
        (reference, self.other, self.difference) = (first, second, third)
    }

    private static func difference(_ a: Frame.Plane, _ b: Frame.Plane, _ size: Size, gain: Int) -> [UInt8] {
        let width = size.width * 4
        return [UInt8](unsafeUninitializedCapacity: width * size.height) { bytes, count in
            for y in 0..<size.height {
                let (first, second) = (a.base + y * a.stride, b.base + y * b.stride)
                for x in 0..<width {
                    bytes[y * width + x] = UInt8(min(255, abs(Int(first[x]) - Int(second[x])) * gain))
                }
            }
            count = width * size.height
        }
    }
}
