import Base
import Expectations
import TestKit
import Testing

@testable import Measurement
@testable import Media

/// Compares the sums for PSNR and SSIM with their definitions, sample by sample.
@Suite struct PlaneSumsTests {
    /// Samples in rows with a stride larger than their width.
    private struct Plane {
        let bytes: [UInt8]
        let stride: Int
        let isWide: Bool

        init(_ width: Int, _ height: Int, bits: Int, _ sample: (Int, Int) -> Int) {
            isWide = bits > 8
            stride = (width + 5) * (isWide ? 2 : 1)
            var bytes = [UInt8](repeating: 0xA5, count: stride * height)
            for y in 0..<height {
                for x in 0..<width {
                    let value = min(max(0, sample(x, y)), 1 << bits - 1)
                    if isWide {
                        bytes[y * stride + 2 * x] = UInt8(value & 255)
                        bytes[y * stride + 2 * x + 1] = UInt8(value >> 8)
                    } else {
                        bytes[y * stride + x] = UInt8(value)
                    }
                }
            }
            self.bytes = bytes
        }

        subscript(x: Int, y: Int) -> Int {
            let place = y * stride + x * (isWide ? 2 : 1)
            return isWide ? Int(bytes[place]) | Int(bytes[place + 1]) << 8 : Int(bytes[place])
        }
    }

    private func defined(_ a: Plane, _ b: Plane, _ width: Int, _ height: Int, bits: Int) -> PlaneSums {
        var result = PlaneSums()
        result.samples = width * height
        for y in 0..<height {
            for x in 0..<width { result.squares += UInt64((a[x, y] - b[x, y]) * (a[x, y] - b[x, y])) }
        }
        let most = Double(1 << bits - 1)
        let mean = (0.01 * 0.01 * most * most * 64 + 0.5).rounded(.down)
        let variance = (0.03 * 0.03 * most * most * 64 * 63 + 0.5).rounded(.down)
        for top in stride(from: 0, through: height / 4 * 4 - 8, by: 4) {
            for left in stride(from: 0, through: width / 4 * 4 - 8, by: 4) {
                var (first, second, squares, products) = (0, 0, 0, 0)
                for y in top..<top + 8 {
                    for x in left..<left + 8 {
                        let (p, q) = (a[x, y], b[x, y])
                        first += p
                        second += q
                        squares += p * p + q * q
                        products += p * q
                    }
                }
                let spread = Double(squares * 64 - first * first - second * second)
                let likeness = Double(products * 64 - first * second)
                result.similarity +=
                    (Double(2 * first * second) + mean) * (2 * likeness + variance)
                    / ((Double(first * first + second * second) + mean) * (spread + variance))
                result.windows += 1
            }
        }
        return result
    }

    private func check(_ width: Int, _ height: Int, bits: Int, _ a: Plane, _ b: Plane) {
        let sums = a.bytes.withUnsafeBytes { first in
            b.bytes.withUnsafeBytes { second in
                planeSums(
                    PlanePair(
                        first: first.baseAddress!, firstStride: a.stride, second: second.baseAddress!,
                        secondStride: b.stride, size: Size(width, height)), bits: bits)
            }
        }
        let expected = defined(a, b, width, height, bits: bits)
        expect(sums.squares == expected.squares && sums.samples == expected.samples, "\(width)x\(height), \(bits) bits")
        expect(sums.windows, equals: expected.windows, "\(width)x\(height), \(bits) bits")
        let distance = abs(sums.similarity - expected.similarity) / Double(max(1, expected.windows))
        expect(distance, below: 1e-6, "\(width)x\(height), \(bits) bits")
    }

    @Test(arguments: [8, 9, 10, 12, 14, 16]) func anySizeAndDepthIsAsDefined(_ bits: Int) {
        for (width, height) in [
            (64, 36), (67, 21), (50, 18), (33, 9), (16, 8), (9, 17), (8, 8), (7, 20), (3, 3), (1, 1),
        ] {
            var numbers = SeededNumbers(UInt64(width * bits))
            let most = 1 << bits - 1
            let a = Plane(width, height, bits: bits) { _, _ in Int(numbers.next() % UInt64(most + 1)) }
            let b = Plane(width, height, bits: bits) { x, y in a[x, y] + Int(numbers.next() % 9) - 4 }
            check(width, height, bits: bits, a, b)
        }
    }

    /// The largest sums possible.
    @Test(arguments: [8, 10, 12, 16]) func blackBesideWhiteAndWhiteBesideWhiteFit(_ bits: Int) {
        let (width, height) = (40, 16), most = 1 << bits - 1
        let white = Plane(width, height, bits: bits) { _, _ in most }
        let black = Plane(width, height, bits: bits) { _, _ in 0 }
        let board = Plane(width, height, bits: bits) { x, y in (x + y) % 2 * most }
        let other = Plane(width, height, bits: bits) { x, y in (x + y + 1) % 2 * most }
        for (a, b) in [(white, white), (black, white), (black, black), (board, other), (board, white)] {
            check(width, height, bits: bits, a, b)
        }
    }
}
