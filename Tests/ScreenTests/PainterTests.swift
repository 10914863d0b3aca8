import Base
import Decoded
import Expectations
import Media
import Scene
import Testing

@testable import Screen

@Suite struct PainterTests {
    @Test(arguments: [Colorimetry.Matrix.bt601, .bt709, .bt2020], [Colorimetry.Range.limited, .full])
    func aFrameInItsOwnSizeIsWhatLibyuvMakesOfTheWhole(_ matrix: Colorimetry.Matrix, _ range: Colorimetry.Range) {
        let colours = Colorimetry(matrix, range)
        for frame in [Drawn.i420(61, 43, .noise, colours), Drawn.i444(61, 43, .noise, colours)] {
            let paper = Paper(61, 43)
            let scene = Scene(Size(61, 43), View.shown(frame, at: Rect(0, 0, 61, 43)))
            expect(Painter(texts: nil).paint(scene, into: paper.raster, .everything), equals: [Rect(0, 0, 61, 43)])
            expect(paper.raster.pixels, equals: converted(frame))
        }
    }

    /// A clear tile that comes and goes forces the frame beneath to be drawn anew within its rect.
    @Test func anyClipMakesTheSamePixels() {
        for frame in [Drawn.i420(61, 43, .noise), Drawn.i444(61, 43, .noise, .init(.bt601, .full))] {
            let paper = Paper(80, 60), painter = Painter(texts: nil)
            let at = Rect(7, 5, 61, 43)
            let plain = Scene(Size(80, 60), View.shown(frame, at: at))
            _ = painter.paint(plain, into: paper.raster, .everything)
            let whole = paper.raster.pixels
            let clips = (0..<300).map { n in
                Rect(n * 7 % 75, n * 5 % 55, 1 + n * 11 % 40, 1 + n * 13 % 30)
            }
            let glass = Drawn.bgra(1, 1, .black, alpha: 0)
            for clip in clips {
                paper.raster.fill(clip, Color(red: 255, green: 0, blue: 255))
                let veiled = Scene(Size(80, 60), plain.views[0], View.shown(glass, tile: 1, at: clip))
                _ = painter.paint(veiled, into: paper.raster, .changes)
                expect(paper.raster.pixels, equals: whole, "\(clip)")
                _ = painter.paint(plain, into: paper.raster, .changes)
            }
        }
    }

    @Test func onlyDamageIsTouched() {
        let paper = Paper(100, 50), painter = Painter(texts: nil)
        let a = Drawn.i420(50, 50, .noise), b = Drawn.i420(50, 50, .noise, seed: 9)
        let left = View.shown(a, tile: 0, at: Rect(0, 0, 50, 50))
        _ = painter.paint(
            Scene(Size(100, 50), left, .shown(a, tile: 1, at: Rect(50, 0, 50, 50))),
            into: paper.raster, .everything)
        paper.wipe()
        let next = Scene(Size(100, 50), left, .shown(b, tile: 1, serial: 2, at: Rect(50, 0, 50, 50)))
        expect(painter.paint(next, into: paper.raster, .changes), equals: [Rect(50, 0, 50, 50)])
        expect(paper[49, 20], equals: Paper.untouched)
        expect(paper[50, 20], equals: converted(b)[20 * 50])
        expect(painter.paint(next, into: paper.raster, .changes).isEmpty)
    }

    @Test func theBackgroundFillsWhatTheLayoutLeaves() {
        let paper = Paper(40, 40)
        let frame = Drawn.bgra(10, 10, Color(red: 200, green: 0, blue: 0), alpha: 255)
        _ = Painter(texts: nil).paint(
            Scene(
                Size(40, 40), .shown(frame, at: Rect(10, 10, 10, 10)),
                .shown(frame, tile: 1, at: Rect(35, 35, 10, 10))),
            into: paper.raster, .everything)
        expect(paper[9, 10], equals: 0xFF00_0040)
        expect(paper[10, 10], equals: 0xFFC8_0000)
        expect(paper[20, 20], equals: 0xFF00_0040)
        expect(paper[39, 39], equals: 0xFFC8_0000)
    }

    @Test func aCropOnWholePixelsIsCutOut() {
        let frame = Drawn.i420(64, 48, .noise)
        let whole = converted(frame)
        let paper = Paper(31, 21)
        let crop = Fractions(16.0 / 64, 10.0 / 48, 31.0 / 64, 21.0 / 48)
        _ = Painter(texts: nil).paint(
            Scene(Size(31, 21), .shown(frame, crop: crop, at: Rect(0, 0, 31, 21))), into: paper.raster, .everything)
        for y in 0..<21 {
            let row = paper.raster.pixels[y * 31..<y * 31 + 31], first = (y + 10) * 64 + 16
            expect(Array(row), equals: Array(whole[first..<first + 31]))
        }
    }

    @Test(arguments: [Size(1, 1), Size(3, 5), Size(33, 17), Size(160, 90), Size(201, 111)])
    func aScaledFrameKeepsItsColours(_ size: Size) {
        let frames = [
            Drawn.i420(101, 57, .gradient), Drawn.i444(101, 57, .gradient, .init(.bt709, .full)),
            Drawn.bgra(101, 57, Color(red: 10, green: 90, blue: 200), alpha: 255),
        ]
        for frame in frames {
            let paper = Paper(size.width, size.height)
            _ = Painter(texts: nil).paint(
                Scene(size, .shown(frame, at: Rect(size))), into: paper.raster, .everything)
            let whole = converted(frame)
            let nearest = (0..<size.width * size.height).map { n in
                let x = (n % size.width * 2 + 1) * 101 / (size.width * 2)
                let y = (n / size.width * 2 + 1) * 57 / (size.height * 2)
                return whole[y * 101 + x]
            }
            expect(meanDifference(paper.raster.pixels, nearest), below: (size.width < 10 ? 12 : 6))
        }
    }

    @Test func aClearFrameLetsTheOneBeneathThrough() {
        let paper = Paper(40, 40), painter = Painter(texts: nil)
        let below = Drawn.bgra(40, 40, Color(red: 200, green: 0, blue: 0), alpha: 255)
        let above = Drawn.bgra(20, 20, Color(red: 0, green: 200, blue: 0), alpha: 128)
        func scene(_ serial: Int) -> Scene {
            Scene(
                Size(40, 40), .shown(below, tile: 0, serial: serial, at: Rect(0, 0, 40, 40)),
                .shown(above, tile: 1, at: Rect(10, 10, 20, 20)))
        }
        for serial in 1...3 {
            _ = painter.paint(scene(serial), into: paper.raster, .changes)
            let mixed = paper[15, 15]
            expect(abs(Int(mixed >> 16 & 0xFF) - 100) <= 2 && abs(Int(mixed >> 8 & 0xFF) - 100) <= 2)
            expect(paper[5, 5], equals: 0xFFC8_0000)
        }
    }

    @Test func aTargetFarLargerThanTheWindowIsCutFirst() {
        let paper = Paper(40, 40)
        let frame = Drawn.bgra(64, 64, Color(red: 1, green: 2, blue: 3), alpha: 255)
        let huge = Rect(-500_000, -500_000, 1_000_000, 1_000_000)
        _ = Painter(texts: nil).paint(
            Scene(Size(40, 40), .shown(frame, at: huge)), into: paper.raster, .everything)
        expect(paper[0, 0], equals: 0xFF01_0203)
        expect(paper[39, 39], equals: 0xFF01_0203)
    }

    @Test func aCardHidesWhatIsBeneath() {
        let paper = Paper(40, 40)
        let below = Drawn.bgra(40, 40, Color(red: 200, green: 0, blue: 0), alpha: 255)
        let scene = Scene(
            Size(40, 40), View.shown(below, tile: 0, at: Rect(0, 0, 40, 40)),
            .card("a", "b", tile: 1, at: Rect(0, 0, 20, 20)))
        _ = Painter(texts: nil).paint(scene, into: paper.raster, .everything)
        expect(paper[10, 10], equals: Card.panel.argb)
        expect(paper[30, 30], equals: 0xFFC8_0000)
    }
}
