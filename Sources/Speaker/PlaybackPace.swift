import WallCore

/// How fast a playback stream is to be played so that it goes on holding what it holds, and what it holds too much. One
/// thread.
struct PlaybackPace {
    private var sum = 0.0
    private var least = Double.infinity
    private var count = 0
    /// What it is to hold, in seconds: what it held in its first whole window.
    private var usual: Double?
    private var rate = UInt32(SoundGrid.rate)

    /// In measurements, 50 ms apart: what comes and goes in between does not matter.
    private static let window = 20
    /// In each part of a window the least that it held is looked at.
    private static let part = 4
    /// What is lacking is worked off in so many seconds.
    private static let patience = 10.0
    private static let largestCorrection = 0.002
    /// In seconds, beyond what is enough.
    private static let mostSurplus = 0.005

    /// What is to be done about what it holds.
    enum Step: Equatable {
        case none
        /// In samples a second.
        case play(rate: UInt32)
        /// It was held up, and what came meanwhile came in one go: so many samples of what comes next are left out.
        case leaveOut(Int)
    }

    /// It holds more from now on.
    mutating func beginAnew() { (sum, least, count, usual) = (0, .infinity, 0, nil) }

    /// In seconds: `held` is what is written and not heard yet, `enough` what it has to hold.
    mutating func step(held: Double, enough: Double) -> Step {
        (sum, least, count) = (sum + held, min(least, held), count + 1)
        if count % Self.part == 0 {
            let surplus = least - enough
            least = .infinity
            if surplus > Self.mostSurplus {
                beginAnew()
                return .leaveOut(Int(surplus * Double(SoundGrid.rate)))
            }
        }
        guard count == Self.window else { return .none }
        let mean = sum / Double(count)
        (sum, count) = (0, 0)
        guard let usual else {
            usual = mean
            return .none
        }
        let correction = (usual - mean) / Self.patience
        let bounded = min(Self.largestCorrection, max(-Self.largestCorrection, correction))
        let wanted = UInt32((Double(SoundGrid.rate) * (1 - bounded)).rounded())
        if wanted == rate { return .none }
        rate = wanted
        return .play(rate: wanted)
    }
}
