import Base

/// Discrete Fourier transform of one size, a power of two.
///
/// Replaces libavutil's `av_tx`, which in FFmpeg 5.1 takes quadratic time above 131,072 values. `SeriesMatch` needs
/// 262,144 for clips of ten minutes.
public struct FourierTransform: Sendable {
    public let size: Int
    /// Cosine and sine of the first half of the circle.
    private let turns: [SIMD2<Float>]

    public init(size: Int) {
        precondition(size > 0 && size & (size - 1) == 0, "a transform of \(size)")
        self.size = size
        turns = (0..<size / 2).map {
            let part = Double($0) / Double(size)
            return SIMD2(Float(cosine(ofTurns: part)), Float(sine(ofTurns: part)))
        }
    }

    /// Makes the smallest transform that holds `count` values.
    init(holding count: Int) {
        var size = 1
        while size < count { size *= 2 }
        self.init(size: size)
    }

    /// Transforms in place, not scaled. With real and imaginary parts swapped the result is the inverse, times `size`.
    public func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
        precondition(real.count == size && imaginary.count == size, "a transform of another size")
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                turns.withUnsafeBufferPointer { turns in
                    guard let re = real.baseAddress, let im = imaginary.baseAddress else { return }
                    reorder(re, im)
                    var half = 1
                    while half < size {
                        combine(half, re, im, turns)
                        half *= 2
                    }
                }
            }
        }
    }

    /// Sorts the values by their bit-reversed indices.
    private func reorder(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
        var other = 0
        for index in 1..<max(1, size) {
            var bit = size >> 1
            while other & bit != 0 {
                other ^= bit
                bit >>= 1
            }
            other |= bit
            if index < other {
                (re[index], re[other]) = (re[other], re[index])
                (im[index], im[other]) = (im[other], im[index])
            }
        }
    }

    /// Combines pairs of transforms of size `half` into transforms of twice that size.
    private func combine(
        _ half: Int, _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>,
        _ turns: UnsafeBufferPointer<SIMD2<Float>>
    ) {
        let step = size / (2 * half)
        var start = 0
        while start < size {
            var place = start, turn = 0
            while place < start + half {
                let (c, s) = (turns[turn].x, turns[turn].y)
                let (a, b) = (re[place + half], im[place + half])
                let (x, y) = (a * c + b * s, b * c - a * s)
                (re[place + half], im[place + half]) = (re[place] - x, im[place] - y)
                re[place] += x
                im[place] += y
                place += 1
                turn += step
            }
            start += 2 * half
        }
    }
}
