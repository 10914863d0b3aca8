import Expectations
import Foundation
import Testing

@testable import Base
@testable import Measurement

/// Figures of frames, their means, and the pairing of frames.
@Suite struct CompareTests {
    private func plane(_ samples: Int, squares: UInt64, ssim: Double = 1) -> PlaneSums {
        var sums = PlaneSums()
        (sums.samples, sums.squares, sums.similarity, sums.windows) = (samples, squares, ssim * 10, 10)
        return sums
    }

    private func frame(_ squares: UInt64, ssim: Double = 1) -> FrameFigures {
        FrameFigures(
            [plane(100, squares: squares, ssim: ssim), plane(25, squares: 0), plane(25, squares: 0)], bits: 8)
    }

    private func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-9 } ?? false }

    @Test func decibelsAreTenTimesTheLogarithm() {
        for exponent in stride(from: -30.0, through: 30, by: 0.37) {
            let value = pow(10, exponent)
            expect(abs(decibels(value) - 10 * log10(value)), below: 1e-9, "\(value)")
        }
        expect(decibels(1), equals: 0)
    }

    @Test(arguments: [8, 10, 12, 16]) func aFrameHasThePSNRofItsMeanErrorAndSSIMByTheSizeOfPlanes(_ bits: Int) {
        let planes = [
            plane(400, squares: 4000, ssim: 0.5), plane(100, squares: 500, ssim: 0.9), plane(100, squares: 0),
        ]
        let figures = FrameFigures(planes, bits: bits), peak = Double(1 << bits - 1)
        expect(isNear(figures[.psnrY], 10 * log10(peak * peak / 10)))
        expect(isNear(figures[.psnrU], 10 * log10(peak * peak / 5)))
        expect(figures[.psnrV], equals: .infinity)
        expect(isNear(figures[.psnrAverage], 10 * log10(peak * peak * 600 / 4500)))
        let similar: Double = 0.5 * 400 + 0.9 * 100 + 100
        expect(isNear(figures[.ssim], similar / 600))
        expect(figures[.vmaf], equals: nil)
    }

    @Test func aGrayFrameHasNoOtherPlanesAndASmallPlaneNoSSIM() {
        let gray = FrameFigures([plane(400, squares: 4000, ssim: 0.5)], bits: 8)
        expect(gray[.psnrU] == nil && gray[.psnrV] == nil && gray[.ssim] == 0.5)
        expect(gray[.psnrY], equals: gray[.psnrAverage])
        var small = plane(16, squares: 3)
        (small.similarity, small.windows) = (0, 0)
        expect(FrameFigures([plane(64, squares: 3, ssim: 0.25), small, small], bits: 8)[.ssim], equals: 0.25)
    }

    @Test func howOpaqueItIsCountsInTheAverageAlone() {
        let colours = [plane(400, squares: 800, ssim: 0.5), plane(100, squares: 0), plane(100, squares: 0)]
        let opaque = FrameFigures(colours, bits: 8)
        let figures = FrameFigures(colours + [plane(400, squares: 9200, ssim: 0.1)], bits: 8)
        expect(isNear(figures[.psnrAverage], 10 * log10(255 * 255 / 10)))
        expect(figures[.psnrY] == opaque[.psnrY] && figures[.psnrV] == .infinity && figures.ssim == opaque.ssim)
    }

    @Test func theMeanOfPSNRIsThatOfTheErrors() {
        let mean = FrameFigures(meanOf: [frame(100, ssim: 0.2), frame(300, ssim: 0.4), frame(0)])
        expect(isNear(mean?[.psnrY], 10 * log10(255 * 255 / (4.0 / 3))))
        let luma: Double = (0.2 + 0.4 + 1) * 100 / 150
        expect(isNear(mean?[.ssim], (luma + 1) / 3))
        expect(FrameFigures(meanOf: []), equals: nil)
        expect(FrameFigures(meanOf: [frame(0), frame(0)])?[.psnrAverage], equals: .infinity)
    }

    // MARK: pairing

    /// Returns the number of the frame paired with each instant; nil if there is none.
    private func partners(
        of instants: [Double], among frames: [(start: Double, length: Double)], ahead offset: Double = 0,
        _ rule: PairingRule = .onScreen
    ) -> [Int?] {
        var pairing = Pairing<Int>(offset: Time(seconds: offset), rule)
        var next = 0
        return instants.map { instant in
            while true {
                switch pairing.partner(at: Time(seconds: instant)) {
                case .frame(let number): return number
                case .none: return nil
                case .unknown:
                    if next < frames.count {
                        let (start, length) = frames[next]
                        pairing.take(next, start: Time(seconds: start), length: Time(seconds: length))
                        next += 1
                    } else {
                        pairing.end()
                    }
                }
            }
        }
    }

    private func film(_ count: Int, rate: Double, from start: Double = 0) -> [(start: Double, length: Double)] {
        (0..<count).map { (start + Double($0) / rate, 1 / rate) }
    }

    private func instants(_ count: Int, rate: Double) -> [Double] { (0..<count).map { Double($0) / rate } }

    /// Paired times differ by less than half a frame, whatever the offset is.
    @Test func filmsOfOneRateGoTogetherByTheNearestFrame() {
        let film = film(60, rate: 25), instants = instants(4, rate: 25)
        for (offset, first) in [
            (0, 0), (1.36, 34), (1.37, 34), (1.379, 34), (1.381, 35), (1.3401, 34), (1.3399, 33), (0.0199, 0),
        ] as [(Double, Int)] {
            expect(partners(of: instants, among: film, ahead: offset, .nearest), equals: (0..<4).map { first + $0 })
        }
        // The reference begins before the other film and ends after it.
        expect(partners(of: self.instants(4, rate: 25), among: film, ahead: -0.07, .nearest), equals: [nil, nil, 0, 1])
        expect(
            partners(of: self.instants(4, rate: 25), among: self.film(3, rate: 25), ahead: 0.01, .nearest),
            equals: [0, 1, 2, nil])
    }

    /// Frames of uneven lengths, as in screen recordings: the nearest start counts, not the nominal rate.
    @Test func framesOfUnevenLengthsGoTogetherByTheirStarts() {
        let starts = [0, 0.01, 0.02, 0.5, 0.51, 2, 2.04]
        let film = zip(starts, starts.dropFirst() + [2.08]).map { (start: $0, length: $1 - $0) }
        expect(partners(of: starts, among: film, .nearest), equals: (0..<7).map { $0 })
        expect(partners(of: starts.map { $0 + 0.003 }, among: film, .nearest), equals: (0..<7).map { $0 })
        expect(partners(of: [0.3, 0.4, 1.5], among: film, .nearest), equals: [3, 3, 5])
    }

    // MARK: grids

    /// Returns by how much the two films' frames start apart, `hours` and one second into the film.
    private func phase(_ offset: Double, rate: Rate = .one, of frame: Time, beside other: Time, hours: Int64 = 0)
        -> Time?
    {
        let grid = FrameGrid(origin: Time(seconds: -offset), frame: frame, at: rate)
        return grid.phase(beside: FrameGrid(origin: .zero, frame: other, at: .one), at: .seconds(3600 * hours + 1))
    }

    @Test func framesOfTwoFilmsOfOneRateAreSoFarApart() {
        let frame = Time.milliseconds(40)
        for (offset, apart) in [(0, 0), (1.36, 0), (1.37, -10), (-1.37, 10), (0.019, -19), (0.021, 19)] {
            expect(phase(offset, of: frame, beside: frame).map { Int(($0.seconds * 1000).rounded()) }, equals: apart)
        }
        // Frames half a frame apart stay on one side.
        expect(Set((0..<5).map { phase(0.02, of: frame, beside: frame, hours: $0) }).count, equals: 1)
        let film = Time(1001, ofUnits: 1, over: 24000)
        expect(phase(0, of: film, beside: Time(1, ofUnits: 1, over: 24)), equals: nil)
        let apart = phase(0, rate: Rate(1.0427083333), of: film, beside: frame, hours: 4)
        expect(apart.map { $0.magnitude < .milliseconds(1) }, equals: true)
    }

    @Test func equalRatesGoTogetherAndWhatIsOverHasNone() {
        expect(partners(of: instants(5, rate: 30), among: film(3, rate: 30)), equals: [0, 1, 2, nil, nil])
    }

    @Test func unlikeRatesShowTheOneThatIsOnScreen() {
        expect(partners(of: instants(6, rate: 50), among: film(3, rate: 25)), equals: [0, 0, 1, 1, 2, 2])
        expect(partners(of: instants(3, rate: 25), among: film(6, rate: 50)), equals: [0, 2, 4])
        expect(partners(of: instants(6, rate: 30), among: film(5, rate: 24)), equals: [0, 0, 1, 2, 3, 4])
    }

    @Test func aheadMeansLaterInItAndBehindThatItHasNotBegun() {
        expect(partners(of: instants(4, rate: 10), among: film(4, rate: 10), ahead: 0.2), equals: [2, 3, nil, nil])
        expect(partners(of: instants(4, rate: 10), among: film(4, rate: 10), ahead: -0.2), equals: [nil, nil, 0, 1])
    }

    @Test func whatIsRoundedByAMillisecondStillBelongsTogether() {
        let rounded = (0..<6).map { number -> (start: Double, length: Double) in
            let milliseconds = (Double(number) / 30 * 1000).rounded(.up)
            return (start: milliseconds / 1000, length: 1.0 / 30)
        }
        expect(partners(of: instants(6, rate: 30), among: rounded), equals: [0, 1, 2, 3, 4, 5])
        expect(partners(of: instants(6, rate: 30), among: film(7, rate: 30), ahead: 0.033), equals: [1, 2, 3, 4, 5, 6])
    }

    // MARK: films

    private func measured(_ squares: [UInt64?]) -> MeasuredFilm {
        var film = MeasuredFilm(source: "b.mp4", offset: .zero)
        for (number, squares) in squares.enumerated() {
            film.addRow(at: .seconds(Int64(number)))
            film[number] = squares.map { frame($0) }
        }
        return film
    }

    @Test func theLowestIsTheFirstOfItsValueAndWhatHasNoPartnerIsNotCounted() {
        let film = measured([nil, 0, 200, 900, 900, nil])
        expect(film.lowest(.psnrY)?.frame == 3 && film.lowest(.psnrY)?.time == .seconds(3))
        expect(film.measured.count == 4 && film.rows.count == 6)
        expect(measured([0, 0]).lowest(.psnrY)?.value, equals: .infinity)
        expect(measured([nil]).lowest(.psnrY) == nil && measured([nil]).mean == nil)
    }

    @Test func theWorstAreKeptInWhateverOrderTheyComeAndEqualOnesAreNone() {
        for order in [[5, 3, 9, 0, 7, 9, 1], [9, 9, 7, 5, 3, 1, 0], [0, 1, 3, 5, 7, 9, 9]] {
            var worst = WorstFrames<Int>(most: 3)
            for (number, squares) in order.enumerated() {
                worst.take(squares, at: .seconds(Int64(number)), psnr: frame(UInt64(squares))[.psnrAverage])
            }
            expect(worst.all.map(\.frame), equals: [9, 9, 7])
            expect(worst.all[0].time, below: worst.all[1].time)
        }
        var none = WorstFrames<Int>(most: 0)
        none.take(1, at: .zero, psnr: frame(5)[.psnrAverage])
        expect(none.all.isEmpty)
    }

    /// Frames of 25 a second: the worst three are neighbours, and so are the next two, on both sides of a half second.
    @Test func ofNeighboursOnlyTheWorstIsKept() {
        let squares = [3: 90, 4: 91, 5: 89, 12: 70, 13: 75, 40: 9, 90: 8]
        for numbers in [Array(0..<100), (0..<100).reversed()] {
            var worst = WorstFrames<Int>(most: 5)
            for number in numbers {
                let time = Time(Int64(number), ofUnits: 1, over: 25)
                worst.take(number, at: time, psnr: frame(UInt64(squares[number] ?? 0))[.psnrAverage])
            }
            expect(worst.all.map(\.frame), equals: [4, 40, 90])
        }
    }

    @Test func aCurveOfManyFramesKeepsTheirLeastAndMostAndEndsWhereNothingIs() throws {
        let film = measured((0..<50_000).map { $0 == 31_234 ? 9_000 : 100 })
        let columns = film.columns(most: 900), ranges = columns.map { film.range(.psnrY, of: $0.frames) }
        expect(columns.count == 900 && columns[0].place == 0 && columns[899].place <= 1)
        let low = try #require(frame(9_000)[.psnrY]), usual = try #require(frame(100)[.psnrY])
        expect(ranges.allSatisfy { $0?.most == usual && $0?.mostFinite == usual })
        expect(ranges.compactMap { $0?.least }.min() == low && ranges.count { $0?.least == low } == 1)
        func drawn(_ squares: [UInt64?]) -> [Bool] {
            let film = measured(squares)
            return film.columns(most: 900).map { film.range(.psnrY, of: $0.frames)?.mostFinite != nil }
        }
        expect(drawn([1, 2, nil, 3, 0, 4]), equals: [true, true, false, true, false, true])
        expect(drawn([0, 0]), equals: [false, false])
    }
}
