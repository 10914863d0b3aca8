/// Chooses the gain of a difference from the frame: the largest power of two with which almost all of the pixels that
/// differ stay below white.
struct AutomaticGain {
    private var counts = [Int](repeating: 0, count: 1 << 12)
    private var sum = 0

    /// Share of the pixels that stay below white.
    private static let share = 0.99
    private static let range = 1.0...64.0
    /// Rows of which the gain is chosen, at least, if the frame has them.
    private static let rows = 256

    /// Distance between the rows of which the gain is chosen.
    static func step(ofHeight height: Int) -> Int { max(1, height / rows) }

    /// Adds the largest difference of a pixel among its colours, of 16 bits. Pixels that are equal don't count.
    mutating func add(_ apart: UInt16) {
        guard apart > 0 else { return }
        counts[Int(apart >> 4)] += 1
        sum += 1
    }

    var gain: Double {
        guard sum > 0 else { return Self.range.upperBound }
        let least = Int((Double(sum) * Self.share).rounded(.up))
        var (place, count) = (0, counts[0])
        while count < least {
            place += 1
            count += counts[place]
        }
        // Upper end of the differences that are counted in this place.
        let apart = Double((place + 1) << 4)
        var gain = Self.range.lowerBound
        while gain < Self.range.upperBound, apart * gain * 2 <= 65536 { gain *= 2 }
        return gain
    }
}
