import Base
import Decoded
import Expectations
import Media
import Scene
import Testing

@testable import Screen

/// Parts of frames that are drawn larger than they are stored.
@Suite struct Magnified {
    private let frame = Drawn.i444(64, 48, .noise, .init(.bt601, .full))

    private func painted(_ view: View) -> [UInt32] {
        let paper = Paper(view.rect.width, view.rect.height)
        _ = Painter(texts: nil).paint(Scene(view.rect.size, view), into: paper.raster, .everything)
        return paper.raster.pixels
    }

    /// Each of the frame's pixels covers sixteen of the window's. The part begins within a pixel.
    @Test(arguments: [0.0, 0.3, 0.5, 1.9])
    func pixelsAreSquaresWhereverThePartBegins(_ start: Double) {
        let whole = converted(frame)
        let crop = Fractions((10 + start) / 64, 5.0 / 48, 16.0 / 64, 12.0 / 48)
        let drawn = painted(.shown(frame, crop: crop, at: Rect(0, 0, 256, 192)))
        for y in 0..<192 {
            for x in 0..<256 {
                let column = 10 + (Double(x) + 0.5 + (start * 16).rounded()) / 16
                expect(drawn[y * 256 + x], equals: whole[(5 + y / 16) * 64 + Int(column)])
            }
        }
    }

    /// Scaling whole pixels of the frame would take many thousand times the window's memory.
    @Test(arguments: [0.5, 0.05, 0.01, 3e-5, 1e-9])
    func aSmallPartOfASmallFrameTakesNoMoreMemoryThanTheWindow(_ part: Double) {
        let target = Rect(0, 0, 256, 192)
        for frame in [
            Drawn.bgra(1, 1, Color(red: 9, green: 8, blue: 7), alpha: 255), frame, Drawn.i420(160, 90, .noise),
        ] {
            for start in [0, 0.5, 1 - part] {
                let crop = Fractions(start, min(start, 1 - part), part, part)
                let placement = FramePlacement(of: frame, crop: crop, in: target)
                expect(placement.target.width <= 2 * 256 + 64 && placement.target.height <= 2 * 192 + 64)
                expect(Rect(frame.size).contains(placement.source) && !placement.source.isEmpty)
                let drawn = painted(.shown(frame, crop: crop, at: target))
                if frame.size == Size(1, 1) { expect(drawn.allSatisfy { $0 == 0xFF09_0807 }) }
            }
        }
    }

    @Test func aComparisonIsMagnifiedAsItsFramesAre() {
        let crop = Fractions(10.5 / 64, 5.25 / 48, 16.0 / 64, 12.0 / 48), target = Rect(0, 0, 256, 192)
        func compared(_ mode: ComparisonMode, _ frames: [Frame]) -> [UInt32] {
            let parts = frames.enumerated().map { place, frame in
                PlacedFrame(frame, stamp: Stamp(feed: FeedID(number: place), serial: 1), crop: crop, target: target)
            }
            let content = ComparedFrames(
                parts, mode: mode, gain: 1, at: 0.5, angle: Angle(degrees: 0), precision: .asDrawn)
            return painted(
                View(
                    tile: TileID(number: 0), rect: target, content: .comparison(content), label: nil))
        }
        let alone = painted(.shown(frame, crop: crop, at: target))
        expect(compared(.wipe, [frame, frame]), equals: alone)
        expect(compared(.overlay, [frame, frame]), equals: alone)
        expect(compared(.difference, [frame, frame]).allSatisfy { $0 == 0xFF00_0000 })
    }
}
