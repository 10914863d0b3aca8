import Base
import Expectations
import Foundation
import Lyrics
import Scene
import TestKit
import Testing

@testable import Media
@testable import Screen

/// Lyrics over a view, while their drawings are not ready yet.
@Suite struct WordsDrawingTests {
    /// A wall of one tile without frames, with the lyrics of a file over it.
    private final class Stage {
        let texts: TextMaker
        private let paper: Paper
        private let painter: Painter
        private let source: LyricsSource
        static let ground = Color(red: 0, green: 0, blue: 64)

        init(_ size: Size, _ name: String, _ text: String) throws {
            source = .file(try Scratch.file(name, text))
            texts = TextMaker {}
            paper = Paper(size.width, size.height)
            painter = Painter(texts: texts)
        }

        deinit { texts.stop() }

        /// Paints the lyrics as far as they are ready.
        func paint(at time: Time, speed: Double = 0, in rect: Rect? = nil, _ marks: Marks = Marks()) {
            let size = paper.raster.size
            var view = View(tile: TileID(number: 0), rect: rect ?? Rect(size), content: .blank, label: nil)
            view.lyrics = LyricsView(source: source, layout: LyricsLayout(), time: time, speed: speed)
            view.marks = marks
            _ = painter.paint(
                Scene(size: size, background: Self.ground, views: [view]), into: paper.raster, .changes)
        }

        func settle() { expect(texts.settle(within: 20_000_000_000), equals: .settled) }

        /// Paints until all lyrics were read, drawn and shown.
        func paintAll(at time: Time, speed: Double = 0, in rect: Rect? = nil) {
            for _ in 0..<4 {
                paint(at: time, speed: speed, in: rect)
                settle()
            }
        }

        func count(of color: Color) -> Int { paper.raster.pixels.count { $0 == color.argb } }

        /// Bounds of all letters; nil if there are none.
        var ink: Rect? {
            let (pixels, width) = (paper.raster.pixels, paper.raster.size.width)
            var ink: Rect?
            for (place, pixel) in pixels.enumerated() where pixel != Self.ground.argb {
                let spot = Rect(place % width, place / width, 1, 1)
                ink = ink?.union(spot) ?? spot
            }
            return ink
        }
    }

    private static let small = Size(640, 360)

    @Test func whatACardSaysKeepsOffTheWords() {
        var view = View(
            tile: TileID(number: 0), rect: Rect(Self.small), content: .card(Card(.sound, "song", "sound")), label: nil)
        // A name of 40 pixels, a detail of 24, and 10 between them.
        let room = Self.small.height - 74
        func areas() -> [Rect] { Scene(size: Self.small, background: Stage.ground, views: [view]).textAreas }
        expect(areas(), equals: [Rect(0, room / 2, Self.small.width, 74)])
        var layout = LyricsLayout()
        for (position, top) in [(.bottom, room / 6), (.top, room * 5 / 6)] as [(LyricsLayout.Position, Int)] {
            layout.position = position
            view.lyrics = LyricsView(source: .file("song.lrc"), layout: layout, time: .zero, speed: 0)
            expect(areas(), equals: [Rect(0, top, Self.small.width, 74)])
        }
    }

    private func script(
        _ size: Size, height: Int, font: String = "sans-serif", fonts: String = "", _ events: [String]
    ) -> String {
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: \(size.width)
        PlayResY: \(size.height)
        WrapStyle: 2

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
        MarginR, MarginV, Encoding
        Style: Default,\(font),\(height),&H00FFFFFF,&H000000FF,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,20,1

        \(fonts)[Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """ + events.map { "Dialogue: 0,\($0)\n" }.joined()
    }

    // MARK: lines

    @Test func aLineStandsOnTheBackgroundAndStaysWhileItsSizeChanges() throws {
        let stage = try Stage(Self.small, "line.lrc", "[00:00.00]<00:00.00>MMMMMMMM<00:09.00>\n")
        stage.paintAll(at: .seconds(1))
        let large = try #require(stage.ink)
        expect(large.y > 180 && large.width < 640)
        let half = Rect(0, 0, 320, 180)
        stage.paint(at: .seconds(1), in: half)
        let between = try #require(stage.ink)
        expect(half.contains(between))
        stage.paintAll(at: .seconds(1), in: half)
        let little = try #require(stage.ink)
        expect(half.contains(little) && little.height < large.height)
    }

    // MARK: subtitles

    /// A frame that is drawn too late would otherwise never be shown, where drawing takes longer than the frame lasts.
    @Test func aFrameThatIsReadyTooLateIsShownUntilTheNextIs() throws {
        let text = script(Self.small, height: 40, ["0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\k100}{\\kf200}MMMM"])
        let stage = try Stage(Self.small, "late.ass", text)
        let next = Time.seconds(1) + Time(ticks: Time.ticksPerSecond / 60)
        // The lyrics are read.
        stage.paint(at: .seconds(1))
        stage.settle()
        // The drawing for second one is ordered.
        stage.paint(at: .seconds(1))
        stage.settle()
        expect(stage.ink, equals: nil)
        stage.paint(at: next)
        expect(stage.ink != nil)
        stage.paintAll(at: next)
        expect(stage.ink != nil)
        stage.paintAll(at: .seconds(5))
        expect(stage.ink, equals: nil)
    }

    /// Text at the top and at the bottom of a large wall, and the text that follows: each is drawn once.
    @Test func whatIsShownAndWhatFollowsAreKeptHoweverLargeTheyAre() throws {
        let size = Size(3840, 2160), letters = String(repeating: "M", count: 14)
        let text = script(
            size, height: 300,
            [("0:00:00.00,0:00:02.00", "a"), ("0:00:02.00,0:00:04.00", "b")].flatMap { times, letter in
                ["8", "2"].map { "\(times),Default,,0,0,0,,{\\an\($0)}\(letters)\(letter)" }
            })
        let stage = try Stage(size, "large.ass", text)
        stage.paintAll(at: .seconds(1), speed: 1)
        let made = stage.texts.generation
        expect(made, atLeast: 2)
        stage.paintAll(at: .seconds(1), speed: 1)
        expect(stage.texts.generation, equals: made)
    }

    @Test func theShadeOfTheBarDarkensNoWords() throws {
        let text = script(Self.small, height: 40, ["0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\pos(320,340)}MMMM"])
        let stage = try Stage(Self.small, "shaded.ass", text)
        stage.paintAll(at: .seconds(1))
        let (white, ground) = (stage.count(of: Color(red: 255, green: 255, blue: 255)), stage.count(of: Stage.ground))
        expect(white, atLeast: 100)
        var marks = Marks()
        marks.progress = .init(fraction: nil, time: "", item: nil)
        stage.paint(at: .seconds(1), marks)
        expect(stage.count(of: Color(red: 255, green: 255, blue: 255)), equals: white)
        expect(stage.count(of: Stage.ground), atMost: ground - 640)
    }

    @Test func whatIsFarApartFromTopToBottomIsDrawnApart() {
        let places = [
            Rect(100, 300, 50, 20), Rect(10, 10, 30, 20), Rect(90, 25, 40, 20), Rect(20, 325, 10, 10),
        ]
        let bands = SubtitleRenderer.bands(of: places, apart: 20)
        expect(bands, equals: [Rect(10, 10, 120, 35), Rect(20, 300, 130, 35)])
        expect(SubtitleRenderer.bands(of: [], apart: 1).isEmpty)
    }

    @Test func atInstantsFarAwayNothingIsDrawn() throws {
        let renderer = try #require(SubtitleRenderer(SubtitleScript(head: nil, fonts: []), LyricsLayout()))
        for time in [Time.seconds(20_000_000), .seconds(-20_000_000), .distantFuture, Time(ticks: .max)] {
            expect(renderer.draw(at: time, Size(64, 36), over: Size(0, 0)).bands.isEmpty)
        }
    }

    // MARK: fonts

    private static let mono = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: WordsDrawingTests.mono)))
    func aFontThatAScriptBringsAlongIsUsed() throws {
        let font = renamed([UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.mono))))
        func width(_ name: String, fonts: String) throws -> Int {
            let event = "0:00:00.00,0:00:09.00,Default,,0,0,0,,iiiiiiiiii"
            let text = script(Self.small, height: 40, font: Self.newName, fonts: fonts, [event])
            let stage = try Stage(Self.small, name, text)
            stage.paintAll(at: .seconds(1))
            return try #require(stage.ink).width
        }
        let without = try width("without.ass", fonts: "")
        let with = try width("with.ass", fonts: "[Fonts]\nfontname: mono.ttf\n\(written(font))\n\n")
        expect(with, above: without * 3 / 2, "\(with), not \(without)")
    }

    private static let oldName = "DejaVu Sans Mono"
    /// A name of the same length, which no font has.
    private static let newName = "Quadrille Monosp"

    private func renamed(_ font: [UInt8]) -> [UInt8] {
        var font = font
        for encoding in [String.Encoding.utf16BigEndian, .ascii] {
            let old = [UInt8](Self.oldName.data(using: encoding)!), new = [UInt8](Self.newName.data(using: encoding)!)
            for place in 0...font.count - old.count where font[place] == old[0] {
                let range = place..<place + old.count
                if font[range].elementsEqual(old) { font.replaceSubrange(range, with: new) }
            }
        }
        return font
    }

    /// Encodes a font as scripts do: three bytes in four characters, eighty in a line.
    private func written(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var value = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            value <<= UInt32(8 * (3 - part.count))
            for place in 0...part.count {
                let six = value >> UInt32(18 - 6 * place) & 63
                text.unicodeScalars.append(Unicode.Scalar(UInt8(33 + six)))
            }
            if start % 60 == 57 { text += "\n" }
        }
        return text
    }
}
