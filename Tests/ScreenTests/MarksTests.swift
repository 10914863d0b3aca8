import Media
import Testing
import WallCore

@testable import Screen

private func grey(_ size: Size, _ level: UInt8) -> Picture {
    Drawn.bgra(size.width, size.height, Color(red: level, green: level, blue: level), alpha: 255)
}

extension Marks {
    /// All that a tile can say at once.
    fileprivate static var everything: Marks {
        var marks = Marks()
        marks.progress = .init(position: .seconds(12), length: .seconds(90), item: 1, of: 5)
        marks.states = [.paused, .muted, .focus]
        marks.rate = Rate(1.5).markText
        marks.reasons = [.trouble("missing: clips/gap.mp4"), .sound("the sound server is gone")]
        marks.info = ["h264 1280x720 29.97", "pipeline 2, 12 pictures ahead", "late 0, missed 0"]
        marks.spinner = .init(step: 5)
        marks.focusFrame = 1
        return marks
    }
}

@Suite struct MarksTests {
    /// Painted until all texts are there.
    private func paint(_ scene: Scene<Picture>, as name: String? = nil) -> Paper {
        let texts = TextMaker {}
        defer { texts.stop() }
        let paper = Paper(scene.size.width, scene.size.height), painter = Painter(texts: texts)
        _ = painter.paint(scene, into: paper.raster, .everything)
        #expect(texts.settle(within: 20_000_000_000) == .settled)
        _ = painter.paint(scene, into: paper.raster, .changes)
        if let name { keep(scene.size, paper.raster.pixels, as: name) }
        return paper
    }

    @Test(arguments: [Size(96, 54), Size(320, 180), Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(300, 800)])
    func marksCanBeReadOverAnyPicture(_ size: Size) {
        let below = [("bright", grey(size, 255)), ("dark", grey(size, 0)), ("busy", Drawn.i420(size.width, size.height, .noise))]
        for (name, picture) in below {
            var view = View.shown(picture, at: Rect(size), label: "Before")
            let bare = paint(Scene(size, view)).raster.pixels
            view.marks = .everything
            let paper = paint(Scene(size, view), as: "marks-\(name)-\(size.width)x\(size.height)")
            let places = MarksPlaces(in: Rect(size))
            let bar = places.bar, y = bar.y + bar.height / 2
            let filled = bar.x + places.fill(12.0 / 90)
            // The bar is white as far as it goes, and then darker than white by far.
            #expect(paper[(bar.x + filled) / 2, y] == 0xFFFF_FFFF)
            #expect(paper[filled + (bar.maxX - filled) / 2, y] & 0xFF < 190, "\(name)")
            #expect(bare != paper.raster.pixels)
        }
    }

    @Test(arguments: [Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(480, 800)])
    func theHelpFitsTheWindow(_ size: Size) {
        var scene = Scene(size, View.shown(Drawn.i420(size.width, size.height, .noise), at: Rect(size)))
        scene.overlay = Overlay(help: HelpLine.wall, info: ["Volume 80"])
        let panel = OverlayPlaces(in: size).help(of: HelpLine.wall.count).panel
        #expect(Rect(size).contains(panel))
        _ = paint(scene, as: "help-\(size.width)x\(size.height)")
    }
}
