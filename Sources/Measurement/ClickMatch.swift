import Base

/// The test click of `calibrate`: finds the click in what a microphone recorded, and evaluates all clicks.
public enum Click {
    /// A sweep from 500 Hz to 8 kHz in 20 ms, mono, below full scale.
    public static let samples: [Float] = (0..<length).map { index in
        let time = Double(index) / Double(SoundGrid.rate), whole = Double(length) / Double(SoundGrid.rate)
        let turns = lowest * time + (highest - lowest) * time * time / (2 * whole)
        let window = 0.5 - 0.5 * cosine(ofTurns: Double(index) / Double(length - 1))
        return Float(0.5 * window * sine(ofTurns: turns))
    }
    public static let length = 960
    private static let (lowest, highest) = (500.0, 8000.0)

    public static let count = 20
    /// Samples from click `number` to the next. The pauses differ, so an echo of one click is not taken for another.
    public static func pause(after number: Int) -> Int { SoundGrid.rate * (650 + number * 37 % 110) / 1000 }
    /// Largest distance of a click from the place that the sound server reports, before it and after it, in samples.
    public static let searchBefore = 4_800
    public static let searchAfter = 24_000

    /// Place where a click was found.
    public struct Match: Equatable, Sendable {
        /// Index of its first sample.
        public let place: Int
        /// Correlation with the click, 0 to 1.
        public let share: Double
        /// Root mean square of all samples that were searched.
        public let level: Double
    }

    /// Returns the likeliest place in `heard`, mono samples; nil if there are too few.
    public static func match(in heard: [Float]) -> Match? {
        guard heard.count >= length else { return nil }
        let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        var within = heard[..<length].reduce(0.0) { $0 + Double($1) * Double($1) }
        var best = (place: 0, share: 0.0)
        heard.withUnsafeBufferPointer { heard in
            samples.withUnsafeBufferPointer { click in
                for place in 0...(heard.count - length) {
                    var sum: Float = 0
                    for index in 0..<length { sum += heard[place + index] * click[index] }
                    let share = abs(Double(sum)) / (max(within, 1e-9) * energy).squareRoot()
                    if within > silence * Double(length), share > best.share { best = (place, share) }
                    guard place + length < heard.count else { break }
                    let (first, next) = (Double(heard[place]), Double(heard[place + length]))
                    within = max(0, within + next * next - first * first)
                }
            }
        }
        let whole = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count)
        return Match(place: best.place, share: best.share, level: whole.squareRoot())
    }

    /// Mean square below which samples count as silence: -70 dB of full scale.
    static let silence = 1e-7

    public enum Verdict: Equatable, Sendable {
        /// Median latency, and the interquartile range.
        case measured(Time, spread: Time, heard: Int)
        case nothingHeard
        /// Too few clicks were found: this many.
        case tooMuchNoise(heard: Int)
        case unsteady(spread: Time)
    }

    /// `lags`: for each click its delay in samples relative to the sound server's figures; nil if the click was not
    /// found.
    public static func verdict(_ matches: [Match?], lags: [Int?]) -> Verdict {
        let found = zip(matches, lags).compactMap { match, lag in
            match.flatMap { $0.share >= leastShare ? lag : nil }
        }.sorted()
        guard found.count >= matches.count * 3 / 4, !found.isEmpty else {
            let isSilent = matches.allSatisfy { ($0?.level ?? 0) < quiet }
            return isSilent ? .nothingHeard : .tooMuchNoise(heard: found.count)
        }
        let median = found[found.count / 2]
        let spread = found[found.count * 3 / 4] - found[found.count / 4]
        let time = SoundGrid.time(of: Int64(spread))
        guard time <= steady else { return .unsteady(spread: time) }
        return .measured(SoundGrid.time(of: Int64(median)), spread: time, heard: found.count)
    }

    static let leastShare = 0.4
    /// -66 dB of full scale.
    static let quiet = 0.0005
    static let steady = Time.milliseconds(4)
}
