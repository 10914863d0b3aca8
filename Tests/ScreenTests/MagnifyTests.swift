import Media
import Testing
import WallCore

@testable import Screen

/// Parts of pictures that are drawn larger than they are.
@Suite struct Magnified {
    private let picture = Drawn.i444(64, 48, .noise, .init(.bt601, .full))

    private func painted(_ view: View) -> [UInt32] {
        let paper = Paper(view.rect.width, view.rect.height)
        _ = Painter(texts: nil).paint(Scene(view.rect.size, view), into: paper.raster, .everything)
        return paper.raster.pixels
    }

    /// Sixteen of the window's pixels for each, beginning within one.
    @Test(arguments: [0.0, 0.3, 0.5, 1.9])
    func pixelsAreSquaresWhereverThePartBegins(_ start: Double) {
        let whole = converted(picture)
        let crop = Fractions((10 + start) / 64, 5.0 / 48, 16.0 / 64, 12.0 / 48)
        let drawn = painted(.shown(picture, crop: crop, at: Rect(0, 0, 256, 192)))
        for y in 0..<192 {
            for x in 0..<256 {
                let column = 10 + (Double(x) + 0.5 + (start * 16).rounded()) / 16
                #expect(drawn[y * 256 + x] == whole[(5 + y / 16) * 64 + Int(column)])
            }
        }
    }

    /// Whole pixels of the picture would be drawn many thousand times as large as the window.
    @Test(arguments: [0.5, 0.05, 0.01, 3e-5, 1e-9])
    func aSmallPartOfASmallPictureTakesNoMoreMemoryThanTheWindow(_ part: Double) {
        let target = Rect(0, 0, 256, 192)
        for picture in [
            Drawn.bgra(1, 1, Color(red: 9, green: 8, blue: 7), alpha: 255), picture, Drawn.i420(160, 90, .noise),
        ] {
            for start in [0, 0.5, 1 - part] {
                let crop = Fractions(start, min(start, 1 - part), part, part)
                let placement = PicturePlacement(of: picture, crop: crop, in: target)
                #expect(placement.target.width <= 2 * 256 + 64 && placement.target.height <= 2 * 192 + 64)
                #expect(Rect(picture.size).contains(placement.source) && !placement.source.isEmpty)
                let drawn = painted(.shown(picture, crop: crop, at: target))
                if picture.size == Size(1, 1) { #expect(drawn.allSatisfy { $0 == 0xFF09_0807 }) }
            }
        }
    }

    @Test func aComparisonIsMagnifiedAsItsPicturesAre() {
        let crop = Fractions(10.5 / 64, 5.25 / 48, 16.0 / 64, 12.0 / 48), target = Rect(0, 0, 256, 192)
        func compared(_ mode: ComparisonMode, _ pictures: [Picture]) -> [UInt32] {
            let parts = pictures.enumerated().map { place, picture in
                ComparedPictures.Part(picture, stamp: Stamp(feed: FeedID(number: place), serial: 1), crop: crop)
            }
            let content = ComparedPictures(
                parts, mode: mode, gain: 1, at: 0.5, angle: Angle(degrees: 0), precision: .asDrawn)
            return painted(
                View(
                    tile: TileID(number: 0), rect: target, content: .comparison(content, target: target), label: nil))
        }
        let alone = painted(.shown(picture, crop: crop, at: target))
        #expect(compared(.wipe, [picture, picture]) == alone)
        #expect(compared(.overlay, [picture, picture]) == alone)
        #expect(compared(.difference, [picture, picture]).allSatisfy { $0 == 0xFF00_0000 })
    }
}
