import Base
import Scene

/// Reduces frames to small grey images. Belongs to one thread.
final class Glancer {
    private let scaler = Scaler()
    private let pool = FrameBufferPool(keeping: 1 << 20)
    private let size: Size

    init(size: Size) { self.size = size }

    /// Returns rows without gaps, always of this size: pixels of a smaller frame are repeated.
    func glance(at codecFrame: CodecFrame) throws(SourceTrouble) -> Glance {
        let frame = try scaler.frame(
            from: codecFrame, size: size, formats: .bgra, pool: pool)
        let plane = frame.planes[0]
        var brightness: [UInt8] = []
        brightness.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            let row = plane.base + y * frame.size.height / size.height * plane.stride
            for x in 0..<size.width {
                let pixel = row + x * frame.size.width / size.width * 4
                let (b, g, r) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
                brightness.append(UInt8((r * 77 + g * 150 + b * 29) >> 8))
            }
        }
        return Glance(brightness: brightness)
    }
}
