/// Agreement of two series at each shift of the second against the first, up to half of the shorter one.
struct SeriesMatch {
    private let a: ChangeSeries
    private let b: ChangeSeries
    /// Standard deviation of the scores of wrong shifts.
    let spread: Double
    /// The best shifts, the best first. Shifts near a better one are left out.
    let peaks: [Peak]

    struct Peak {
        /// Shift in steps: the second series has at `t + shift` the content of the first at `t`.
        let shift: Int
        let score: Double
        /// Shift interpolated between steps.
        let exact: Double
    }

    /// `apart`: peaks nearer to each other than this count as one, in steps.
    init(_ a: ChangeSeries, _ b: ChangeSeries, apart: Int, peaks count: Int) {
        precondition(a.rate == b.rate && a.measures.count == b.measures.count, "series of unlike kinds")
        (self.a, self.b) = (a, b)
        // The largest shift either way, in steps.
        let most = min(a.count, b.count) / 2
        let length = max(a.count, b.count) + most + abs(a.first - b.first) + 1
        var correlation = CrossCorrelation(FourierTransform(holding: length))
        for (one, other) in zip(a.measures, b.measures) { correlation.add(one, other) }
        let sums = correlation.shifts()
        let whole = (a.energy(0..<a.count) / Double(a.count), b.energy(0..<b.count) / Double(b.count))
        // By shift. A score of 1 is full agreement.
        let scores = (-most...most).map { shift -> Float in
            let (overlap, lag) = SeriesMatch.overlap(a, b, shift), length = Double(overlap.count)
            guard overlap.count > 0 else { return 0 }
            let inB = overlap.lowerBound + lag..<overlap.upperBound + lag
            // A quiet stretch counts with a quarter of the mean energy, so that a chance agreement there scores low.
            let energies = max(a.energy(overlap), whole.0 * length / 4) * max(b.energy(inB), whole.1 * length / 4)
            guard energies > 0 else { return 0 }
            let share = (length / Double(min(a.count, b.count))).squareRoot()
            return Float(Double(sums[lag >= 0 ? lag : sums.count + lag]) / energies.squareRoot() * min(1, share))
        }
        peaks = SeriesMatch.peaks(scores, most, apart: apart, count)
        spread = SeriesMatch.spread(scores, most, without: peaks.first?.shift, apart)
    }

    /// Returns the steps of `a`, from its first, that have a counterpart in `b` at a shift, and how much later that is,
    /// from the first step of `b`.
    private static func overlap(_ a: ChangeSeries, _ b: ChangeSeries, _ shift: Int) -> (steps: Range<Int>, lag: Int) {
        let lag = shift + a.first - b.first, from = max(0, -lag)
        return (from..<max(from, min(a.count, b.count - lag)), lag)
    }

    private static func peaks(_ scores: [Float], _ most: Int, apart: Int, _ count: Int) -> [Peak] {
        let rises = scores.indices.dropFirst().dropLast().filter {
            scores[$0] > 0 && scores[$0] >= scores[$0 - 1] && scores[$0] > scores[$0 + 1]
        }
        var found: [Peak] = []
        for place in rises.sorted(by: { scores[$0] > scores[$1] }) where found.count < count {
            let shift = place - most
            if found.contains(where: { abs($0.shift - shift) < apart }) { continue }
            found.append(
                Peak(shift: shift, score: Double(scores[place]), exact: Double(shift) + besideMaximum(scores, place)))
        }
        return found
    }

    /// Returns the standard deviation of the scores away from the best shift, computed from their median, which a few
    /// large scores do not move.
    private static func spread(_ scores: [Float], _ most: Int, without best: Int?, _ apart: Int) -> Double {
        let step = max(1, scores.count / 65536)
        let others = stride(from: 0, to: scores.count, by: step).filter { place in
            best.map { abs(place - most - $0) >= apart } ?? true
        }
        let sizes = others.map { scores[$0].magnitude }.sorted()
        return sizes.isEmpty ? 0 : Double(sizes[sizes.count / 2]) / 0.6745
    }

    /// Returns the agreement at a shift, summed over stretches of `length` steps in the order of `a`, with the first
    /// step of each. The last stretch may overlap the one before.
    func agreement(at shift: Int, length: Int) -> [(step: Int, sum: Double)] {
        let (overlap, lag) = SeriesMatch.overlap(a, b, shift)
        return stride(from: overlap.lowerBound, to: overlap.upperBound, by: length).map { start in
            let begin = max(overlap.lowerBound, min(start, overlap.upperBound - length))
            var sum: Float = 0
            let steps = begin..<min(begin + length, overlap.upperBound)
            for (one, other) in zip(a.measures, b.measures) {
                for step in steps { sum += one[step] * other[step + lag] }
            }
            return (a.first + begin, Double(sum))
        }
    }

    /// Returns the effective number of stretches of `length` steps in which both series change, as if all of them
    /// changed equally. A level that stays is no change.
    func eventCount(at shift: Int, length: Int) -> Double {
        let (overlap, lag) = SeriesMatch.overlap(a, b, shift)
        let sums = stride(from: overlap.lowerBound + 1, to: overlap.upperBound, by: length).map { start -> Double in
            var sum: Float = 0
            let steps = start..<min(start + length, overlap.upperBound)
            for (one, other) in zip(a.measures, b.measures) {
                for step in steps { sum += (one[step] - one[step - 1]) * (other[step + lag] - other[step + lag - 1]) }
            }
            return Double(sum)
        }
        let squares = sums.reduce(0) { $0 + $1 * $1 }, sum = sums.reduce(0, +)
        return squares > 0 && sum > 0 ? sum * sum / squares : 0
    }
}

/// Returns the distance from a maximum to the vertex of the parabola through it and its neighbours.
func besideMaximum(_ values: [Float], _ place: Int) -> Double {
    let count = values.count
    let (left, middle, right) = (values[(place + count - 1) % count], values[place], values[(place + 1) % count])
    let bend = Double(left) - 2 * Double(middle) + Double(right)
    return bend < 0 ? min(0.5, max(-0.5, (Double(left) - Double(right)) / (2 * bend))) : 0
}
