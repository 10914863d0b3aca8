import Base
import Expectations
import Scene
import Testing
import Threads

@testable import Screen

@Suite struct TextTests {
    @Test func textsAreDrawnLiterally() {
        let cases = [
            ("plain", "plain"),
            ("{\\b1}bold", "\\{\\\u{2060}b1\\}bold"),
            ("a\\Nb", "a\\\u{2060}Nb"),
            ("two\nlines\tand\r\u{7}", "two lines and  "),
            ("Größe 日本", "Größe 日本"),
        ]
        for (text, expected) in cases { expect(literal(text), equals: expected) }
    }

    @Test func aTextIsNotThereAtFirstAndReadyLater() {
        let ready = Locked(0)
        let maker = TextMaker { ready.locked { $0 += 1 } }
        defer { maker.stop() }
        expect(maker.bitmap("left", height: 20, maxWidth: 200, style: .title) == nil)
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        let bitmap = maker.bitmap("left", height: 20, maxWidth: 200, style: .title)
        expect(bitmap?.size.height, equals: 20)
        expect((bitmap?.size.width ?? 0), above: 15)
        expect(bitmap?.pixels.contains { $0 >> 24 > 200 }, equals: true)
        expect(ready.locked { $0 }, atLeast: 1)
        expect(maker.bitmap("left", height: 20, maxWidth: 200, style: .title) === bitmap)
    }

    @Test func bracesAreSeenAndTagsDoNothing() {
        let maker = TextMaker {}
        defer { maker.stop() }
        func width(_ text: String) -> Int {
            _ = maker.bitmap(text, height: 20, maxWidth: 2000, style: .detail)
            _ = maker.settle(within: 20_000_000_000)
            return maker.bitmap(text, height: 20, maxWidth: 2000, style: .detail)?.size.width ?? 0
        }
        expect(width("{\\fs90}wide"), above: width("wide") + 20)
        expect(width("a\\Nb"), above: width("ab"))
        expect(width(""), equals: 1)
        expect(width("   "), equals: 1)
    }

    @Test(arguments: [18, 30, 60])
    func descendersAreNotCutOff(_ height: Int) {
        let maker = TextMaker {}
        defer { maker.stop() }
        // In Debian's default fonts, this line reaches below the text's height.
        _ = maker.bitmap("gjpqy|", height: height, maxWidth: 2000, style: .title)
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        let bitmap = maker.bitmap("gjpqy|", height: height, maxWidth: 2000, style: .title)!
        expect(bitmap.size.height, above: height)
    }

    @Test func aTextThatIsTooWideIsShrunkThenCut() {
        let maker = TextMaker {}
        defer { maker.stop() }
        let texts = ["a name that is somewhat long", String(repeating: "endless ", count: 200), "ab"]
        for style in [TextStyle.title, .detail, .label] {
            for text in texts { _ = maker.bitmap(text, height: 18, maxWidth: 150, style: style) }
        }
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        for style in [TextStyle.title, .detail, .label] {
            for text in texts {
                let bitmap = maker.bitmap(text, height: 18, maxWidth: 150, style: style)
                expect((1...150).contains(bitmap?.size.width ?? 0), "\(text.prefix(9)) \(style)")
            }
        }
    }

    @Test func colourNeverExceedsItsOpacity() {
        let maker = TextMaker {}
        defer { maker.stop() }
        _ = maker.bitmap("Label", height: 24, maxWidth: 300, style: .label)
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        let bitmap = maker.bitmap("Label", height: 24, maxWidth: 300, style: .label)!
        let isPremultiplied = bitmap.pixels.allSatisfy { pixel in
            [UInt32(0), 8, 16].allSatisfy { pixel >> $0 & 0xFF <= pixel >> 24 }
        }
        expect(isPremultiplied)
    }

    @Test func anUnusedMakerStopsAtOnce() {
        expect(TextMaker {}.stop(), equals: [])
    }

    @Test func aLabelComesWhenItsTextIsReadyAndStaysOverNewFrames() {
        let maker = TextMaker {}
        defer { maker.stop() }
        let paper = Paper(320, 180), painter = Painter(texts: maker)
        func scene(_ serial: Int) -> Scene {
            let grey = Drawn.bgra(320, 180, Color(red: 90, green: 90, blue: 90), alpha: 255)
            return Scene(Size(320, 180), .shown(grey, serial: serial, at: Rect(0, 0, 320, 180), label: "Before"))
        }
        _ = painter.paint(scene(1), into: paper.raster, .changes)
        let bare = paper.raster.pixels
        expect(Set(bare).count, equals: 1)
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        let label = painter.paint(scene(1), into: paper.raster, .changes)
        expect(label.count == 1 && label[0].width < 160 && label[0].y > 90)
        let labelled = paper.raster.pixels
        expect(Set(labelled).count, above: 10)
        _ = painter.paint(scene(2), into: paper.raster, .changes)
        expect(paper.raster.pixels, equals: labelled)
        expect(painter.paint(scene(2), into: paper.raster, .changes).isEmpty)
    }

    @Test(arguments: [Size(80, 45), Size(160, 90), Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(120, 900)])
    func cardsAndLabelsFitTheirTiles(_ size: Size) {
        let maker = TextMaker {}
        defer { maker.stop() }
        let paper = Paper(size.width * 2, size.height), painter = Painter(texts: maker)
        let frame = Drawn.i420(320, 180, .gradient)
        let scene = Scene(
            Size(size.width * 2, size.height),
            View.card("left {\\i1}", "missing: clips/a very long name of a file.mp4", tile: 0, at: Rect(size)),
            View.shown(frame, tile: 1, at: Rect(size.width, 0, size.width, size.height), label: "Before: größer 1.5"))
        _ = painter.paint(scene, into: paper.raster, .changes)
        expect(maker.settle(within: 20_000_000_000), equals: .settled)
        _ = painter.paint(scene, into: paper.raster, .changes)
        keep(paper.raster.size, paper.raster.pixels, as: "card-\(size.width)x\(size.height)")
        let row = paper.raster.pixels[0..<size.width]
        expect(Set(row), equals: [Card.panel.argb])
        expect(Set(paper.raster.pixels).count, above: 20)
    }
}
