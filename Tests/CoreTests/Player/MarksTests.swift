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
            let info = view.marks.info
            expect(view.marks.time == "\(time)  frame \(number)" && info[0] == "tile\(tile + 1): a")
            // The bar shows the tile's time, not the clock's.
            expect(view.marks.progress!.time.hasPrefix(String(time.dropLast())))
            expect(info.contains("offset \u{2212}1.500 s"), equals: (tile == 1))
        }
        expect(scene().overlay.foot!.hasSuffix("pipelines decode, 2 of 2 feeds play"))
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
        let info = world.marked { $0.toggleInfo() }.views.map { $0.marks.info }
        expect(info[0].contains("BT.709 (assumed), interlaced, top field first"), "\(info[0])")
        expect(info[1].contains("PQ, BT.2020"), "\(info[1])")
        expect(info[1].contains("tone-mapped by BT.2390: 1000 nits (assumed) to 203"), "\(info[1])")
        expect(info[1].contains("BT.2020 mapped to BT.709"), "\(info[1])")
    }

    @Test func aTileOnItsOwnClockIsMarkedAsThat() {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        func isMarked() -> [Bool] {
            world.stirred().views.map { $0.marks.states.contains(.ownClock) && $0.marks.reasons == [.ownClock] }
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
        Change.item(by: 1), .goToItem(1), .seek(.by(.seconds(1)), .tileAlone), .pause(.on, .tileAlone),
        .rate(.faster, .tileAlone),
    ])
    func theOnlyTileOfAGroupHasNoClockOfItsOwn(_ command: Change) {
        var world = Simulation(.of([["a", "b"]]), clips: ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        world.command(command)
        world.run(for: .seconds(1))
        expect(world.wall.clocks.ids.count, equals: 1)
        let marks = world.stirred().views[0].marks
        expect(!marks.states.contains(.ownClock) && !marks.reasons.contains(.ownClock))
    }

    @Test func theOnlyTileOfAGroupThatIteratesTogetherShowsNoClockOfItsOwn() {
        var layout = Layout.of([["a", "b"]])
        layout.groups[0].loop = .together
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "b")
        expect(!world.stirred().views[0].marks.states.contains(.ownClock))
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
        expect(views.map { $0.marks.reasons }, equals: [[], [], [.waiting("b")], []])
        expect(views[2].marks.reasons.first?.text, equals: "waits for its turn: b")
        // The first frame does not identify the film, so a card does, with and without marks.
        for scene in [quiet, views] {
            guard case .card(let card) = scene[3].content, card.kind == .placeholder else {
                Issue.record("a hole in the wall: \(scene[3].content)")
                continue
            }
            let detail = (label == nil ? "" : "c ") + "waits for its turn"
            expect([card.name, card.detail], equals: [label ?? "c", detail])
        }
        world.run(for: .seconds(5))
        expect(world.stirred().views[2].marks.reasons.isEmpty)
    }

    @Test func aBlackFrameIsReportedWhileItPlays() {
        var world = Simulation(
            .of([["a"], ["b"]]),
            clips: [
                "a": FakeClip(frames: 600, blackUntil: 60), "b": FakeClip(frames: 600),
            ])
        world.run(for: .seconds(1))
        expect(world.wall.composeScene(at: world.now).scene.views.allSatisfy { $0.marks == Marks() })
        let marks = world.stirred().views.map(\.marks)
        expect(marks.map(\.reasons), equals: [[.black], []])
        expect(marks[0].progress!.time, equals: marks[1].progress!.time)
        world.run(for: .seconds(2))
        expect(world.stirred().views.allSatisfy { $0.marks.reasons.isEmpty })
    }

    @Test func onlyTheTileUnderThePointerSaysAllInSmallTiles() {
        var world = Simulation(.of([["a"], ["a"]]), clips: ["a": FakeClip(frames: 600)])
        world.act { wall, now in wall.player.note(.resized(to: Size(512, 180)), at: now) }
        world.run(for: .seconds(1))
        func lines(_ pointer: Point?) -> [Int] {
            world.marked {
                $0.toggleInfo()
                $0.pointer = pointer
            }.views.map { $0.marks.info.count }
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
            reported += [scene.views[1].marks.time != nil, scene.overlay.foot != nil]
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
        world.act { wall, now in wall.player.note(.outage(.noServer), at: now) }
        let scene = world.marked { $0.toggleInfo() }
        for view in scene.views {
            let marks = view.marks, places = MarksPlaces(in: view.marksRect)
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
        for rect in [places.bar, places.strip, places.spinner(.init(step: 0))] {
            expect(rect.contains(rect))
        }
        expect((places.fill(-1), places.fill(0), places.fill(2)) == (0, 0, places.bar.width))
    }
}
