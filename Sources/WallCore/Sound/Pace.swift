/// Holds the stream to the clock: says how fast the mix is to be taken, from where the stream says it is.
///
/// Positions are wall times: when the sample that is taken next is meant to be heard, and when the stream says it
/// will be. Single measurements are shaky, so their median counts. Small errors are let be, so what is played by a clock
/// that keeps to ours is untouched. Where they grow all the same the stream has a clock of its own: from then on it is
/// followed by a second-order loop, whose `drift` is how far apart the two clocks go. It moves the pitch by less than
/// anybody hears (0.1 cents for an error of 2 ms) and rests only where there is no drift. What is over `usual` is worked
/// off faster, by less than 0.2 % in all; beyond 80 ms, or where the stream broke anyway, the position jumps.
public struct Pace: Sendable {
    static let largestCorrection = 0.0019
    public static let jumpBeyond = Time.milliseconds(80)
    /// Errors up to here are let be.
    static let tolerated = Time.milliseconds(2)
    /// Errors up to here have been followed to their end.
    static let settled = Time(ticks: Time.ticksPerSecond / 5_000)
    /// Errors up to here are worked off by the slow loop alone.
    static let usual = Time.milliseconds(3)
    /// The part of an error that is worked off in a second, up to `usual`, and of what is over it.
    static let slowly = 1.0 / 30, fast = 0.5
    /// Two clocks that go apart by less are one.
    static let leastDrift = 3e-6
    /// In measurements.
    static let window = 31

    /// How much faster than real time the mix is taken, as a fraction.
    public private(set) var correction = 0.0
    /// The last median, for reports.
    public private(set) var error = Time.zero
    /// How much faster the stream's clock goes than ours, as far as that is known.
    private var drift = 0.0
    private var errors: [Int64] = []
    private var oldest = 0
    private var lastHeard = Time.zero
    private var state = State.lost

    /// After a jump on a single measurement, the first median may still move the position at once.
    private enum State { case lost, found, settled, following }

    public init() {}

    /// The stream began anew or broke: the next measurement is believed.
    public mutating func lose() { state = .lost }

    /// Answers where the position has to jump to, if it has.
    public mutating func measure(position: Time, heard: Time) -> Time? {
        let passed = min(max(0, (heard - lastHeard).seconds), 1)
        lastHeard = heard
        if state == .lost { return jump(to: heard, .found) }
        let error = (heard - position).ticks
        if errors.count < Self.window {
            errors.append(error)
        } else {
            errors[oldest] = error
            oldest = (oldest + 1) % Self.window
        }
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
        // Critically damped: one small overshoot, and no swing.
        drift = Self.limited(drift + slow.seconds * Self.slowly * Self.slowly / 4 * passed)
        correction = Self.limited(drift + slow.seconds * Self.slowly + (error - slow).seconds * Self.fast)
    }

    private static func limited(_ correction: Double) -> Double {
        min(largestCorrection, max(-largestCorrection, correction))
    }

    private mutating func jump(to heard: Time, _ state: State) -> Time {
        (correction, drift, error, self.state, errors, oldest) = (0, 0, .zero, state, [], 0)
        return heard
    }
}
