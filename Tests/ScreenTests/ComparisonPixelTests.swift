import Base
import Decoded
import Expectations
import Media
import Scene
import Testing

@testable import Screen

/// Compares every mode of a comparison with the tests' own computation.
@Suite struct ComparisonPixels {
    private let size = Size(61, 43)

    private func shown(
        _ frames: [Frame], _ mode: ComparisonMode, gain: Double? = 4, at: Double = 0.5, angle: Double = 0,
        precision: ComparedFrames.Precision = .asDrawn, target: Rect
    ) -> View {
        let parts = frames.enumerated().map { place, frame in
            PlacedFrame(frame, stamp: Stamp(feed: FeedID(number: place), serial: 1), crop: .all, target: target)
        }
        let compared = ComparedFrames(
            parts, mode: mode, gain: gain, at: at, angle: Angle(degrees: angle), precision: precision)
        return View(
            tile: TileID(number: 0), rect: target, content: .comparison(compared), label: nil)
    }

    private func painted(_ view: View) -> [UInt32] {
        let paper = Paper(view.rect.width, view.rect.height)
        _ = Painter(texts: nil).paint(Scene(view.rect.size, view), into: paper.raster, .everything)
        return paper.raster.pixels
    }

    private func colours(_ pixel: UInt32) -> [Int] { [0, 8, 16].map { Int(pixel >> $0 & 255) } }

    private func pixel(_ colours: [Int]) -> UInt32 {
        0xFF00_0000 | UInt32(colours[0]) | UInt32(colours[1]) << 8 | UInt32(colours[2]) << 16
    }

    private var frames: [Frame] {
        [
            Drawn.i420(61, 43, .noise), Drawn.i420(61, 43, .noise, seed: 9),
            Drawn.i444(61, 43, .noise, .init(.bt601, .full)),
        ]
    }

    @Test(arguments: [0.5, 1, 2, 4, 64])
    func aDifferenceIsEachColoursTimesItsGain(_ gain: Double) {
        let rgb = frames.map { converted($0).map(colours) }
        for count in 2...3 {
            let drawn = painted(
                shown(Array(frames.prefix(count)), .difference, gain: gain, target: Rect(size)))
            let wanted = rgb[0].indices.map { place in
                pixel(
                    (0..<3).map { colour in
                        (1..<count).map { other in
                            min(
                                255,
                                Int((Double(abs(rgb[0][place][colour] - rgb[other][place][colour])) * gain).rounded()))
                        }.max()!
                    })
            }
            expect(drawn, equals: wanted)
        }
    }

    @Test func equalFramesHaveNoDifference() {
        let drawn = painted(
            shown([frames[0], Drawn.i420(61, 43, .noise)], .difference, gain: 64, target: Rect(size)))
        expect(drawn.allSatisfy { $0 == 0xFF00_0000 })
    }

    @Test(arguments: [0.5, 1, 4])
    func aSignedDifferenceIsLighterWhereTheFirstIs(_ gain: Double) {
        let (a, b) = (converted(frames[0]).map(colours), converted(frames[1]).map(colours))
        let drawn = painted(shown(Array(frames.prefix(2)), .signed, gain: gain, target: Rect(size)))
        let wanted = a.indices.map { place in
            pixel(
                (0..<3).map {
                    max(0, min(255, Int((128 + Double(a[place][$0] - b[place][$0]) / 2 * gain).rounded())))
                })
        }
        expect(drawn, equals: wanted)
    }

    @Test func heatIsBlackWhereNothingDiffersAndRises() {
        let flat = { (grey: UInt8) in
            Drawn.bgra(8, 8, Color(red: grey, green: grey, blue: grey), alpha: 255)
        }
        let steps = [0, 10, 20, 30, 40, 50, 63].map { apart -> Int in
            let drawn = painted(shown([flat(100), flat(100 + UInt8(apart))], .heat, gain: 4, target: Rect(Size(8, 8))))
            expect(Set(drawn).count, equals: 1)
            return Int(drawn[0] & 0xFF_FFFF)
        }
        expect(steps[0] == 0 && Set(steps).count == steps.count)
        let most = painted(shown([flat(0), flat(255)], .heat, gain: 4, target: Rect(Size(8, 8))))
        expect(most[0], equals: 0xFFFF_FFFF)
    }

    /// 255 over the difference, rounded down to a power of two, from 1 to 64.
    @Test(arguments: [
        (1, 64.0), (3, 64), (4, 32), (7, 32), (8, 16), (31, 8), (32, 4), (100, 2), (128, 1), (155, 1), (0, 64),
    ])
    func anAutomaticGainIsThatOfTheFrame(_ apart: Int, _ gain: Double) {
        let flat = { (grey: Int) in
            Drawn.bgra(8, 8, Color(red: UInt8(grey), green: UInt8(grey), blue: UInt8(grey)), alpha: 255)
        }
        let frames = [flat(100), flat(100 + apart)], target = Rect(Size(8, 8))
        for mode in [ComparisonMode.heat, .difference, .signed] {
            let automatic = painted(shown(frames, mode, gain: nil, target: target))
            expect(automatic, equals: painted(shown(frames, mode, gain: gain, target: target)), "\(mode)")
        }
        let painter = Painter(texts: nil), paper = Paper(8, 8)
        _ = painter.paint(
            Scene(Size(8, 8), shown(frames, .heat, gain: nil, target: target)), into: paper.raster, .everything)
        expect(painter.drawings.gains, equals: [TileID(number: 0): gain])
    }

    /// A few pixels that differ much stay white, and do not hide the others.
    @Test func anAutomaticGainIsThatOfAlmostAllPixels() {
        var automatic = AutomaticGain()
        for _ in 0..<1000 { automatic.add(3 << 8) }
        for _ in 0..<9 { automatic.add(200 << 8) }
        for _ in 0..<5000 { automatic.add(0) }
        expect(automatic.gain, equals: 64)
        for _ in 0..<100 { automatic.add(200 << 8) }
        expect(automatic.gain, equals: 1)
    }

    @Test func anOverlayIsTheMean() {
        let rgb = frames.map { converted($0).map(colours) }
        for count in 2...3 {
            let drawn = painted(shown(Array(frames.prefix(count)), .overlay, target: Rect(size)))
            let wanted = rgb[0].indices.map { place in
                pixel((0..<3).map { colour in ((0..<count).reduce(count / 2) { $0 + rgb[$1][place][colour] }) / count })
            }
            expect(drawn, equals: wanted)
        }
    }

    @Test(arguments: [0.0, 90, 180, 30, 222])
    func aWipeShowsEachOnItsSideOfTheLine(_ angle: Double) {
        let rgb = frames.map(converted)
        for count in 2...3 {
            let drawn = painted(
                shown(Array(frames.prefix(count)), .wipe, at: 0.4, angle: angle, target: Rect(size)))
            let lines = WipeLines(in: Rect(size), bands: count, at: 0.4, angle: Angle(degrees: angle))
            var wanted: [UInt32] = []
            for y in 0..<size.height {
                for (band, end) in lines.bands(inRow: y, columns: 0..<size.width) {
                    while wanted.count < y * size.width + end { wanted.append(rgb[band][wanted.count]) }
                }
            }
            expect(drawn, equals: wanted)
        }
    }

    /// At every size and in both precisions, a flat frame stays flat.
    @Test(arguments: [Size(61, 43), Size(122, 86), Size(80, 50), Size(40, 20), Size(17, 9)])
    func flatFramesStayAsTheyAre(_ size: Size) {
        let flat = { (grey: UInt8) in Drawn.bgra(61, 43, Color(red: grey, green: grey, blue: grey), alpha: 255) }
        for precision in [ComparedFrames.Precision.asDrawn, .full] {
            for (mode, first, second, wanted) in [
                (ComparisonMode.overlay, 255, 255, 255), (.signed, 77, 77, 128), (.signed, 255, 128, 192),
                (.difference, 200, 100, 100),
            ] as [(ComparisonMode, UInt8, UInt8, Int)] {
                let drawn = painted(
                    shown([flat(first), flat(second)], mode, gain: 1, precision: precision, target: Rect(size)))
                expect(Set(drawn.flatMap(colours)), equals: [wanted], "\(mode) \(precision)")
            }
        }
    }

    @Test func aWipeInPartsIsTheSameAsInOne() {
        let view = shown(Array(frames.prefix(3)), .wipe, at: 0.3, angle: 30, target: Rect(size))
        let paper = Paper(61, 43), painter = Painter(texts: nil)
        _ = painter.paint(Scene(size, view), into: paper.raster, .everything)
        paper.wipe()
        let shifted = View(
            tile: TileID(number: 1), rect: Rect(7, 5, 31, 17), content: .blank, label: nil)
        _ = painter.paint(Scene(size, view, shifted), into: paper.raster, .changes)
        _ = painter.paint(Scene(size, view), into: paper.raster, .changes)
        let whole = painted(view)
        for y in 5..<22 {
            for x in 7..<38 { expect(paper[x, y], equals: whole[y * 61 + x]) }
        }
        expect(paper[0, 0], equals: Paper.untouched)
    }

    /// In full precision the difference is taken from the reference's own pixels, at whatever size it is drawn.
    @Test func inFullPrecisionTheDifferenceIsMadeBeforeItIsScaled() {
        // One pixel in four differs: averaged first, no difference would be seen.
        let (a, b) = (Drawn.i420(64, 48, .noise), Drawn.i420(64, 48, .noise, seed: 5))
        let whole = painted(shown([a, b], .difference, gain: 1, target: Rect(0, 0, 64, 48))).map(colours)
        let half = painted(
            shown([a, b], .difference, gain: 1, precision: .full, target: Rect(0, 0, 32, 24))
        ).map(colours)
        for y in 0..<24 {
            for x in 0..<32 {
                for colour in 0..<3 {
                    let upper = 2 * y * 64 + 2 * x, lower = upper + 64
                    let four: [Int] = [upper, upper + 1, lower, lower + 1].map { whole[$0][colour] }
                    let mean = four.reduce(2, +) / 4
                    expect(abs(half[y * 32 + x][colour] - mean), atMost: 1)
                }
            }
        }
    }

    @Test func anotherSizeIsScaledToTheFirstOnes() {
        let small = Drawn.i420(32, 24, .gradient), large = Drawn.i420(64, 48, .gradient)
        let drawn = painted(shown([large, small], .difference, gain: 1, target: Rect(0, 0, 64, 48))).map(colours)
        expect(drawn.flatMap { $0 }.max()!, atMost: 12)
    }

    @Test func onlyWhatChangesIsDrawnAnew() {
        let paper = Paper(61, 43), painter = Painter(texts: nil)
        let view = shown(Array(frames.prefix(2)), .difference, target: Rect(size))
        _ = painter.paint(Scene(size, view), into: paper.raster, .everything)
        expect(painter.paint(Scene(size, view), into: paper.raster, .changes).isEmpty)
        let louder = shown(Array(frames.prefix(2)), .difference, gain: 8, target: Rect(size))
        expect(painter.paint(Scene(size, louder), into: paper.raster, .changes), equals: [Rect(size)])
        expect(paper.raster.pixels, equals: painted(louder))
    }
}
