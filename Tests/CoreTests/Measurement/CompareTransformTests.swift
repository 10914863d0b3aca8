import Expectations
import Foundation
import Testing

@testable import Base
@testable import Measurement
@testable import SimulatedWall

@Suite struct CompareTransformTests {
    @Test(arguments: [1, 2, 8, 256]) func aTransformIsTheSumOverTheCircle(_ size: Int) {
        var numbers = Seeded(state: 7)
        let signal = (0..<size).map { _ in
            (Float.random(in: -1...1, using: &numbers), Float.random(in: -1...1, using: &numbers))
        }
        var (real, imaginary) = (signal.map(\.0), signal.map(\.1))
        FourierTransform(size: size).transform(&real, &imaginary)
        for bin in 0..<size {
            var (x, y) = (0.0, 0.0)
            for (place, value) in signal.enumerated() {
                let angle = -2 * Double.pi * Double(bin * place) / Double(size)
                x += Double(value.0) * cos(angle) - Double(value.1) * sin(angle)
                y += Double(value.0) * sin(angle) + Double(value.1) * cos(angle)
            }
            expect(abs(x - Double(real[bin])) < 1e-3 && abs(y - Double(imaginary[bin])) < 1e-3, "bin \(bin)")
        }
    }

    @Test func aCosineIsAsExactAsOneOfTheLibrary() {
        for place in -40...40 {
            let turns = Double(place) * 0.037
            let angle = 2 * Double.pi * turns
            let (across, up): (Double, Double) = (cos(angle), sin(angle))
            expect(abs(cosine(ofTurns: turns) - across), below: 1e-11)
            expect(abs(sine(ofTurns: turns) - up), below: 1e-11)
        }
    }

    /// Both pairs are summed. Negative shifts stand at the end.
    @Test func aCorrelationSaysHowFarTheSecondIsBehind() {
        var correlation = CrossCorrelation(FourierTransform(holding: 16))
        correlation.add([0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 3, 0])
        correlation.add([0, 0, 0, 1, 0, 0], [0, 2, 0, 0, 0, 0])
        let shifts = correlation.shifts().map { ($0 * 1000).rounded() / 1000 }
        expect(shifts.count == 16 && shifts[2] == 3 && shifts[14] == 2)
        expect(shifts.enumerated().allSatisfy { [2, 14].contains($0.offset) || $0.element == 0 })
    }

    @Test(
        arguments: [
            ([0, 1, 0], 0.0), ([0, 4, 2], 1.0 / 6), ([2, 4, 0], -1.0 / 6), ([1, 1, 1], 0), ([4, 4, 0], -0.5),
        ] as [([Float], Double)])
    func aSummitLiesBetweenTheSteps(_ values: [Float], _ place: Double) {
        expect(abs(besideMaximum(values, 1) - place), below: 1e-6)
    }
}
