/// The sample grid of all sound: 48,000 samples per second, which divides the unit of `Time` exactly.
public enum SoundGrid {
    public static let rate = 48_000
    public static let ticksPerSample = Time.ticksPerSecond / Int64(rate)

    /// The sample nearest to `time`.
    public static func sample(at time: Time) -> Int64 {
        let shifted = time.ticks.plus(ticksPerSample / 2)
        return shifted >= 0 ? shifted / ticksPerSample : -((ticksPerSample - 1 - shifted) / ticksPerSample)
    }

    public static func time(of sample: Int64) -> Time { Time(ticks: ticksPerSample) * sample }
}
