import Base

/// Sample rate at which a playback stream keeps the length of its buffer, and the surplus to drop from it. Used by one
/// thread.
struct PlaybackPace {
    private var sum = 0.0
    private var least = Double.infinity
    private var count = 0
    /// Length that the buffer is kept at, in seconds: its mean over the first window.
    private var usual: Double?
    private var rate = UInt32(SoundGrid.rate)

    /// Length of a window, in measurements 50 ms apart. Shorter changes are averaged out.
    private static let window = 20
    /// Measurements in one part of a window. The smallest value of each part shows a surplus.
    private static let part = 4
    /// Time in which a deviation is corrected, in seconds.
    private static let correctionTime = 10.0
    private static let largestCorrection = 0.002
    /// Largest surplus over `enough` that is kept, in seconds.
    private static let mostSurplus = 0.005

    /// Correction of the stream after one measurement.
    enum Step: Equatable {
        case none
        /// Plays at this rate, in samples a second.
        case play(rate: UInt32)
        /// Drops this many of the next samples: the stream was blocked, and then received the samples of that time at
        /// once.
        case drop(Int)
    }

    /// Called when the buffer becomes longer. Discards all measurements.
    mutating func beginAnew() { (sum, least, count, usual) = (0, .infinity, 0, nil) }

    /// `held`: length of the samples written and not heard yet. `enough`: length that the stream needs. Both in
    /// seconds.
    mutating func step(held: Double, enough: Double) -> Step {
        (sum, least, count) = (sum + held, min(least, held), count + 1)
        if count % Self.part == 0 {
            let surplus = least - enough
            least = .infinity
            if surplus > Self.mostSurplus {
                beginAnew()
                return .drop(Int(surplus * Double(SoundGrid.rate)))
            }
        }
        guard count == Self.window else { return .none }
        let mean = sum / Double(count)
        (sum, count) = (0, 0)
        guard let usual else {
            usual = mean
            return .none
        }
        let correction = (usual - mean) / Self.correctionTime
        let bounded = min(Self.largestCorrection, max(-Self.largestCorrection, correction))
        let wanted = UInt32((Double(SoundGrid.rate) * (1 - bounded)).rounded())
        if wanted == rate { return .none }
        rate = wanted
        return .play(rate: wanted)
    }
}
