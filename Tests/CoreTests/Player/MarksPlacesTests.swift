import Expectations
import Testing

@testable import Base
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

@Suite struct MarksRectTests {
    private func rect(_ target: Rect, in tile: Rect = Rect(0, 0, 640, 360)) -> Rect {
        View(
            tile: 0, rect: tile,
            content: .frame(.fake(serial: 1, at: target)),
            label: nil
        ).marksRect
    }

    /// The cost of marks depends on the window, not on the tile.
    @Test func marksOfAHugeTileStandInTheWindow() {
        let window = Rect(0, 0, 1280, 720), tile = Rect(-30000, -20000, 65536, 36864)
        var view = View(
            tile: 0, rect: tile,
            content: .frame(.fake(serial: 1, at: tile)),
            label: "huge")
        view.window = window
        expect(view.marksRect == window && view.lyricsRect == window)
        let places = MarksPlaces(in: view.marksRect)
        expect(window.contains(places.plot) && window.contains(places.bar))
        // A tile that is only partly in the window keeps its words in their places on the frame.
        view.rect = Rect(640, 360, 1280, 720)
        view.content = .card(Card(.placeholder, "a", ""))
        expect(view.marksRect == Rect(640, 360, 640, 360) && view.lyricsRect == view.rect)
        view.rect = Rect(2000, 0, 100, 100)
        expect(view.marksRect.isEmpty)
    }

    @Test func marksStandOnTheFrame() {
        expect(rect(Rect(0, 60, 640, 240)), equals: Rect(0, 60, 640, 240))
        expect(rect(Rect(219, 0, 202, 360)), equals: Rect(219, 0, 202, 360))
    }

    @Test func wordsHaveRoomBesideANarrowFrame() {
        expect(rect(Rect(300, 0, 40, 360)), equals: Rect(0, 0, 640, 360))
        // If even the tile is too small for marks, the rect is the frame's.
        expect(rect(Rect(40, 0, 20, 60), in: Rect(0, 0, 100, 60)), equals: Rect(40, 0, 20, 60))
    }
}

@Suite struct PlacesOfFigures {
    private let lines = [
        "PSNR 38.59 dB  SSIM 0.90000", "Y 38.01  U 41.22  V 42.00 dB", "yuv422p10le 1920x1080 as yuv420p 1280x720",
        "a rather long name of a film.mp4 Y 235 U 128 V 128",
    ]

    @Test func thePanelOfFiguresIsAtMostAThirdOfTheWindow() {
        for window in [Size(640, 360), Size(1280, 720), Size(1920, 1080), Size(3840, 2160)] {
            for columns in 1...3 {
                let rect = Rect(0, 0, window.width / columns, window.height / columns)
                let places = MarksPlaces(in: rect)
                var marks = Marks()
                (marks.figures.lines, marks.figures.text) = places.figures(lines, within: window.width / 3)
                expect(places.figures(of: marks).width, atMost: window.width / 3, "\(window) in \(columns)")
                // Broken lines lose only spaces.
                let words = marks.figures.lines.flatMap { $0.split(separator: " ") }
                expect(words, equals: lines.flatMap { $0.split(separator: " ") })
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (1, 3), (3, 3)]) func aNoticeCoversNoLabel(_ columns: Int, _ rows: Int) {
        for size in [Size(1280, 720), Size(640, 600), Size(1920, 1080)] {
            let views = (0..<columns * rows).map { number -> View in
                let (width, height) = (size.width / columns, size.height / rows)
                let rect = Rect(number % columns * width, number / columns * height, width, height)
                var view = View(
                    tile: TileID(number: number), rect: rect, content: .blank,
                    label: "Camera of the north gate \(number)")
                view.marks = Marks()
                view.marks.comparison.sides = [
                    Marks.Side("a", across: 0, down: 0.2), Marks.Side("b", across: 1, down: 0),
                ]
                return view
            }
            var scene = Scene(size: size, background: .black, views: views)
            scene.showText("Camera of the north gate: volume 85\nthe wall is muted")
            let places = OverlayPlaces(in: size)
            let letters = LetterWidth.of("Camera of the north gate: volume 85") + 2
            let width = min(size.width, Int(letters * Double(places.infoText)))
            var area = places.info(of: scene.overlay, avoiding: scene.textAreas)
            area = Rect((size.width - width) / 2, area.y, width, area.height)
            for view in scene.views {
                let covered = view.textAreas.filter { !$0.intersection(area).isEmpty }
                expect(covered.isEmpty, "\(size), \(columns)x\(rows): \(area) over \(covered)")
            }
        }
    }

    @Test func aNoticeCoversNoCard() {
        let target = Rect(0, 0, 1280, 720)
        let announced = View.Content.frame(.fake(serial: 1, at: target))
        for content in [announced, .card(Card(.sound, "song", "sound")), .card(Card(.trouble, "a", "no such file"))] {
            var view = View(tile: 0, rect: target, content: content, label: nil, marks: Marks())
            view.marks.performance.announcement = Card(.announcement, "Water Loo", "Abba")
            for position in [LyricsLayout.Position.top, .bottom] {
                var layout = LyricsLayout()
                layout.position = position
                view.lyrics = LyricsView(source: .file("song.lrc"), layout: layout, time: .zero, speed: 0)
                var scene = Scene(size: Size(1280, 720), background: .black, views: [view])
                scene.showText("volume 100")
                let area = OverlayPlaces(in: scene.size).info(of: scene.overlay, avoiding: scene.textAreas)
                expect(!view.textAreas.isEmpty && view.textAreas.allSatisfy { $0.intersection(area).isEmpty })
            }
        }
    }

    @Test func wordsHaveAPlaceThatNoMarkCovers() {
        for size in [Size(1920, 1080), Size(1280, 720), Size(960, 540), Size(640, 360), Size(480, 270), Size(320, 180)]
        {
            let rect = Rect(40, 20, size.width, size.height), places = MarksPlaces(in: rect)
            var marks = Marks()
            marks.progress = Marks.Progress(position: .seconds(5), length: .seconds(60), item: 0, of: 2)
            marks.states = [.recording, .heard, .paused]
            (marks.pace.rate, marks.pace.key, marks.performance.nextUp) = ("1.5\u{D7}", "+2", "next: Anna")
            marks.performance.level = InputLevel(peak: 0.5)
            for notes in [0, 1] {
                if notes == 1 {
                    (marks.reasons, marks.time) = ([.noSignal], "0:05.000  frame 125")
                    marks.info = Array(repeating: "line", count: places.mostInfo(below: marks, .short))
                }
                for position in [LyricsLayout.Position.top, .middle, .bottom] {
                    for card in [nil, Card(.announcement, "Waterloo", "ABBA")] {
                        marks.performance.announcement = card
                        let hidden = places.words(position, below: Marks(), hasLabel: true, foot: Rect(0, 0, 0, 0))
                        let words = places.words(position, below: marks, hasLabel: true, foot: Rect(0, 0, 0, 0))
                        expect(rect.contains(words) && words.height >= rect.height / 4)
                        // A bar that comes and goes moves no words at the lower edge.
                        if position == .bottom, places.hasTexts { expect(words.maxY, equals: hidden.maxY) }
                        let label = Rect(
                            rect.x, places.labelBottom(above: marks) - places.margin - places.labelText, rect.width,
                            places.labelText)
                        var taken = [places.bar, label]
                        if places.hasTexts {
                            taken.append(Rect(rect.x, places.timesTop, rect.width, places.text))
                            if position == .top { taken += [places.corner(of: marks), places.nextUp(of: marks)] }
                            if position == .top { taken.append(places.meter(of: marks)) }
                            if notes == 1, size.height >= 360, position != .top || card == nil {
                                taken.append(places.notes(of: marks))
                            }
                            if let card, notes == 0, size.height >= 270 {
                                taken.append(places.announcement(card, position))
                            }
                        }
                        for mark in taken where !mark.isEmpty {
                            expect(!mark.intersects(words), "\(size) \(position) \(words) \(mark)")
                        }
                    }
                }
            }
            let foot = Rect(0, rect.maxY - 60, 4000, 20)
            expect(places.words(.bottom, below: Marks(), hasLabel: false, foot: foot).maxY, atMost: foot.y)
        }
    }

    @Test func nextUpAndMeterStandBesideTheStates() {
        let places = MarksPlaces(in: Rect(0, 0, 1280, 720))
        var marks = Marks()
        marks.states = [.recording, .heard]
        (marks.performance.level, marks.performance.nextUp) = (InputLevel(peak: 1), "next: Anna")
        let areas = [places.corner(of: marks), places.meter(of: marks), places.nextUp(of: marks)]
        for (place, area) in areas.enumerated() {
            expect(areas.indices.allSatisfy { $0 == place || !areas[$0].intersects(area) }, "\(areas)")
        }
    }

    @Test func aMeterRisesByTwoDecibelsAStep() {
        let cases: [(Float, Int)] = [
            (0, 0), (-1, 0), (.nan, 0), (.infinity, 0), (0.001, 0), (0.5, 20), (0.79, 22), (0.999, 23), (1, 24),
            (9, 24),
        ]
        for (peak, step) in cases { expect(InputLevel(peak: peak).step, equals: step, "\(peak)") }
        expect(InputLevel(peak: 1).isFull && !InputLevel(peak: 0.9).isFull)
    }

    @Test func theFootStandsAboveANameAtTheRight() {
        let size = Size(1280, 720), places = OverlayPlaces(in: size)
        var view = View(tile: TileID(number: 0), rect: Rect(size), content: .blank, label: nil)
        view.marks = Marks()
        view.marks.progress = Marks.Progress(fraction: 0.5, time: "0:01 / 0:02", item: nil)
        view.marks.comparison.sides = [
            Marks.Side("original.mp4", across: 0, down: 1), Marks.Side("encoded.mkv", across: 1, down: 1),
        ]
        var scene = Scene(
            size: size, background: .black, views: [view], overlay: Overlay(foot: "2 of 4 pipelines decode"))
        let area = places.foot(of: scene.overlay, avoiding: scene.textAreas), name = scene.textAreas[1]
        expect(area.maxY <= name.y && area.y > size.height / 2, "\(area) beside \(name)")
        scene.views[0].marks.comparison.sides = []
        let usual = places.foot(of: scene.overlay, avoiding: [])
        expect(usual.y > area.y && usual.size == area.size)
        expect(places.foot(of: scene.overlay, avoiding: scene.textAreas), equals: usual)
    }

    @Test func notesOfTheWallStandBesideThem() {
        let places = OverlayPlaces(in: Size(1280, 720)), overlay = Overlay(info: ["difference \u{D7}4", "Volume 80"])
        let usual = places.info(of: overlay, avoiding: [])
        expect(places.info(of: overlay, avoiding: [Rect(900, 300, 380, 100)]), equals: usual)
        let taken = Rect(860, usual.y - 20, 400, usual.height)
        let beside = places.info(of: overlay, avoiding: [taken])
        expect(beside.y >= taken.maxY && beside.maxY <= 720 && beside.size == usual.size)
        expect(places.info(of: overlay, avoiding: [Rect(860, 0, 400, 700)]), equals: usual)
    }
}

extension PlacedFrame {
    static func fake(serial: Int, at target: Rect) -> PlacedFrame {
        PlacedFrame(
            FakeFrame(clip: "a", number: 0).frame, stamp: Stamp(feed: 0, serial: serial), crop: .all, target: target)
    }
}
