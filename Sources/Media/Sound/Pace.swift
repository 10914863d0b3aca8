import Base

/// Keeps a sound stream in step with the clock, by the speed at which the mix is taken.
///
/// Positions are wall times: the time at which the next sample should be heard, and the time at which the stream will
/// play it. Single measurements are noisy, so their median counts.
///
/// Small errors are ignored, so a stream on the same clock is untouched. If errors grow, the stream has a clock of its
/// own. A second-order loop then follows that clock: `drift` is the difference in speed between the two clocks. The
/// loop shifts the pitch inaudibly, by 0.1 cents for an error of 2 ms, and stops if there is no drift. Errors above
/// `usual` are corrected faster, by less than 0.2 % in all. Above 80 ms, or after the stream broke, the position jumps.
struct Pace {
    static let largestCorrection = 0.0019
    static let jumpBeyond = Time.milliseconds(80)
    /// Errors up to here are ignored.
    static let tolerated = Time.milliseconds(2)
    /// Errors up to here count as corrected.
    static let settled = Time(ticks: Time.ticksPerSecond / 5_000)
    /// Errors up to here are corrected by the slow loop alone.
    static let usual = Time.milliseconds(3)
    /// Part of an error that is corrected in a second: of the error up to `usual`, and of the rest.
    static let slowly = 1.0 / 30, fast = 0.5
    /// Smaller drifts count as none.
    static let leastDrift = 3e-6
    /// Number of measurements in the median.
    static let window = 31

    /// Additional speed at which the mix is taken, as a fraction of real time.
    private(set) var correction = 0.0
    /// Last median, for statistics.
    private(set) var error = Time.zero
    /// Speed of the stream's clock relative to the wall's, as far as it is known.
    private var drift = 0.0
    /// Last errors, oldest first, in ticks.
    private var errors: [Int64] = []
    private var lastHeard = Time.zero
    private var state = State.lost

    /// `found`: after a jump on a single measurement. The first median may then move the position again.
    private enum State { case lost, found, settled, following }

    /// The stream was restarted or broke. The next measurement sets the position.
    mutating func lose() { state = .lost }

    /// Takes a measurement. Returns the position to jump to; nil if there is no jump.
    mutating func measure(position: Time, heard: Time) -> Time? {
        let passed = min(max(0, (heard - lastHeard).seconds), 1)
        lastHeard = heard
        if state == .lost { return jump(to: heard, .found) }
        if errors.count == Self.window { errors.removeFirst() }
        errors.append((heard - position).ticks)
        guard errors.count == Self.window else { return nil }
        let median = Time(ticks: errors.sorted()[errors.count / 2])
        self.error = median
        let limit = state == .found ? Self.settled : Self.jumpBeyond
        if median.magnitude > limit { return jump(to: position + median, .settled) }
        if state == .found { state = .settled }
        correct(median, after: passed)
        return nil
    }

    private mutating func correct(_ error: Time, after passed: Double) {
        if error.magnitude > Self.tolerated { state = .following }
        if state == .following, error.magnitude < Self.settled, abs(drift) < Self.leastDrift { state = .settled }
        guard state == .following else {
            (correction, drift) = (0, 0)
            return
        }
        let slow = min(max(error, -Self.usual), Self.usual)
        // Critically damped, so it overshoots once at most and does not oscillate.
        drift = Self.limited(drift + slow.seconds * Self.slowly * Self.slowly / 4 * passed)
        correction = Self.limited(drift + slow.seconds * Self.slowly + (error - slow).seconds * Self.fast)
    }

    private static func limited(_ correction: Double) -> Double {
        min(largestCorrection, max(-largestCorrection, correction))
    }

    private mutating func jump(to heard: Time, _ state: State) -> Time {
        (correction, drift, error, self.state, errors) = (0, 0, .zero, state, [])
        return heard
    }
}

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
    public mutating func take(_ samples: UnsafeBufferPointer<Float>, heardAt: Time, _ correction: Correction) -> Chunk {
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
        let taken = [Float](unsafeUninitializedCapacity: count * 2) { taken, made in
            if let target = taken.baseAddress { resampler.take(count, at: speed, to: target) }
            made = count * 2
        }
        next = start + SoundGrid.time(of: Int64(count))
        return Chunk(samples: taken, heardAt: start, isAnew: isAnew)
    }
}
