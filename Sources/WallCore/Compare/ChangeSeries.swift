/// How a clip's sound or frames change: some measures in equal steps of media time.
///
/// Slow changes are taken out, each measure is scaled by how much it changes, and what is loud or violent counts hardly
/// more than what is not: two recordings of one event may be of unlike volume, brightness and noise.
public struct ChangeSeries: Sendable {
    /// Steps a second.
    let rate: Int
    /// The step of the first value; step 0 is media time 0.
    let first: Int
    /// By measure, all of one length.
    private(set) var measures: [[Float]]
    /// Nothing changes by more than noise does.
    let isEven: Bool
    /// Of each step, up to it and without it: the sum of the squares of all measures.
    private(set) var energy: [Double]

    var count: Int { measures[0].count }

    /// `levels`: by measure, what was measured. `window`: changes that last longer, in steps, are taken out.
    /// `floors`: by measure; what varies less than that is noise.
    init(rate: Int, first: Int, levels: [[Float]], window: Int, floors: [Float]) {
        (self.rate, self.first) = (rate, first)
        measures = levels.map { withoutSlowChanges($0, window: window) }
        var loudest: Float = 0
        for (place, floor) in floors.enumerated() {
            let spread = rootMeanSquare(measures[place])
            loudest = max(loudest, spread / floor)
            let scale = 1 / max(spread, floor)
            for step in measures[place].indices { measures[place][step] *= scale }
        }
        isEven = loudest < 1
        energy = []
        compress()
    }

    /// Divides each step by its own size and the mean one.
    private mutating func compress() {
        var sizes = [Float](repeating: 0, count: count)
        for measure in measures { for step in sizes.indices { sizes[step] += measure[step] * measure[step] } }
        for step in sizes.indices { sizes[step] = sizes[step].squareRoot() }
        let mean = max(.leastNormalMagnitude, sizes.reduce(0, +) / Float(max(1, sizes.count)))
        for place in measures.indices {
            for step in sizes.indices { measures[place][step] /= sizes[step] + mean }
        }
        energy = [0]
        energy.reserveCapacity(count + 1)
        var sum = 0.0
        for size in sizes {
            let share = Double(size / (size + mean))
            sum += share * share
            energy.append(sum)
        }
    }

    /// Between two steps of its own, counted from its first.
    func energy(_ steps: Range<Int>) -> Double { energy[steps.upperBound] - energy[steps.lowerBound] }
}

private func rootMeanSquare(_ values: [Float]) -> Float {
    (values.reduce(0) { $0 + $1 * $1 } / Float(max(1, values.count))).squareRoot()
}

/// Each value less the mean of those up to `window / 2` steps from it.
private func withoutSlowChanges(_ values: [Float], window: Int) -> [Float] {
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append(sums[sums.count - 1] + Double(value)) }
    return values.indices.map { step in
        let from = max(0, step - window / 2), to = min(values.count, step + window / 2 + 1)
        return values[step] - Float((sums[to] - sums[from]) / Double(to - from))
    }
}
