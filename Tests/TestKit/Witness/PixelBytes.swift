/// Compares pixels of four bytes. Tests are compiled without optimisation, TestKit with it.
public enum PixelBytes {
    /// Writes `pixel` to `count` places.
    public static func fill(_ base: UnsafeMutablePointer<UInt8>, with pixel: [UInt8], count: Int) {
        for place in 0..<count {
            for channel in 0..<4 { base[place * 4 + channel] = pixel[channel] }
        }
    }

    /// The first pixel of which a channel differs by more than `limit` from that of `colour`.
    public static func firstUnlike(
        _ colour: [Int], in base: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, limit: Int
    ) -> (x: Int, y: Int)? {
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<4 where abs(Int(base[y * stride + x * 4 + channel]) - colour[channel]) > limit {
                    return (x, y)
                }
            }
        }
        return nil
    }

    /// The largest difference of bytes at one place.
    public static func largestDifference(_ bytes: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>) -> Int {
        zip(bytes, others).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}
