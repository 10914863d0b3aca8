import Base
import Commands
import Decoded
import Expectations
import Media
import Player
import Scene
import Testing

@testable import Screen

private func grey(_ size: Size, _ level: UInt8) -> Frame {
    Drawn.bgra(size.width, size.height, Color(red: level, green: level, blue: level), alpha: 255)
}

extension Marks {
    /// All marks that a tile can show at once.
    fileprivate static var everything: Marks {
        var marks = Marks()
        marks.progress = .init(position: .seconds(12), length: .seconds(90), item: 1, of: 5)
        marks.states = [.paused, .muted, .ownClock, .focus]
        marks.pace.rate = Rate(1.5).markText
        marks.reasons = [.trouble("missing: clips/gap.mp4"), .sound("the sound server is gone"), .ownClock]
        marks.time = "0:12.345  frame 370"
        marks.info = [
            "left: a.mp4", "h264 1280x720, 29.97/s", "offset +0.500 s", "heard, volume 100",
            "pipeline 2", "late 0, dropped 0",
        ]
        marks.spinner = .init(step: 5)
        marks.focusBorder = 1
        return marks
    }
}

@Suite struct MarksTests {
    /// Paints until all texts are drawn.
    private func paint(_ scene: Scene, as name: String? = nil) -> Paper {
        let texts = TextMaker {}
        defer { texts.stop() }
        let paper = Paper(scene.size.width, scene.size.height), painter = Painter(texts: texts)
        _ = painter.paint(scene, into: paper.raster, .everything)
        expect(texts.settle(within: 20_000_000_000), equals: .settled)
        _ = painter.paint(scene, into: paper.raster, .changes)
        if let name { keep(scene.size, paper.raster.pixels, as: name) }
        return paper
    }

    @Test(arguments: [Size(96, 54), Size(320, 180), Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(300, 800)])
    func marksCanBeReadOverAnyFrame(_ size: Size) {
        var below = [("bright", grey(size, 255))]
        if size.width < 2000 {
            below += [("dark", grey(size, 0)), ("busy", Drawn.i420(size.width, size.height, .noise))]
        }
        for (name, frame) in below {
            var view = View.shown(frame, at: Rect(size), label: "Before")
            view.marks = .everything
            let paper = paint(Scene(size, view), as: "marks-\(name)-\(size.width)x\(size.height)")
            let places = MarksPlaces(in: Rect(size))
            let bar = places.bar, y = bar.y + bar.height / 2
            let filled = bar.x + places.fill(12.0 / 90)
            // The bar is white as far as it is filled, and then much darker.
            expect(paper[(bar.x + filled) / 2, y], equals: 0xFFFF_FFFF)
            expect(paper[filled + (bar.maxX - filled) / 2, y] & 0xFF, below: 190, "\(name)")
        }
    }

    @Test(arguments: [Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(480, 800)])
    func theHelpFitsTheWindow(_ size: Size) {
        var scene = Scene(size, View.shown(grey(size, 200), at: Rect(size)))
        scene.overlay = Overlay(help: KeyTable.wall.lines, info: ["Volume 80"])
        let panel = OverlayPlaces(in: size).help(of: KeyTable.wall.lines).panel
        expect(Rect(size).contains(panel))
        _ = paint(scene, as: "help-\(size.width)x\(size.height)")
    }

    @Test(arguments: [Size(1280, 720), Size(1366, 768), Size(1920, 1080), Size(1280, 1024), Size(3840, 2160)])
    func everyHelpTextStandsWhole(_ size: Size) {
        let texts = TextMaker {}
        defer { texts.stop() }
        for table in [KeyTable.wall, .blind, .byEye] {
            let places = OverlayPlaces(in: size).help(of: table.lines)
            let room = places.columnWidth - places.keysWidth
            func bitmap(_ line: KeyLine) -> TextBitmap? {
                texts.bitmap(line.description, height: places.text, maxWidth: 10 * size.width, style: .plain)
            }
            table.lines.forEach { _ = bitmap($0) }
            expect(texts.settle(within: 20_000_000_000), equals: .settled)
            for line in table.lines {
                let width = bitmap(line)?.size.width ?? .max
                expect(width, atMost: room, "\(line.description): \(width) of \(room) pixels at \(size)")
            }
            // The text is readable from a chair in front of the screen.
            expect(places.text, atLeast: min(size.height / 48, size.width / 64), "\(places.text) pixels at \(size)")
            expect(Rect(size).contains(places.panel))
        }
    }

    /// A scene painted over the one before equals the same scene painted on its own.
    @Test(arguments: [Size(96, 54), Size(321, 181), Size(640, 360)])
    func whatChangesIsDrawnWhole(_ size: Size) {
        let texts = TextMaker {}
        defer { texts.stop() }
        let window = Size(size.width + 20, size.height + 10)
        let paper = Paper(window.width, window.height), painter = Painter(texts: texts)
        let frame = Drawn.i420(size.width, size.height, .noise)
        var marks = Marks.everything
        var overlay = Overlay()
        let changes: [(inout Marks, inout Overlay) -> Void] = [
            { _, _ in },
            { marks, _ in marks.progress?.fraction = 0.5 },
            { marks, _ in marks.progress?.ends = [0, 0.7] },
            { marks, _ in marks.progress?.fraction = 0.6 },
            { marks, _ in marks.progress?.ends = [1] },
            { marks, _ in marks.progress = .init(position: .seconds(3), length: nil, item: 0, of: 1) },
            { marks, _ in marks.progress = nil },
            { marks, _ in marks.states = [.heard] },
            { marks, _ in marks.pace.rate = nil },
            { marks, overlay in overlay = Overlay(info: ["Volume 85"]) },
            { marks, _ in marks.reasons.removeLast() },
            { marks, overlay in overlay = Overlay(help: KeyTable.wall.lines, info: ["Volume 85"]) },
            { marks, _ in marks.info[0] = "pipeline 3, a line that is as long as the tile is wide, or longer" },
            { marks, _ in marks.time = "1:23:45.678  frame 90" },
            { marks, _ in marks.spinner?.step = 6 },
            { marks, _ in marks.isDimmed = true },
            { marks, _ in marks.reasons[0] = .noNewFrame("5 s") },
            { marks, _ in marks.reasons[0] = .noNewFrame("6 s") },
            { marks, _ in marks.isDimmed = false },
            { marks, _ in marks.focusBorder = 0.5 },
            { marks, overlay in overlay.foot = "3 of 4 pipelines decode" },
            { marks, overlay in overlay.info = [] },
            { marks, _ in marks.spinner = nil },
            { marks, _ in marks.states = [.heard, .paused, .focus] },
            { marks, _ in marks.info = [] },
            { marks, _ in marks.time = nil },
            { marks, _ in marks = Marks() },
            { marks, overlay in overlay = Overlay() },
        ]
        for (number, change) in changes.enumerated() {
            change(&marks, &overlay)
            var view = View.shown(frame, at: Rect(10, 5, size.width, size.height), label: "Größe")
            view.marks = marks
            var scene = Scene(window, view)
            scene.overlay = overlay
            _ = painter.paint(scene, into: paper.raster, .changes)
            _ = texts.settle(within: 20_000_000_000)
            _ = painter.paint(scene, into: paper.raster, .changes)
            expect(painter.paint(scene, into: paper.raster, .changes).isEmpty)
            let fresh = Paper(window.width, window.height)
            _ = Painter(texts: texts).paint(scene, into: fresh.raster, .everything)
            expect(paper.raster.pixels, equals: fresh.raster.pixels, "\(number)")
        }
    }

    @Test func onlyTheMarkThatChangedIsDrawn() {
        let texts = TextMaker {}
        defer { texts.stop() }
        let rect = Rect(0, 0, 640, 360), places = MarksPlaces(in: rect)
        var first = Marks()
        first.progress = .init(position: .seconds(1), length: .seconds(20), item: 0, of: 2)
        (first.states, first.spinner, first.focusBorder) = ([.paused], .init(step: 0), 1)
        var troubled = first
        troubled.reasons = [.trouble("x")]
        let cases: [(String, (inout Marks) -> Void, Rect?)] = [
            ("none", { _ in }, nil),
            ("less than a pixel", { $0.progress!.fraction! += 0.0001 }, nil),
            ("the bar", { $0.progress!.fraction! += 0.01 }, places.bar.grown(by: places.knob)),
            ("a second", { $0.progress!.time = "0:02 / 0:20" }, places.strip),
            ("the spinner", { $0.spinner!.step = 1 }, places.spinner(.init(step: 1))),
            ("goes on", { $0.states = [] }, places.corner(of: first)),
            ("a reason", { $0.reasons = [.trouble("x")] }, places.notes(of: troubled)),
            ("dimmed", { $0.isDimmed = true }, rect),
        ]
        for (name, change, area) in cases {
            let paper = Paper(800, 400), painter = Painter(texts: texts)
            func paint(_ marks: Marks) -> [Rect] {
                var view = View.shown(grey(rect.size, 90), at: rect)
                view.marks = marks
                let drawn = painter.paint(Scene(Size(800, 400), view), into: paper.raster, .changes)
                _ = texts.settle(within: 20_000_000_000)
                return drawn + painter.paint(Scene(Size(800, 400), view), into: paper.raster, .changes)
            }
            var marks = first
            _ = paint(marks)
            change(&marks)
            let drawn = paint(marks)
            expect(drawn.isEmpty == (area == nil) && drawn.allSatisfy { area!.contains($0) }, "\(name): \(drawn)")
            marks.focusBorder = 0.5
            expect(paint(marks).allSatisfy { $0.width < 20 || $0.height < 20 }, "\(name): the border")
        }
    }

    @Test func aFrameOfAnotherShapeTakesItsMarksAlong() {
        let texts = TextMaker {}
        defer { texts.stop() }
        let paper = Paper(640, 360), painter = Painter(texts: texts)
        for target in [Rect(219, 0, 202, 360), Rect(0, 60, 640, 240), Rect(219, 0, 202, 360)] {
            var view = View.shown(grey(Size(640, 360), 200), at: target, label: "a")
            view.rect = Rect(0, 0, 640, 360)
            _ = painter.paint(Scene(Size(640, 360), view), into: paper.raster, .changes)
            _ = texts.settle(within: 20_000_000_000)
            _ = painter.paint(Scene(Size(640, 360), view), into: paper.raster, .changes)
            let fresh = Paper(640, 360)
            _ = Painter(texts: texts).paint(Scene(Size(640, 360), view), into: fresh.raster, .everything)
            expect(paper.raster.pixels, equals: fresh.raster.pixels)
        }
    }

    /// On a wall of many tiles, each tile shows another time in each frame.
    @Test func aTimeThatRunsNeedsNoNewTexts() {
        let texts = TextMaker {}
        defer { texts.stop() }
        let paper = Paper(640, 360), painter = Painter(texts: texts)
        func scene(_ time: String) -> Scene {
            var view = View.shown(grey(Size(640, 360), 90), at: Rect(0, 0, 640, 360))
            view.marks = Marks()
            view.marks.time = time
            return Scene(Size(640, 360), view)
        }
        for time in ["0:12.345  frame 67", "0:08.900  frame 1"] {
            _ = painter.paint(scene(time), into: paper.raster, .changes)
            _ = texts.settle(within: 20_000_000_000)
        }
        let made = texts.generation
        for time in ["0:12.385  frame 68", "0:59.999  frame 1799", "1:00.000  frame 1800"] {
            expect(painter.paint(scene(time), into: paper.raster, .changes).count, equals: 1)
            let fresh = Paper(640, 360)
            _ = Painter(texts: texts).paint(scene(time), into: fresh.raster, .everything)
            expect(paper.raster.pixels, equals: fresh.raster.pixels, "\(time)")
            // The window already shows this text, not the one before.
            expect(painter.paint(scene(time), into: paper.raster, .changes).isEmpty)
        }
        _ = texts.settle(within: 20_000_000_000)
        expect(texts.generation, equals: made)
    }

    @Test func aDimmedFrameIsDarkerAndSaysSinceWhen() {
        let size = Size(640, 360)
        var view = View.shown(grey(size, 200), at: Rect(0, 45, 640, 270))
        view.rect = Rect(size)
        view.marks = Marks()
        view.marks.isDimmed = true
        view.marks.reasons = [.noNewFrame("12 s")]
        let paper = paint(Scene(size, view), as: "dimmed")
        // A pixel of the frame, not of the background beside it.
        expect((60...90).contains(paper[10, 60] & 0xFF) && paper[10, 60] == paper[630, 300])
        expect(paper[10, 20], equals: 0xFF00_0040)
        let places = MarksPlaces(in: view.marksRect), notes = places.notes(of: view.marks)
        let isRead = (notes.x..<notes.maxX).contains { paper[$0, notes.y + places.badge / 2] & 0xFF > 230 }
        expect(isRead)
    }

    @Test func aTextThatChangesStaysUntilTheNewOneIsReady() {
        let texts = TextMaker {}
        defer { texts.stop() }
        let paper = Paper(640, 360), painter = Painter(texts: texts)
        func scene(_ time: String) -> Scene {
            var view = View.shown(grey(Size(640, 360), 90), at: Rect(0, 0, 640, 360))
            view.marks = Marks()
            view.marks.progress = .init(fraction: 0, time: time, item: nil)
            return Scene(Size(640, 360), view)
        }
        _ = painter.paint(scene("0:01 / 0:20"), into: paper.raster, .changes)
        _ = texts.settle(within: 20_000_000_000)
        _ = painter.paint(scene("0:01 / 0:20"), into: paper.raster, .changes)
        let first = paper.raster.pixels
        let drawn = painter.paint(scene("0:02 / 0:20"), into: paper.raster, .changes)
        expect(drawn, equals: [])
        expect(paper.raster.pixels, equals: first)
        _ = texts.settle(within: 20_000_000_000)
        _ = painter.paint(scene("0:02 / 0:20"), into: paper.raster, .changes)
        expect(paper.raster.pixels != first)
    }
}
