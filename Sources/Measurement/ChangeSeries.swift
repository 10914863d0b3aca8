/// Changes of a clip's sound or frames: some measures in equal steps of media time.
///
/// Slow changes are removed, and each measure is scaled by how much it changes. Large changes count hardly more than
/// small ones: two recordings of one event may differ in volume, brightness and noise.
public struct ChangeSeries: Sendable {
    /// Steps a second.
    let rate: Int
    /// Step of the first value. Step 0 is media time 0.
    let first: Int
    /// Values by measure, all of one length.
    private(set) var measures: [[Float]]
    /// True if nothing changes by more than noise does.
    let isEven: Bool
    /// Prefix sums by step: the squares of all measures, summed over the steps before it.
    private(set) var energy: [Double]

    var count: Int { measures[0].count }

    /// `levels`: measured values, by measure. `window`: changes that last longer, in steps, are removed. `floors`:
    /// least variation that is not noise, by measure.
    init(rate: Int, first: Int, levels: [[Float]], window: Int, floors: [Float]) {
        (self.rate, self.first) = (rate, first)
        measures = levels.map { withoutSlowChanges($0, window: window) }
        var loudest: Float = 0
        for (place, floor) in floors.enumerated() {
            let squares = measures[place].reduce(0) { $0 + $1 * $1 }
            let spread = (squares / Float(max(1, measures[place].count))).squareRoot()
            loudest = max(loudest, spread / floor)
            let scale = 1 / max(spread, floor)
            for step in measures[place].indices { measures[place][step] *= scale }
        }
        isEven = loudest < 1
        energy = []
        compress()
    }

    /// Divides each step by the sum of its own size and the mean size.
    private mutating func compress() {
        var sizes = [Float](repeating: 0, count: count)
        for measure in measures { for step in sizes.indices { sizes[step] += measure[step] * measure[step] } }
        for step in sizes.indices { sizes[step] = sizes[step].squareRoot() }
        let mean = max(.leastNormalMagnitude, sizes.reduce(0, +) / Float(max(1, sizes.count)))
        for place in measures.indices {
            for step in sizes.indices { measures[place][step] /= sizes[step] + mean }
        }
        energy = runningSums(sizes.lazy.map { Double($0 / ($0 + mean)) }.map { $0 * $0 })
    }

    /// Returns the energy of some steps, counted from the series' first.
    func energy(_ steps: Range<Int>) -> Double { energy[steps.upperBound] - energy[steps.lowerBound] }
}

/// Subtracts from each value the mean of the values up to `window / 2` steps from it.
private func withoutSlowChanges(_ values: [Float], window: Int) -> [Float] {
    let sums = runningSums(values.lazy.map { Double($0) })
    return values.indices.map { step in
        let from = max(0, step - window / 2), to = min(values.count, step + window / 2 + 1)
        return values[step] - Float((sums[to] - sums[from]) / Double(to - from))
    }
}

/// Returns the sum of the values before each place, and last that of all of them.
private func runningSums(_ values: some Collection<Double>) -> [Double] {
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append(sums[sums.count - 1] + value) }
    return sums
}
