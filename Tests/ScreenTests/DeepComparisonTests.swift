import Base
import Expectations
import Testing

@testable import Media
@testable import Screen

/// Compares the 16-bit modes of comparisons with the tests' own computation.
@Suite struct DeepComparisons {
    private let size = Size(13, 3)

    /// Rows of noise. Some samples are near those of `other`.
    private final class Noise {
        let samples: [UnsafeMutablePointer<UInt16>]
        let stride = 19

        init(_ seed: UInt64, near other: Noise? = nil) {
            var state = seed
            samples = (0..<3).map { _ in .allocate(capacity: 19 * 3) }
            for plane in 0..<3 {
                for place in 0..<19 * 3 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let value = UInt16(truncatingIfNeeded: state >> 48)
                    samples[plane][place] = other.map { $0.samples[plane][place] / 2 + value / 64 } ?? value
                }
            }
        }
        deinit { samples.forEach { $0.deallocate() } }

        var planes: DeepColours.Planes {
            DeepColours.Planes(
                red: UnsafePointer(samples[0]), green: UnsafePointer(samples[1]), blue: UnsafePointer(samples[2]),
                stride: stride)
        }
        /// Colours of a pixel, in the order of its bytes.
        func at(_ x: Int, _ y: Int) -> [Double] { [2, 1, 0].map { Double(samples[$0][y * stride + x]) } }
    }

    private func compare(
        _ mode: ComparisonMode, gain: Double, _ frames: [Noise], _ wanted: ([[Double]]) -> [Double]
    ) {
        let paper = Paper(size.width, size.height)
        DeepComparisonMath(mode: mode, gain: gain).combine(frames.map(\.planes), into: paper.raster)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let made = paper[x, y]
                let right = wanted(frames.map { $0.at(x, y) })
                for colour in 0..<3 {
                    let value = min(255, max(0, right[colour]))
                    expect(abs(Double(made >> (8 * UInt32(colour)) & 255) - value), atMost: 0.51, "\(mode) \(x),\(y)")
                }
                expect(made >> 24, equals: 255)
            }
        }
        withExtendedLifetime(frames) {}
    }

    @Test(arguments: [0.5, 1, 16, 64])
    func differencesAreTimesTheGainBeforeTheyAreRounded(_ gain: Double) {
        let first = Noise(3)
        let frames = [first, Noise(5, near: first), Noise(7, near: first)]
        for count in 2...3 {
            compare(.difference, gain: gain, Array(frames.prefix(count))) { all in
                (0..<3).map { colour in
                    all.dropFirst().map { abs(all[0][colour] - $0[colour]) }.max()! * gain / 256
                }
            }
        }
        compare(.signed, gain: gain, [frames[0], frames[1]]) { all in
            zip(all[0], all[1]).map { (a: Double, b: Double) -> Double in
                let difference = (a - b) / 2 * gain
                return 128 + difference / 256
            }
        }
    }

    @Test func anOverlayIsTheMeanAndHeatRises() {
        let first = Noise(3), second = Noise(11)
        compare(.overlay, gain: 1, [first, second]) { all in (0..<3).map { (all[0][$0] + all[1][$0]) / 2 / 256 } }
        let paper = Paper(size.width, size.height)
        DeepComparisonMath(mode: .heat, gain: 64).combine([first.planes, first.planes], into: paper.raster)
        expect(paper.raster.pixels.allSatisfy { $0 == 0xFF00_0000 })
        DeepComparisonMath(mode: .heat, gain: 64).combine([first.planes, second.planes], into: paper.raster)
        expect(Set(paper.raster.pixels).isSubset(of: [0xFFFF_FFFF]) || Set(paper.raster.pixels).count > 1)
    }
}
