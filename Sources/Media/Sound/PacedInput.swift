import WallCore

/// What a sound input hears, on the system's line of time: an input whose clock runs away from it is taken a little
/// faster or slower. Samples of one whose clock does not are untouched. One thread.
public struct PacedInput {
    /// Samples without a gap.
    public struct Stretch {
        public let samples: [Float]
        /// When the first of them was heard.
        public let heardAt: Time
        /// They do not follow those before.
        public let isAnew: Bool
    }

    /// Whether a small correction may be made at once.
    public enum Correction { case atOnce, slowly }

    private var resampler = Resampler()
    private var pace = Pace()
    /// When the next sample to be taken was heard.
    private var next: Time?

    public init() {}

    /// `heardAt`: as the stream measures the first of them.
    public mutating func take(
        _ samples: UnsafeBufferPointer<Float>, heardAt: Time, _ correction: Correction
    ) -> Stretch {
        let held = Time(ticks: Int64((resampler.pending * Double(SoundGrid.ticksPerSample)).rounded()))
        let measured = heardAt - held
        var isAnew = next == nil
        if let jump = pace.measure(position: next ?? measured, heard: measured) {
            let distance = next.map { (jump - $0).magnitude } ?? .distantFuture
            if distance > Pace.jumpBeyond || correction == .atOnce { (next, isAnew) = (jump, true) }
        }
        let start = next ?? measured
        resampler.append(Array(samples))
        let speed = 1 - pace.correction
        var count = max(0, Int(resampler.pending / speed))
        while count > 0, resampler.missing(for: count, at: speed) > 0 { count -= 1 }
        var taken = [Float](repeating: 0, count: count * 2)
        taken.withUnsafeMutableBufferPointer { taken in
            if let target = taken.baseAddress { resampler.take(count, at: speed, to: target) }
        }
        next = start + SoundGrid.time(of: Int64(count))
        return Stretch(samples: taken, heardAt: start, isAnew: isAnew)
    }
}
