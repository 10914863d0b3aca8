/// Correlation of pairs of real sequences at every shift of one against the other, summed over all pairs.
struct CrossCorrelation {
    private let transform: FourierTransform
    private var real: [Float]
    private var imaginary: [Float]

    /// The transform holds both sequences one after the other, so that the circular correlation does not wrap.
    init(_ transform: FourierTransform) {
        self.transform = transform
        real = [Float](repeating: 0, count: transform.size)
        imaginary = real
    }

    /// `bins`: every frequency between them counts the same, unless it is far below the mean. nil: each counts as it is.
    mutating func add(_ a: [Float], _ b: [Float], flat bins: ClosedRange<Int>? = nil) {
        let size = transform.size
        // One transform for two real sequences: as real and as imaginary part.
        var re = a + [Float](repeating: 0, count: size - a.count)
        var im = b + [Float](repeating: 0, count: size - b.count)
        transform.transform(&re, &im)
        guard let bins else { return sum(re, im, 0...size / 2) { _ in 1 } }
        var mean: Float = 0
        sum(re, im, bins) {
            mean += $0 / Float(bins.count)
            return 0
        }
        let floor = max(.leastNormalMagnitude, mean * 1e-3)
        sum(re, im, bins) { 1 / ($0 + floor) }
    }

    /// Adds the cross spectrum of the two sequences of one transform, times `weight` of its magnitude.
    private mutating func sum(_ re: [Float], _ im: [Float], _ bins: ClosedRange<Int>, weight: (Float) -> Float) {
        let size = transform.size
        for bin in bins {
            let mirror = (size - bin) % size
            let (aRe, aIm) = ((re[bin] + re[mirror]) / 2, (im[bin] - im[mirror]) / 2)
            let (bRe, bIm) = ((im[bin] + im[mirror]) / 2, (re[mirror] - re[bin]) / 2)
            var (x, y) = (aRe * bRe + aIm * bIm, aRe * bIm - aIm * bRe)
            let factor = weight((x * x + y * y).squareRoot())
            (x, y) = (x * factor, y * factor)
            real[bin] += x
            imaginary[bin] += y
            if mirror != bin {
                real[mirror] += x
                imaginary[mirror] -= y
            }
        }
    }

    /// Returns the sum of `a(t) * b(t + d)` for each shift `d`. Shifts below 0 are at the end.
    func shifts() -> [Float] {
        var (re, im) = (imaginary, real)
        transform.transform(&re, &im)
        let scale = 1 / Float(transform.size)
        return im.map { $0 * scale }
    }
}

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

    mutating func add(_ one: [Float], _ other: [Float]) { correlation.add(one, other, flat: bins) }

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
