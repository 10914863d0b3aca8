import WallCore

/// How fast a playback stream is to be played so that it neither runs dry nor full, by what it lacks of what it should
/// hold. What it lacks when it begins is what it is to lack. One thread.
struct PlaybackPace {
    private var sum = 0
    private var count = 0
    /// In samples.
    private var usual: Double?
    private var rate = UInt32(SoundGrid.rate)

    /// Of 5 ms each: what comes and goes in between does not matter.
    private static let window = 200
    /// What is lacking is worked off in so many seconds.
    private static let patience = 10.0
    private static let largestCorrection = 0.002

    /// It holds more from now on.
    mutating func beginAnew() { (sum, count, usual) = (0, 0, nil) }

    /// `missing`: samples that it lacks now. Answers another rate, in samples a second; nil: it stays.
    mutating func rate(missing: Int) -> UInt32? {
        (sum, count) = (sum + missing, count + 1)
        guard count == Self.window else { return nil }
        let mean = Double(sum) / Double(count)
        (sum, count) = (0, 0)
        guard let usual else {
            usual = mean
            return nil
        }
        let grid = Double(SoundGrid.rate)
        let correction = (mean - usual) / grid / Self.patience
        let bounded = min(Self.largestCorrection, max(-Self.largestCorrection, correction))
        let wanted = UInt32((grid * (1 - bounded)).rounded())
        if wanted == rate { return nil }
        rate = wanted
        return wanted
    }
}
