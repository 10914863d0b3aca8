import Base

/// Puts the samples of a sound input on the system's timeline. If the input's clock drifts, samples are taken a little
/// faster or slower. Otherwise they are unchanged. Belongs to one thread.
public struct PacedInput {
    /// Samples without a gap.
    public struct Chunk {
        public let samples: [Float]
        /// Time at which the input heard the first sample.
        public let heardAt: Time
        /// True if the samples do not follow the previous chunk.
        public let isAnew: Bool
    }

    /// Speed at which a small error is corrected.
    public enum Correction { case atOnce, slowly }

    private var resampler = Resampler()
    private var pace = Pace()
    /// Time at which the input heard the next sample to be taken; nil until the first block.
    private var next: Time?

    public init() {}

    /// `heardAt`: time of the first sample, as the stream measures it.
    public mutating func take(
        _ samples: UnsafeBufferPointer<Float>, heardAt: Time, _ correction: Correction
    ) -> Chunk {
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
        return Chunk(samples: taken, heardAt: start, isAnew: isAnew)
    }
}
