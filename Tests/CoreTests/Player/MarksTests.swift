import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

extension Simulation {
    /// Returns the scene with marks as `change` sets them.
    mutating func marked(_ change: (inout MarksVisibility) -> Void) -> Scene {
        var visibility = MarksVisibility()
        change(&visibility)
        var scene = wall.composeScene(at: now).scene
        _ = wall.mark(&scene, visibility.visibility(at: now).marks, at: now)
        return scene
    }

    /// Returns the scene right after a command.
    fileprivate mutating func stirred() -> Scene {
        let now = now
        return marked { $0.commanded(at: now) }
    }
}

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct MarksTests {
    @Test func progressIsReportedAsPeopleReadIt() {
        let cases: [(Time, Time?, Int, Int, Marks.Progress.Precision, Double?, String, String?)] = [
            (.seconds(12), .seconds(90), 0, 1, .seconds, 12.0 / 90, "0:12 / 1:30", nil),
            (ms(12_999), .seconds(90), 1, 5, .seconds, 12.999 / 90, "0:12 / 1:30", "2 of 5"),
            (ms(12_345), .seconds(90), 0, 1, .hundredths, 12.345 / 90, "0:12.34 / 1:30.00", nil),
            (.seconds(3723), nil, 0, 1, .seconds, nil, "1:02:03", nil),
            (.seconds(-1), .seconds(60), 0, 1, .seconds, 0, "0:00 / 1:00", nil),
            (.seconds(61), .seconds(60), 0, 1, .seconds, 1, "1:00 / 1:00", nil),
            (.zero, .zero, 0, 1, .seconds, 1, "0:00 / 0:00", nil),
        ]
        for (position, length, item, count, precision, fraction, time, itemText) in cases {
            let progress = Marks.Progress(position: position, length: length, item: item, of: count, precision)
            expect(progress.fraction.map { ($0 * 1e6).rounded() }, equals: fraction.map { ($0 * 1e6).rounded() })
            expect(progress.time, equals: time)
            expect(progress.item, equals: itemText)
        }
    }

    @Test func aRateIsReportedUnlessItIsOne() {
        let cases: [(Rate, String?)] = [
            (.one, nil), (Rate(1.5), "1.5×"), (Rate(0.25), "0.25×"), (Rate(2), "2×"),
            (Rate(1.1) * Rate(1.1), "1.21×"), (Rate(1.05), "1.05×"), (Rate(1.331), "1.33×"),
        ]
        for (rate, text) in cases { expect(rate.markText, equals: text) }
    }

    @Test func ratesStopAtTheOnesThatPeopleMean() {
        var rate = Rate.slowest, up: [String] = [], down: [String] = []
        while rate < .fastest {
            rate = min(rate.faster, .fastest)
            up.append(rate.markText ?? "1")
        }
        while rate > .slowest {
            rate = max(rate.slower, .slowest)
            down.append(rate.markText ?? "1")
        }
        for stop in ["0.5×", "1", "2×"] { expect(up.contains(stop) && down.contains(stop), "\(stop)") }
        expect(Rate(0.5).faster == Rate(0.55) && Rate.one.faster == Rate(1.1) && Rate(2).slower == Rate(1.818182))
        expect(Rate(0.97).faster == .one && Rate(1.03).slower == .one)
    }

    @Test func aTileSaysWhatItShows() {
        var layout = Layout.of([["a"], ["a"]])
        layout.tiles[1].offset = .milliseconds(-1500)
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 600)])
        world.run(for: .seconds(3))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        func scene() -> Scene { world.marked { $0.toggleInfo() } }
        for (tile, view) in scene().views.enumerated() {
            let number = world.framesNow[tile]!.number
            let milliseconds = number * 1000 / 30
            let time = "0:0\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
            let info = view.marks!.info
            expect(view.marks!.time == "\(time)  frame \(number)" && info[0] == "tile\(tile + 1): a")
            // The bar shows the tile's time, not the clock's.
            expect(view.marks!.progress!.time.hasPrefix(String(time.dropLast())))
            expect(info.contains("offset \u{2212}1.500 s"), equals: (tile == 1))
        }
        expect(scene().overlay!.foot!.hasSuffix("pipelines decode, 2 of 2 feeds play"))
    }

    @Test func aTileSaysHowItsFramesAreStored() {
        let size = Size(1280, 720)
        let plain = CodedTraits(
            colorimetry: SourceColorimetry(SourceColorimetry.Tags(), size: size), fields: .topFirst)
        let hdr = CodedTraits(
            colorimetry: SourceColorimetry(
                SourceColorimetry.Tags(matrix: .bt2020, range: .limited, transfer: .pq, primaries: .bt2020), size: size)
        )
        var world = Simulation(
            .of([["a"], ["hdr"]]),
            clips: ["a": FakeClip(frames: 600, coded: plain), "hdr": FakeClip(frames: 600, coded: hdr)])
        world.act { wall, now in wall.player.note(.resized(to: Size(3840, 1440)), at: now) }
        world.run(for: .seconds(1))
        let info = world.marked { $0.toggleInfo() }.views.map { $0.marks!.info }
        expect(info[0].contains("BT.709 (assumed), interlaced, top field first"), "\(info[0])")
        expect(info[1].contains("PQ, BT.2020"), "\(info[1])")
        expect(info[1].contains("tone-mapped by BT.2390: 1000 nits (assumed) to 203"), "\(info[1])")
        expect(info[1].contains("BT.2020 mapped to BT.709"), "\(info[1])")
    }

    @Test func aTileOnItsOwnClockIsMarkedAsThat() {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        func isMarked() -> [Bool] {
            world.stirred().views.map { $0.marks!.states.contains(.ownClock) && $0.marks!.reasons == [.ownClock] }
        }
        expect(isMarked(), equals: [false, false])
        world.command(.seek(.by(.seconds(1)), .tileAlone))
        world.run(for: .seconds(1))
        expect(isMarked(), equals: [true, false])
        world.command(.home(.group))
        world.run(for: .seconds(1))
        expect(isMarked(), equals: [false, false])
    }

    /// There is no group for it to rejoin.
    @Test(arguments: [
        Command.item(by: 1), .goToItem(1), .seek(.by(.seconds(1)), .tileAlone), .pause(.on, .tileAlone),
        .rate(.faster, .tileAlone),
    ])
    func theOnlyTileOfAGroupHasNoClockOfItsOwn(_ command: Command) {
        var world = Simulation(.of([["a", "b"]]), clips: ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        world.command(command)
        world.run(for: .seconds(1))
        expect(world.wall.clocks.ids.count, equals: 1)
        let marks = world.stirred().views[0].marks
        expect(marks?.states.contains(.ownClock) != true && marks?.reasons.contains(.ownClock) != true)
    }

    @Test func theOnlyTileOfAGroupThatIteratesTogetherShowsNoClockOfItsOwn() {
        var layout = Layout.of([["a", "b"]])
        layout.groups[0].loop = .together
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "b")
        expect(world.stirred().views[0].marks?.states.contains(.ownClock) != true)
    }

    @Test func theOnlyTileOfAGroupMarksBothEndsOfAnABLoop() {
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        for _ in 0..<2 {
            world.command(.abLoop(.next, .tileAlone))
            world.run(for: .seconds(1))
        }
        expect(world.wall.clocks.ids.count == 1 && world.wall.clocks[0].abLoop != nil)
    }

    @Test(arguments: [nil, "Lobby"])
    func aTileThatWaitsForItsTurnSaysSoWithItsFile(_ label: String?) {
        var layout = Layout.of([["a"], ["d"], ["b"], ["c"]])
        layout.overflow = .rotate(every: .seconds(10))
        for index in layout.tiles.indices { layout.tiles[index].label = label }
        var world = Simulation(
            layout,
            clips: [
                "a": FakeClip(frames: 600), "b": FakeClip(frames: 600),
                "c": FakeClip(frames: 600, blackUntil: 60), "d": FakeClip(frames: 600),
            ], pipelines: 2)
        world.run(for: .seconds(2))
        let quiet = world.wall.composeScene(at: world.now).scene.views
        let views = world.stirred().views
        expect(views.map { $0.marks?.reasons ?? [] }, equals: [[], [], [.waiting("b")], []])
        expect(views[2].marks?.reasons.first?.text, equals: "waits for its turn: b")
        // The first frame does not identify the film, so a card does, with and without marks.
        for scene in [quiet, views] {
            guard case .card(.placeholder(let name, let detail)) = scene[3].content else {
                Issue.record("a hole in the wall: \(scene[3].content)")
                continue
            }
            expect(name == label ?? "c" && detail == (label == nil ? "waits for its turn" : "c waits for its turn"))
        }
        world.run(for: .seconds(5))
        expect(world.stirred().views[2].marks!.reasons.isEmpty)
    }

    @Test func aBlackFrameIsReportedWhileItPlays() {
        var world = Simulation(
            .of([["a"], ["b"]]),
            clips: [
                "a": FakeClip(frames: 600, blackUntil: 60), "b": FakeClip(frames: 600),
            ])
        world.run(for: .seconds(1))
        expect(world.wall.composeScene(at: world.now).scene.views.allSatisfy { $0.marks == nil })
        let marks = world.stirred().views.map { $0.marks! }
        expect(marks.map(\.reasons), equals: [[.black], []])
        expect(marks[0].progress!.time, equals: marks[1].progress!.time)
        world.run(for: .seconds(2))
        expect(world.stirred().views.allSatisfy { $0.marks!.reasons.isEmpty })
    }

    @Test func onlyTheTileUnderThePointerSaysAllInSmallTiles() {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.act { wall, now in wall.player.note(.resized(to: Size(512, 180)), at: now) }
        world.run(for: .seconds(1))
        func lines(_ pointer: Point?) -> [Int] {
            world.marked {
                $0.toggleInfo()
                $0.pointer = pointer
            }.views.map { $0.marks!.info.count }
        }
        expect(lines(nil), equals: [1, 1])
        let pointed = lines(Point(300, 90))
        expect(pointed[0] == 1 && pointed[1] >= 4)
        world.act { wall, now in wall.player.note(.resized(to: Size(2560, 720)), at: now) }
        expect(lines(nil), equals: [5, 5])
    }

    @Test func whatHasNoRoomInASmallWindowIsLeftOut() {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        var reported: [Bool] = []
        for size in [Size(320, 72), Size(320, 180), Size(768, 540)] {
            world.act { wall, now in wall.player.note(.resized(to: size), at: now) }
            world.run(for: .seconds(1))
            let scene = world.marked { $0.toggleInfo() }
            reported += [scene.views[1].marks!.time != nil, scene.overlay!.foot != nil]
        }
        expect(reported, equals: [false, false, true, false, true, true])
    }

    /// The tile's frame is half as high as the tile.
    @Test(arguments: [Size(320, 180), Size(500, 280), Size(640, 360)])
    func infoStandsOnTheFrameAndAboveItsBar(_ size: Size) {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.act { wall, now in wall.player.note(.resized(to: size), at: now) }
        world.run(for: .seconds(1))
        // The focused tile has a reason, too.
        world.act { wall, now in wall.player.note(.outlet(.away), at: now) }
        let scene = world.marked { $0.toggleInfo() }
        for view in scene.views {
            let marks = view.marks!, places = MarksPlaces(in: view.marksRect)
            expect(view.marksRect.height, below: size.height * 3 / 5)
            expect(places.infoTop(of: marks) + places.infoHeight(ofLines: marks.info.count), atMost: places.timesTop)
            expect(marks.time != nil && (size.width < 500 || !marks.info.isEmpty))
        }
    }

    @Test(arguments: [Size(256, 180), Size(320, 180), Size(640, 360), Size(1280, 720), Size(3840, 2160), Size(140, 80)])
    func notesKeepOffTimeCodesAndBars(_ size: Size) {
        let rect = Rect(40, 30, size.width, size.height), places = MarksPlaces(in: rect)
        var marks = Marks()
        marks.states = [.paused, .muted]
        marks.reasons = [.waiting("film.mp4")]
        marks.time = "0:12.345  frame 370"
        marks.info = Array(repeating: "x", count: places.mostInfo(below: marks, .whole))
        let notes = places.notes(of: marks)
        expect(rect.contains(notes) && !notes.intersects(places.corner(of: marks)))
        expect(notes.contains(places.time(of: marks)))
        // Time codes stand in the first twelfth, at the left.
        expect(!notes.intersects(Rect(rect.x, rect.y, size.width * 2 / 5, size.height / 12)))
        guard size.width > 140 else { return }
        expect(notes.maxY <= places.timesTop && marks.info.count >= 4)
        marks.info = Array(marks.info.prefix(places.mostInfo(below: marks, .short)))
        expect(places.notes(of: marks).maxY <= rect.y + rect.height * 3 / 5 && !marks.info.isEmpty)
    }

    @Test(arguments: [Rect(0, 0, 96, 54), Rect(7, 9, 320, 180), Rect(0, 0, 3840, 2160), Rect(0, 0, 30, 900)])
    func marksStandWithinTheirTile(_ rect: Rect) {
        let places = MarksPlaces(in: rect)
        for rect in [places.bar, places.barArea, places.strip, places.spinner(.init(step: 0))] {
            expect(rect.contains(rect))
        }
        expect(places.edges.count == 4 && places.edges.allSatisfy(rect.contains))
        expect((places.fill(-1), places.fill(0), places.fill(2)) == (0, 0, places.bar.width))
    }
}

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
        view.content = .card(.placeholder(name: "a", detail: ""))
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

    @Test func aFrameOfAnotherShapeTakesItsMarksAlong() {
        func scene(_ target: Rect) -> Scene {
            let content = View.Content.frame(.fake(serial: 1, at: target))
            let tile = Rect(0, 0, 640, 360)
            return Scene(
                size: tile.size, background: .black,
                views: [View(tile: 0, rect: tile, content: content, label: "a")])
        }
        expect(
            scene(Rect(0, 60, 640, 240)).damage(since: scene(Rect(219, 0, 202, 360))), equals: [Rect(0, 0, 640, 360)])
    }
}

@Suite struct MarksDamageTests {
    private let rect = Rect(0, 0, 640, 360)
    private var places: MarksPlaces { MarksPlaces(in: rect) }

    private func scene(_ marks: Marks?, _ overlay: Overlay? = nil, serial: Int = 1) -> Scene {
        let content = View.Content.frame(.fake(serial: serial, at: rect))
        return Scene(
            size: Size(800, 400), background: .black,
            views: [View(tile: 0, rect: rect, content: content, label: nil, marks: marks)], overlay: overlay)
    }
    private func marks(_ change: (inout Marks) -> Void = { _ in }) -> Marks {
        var marks = Marks()
        marks.progress = .init(position: .seconds(1), length: .seconds(20), item: 0, of: 2)
        marks.states = [.paused]
        marks.spinner = .init(step: 0)
        marks.focusBorder = 1
        change(&marks)
        return marks
    }

    @Test func onlyTheMarkThatChangedIsDamaged() {
        let overlays = OverlayPlaces(in: Size(800, 400))
        let help = Overlay(help: KeyTable.wall.lines)
        let panel = overlays.help(of: KeyTable.wall.lines).panel
        let cases: [(String, Scene, Scene, [Rect])] = [
            ("none", scene(nil), scene(nil), []),
            ("the same", scene(marks()), scene(marks()), []),
            ("less than a pixel", scene(marks()), scene(marks { $0.progress!.fraction! += 0.0001 }), []),
            ("the bar", scene(marks()), scene(marks { $0.progress!.fraction! += 0.01 }), [places.barArea]),
            ("a second", scene(marks()), scene(marks { $0.progress!.time = "0:02" }), [places.strip]),
            ("the spinner", scene(marks()), scene(marks { $0.spinner!.step = 1 }), [places.spinner(.init(step: 1))]),
            ("the frame", scene(marks()), scene(marks { $0.focusBorder = 0.5 }), places.edges),
            ("goes on", scene(marks()), scene(marks { $0.states = [] }), [places.corner(of: marks())]),
            (
                "the time", scene(marks { $0.time = "0:01" }), scene(marks { $0.time = "0:02" }),
                [places.time(of: marks { $0.time = "0:02" })]
            ),
            (
                "a reason", scene(marks()), scene(marks { $0.reasons = [.trouble("x")] }),
                [places.notes(of: marks { $0.reasons = [.trouble("x")] })]
            ),
            ("dimmed", scene(marks()), scene(marks { $0.isDimmed = true }), [rect]),
            (
                "dimmed alone", scene(nil),
                scene(
                    {
                        var marks = Marks(); marks.isDimmed = true; return marks
                    }()), [rect]
            ),
            (
                "a second more", scene(marks { $0.reasons = [.noNewFrame("5 s")] }),
                scene(marks { $0.reasons = [.noNewFrame("6 s")] }),
                [places.notes(of: marks { $0.reasons = [.noNewFrame("6 s")] })]
            ),
            ("a frame too", scene(marks()), scene(marks { $0.spinner = nil }, serial: 2), [rect]),
            ("help came", scene(nil), scene(nil, help), [panel]),
            ("help stays", scene(nil, help), scene(nil, help), []),
            ("help went", scene(nil, help), scene(nil), [panel]),
            ("a foot came", scene(nil, help), scene(nil, Overlay(help: help.help, foot: "x")), [overlays.foot]),
            (
                "a line beside the help", scene(nil, help), scene(nil, Overlay(help: help.help, info: ["x"])),
                [overlays.info(of: Overlay(help: help.help, info: ["x"]))]
            ),
        ]
        for (name, old, new, expected) in cases {
            expect(new.damage(since: old), equals: expected, "\(name)")
        }
    }
}

@Suite struct PlacesOfFigures {
    private let lines = [
        "PSNR 38.59 dB  SSIM 0.90000", "Y 38.01  U 41.22  V 42.00 dB", "yuv422p10le 1920x1080 as yuv420p 1280x720",
        "a rather long name of a film.mp4 Y 235 U 128 V 128",
    ]

    @Test func theirPanelIsAtMostAThirdOfTheWindow() {
        for window in [Size(640, 360), Size(1280, 720), Size(1920, 1080), Size(3840, 2160)] {
            for columns in 1...3 {
                let rect = Rect(0, 0, window.width / columns, window.height / columns)
                let places = MarksPlaces(in: rect)
                var marks = Marks()
                (marks.figures, marks.figuresText) = places.figures(lines, within: window.width / 3)
                expect(places.figures(of: marks).width, atMost: window.width / 3, "\(window) in \(columns)")
                // Broken lines lose only spaces.
                let words = marks.figures.flatMap { $0.split(separator: " ") }
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
                view.marks!.sides = [Marks.Side("a", across: 0, down: 0.2), Marks.Side("b", across: 1, down: 0)]
                return view
            }
            var scene = Scene(size: size, background: .black, views: views)
            scene.showNotice(lines: ["Camera of the north gate: volume 85", "the wall is muted"])
            let places = OverlayPlaces(in: size)
            let letters = LetterWidth.of("Camera of the north gate: volume 85") + 2
            let width = min(size.width, Int(letters * Double(places.infoText)))
            var area = places.info(of: scene.overlay!)
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
        for content in [announced, .card(.sound(name: "song")), .card(.trouble(name: "a", words: "no such file"))] {
            var view = View(tile: 0, rect: target, content: content, label: nil, marks: Marks())
            view.marks!.announcement = Marks.Announcement(title: "Water Loo", detail: "Abba")
            for position in [LyricsLayout.Position.top, .bottom] {
                var layout = LyricsLayout()
                layout.position = position
                view.lyrics = LyricsView(source: .file("song.lrc"), layout: layout, time: .zero, speed: 0)
                var scene = Scene(size: Size(1280, 720), background: .black, views: [view])
                scene.showNotice("volume 100")
                let area = OverlayPlaces(in: scene.size).info(of: scene.overlay!)
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
            (marks.rate, marks.key, marks.nextUp) = ("1.5\u{D7}", "+2", "next: Anna")
            marks.level = InputLevel(peak: 0.5)
            for notes in [0, 1] {
                if notes == 1 {
                    (marks.reasons, marks.time) = ([.noSignal], "0:05.000  frame 125")
                    marks.info = Array(repeating: "line", count: places.mostInfo(below: marks, .short))
                }
                for position in [LyricsLayout.Position.top, .middle, .bottom] {
                    for card in [nil, Marks.Announcement(title: "Waterloo", detail: "ABBA")] {
                        marks.announcement = card
                        let hidden = places.words(position, below: nil, hasLabel: true, foot: Rect(0, 0, 0, 0))
                        let words = places.words(position, below: marks, hasLabel: true, foot: Rect(0, 0, 0, 0))
                        expect(rect.contains(words) && words.height >= rect.height / 4)
                        // A bar that comes and goes moves no words at the lower edge.
                        if position == .bottom, places.hasTexts { expect(words.maxY, equals: hidden.maxY) }
                        let label = Rect(
                            rect.x, places.labelBottom(above: marks) - places.margin - places.labelText, rect.width,
                            places.labelText)
                        var taken = [places.barArea, label]
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
            expect(places.words(.bottom, below: nil, hasLabel: false, foot: foot).maxY, atMost: foot.y)
        }
    }

    @Test func nextUpAndMeterStandBesideTheStates() {
        let places = MarksPlaces(in: Rect(0, 0, 1280, 720))
        var marks = Marks()
        (marks.states, marks.level, marks.nextUp) = ([.recording, .heard], InputLevel(peak: 1), "next: Anna")
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
        view.marks!.progress = Marks.Progress(fraction: 0.5, time: "0:01 / 0:02", item: nil)
        view.marks!.sides = [
            Marks.Side("original.mp4", across: 0, down: 1), Marks.Side("encoded.mkv", across: 1, down: 1),
        ]
        var scene = Scene(
            size: size, background: .black, views: [view], overlay: Overlay(foot: "2 of 4 pipelines decode"))
        scene.showNotice(lines: [])
        let area = places.footArea(of: scene.overlay), name = scene.textAreas[1]
        expect(area.maxY <= name.y && area.y > size.height / 2, "\(area) beside \(name)")
        scene.views[0].marks!.sides = []
        scene.showNotice(lines: [])
        expect(places.footArea(of: scene.overlay), equals: places.foot)
    }

    @Test func notesOfTheWallStandBesideThem() {
        let places = OverlayPlaces(in: Size(1280, 720)), overlay = Overlay(info: ["difference \u{D7}4", "Volume 80"])
        let usual = places.info(of: overlay)
        expect(places.infoTop(of: overlay, avoiding: []), equals: nil)
        expect(places.infoTop(of: overlay, avoiding: [Rect(900, 300, 380, 100)]), equals: nil)
        let taken = Rect(860, usual.y - 20, 400, usual.height)
        let top = places.infoTop(of: overlay, avoiding: [taken])!
        expect(top >= taken.maxY && top + usual.height <= 720)
        expect(places.infoTop(of: overlay, avoiding: [Rect(860, 0, 400, 700)]), equals: nil)
    }
}

extension PlacedFrame {
    fileprivate static func fake(serial: Int, at target: Rect) -> PlacedFrame {
        PlacedFrame(
            FakeFrame(clip: "a", number: 0).frame, stamp: Stamp(feed: 0, serial: serial), crop: .all, target: target)
    }
}
