/// Holds the stream to the clock: says how fast the mix is to be taken, from where the stream says it is.
///
/// Positions are wall times: when the sample that is taken next is meant to be heard, and when the stream says it
/// will be. Single measurements are shaky, so their median counts. Small errors are let be; others are worked off
/// by less than 0.2 %; beyond 80 ms, or where the stream broke anyway, the position jumps.
public struct Pace: Sendable {
    static let largestCorrection = 0.0019
    public static let jumpBeyond = Time.milliseconds(80)
    /// Errors up to here are let be, and are worked off down to `settled` once it is begun.
    static let tolerated = Time.milliseconds(2)
    static let settled = Time(ticks: Time.ticksPerSecond / 5_000)
    /// In measurements.
    static let window = 31

    /// How much faster than real time the mix is taken, as a fraction.
    public private(set) var correction = 0.0
    /// The last median, for reports.
    public private(set) var error = Time.zero
    private var errors: [Int64] = []
    private var oldest = 0
    private var state = State.lost

    /// After a jump on a single measurement, the first median may still move the position at once.
    private enum State { case lost, found, settled, correcting }

    public init() {}

    /// The stream began anew or broke: the next measurement is believed.
    public mutating func lose() { state = .lost }

    /// Answers where the position has to jump to, if it has.
    public mutating func measure(position: Time, heard: Time) -> Time? {
        if state == .lost { return jump(to: heard, .found) }
        let error = (heard - position).ticks
        if errors.count < Self.window {
            errors.append(error)
        } else {
            errors[oldest] = error
            oldest = (oldest + 1) % Self.window
        }
        guard errors.count == Self.window else { return nil }
        let median = errors.sorted()[errors.count / 2]
        self.error = Time(ticks: median)
        let limit = state == .found ? Self.settled : Self.jumpBeyond
        if abs(median) > limit.ticks { return jump(to: position + Time(ticks: median), .settled) }
        if state == .found { state = .settled }
        correct(median)
        return nil
    }

    private mutating func correct(_ error: Int64) {
        if abs(error) > Self.tolerated.ticks { state = .correcting }
        if abs(error) < Self.settled.ticks { state = .settled }
        // The whole error within two seconds, where that is allowed.
        let wanted = state == .correcting ? Double(error) / Double(Time.ticksPerSecond) / 2 : 0
        correction = min(Self.largestCorrection, max(-Self.largestCorrection, wanted))
    }

    private mutating func jump(to heard: Time, _ state: State) -> Time {
        (correction, error, self.state, errors, oldest) = (0, .zero, state, [], 0)
        return heard
    }
}
