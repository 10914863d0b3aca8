import Base

/// Measures the loudness of a clip's sound in eight frequency bands, 200 times a second.
public struct SoundBands: Sendable {
    public static let rate = 200
    private static let hop = CoarseSound.rate / rate
    private static let window = 256
    /// Edges of the bands, in bins of 47 Hz.
    private static let edges = [2, 4, 7, 11, 17, 26, 40, 62, 100]
    /// Steps that are ignored at both ends, where codecs and files differ.
    private static let edge = rate / 10
    /// Most steps to compare. A longer clip is compared in coarser steps.
    private static let mostSteps = 1 << 20

    private var sound = CoarseSound()
    private let transform = FourierTransform(size: window)
    private let shape = (0..<window).map { Float(0.5 - 0.5 * cosine(ofTurns: Double($0) / Double(window))) }
    private var energies = [[Float]](repeating: [], count: edges.count - 1)
    private var first: Int?

    public init() {}

    /// Appends interleaved stereo of the sound grid, in rising order. A gap is filled with silence.
    public mutating func append(_ stereo: [Float], at start: Int64) {
        let second = Int64(SoundGrid.rate)
        while let end = sound.end, start - end > second {
            sound.append([Float](repeating: 0, count: 2 * SoundGrid.rate), at: end)
            measure()
        }
        sound.append(stereo, at: start)
        guard let begin = sound.first else { return }
        if first == nil {
            let hop = Int64(Self.hop)
            let skipped = Int((hop - begin % hop) % hop)
            guard sound.samples.count >= skipped else { return }
            first = Int((begin + Int64(skipped)) / hop)
            sound.drop(skipped)
        }
        measure()
    }

    private mutating func measure() {
        let samples = sound.samples
        var used = 0
        var real = shape, imaginary = shape
        // One transform for two windows: as real and as imaginary part.
        while used + Self.hop + Self.window <= samples.count {
            for index in 0..<Self.window {
                real[index] = samples[used + index] * shape[index]
                imaginary[index] = samples[used + Self.hop + index] * shape[index]
            }
            transform.transform(&real, &imaginary)
            for band in energies.indices {
                var (one, other): (Float, Float) = (0, 0)
                for bin in Self.edges[band]..<Self.edges[band + 1] {
                    let mirror = Self.window - bin
                    let (x, y) = (real[bin] + real[mirror], imaginary[bin] - imaginary[mirror])
                    let (u, v) = (imaginary[bin] + imaginary[mirror], real[mirror] - real[bin])
                    one += x * x + y * y
                    other += u * u + v * v
                }
                energies[band].append(one)
                energies[band].append(other)
            }
            used += 2 * Self.hop
        }
        sound.drop(used)
    }

    /// Returns the steps a second at which two clips are compared; nil if one of them is shorter than a second.
    static func rate(_ one: SoundBands, _ other: SoundBands) -> Int? {
        let counts = [one, other].map { $0.energies[0].count - 2 * edge }
        guard let shortest = counts.min(), let longest = counts.max(), shortest >= rate else { return nil }
        var rate = rate, count = longest
        while count > mostSteps, rate.isMultiple(of: 2) { (rate, count) = (rate / 2, count / 2) }
        return rate
    }

    func series(rate wanted: Int) -> ChangeSeries {
        var energies = energies.map { Array($0[Self.edge..<$0.count - Self.edge]) }
        var (rate, begin) = (Self.rate, (first ?? 0) + Self.edge)
        while rate > wanted {
            let skipped = abs(begin % 2)
            energies = energies.map { band in
                stride(from: skipped, to: band.count - 1, by: 2).map { band[$0] + band[$0 + 1] }
            }
            (rate, begin) = (rate / 2, (begin + skipped) / 2)
        }
        let sum = energies.reduce(0) { $0 + $1.reduce(0, +) }
        // The mask, 45 dB below the mean, hides the noise of each recording.
        let mask = max(Self.silence, sum / Float(energies[0].count) * 3e-5)
        let levels = energies.map { band in band.map { ($0 + mask).squareRoot().squareRoot() } }
        let mean = levels.reduce(0) { $0 + $1.reduce(0, +) / Float($1.count) } / Float(levels.count)
        return ChangeSeries(
            rate: rate, first: begin, levels: levels, window: rate / 2,
            floors: [Float](repeating: mean * Self.leastChange, count: levels.count))
    }

    /// Energy of a band for a sound at a hundred-thousandth of full scale.
    private static let silence: Float = 1e-6
    /// Least change, as a share of the mean level.
    private static let leastChange: Float = 0.02
}
