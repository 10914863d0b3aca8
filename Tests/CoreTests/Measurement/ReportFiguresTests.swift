import Expectations
import Testing

@testable import Base
@testable import Measurement

/// Figures of the report that `measure` writes: percentiles, and the part of a frame that differs most.
@Suite struct ReportFiguresTests {
    @Test func aPercentileIsTheValueOfTheNearestRank() {
        let five = [35, 20, 15, 50, 40] as [Double]
        let cases: [([Double], Int, Double?)] = [
            (five, 5, 15), (five, 20, 15), (five, 21, 20), (five, 30, 20), (five, 40, 20), (five, 50, 35),
            (five, 100, 50), ([7], 1, 7), ([7], 100, 7), ([], 5, nil),
            ((1...200).map(Double.init), 1, 2), ((1...200).map(Double.init), 5, 10),
            ((1...100).map(Double.init), 1, 1), ((1...101).map(Double.init), 1, 2),
            ([.infinity, .infinity, 30], 1, 30), ([.infinity, .infinity], 5, .infinity),
        ]
        for (values, percent, wanted) in cases {
            expect(percentile(percent, of: values), equals: wanted, "\(percent) of \(values.count)")
        }
    }

    @Test func percentilesOfAFilmCountMeasuredFramesAlone() {
        var film = MeasuredFilm(source: "a", offset: .zero)
        for frame in 0..<4 {
            film.addRow(at: .milliseconds(Int64(frame) * 40))
            if frame == 1 { continue }
            var sums = PlaneSums()
            (sums.samples, sums.squares) = (100, UInt64(100 * (frame + 1) * (frame + 1)))
            film[frame] = FrameFigures([sums], bits: 8)
        }
        expect(film.percentile(5, .psnrY), equals: film.lowest(.psnrY)?.value)
        expect(film.percentile(34, .psnrY), equals: film[2]?[.psnrY])
        expect(film.percentile(5, .psnrU), equals: nil)
    }

    /// Blocks of a frame with these errors, by column and row.
    private func blocks(_ size: Size, _ errors: [[Int]: UInt64]) -> ErrorBlocks {
        ErrorBlocks(of: size) { errors[[$0, $1]] ?? 0 }
    }

    @Test func theWorstPartIsAroundTheErrors() {
        let size = Size(640, 480)
        let cases: [([[Int]: UInt64], Rect)] = [
            // One block is in the middle of the part.
            ([[20, 15]: 9], Rect(320 + 8 - 72, 240 + 8 - 56, 160, 128)),
            // At an edge the part stays in the frame.
            ([[0, 0]: 9], Rect(0, 0, 160, 128)), ([[39, 29]: 9], Rect(480, 352, 160, 128)),
            // Many small errors outweigh a large one.
            ([[2, 2]: 9, [20, 10]: 4, [22, 11]: 4, [24, 12]: 4], Rect(280, 120, 160, 128)),
            ([[2, 2]: 13, [20, 10]: 4, [22, 11]: 4, [24, 12]: 4], Rect(0, 0, 160, 128)),
        ]
        for (errors, wanted) in cases {
            let part = blocks(size, errors).worst(Size(160, 128))
            // The part begins at a block.
            let isNear = abs(part.x - wanted.x) <= 16 && abs(part.y - wanted.y) <= 16
            expect(isNear && part.size == wanted.size, "\(part), not \(wanted)")
            expect(part.x % 16 == 0 && part.y % 16 == 0)
        }
    }

    @Test func aPartIsNoLargerThanItsFrame() {
        expect(blocks(Size(100, 50), [[6, 3]: 1]).worst(Size(320, 192)), equals: Rect(0, 0, 100, 50))
        expect(blocks(Size(8, 8), [:]).worst(Size(320, 192)), equals: Rect(0, 0, 8, 8))
        expect(blocks(Size(330, 200), [[20, 12]: 1]).worst(Size(320, 192)), equals: Rect(10, 8, 320, 192))
    }

    /// Equal frames show their middle.
    @Test func withoutErrorsThePartIsInTheMiddle() {
        expect(blocks(Size(640, 384), [:]).worst(Size(320, 192)), equals: Rect(160, 96, 320, 192))
    }
}
