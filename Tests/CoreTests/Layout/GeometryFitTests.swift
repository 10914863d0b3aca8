import Base
import Expectations
import Layout
import Testing

struct FitCase: Sendable {
    var natural: Size
    var turn = Turn.none
    var flip = Flip.none
    var crop = Fractions.all
    var fit: Fit
    var rect: Rect
    var shown: Fractions
    var target: Rect
}

private let cases: [FitCase] = [
    FitCase(
        natural: Size(1920, 1080), fit: .contain, rect: Rect(10, 20, 640, 360), shown: .all,
        target: Rect(10, 20, 640, 360)),
    FitCase(
        natural: Size(1920, 1080), fit: .contain, rect: Rect(10, 20, 640, 640), shown: .all,
        target: Rect(10, 160, 640, 360)),
    FitCase(
        natural: Size(1080, 1920), fit: .contain, rect: Rect(0, 0, 640, 360), shown: .all,
        target: Rect(218, 0, 203, 360)),
    FitCase(
        natural: Size(1920, 1080), turn: .quarter, fit: .contain, rect: Rect(0, 0, 640, 360), shown: .all,
        target: Rect(218, 0, 203, 360)),
    FitCase(
        natural: Size(1000, 1), fit: .contain, rect: Rect(0, 0, 100, 100), shown: .all, target: Rect(0, 49, 100, 1)),
    FitCase(
        natural: Size(100, 100), fit: .cover, rect: Rect(0, 0, 200, 100), shown: Fractions(0, 0.25, 1, 0.5),
        target: Rect(0, 0, 200, 100)),
    FitCase(
        natural: Size(400, 100), fit: .cover, rect: Rect(0, 0, 200, 100), shown: Fractions(0.25, 0, 0.5, 1),
        target: Rect(0, 0, 200, 100)),
    FitCase(
        natural: Size(100, 400), turn: .threeQuarters, fit: .cover, rect: Rect(0, 0, 200, 100),
        shown: Fractions(0.25, 0, 0.5, 1), target: Rect(0, 0, 200, 100)),
    FitCase(
        natural: Size(400, 100), fit: .stretch, rect: Rect(5, 5, 33, 77), shown: .all, target: Rect(5, 5, 33, 77)),
    FitCase(
        natural: Size(400, 100), crop: Fractions(0, 0, 0.25, 1), fit: .contain, rect: Rect(0, 0, 200, 100),
        shown: Fractions(0, 0, 0.25, 1), target: Rect(50, 0, 100, 100)),
    FitCase(
        natural: Size(400, 100), crop: Fractions(0.5, 0, 0.5, 1), fit: .cover, rect: Rect(0, 0, 100, 100),
        shown: Fractions(0.625, 0, 0.25, 1), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), turn: .quarter, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0.5, 0, 0.5, 0.25), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), turn: .half, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0.75, 0.5, 0.25, 0.5), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), turn: .threeQuarters, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0, 0.75, 0.5, 0.25), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), flip: .horizontal, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0.75, 0, 0.25, 0.5), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), flip: .vertical, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0, 0.5, 0.25, 0.5), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), turn: .quarter, flip: .horizontal, crop: Fractions(0, 0, 0.25, 0.5), fit: .stretch,
        rect: Rect(0, 0, 100, 100), shown: Fractions(0, 0, 0.5, 0.25), target: Rect(0, 0, 100, 100)),
    FitCase(
        natural: Size(400, 200), fit: .contain, rect: Rect(7, 7, 0, 100), shown: .all, target: Rect(7, 7, 0, 100)),
    FitCase(natural: Size(0, 0), fit: .cover, rect: Rect(7, 7, 9, 9), shown: .all, target: Rect(7, 7, 9, 9)),
]

@Test(arguments: cases)
func aFrameFitsItsRect(_ example: FitCase) {
    let (crop, target) = TileGeometry.fit(
        natural: example.natural, turn: example.turn, flip: example.flip, crop: example.crop, fit: example.fit,
        rect: example.rect)
    expect(crop, equals: example.shown)
    expect(target, equals: example.target)
}

@Test func whatIsDrawnLiesWithinItsRect() {
    var faults: [String] = []
    for width in stride(from: 1, to: 400, by: 7) {
        for height in stride(from: 1, to: 400, by: 11) {
            let rect = Rect(-3, 5, width, height)
            for natural in [Size(1920, 1080), Size(1, 1), Size(3, 1000), Size(720, 576)] {
                for fit in [Fit.contain, .cover, .stretch] {
                    let (crop, target) = TileGeometry.fit(
                        natural: natural, turn: .quarter, flip: .vertical, crop: Fractions(0.1, 0.2, 0.3, 0.7),
                        fit: fit, rect: rect)
                    let isPart =
                        crop.x > -1e-9 && crop.y > -1e-9 && crop.x + crop.width < 1 + 1e-9
                        && crop.y + crop.height < 1 + 1e-9 && crop.width > 0 && crop.height > 0
                    if !isPart || !rect.contains(target) || target.isEmpty {
                        faults.append("\(natural) \(fit) \(rect)")
                    }
                }
            }
        }
    }
    expect(faults.isEmpty, "\(faults.prefix(3))")
}

private let half = Fractions(0.25, 0, 0.5, 1)

@Test(
    arguments: [
        (Size(1920, 1080), Turn.none, [], Size(1, 1)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 640, 360), .contain, .all)], Size(640, 360)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 640, 640), .contain, .all)], Size(640, 360)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 640, 640), .cover, .all)], Size(1138, 640)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 640, 640), .stretch, .all)], Size(640, 640)),
        (Size(1920, 1080), .quarter, [(Rect(0, 0, 640, 640), .contain, .all)], Size(360, 640)),
        (Size(1920, 1080), .half, [(Rect(0, 0, 640, 640), .contain, .all)], Size(640, 360)),
        (Size(640, 360), .none, [(Rect(0, 0, 1280, 720), .contain, .all)], Size(640, 360)),
        (Size(640, 360), .none, [(Rect(0, 0, 1280, 100), .stretch, .all)], Size(640, 100)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 480, 540), .contain, half)], Size(960, 540)),
        (Size(1920, 1080), .quarter, [(Rect(0, 0, 540, 480), .contain, half)], Size(540, 960)),
        (
            Size(1920, 1080), .none, [(Rect(0, 0, 320, 180), .contain, .all), (Rect(0, 0, 960, 540), .contain, .all)],
            Size(960, 540)
        ),
        (
            Size(1000, 1000), .none, [(Rect(0, 0, 500, 10), .stretch, .all), (Rect(0, 0, 10, 400), .stretch, .all)],
            Size(500, 400)
        ),
        (Size(1920, 1080), .none, [(Rect(0, 0, 0, 100), .contain, .all)], Size(1, 1)),
        (Size(1920, 1080), .none, [(Rect(0, 0, 1, 1), .contain, .all)], Size(1, 1)),
        (Size(0, 0), .none, [(Rect(0, 0, 9, 9), .contain, .all)], Size(1, 1)),
    ] as [(Size, Turn, [(rect: Rect, fit: Fit, crop: Fractions)], Size)])
func theFrameServesItsLargestView(
    _ natural: Size, _ turn: Turn, _ views: [(rect: Rect, fit: Fit, crop: Fractions)], _ size: Size
) {
    expect(TileGeometry.decodeSize(natural: natural, turn: turn, views: views), equals: size)
}

@Test func aWholeFrameIsDrawnAtTheSizeItIsDecodedAt() {
    for width in stride(from: 16, through: 400, by: 3) {
        for height in stride(from: 16, through: 400, by: 5) {
            let rect = Rect(0, 0, width, height)
            let natural = Size(1920, 1080)
            let target = TileGeometry.fit(
                natural: natural, turn: .none, flip: .none, crop: .all, fit: .contain, rect: rect
            ).target
            let size = TileGeometry.decodeSize(natural: natural, turn: .none, views: [(rect, .contain, .all)])
            expect(size, equals: target.size)
        }
    }
}
