import Base

/// Finds the lead of one sound over another: roughly by the loudness of their bands over the whole length, then to a
/// fraction of a sample by the phases of some seconds.
public struct SoundMatch: Sendable {
    private let first: SoundBands
    private let second: SoundBands

    public enum Side: Sendable { case first, second }

    /// Peaks nearer to each other than `apart` count as one. An event lasts `event`. A fine comparison takes `fineSize`
    /// samples.
    private static let apart = Time.milliseconds(80)
    private static let event = Time.milliseconds(250)
    private static let fineSize = 1 << 15
    private static let candidates = 4
    private static let stretches = 4
    /// Largest error of the rough search, in samples.
    private static let reach = CoarseSound.rate / 50
    /// Frequencies from 100 to 5000 Hz, in bins.
    private static let bins = fineSize / 120...fineSize * 5 / 12

    public init(_ first: SoundBands, _ second: SoundBands) { (self.first, self.second) = (first, second) }

    /// `read`: returns this many samples of `CoarseSound` of one side, from this one on.
    public func verdict<Failure: Error>(
        read: (Side, Int64, Int) throws(Failure) -> [Float]
    ) throws(Failure) -> AlignVerdict {
        guard let rate = SoundBands.rate(first, second) else { return .refused(.tooShort) }
        let (a, b) = (first.series(rate: rate), second.series(rate: rate))
        if a.isEven || b.isEven { return .refused(.tooEven) }
        func steps(_ time: Time) -> Int { max(1, Int(time.ticks) * rate / Int(Time.ticksPerSecond)) }
        let match = SeriesMatch(a, b, apart: steps(Self.apart), peaks: Self.candidates)
        guard !match.peaks.isEmpty, match.spread > 0 else { return .refused(.unrelated) }

        // Phases choose between several places better than loudness does. They do not show whether there is any match:
        // notes of one pitch agree in two tunes.
        let (best, second) = (match.peaks[0].score, match.peaks.count > 1 ? match.peaks[1].score : 0)
        let isClear = second <= MatchJudge.largestRival * best
        var fine: [Place] = []
        for peak in match.peaks.prefix(isClear ? 1 : Self.candidates) {
            fine.append(Place(peak: peak, summit: try phases(match, peak, steps(.seconds(1)), Double(rate), read)))
        }
        let phasesDecide = fine.contains { $0.isSharp }
        func rank(_ place: Place) -> Double { place.peak.score * (phasesDecide ? place.summit.height : 1) }
        fine.sort { rank($0) > rank($1) }
        let chosen = fine[0], other = fine[min(1, fine.count - 1)]
        let rival = isClear ? second / best : rank(other) / rank(chosen)
        let judge = MatchJudge(
            score: chosen.peak.score, prominence: chosen.peak.score / match.spread, rival: rival,
            events: match.eventCount(at: chosen.peak.shift, length: steps(Self.event)))
        let (here, there) = (chosen.offset(Double(rate)), other.offset(Double(rate)))
        let refusal = judge.refusal(chosen.isSharp ? Self.limits + [Self.limitOfSharp] : Self.limits, here, there)
        return refusal.map { .refused($0) } ?? .found(offset: here, confidence: judge.confidence)
    }

    /// A possible match.
    private struct Place {
        let peak: SeriesMatch.Peak
        let summit: PhaseMatch.Summit

        /// True if the phases agree.
        var isSharp: Bool { summit.prominence >= 9 }

        /// `rate`: the rate of the peak's steps.
        func offset(_ rate: Double) -> Time {
            Time(seconds: isSharp ? summit.shift / Double(CoarseSound.rate) : peak.exact / rate)
        }
    }

    private static let limits = [
        MatchJudge.Limits(score: 0.05, prominence: 8), MatchJudge.Limits(score: 0.6, prominence: 2.2),
    ]
    private static let limitOfSharp = MatchJudge.Limits(score: 0.05, prominence: 4.7)

    /// Returns the summit of the phases around a rough shift, from the stretches that agree most.
    private func phases<Failure: Error>(
        _ match: SeriesMatch, _ peak: SeriesMatch.Peak, _ second: Int, _ rate: Double,
        _ read: (Side, Int64, Int) throws(Failure) -> [Float]
    ) throws(Failure) -> PhaseMatch.Summit {
        let length = Self.fineSize * second / CoarseSound.rate
        let places = match.agreement(at: peak.shift, length: length).sorted { $0.sum > $1.sum }.prefix(Self.stretches)
        let shift = Int64((peak.exact / rate * Double(CoarseSound.rate)).rounded())
        var phases = PhaseMatch(size: Self.fineSize, bins: Self.bins)
        for place in places {
            let sample = Int64(Double(place.step) / rate * Double(CoarseSound.rate))
            phases.add(try read(.first, sample, Self.fineSize), try read(.second, sample + shift, Self.fineSize))
        }
        var summit = phases.summit(within: Self.reach)
        summit.shift += Double(shift)
        return summit
    }
}
