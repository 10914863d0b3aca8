import Expectations
import Testing

@testable import Base
@testable import Scene

@Suite struct WipeLinesTests {
    @Test(arguments: [0.0, 17, 45, 90, 135, 180, 233, 270, 315])
    func eachPixelIsOfTheBandThatItsMiddleLiesIn(_ degrees: Double) {
        let rect = Rect(10, 20, 61, 43), angle = Angle(degrees: degrees)
        for (bands, at) in [(2, 0.5), (2, 0.2), (3, 0.5), (4, 0.9), (2, 0), (2, 1)] {
            let lines = WipeLines(in: rect, bands: bands, at: at, angle: angle)
            for y in rect.y..<rect.maxY {
                var found: [Int] = []
                var start = rect.x
                for (band, end) in lines.bands(inRow: y, columns: rect.x..<rect.maxX) {
                    found += Array(repeating: band, count: end - start)
                    start = end
                }
                let wanted = (rect.x..<rect.maxX).map { x in
                    let way =
                        (Double(x) + 0.5 - 40.5) * angle.cosine + (Double(y) + 0.5 - 41.5) * angle.sine
                    return lines.offsets.count { $0 <= way }
                }
                // If a line runs through the middle of a pixel, rounding may fall to either side.
                expect(
                    zip(found, wanted).count { $0 != $1 },
                    atMost: (degrees.truncatingRemainder(dividingBy: 90) == 0 ? 0 : 1))
                expect(found.count, equals: wanted.count)
            }
        }
    }

    @Test func theFirstIsOnTheLeftAndAQuarterTurnOnAtTheTop() {
        let rect = Rect(0, 0, 100, 50)
        let upright = WipeLines(in: rect, bands: 2, at: 0.25, angle: Angle(degrees: 0))
        expect(upright.bands(inRow: 3, columns: 0..<100).map(\.band), equals: [0, 1])
        expect(upright.bands(inRow: 3, columns: 0..<100).map(\.end), equals: [25, 100])
        let level = WipeLines(in: rect, bands: 2, at: 0.5, angle: Angle(degrees: 90))
        expect(level.bands(inRow: 24, columns: 0..<100).map(\.band), equals: [0])
        expect(level.bands(inRow: 25, columns: 0..<100).map(\.band), equals: [1])
    }
}
