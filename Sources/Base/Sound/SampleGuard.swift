/// Keeps the samples of one sound fit for a mix: replaces those that are no finite numbers by silence, and limits absurd
/// ones to full scale.
///
/// Every sound passes a guard before it reaches a converter, a filter or a mix, which a single infinite sample could
/// spoil for good. Overs of usual films and recordings stay as they are, for the mix's limiter. Once a sample is
/// absurd, its sound alone gets quieter, and recovers. Used by one thread.
public struct SampleGuard: Sendable {
    /// Largest sample that is no mistake: 18 dB over full scale.
    private static let largest = 8.0
    /// Larger samples have no meaning in any scale, and are replaced like infinite ones.
    private static let senseless = 1e10
    /// Samples after which the gain has grown by its own value.
    private static let recovery = 3_000.0

    /// Gain at the end of the last samples; 1 unless some were absurd.
    private var gain = 1.0

    public init() {}

    /// Mends samples in place, those of each channel or of all channels together. Returns true if any was wrong.
    public mutating func mend(_ planes: [UnsafeMutableBufferPointer<Float>]) -> Bool { mend(all: planes) }
    public mutating func mend(_ planes: [UnsafeMutableBufferPointer<Double>]) -> Bool { mend(all: planes) }

    /// True if `mend` would change nothing.
    public func accepts(_ planes: [UnsafeMutableBufferPointer<Float>]) -> Bool { accepts(all: planes) }
    public func accepts(_ planes: [UnsafeMutableBufferPointer<Double>]) -> Bool { accepts(all: planes) }

    /// Returns mended samples; nil if there is nothing to change.
    public mutating func mended(_ samples: UnsafeBufferPointer<Float>) -> (samples: [Float], wasWrong: Bool)? {
        if accepts([UnsafeMutableBufferPointer(mutating: samples)]) { return nil }
        var copy = Array(samples)
        let wasWrong = copy.withUnsafeMutableBufferPointer { mend([$0]) }
        return (copy, wasWrong)
    }

    private func accepts<Sample: BinaryFloatingPoint>(all planes: [UnsafeMutableBufferPointer<Sample>]) -> Bool {
        guard gain == 1 else { return false }
        let largest = Sample(Self.largest)
        return planes.allSatisfy { plane in
            var wrong: UInt8 = 0
            // False for a sample that is no number.
            for sample in plane { wrong |= sample.magnitude <= largest ? 0 : 1 }
            return wrong == 0
        }
    }

    private mutating func mend<Sample: BinaryFloatingPoint>(all planes: [UnsafeMutableBufferPointer<Sample>]) -> Bool {
        if accepts(all: planes) { return false }
        var (peak, wasWrong) = (Sample.zero, false)
        let senseless = Sample(Self.senseless)
        for plane in planes {
            for index in plane.indices {
                let size = plane[index].magnitude
                if size <= senseless { peak = max(peak, size) } else { (plane[index], wasWrong) = (0, true) }
            }
        }
        if peak > Sample(Self.largest) { wasWrong = true }
        guard gain < 1 || peak > Sample(Self.largest) else { return wasWrong }
        let most = peak > 1 ? 1 / Double(peak) : 1
        let count = planes.map(\.count).max() ?? 0
        let first = min(gain, most)
        gain = min(first * (1 + Double(count) / Self.recovery), most)
        for plane in planes where !plane.isEmpty {
            let step = (gain - first) / Double(plane.count)
            for index in plane.indices {
                plane[index] = Sample(Double(plane[index]) * (first + step * Double(index)))
            }
        }
        return wasWrong
    }
}
