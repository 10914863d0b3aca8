import Foundation

/// Samples of one channel, 48,000 a second, made and measured. Tests are compiled without optimisation, TestKit with
/// it.
public enum Samples {
    public static let rate = 48_000.0

    /// The left channel of interleaved stereo.
    public static func left(of interleaved: [Float]) -> [Float] {
        stride(from: 0, to: interleaved.count, by: 2).map { interleaved[$0] }
    }

    /// Both channels of interleaved stereo, each with these samples.
    public static func stereo(_ samples: ArraySlice<Float>) -> [Float] { samples.flatMap { [$0, $0] } }

    public static func tone(_ hertz: Double, amplitude: Double, count: Int) -> [Float] {
        let step = 2 * Double.pi * hertz / rate
        return (0..<count).map { Float(amplitude * sin(step * Double($0))) }
    }

    /// Silence with noise of 10 ms in each half second, from 0.2 s on.
    public static func bursts(count: Int) -> [Float] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { place in
            (9_600..<10_080).contains(place % 24_000) ? Float.random(in: -0.8...0.8, using: &random) : 0
        }
    }

    /// The largest difference of two samples beside each other.
    public static func largestStep(_ samples: ArraySlice<Float>) -> Float {
        zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    }

    /// The largest difference of samples at one place.
    public static func largestDifference(_ samples: ArraySlice<Float>, _ others: ArraySlice<Float>) -> Float? {
        zip(samples, others).map { abs($0 - $1) }.max()
    }

    /// Distance from `place` to the middle of the energy, within `reach` samples on either side, in milliseconds. nil
    /// if `samples` do not reach that far; infinity if the energy is not above `least`.
    public static func middleOfEnergy(
        _ samples: [Float], around place: Int, reach: Int, least: Double
    ) -> Double? {
        guard place - reach >= 0, place + reach < samples.count else { return nil }
        var (sum, moment) = (0.0, 0.0)
        for index in place - reach..<place + reach {
            let energy = Double(samples[index] * samples[index])
            (sum, moment) = (sum + energy, moment + energy * Double(index - place))
        }
        return sum > least ? moment / sum / (rate / 1000) : .infinity
    }

    /// Returns the lag, from 0 to `most` samples, at which `samples` are most like `source` from `place` on.
    public static func lag(of samples: ArraySlice<Int16>, behind source: [Int16], at place: Int, most: Int) -> Int? {
        let late = samples.map { Float($0) / 32768 }, source = source.map { Float($0) / 32768 }
        guard place >= most, place + late.count <= source.count else { return nil }
        let sums = (0..<most).map { lag in
            var sum: Float = 0
            for index in late.indices { sum += late[index] * source[place - lag + index] }
            return sum
        }
        return sums.indices.max { sums[$0] < sums[$1] }
    }

    /// The phase of a frequency in this range, in turns.
    public static func phase(_ samples: [Float], _ hertz: Double, in range: Range<Int>) -> Double {
        var (a, b) = (0.0, 0.0)
        for index in range {
            let angle = 2 * Double.pi * hertz * Double(index) / rate
            (a, b) = (a + Double(samples[index]) * sin(angle), b + Double(samples[index]) * cos(angle))
        }
        return atan2(b, a) / (2 * Double.pi)
    }

    /// Distance of a tone from `hertz` between two places, in cents.
    public static func cents(_ samples: [Float], from hertz: Double, in range: Range<Int>) -> Double {
        let size = 2_400
        var (turns, last, course) = (0.0, nil as Double?, [Double]())
        for start in stride(from: range.lowerBound, to: range.upperBound - size, by: size) {
            let phase = phase(samples, hertz, in: start..<start + size)
            if let last { turns += (phase - last) - (phase - last).rounded() }
            last = phase
            course.append(turns)
        }
        let seconds = Double((course.count - 1) * size) / rate
        return 1200 * log2(1 + (course.last ?? 0) / seconds / hertz)
    }

    /// The shift within `reach` samples by which `samples` are most like `reference`, which begins at `place`.
    public static func shift(_ samples: [Float], at place: Int, from reference: [Float], reach: Int) -> Int {
        let unlikeness = (-reach...reach).map { shift -> Float in
            reference.indices.reduce(0) { sum, index in
                let difference = samples[place + shift + index] - reference[index]
                return sum + difference * difference
            }
        }
        return unlikeness.indices.min { unlikeness[$0] < unlikeness[$1] }! - reach
    }

    /// Amplitude of the sine of this frequency.
    public static func amplitude(_ samples: [Float], _ hertz: Int) -> Double { amplitude(samples[...], hertz) }

    public static func amplitude(_ samples: ArraySlice<Float>, _ hertz: Int) -> Double {
        var (a, b) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * Double(hertz) * Double(index) / rate
            a += Double(sample) * sin(angle)
            b += Double(sample) * cos(angle)
        }
        return (a * a + b * b).squareRoot() * 2 / Double(max(1, samples.count))
    }

    /// Amplitude of a tone, in 16-bit steps.
    public static func level(_ tone: Double, _ samples: ArraySlice<Int16>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * tone * Double(index) / rate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    /// Root mean square of the quietest 10 ms, in 16-bit steps.
    public static func quietest(_ samples: ArraySlice<Int16>) -> Double {
        stride(from: samples.startIndex, through: samples.endIndex - 480, by: 240).map { start in
            samples[start..<start + 480].reduce(0.0) { $0 + Double($1) * Double($1) } / 480
        }.min()!.squareRoot()
    }

    /// Number of samples that differ from a tone of amplitude 8000 that begins at `start`, and again each `period`.
    public static func unlike(
        _ tone: Double, _ samples: [Int16], in range: Range<Int>, start: Int = 0, period: Int = .max
    ) -> Int {
        range.count { place in
            let due = 8000 * sin(2 * .pi * tone * Double((place - start) % period) / rate)
            return abs(Double(samples[place]) - due) > 2
        }
    }
}
