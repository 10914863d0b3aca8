/// Finds the shift of one stretch of sound against another by the phases of their frequencies alone (GCC-PHAT).
/// Loudness, filters and codecs change phases little.
struct PhaseMatch {
    private var correlation: CrossCorrelation
    private let bins: ClosedRange<Int>

    struct Summit {
        /// Shift in samples.
        var shift: Double
        let height: Double
        /// Height in standard deviations of the shifts further away than `reach`.
        let prominence: Double
    }

    init(size: Int, bins: ClosedRange<Int>) {
        (correlation, self.bins) = (CrossCorrelation(FourierTransform(size: size)), bins)
    }

    mutating func add(_ one: [Float], _ other: [Float]) { correlation.add(one, other, .flat(bins: bins)) }

    /// Returns the highest value within `reach` samples either way. Inverted sound counts the same.
    func summit(within reach: Int) -> Summit {
        let values = correlation.shifts().map(\.magnitude), count = values.count
        var best = 0
        for shift in -reach...reach where values[(shift + count) % count] > values[(best + count) % count] {
            best = shift
        }
        var squares = 0.0
        for shift in reach...count - reach { squares += Double(values[shift] * values[shift]) }
        let deviation = (squares / Double(count - 2 * reach + 1)).squareRoot()
        let height = Double(values[(best + count) % count])
        return Summit(
            shift: Double(best) + besideMaximum(values, (best + count) % count), height: height,
            prominence: deviation > 0 ? height / deviation : 0)
    }
}
