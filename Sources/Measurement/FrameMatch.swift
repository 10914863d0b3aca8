import Base

/// Finds the lead of one clip's frames over another's: roughly by their changes, then to the frame by their likeness.
public struct FrameMatch: Sendable {
    private let first: FrameChanges
    private let second: FrameChanges

    private static let shortest = Time.seconds(1)
    private static let apart = Time.milliseconds(120)
    private static let event = Time.milliseconds(250)
    /// A high score needs less prominence: a short or slow clip has few other places.
    private static let limits = [
        MatchJudge.Limits(score: 0.15, prominence: 7), MatchJudge.Limits(score: 0.6, prominence: 2.2),
        MatchJudge.Limits(score: 0.9, prominence: 0),
    ]

    public init(_ first: FrameChanges, _ second: FrameChanges) { (self.first, self.second) = (first, second) }

    public var verdict: AlignVerdict {
        guard min(first.length, second.length) >= Self.shortest else { return .refused(.tooShort) }
        let (a, b) = (first.series, second.series)
        if a.isEven || b.isEven { return .refused(.tooEven) }
        let step = Time(1, ofUnits: 1, over: Int64(a.rate))
        let match = SeriesMatch(a, b, apart: Int(Self.apart.ticks / step.ticks), peaks: 2)
        guard let best = match.peaks.first, match.spread > 0 else { return .refused(.unrelated) }
        let second = match.peaks.count > 1 ? match.peaks[1].score : 0
        let judge = MatchJudge(
            score: best.score, prominence: best.score / match.spread, rival: second / best.score,
            events: match.eventCount(at: best.shift, length: Int(Self.event.ticks / step.ticks)),
            isExact: 1 - best.score <= (1 - second) / 5)
        func time(_ peak: SeriesMatch.Peak) -> Time { Time(seconds: peak.exact / Double(a.rate)) }
        let refusal = judge.refusal(Self.limits, time(best), time(match.peaks.last ?? best))
        if let refusal { return .refused(refusal) }
        return .found(offset: snappedToFrames(time(best)), confidence: judge.confidence)
    }

    /// Returns the shift with the least difference, of those near `rough` at which frames of both clips begin together.
    private func snappedToFrames(_ rough: Time) -> Time {
        let frame = max(first.length / Int64(first.starts.count), second.length / Int64(second.starts.count))
        let scales = scales(rough)
        return shifts(near: rough, within: frame + frame / 2)
            .map { ($0, difference(at: $0, scales)) }
            .min { $0.1 < $1.1 }?.0 ?? rough
    }

    private func shifts(near rough: Time, within reach: Time) -> Set<Time> {
        var found: Set<Time> = []
        let places = (1...9).map { first.starts.count * $0 / 10 }
        for start in Set(places).map({ first.starts[$0] }) {
            for other in second.starts where (other - start - rough).magnitude <= reach { found.insert(other - start) }
        }
        return found
    }

    /// Returns the mean and the deviation of each measure of both clips, where they overlap.
    private func scales(_ shift: Time) -> [[(mean: Float, scale: Float)]] {
        [first, second].enumerated().map { index, clip in
            let from = max(.zero, index == 0 ? -shift : shift), other = index == 0 ? second : first
            let to = other.end + (index == 0 ? -shift : shift)
            let levels = zip(clip.starts, clip.levels).filter { $0.0 >= from && $0.0 <= to }.map(\.1)
            return clip.levels[0].indices.map { measure in
                let mean = levels.reduce(0) { $0 + $1[measure] } / Float(max(1, levels.count))
                let squares = levels.reduce(0) { $0 + ($1[measure] - mean) * ($1[measure] - mean) }
                return (mean, max(1, (squares / Float(max(1, levels.count))).squareRoot()))
            }
        }
    }

    private func difference(at shift: Time, _ scales: [[(mean: Float, scale: Float)]]) -> Float {
        var (sum, count, place) = (Float(0), 0, 0)
        for (start, levels) in zip(first.starts, first.levels) {
            let time = start + shift
            guard time >= second.starts[0], time <= second.starts[second.starts.count - 1] else { continue }
            let others = second.levels(at: time, from: &place)
            for measure in levels.indices {
                let (one, other) = (scales[0][measure], scales[1][measure])
                let difference = (levels[measure] - one.mean) / one.scale - (others[measure] - other.mean) / other.scale
                sum += difference * difference
            }
            count += 1
        }
        return count > 0 ? sum / Float(count) : .infinity
    }
}
