import Base
import Commands
import Expectations
import Layout
import Player
import Scene
import Testing

@testable import SimulatedWall

/// A user's commands, on a wall in simulated time.
@Suite struct Commands {
    private let clips = [
        "a": FakeClip(frames: 600, gop: 250), "b": FakeClip(frames: 600), "c": FakeClip(frames: 500, rate: 25),
    ]

    private func playing(_ sequences: [[String]] = [["a"], ["b"], ["c"]], for length: Time = .seconds(3)) -> Simulation
    {
        var world = Simulation(.of(sequences), clips: clips)
        world.run(for: length)
        return world
    }

    @Test func aPausedWallStandsStillAndGoesOnWhereItWas() {
        var world = playing()
        world.command(.pause(.toggle, .group))
        world.run(for: .milliseconds(50))
        let frames = world.framesNow
        world.run(for: .seconds(20))
        expect(world.framesNow, equals: frames)
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        let number = world.framesNow[0]!.number
        expect((frames[0]!.number + 58...frames[0]!.number + 62).contains(number))
        expect(world.dropped, equals: 0)
    }

    @Test func aStepIsOneFrameOfTheFocusedTileAndTheOthersFollow() {
        var world = playing()
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let before = world.framesNow[0]!.number
        for step in 1...40 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(300))
            expect(world.framesNow[0]!.number, equals: before + step)
            expect(world.framesNow[1]!.number, equals: before + step)
            // The third film has 25 frames a second, the others 30.
            expect(world.framesNow[2]!.number, equals: (before + step) * 25 / 30)
        }
        for step in 1...60 {
            world.command(.step(by: -1, .group))
            world.run(for: .milliseconds(1200))
            expect(world.framesNow[0]!.number, equals: before + 40 - step)
            expect(world.framesNow[1]!.number, equals: before + 40 - step)
        }
    }

    @Test func aStepBackIsImmediateFromTheSecondOn() {
        var world = playing(for: .seconds(7))
        world.command(.pause(.toggle, .group))
        world.command(.step(by: -1, .group))
        world.run(for: .seconds(2))
        let number = world.framesNow[0]!.number
        for step in 1...10 {
            world.command(.step(by: -1, .group))
            world.run(for: .milliseconds(2))
            expect(world.framesNow[0]!.number, equals: number - step)
        }
    }

    @Test func stepsCrossSeams() {
        var world = Simulation(.of([["a", "b"]]), clips: ["a": FakeClip(frames: 10), "b": FakeClip(frames: 10)])
        world.run(for: .seconds(1))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let order =
            (0..<10).map { FakeFrame(clip: "a", number: $0) } + (0..<10).map { FakeFrame(clip: "b", number: $0) }
        var place = order.firstIndex(of: world.framesNow[0]!)!
        for _ in 0..<35 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(200))
            place = (place + 1) % 20
            expect(world.framesNow[0], equals: order[place])
        }
        for _ in 0..<35 {
            world.command(.step(by: -1, .group))
            world.run(for: .milliseconds(400))
            place = (place + 19) % 20
            expect(world.framesNow[0], equals: order[place])
        }
    }

    @Test func anItemWithoutAPictureIsSoughtInToo() throws {
        var world = Simulation(.of([["song"]]), clips: ["song": FakeClip(frames: 300, isSound: true)])
        world.run(for: .seconds(1))
        for (seek, expected) in [(Change.Seek.to(.seconds(4)), 4.5), (.toPercent(80), 8.5), (.to(.seconds(2)), 2.5)] {
            world.command(.seek(seek, .group))
            world.run(for: .milliseconds(500))
            let place = try WallReport(world.wall, at: world.now).value(at: "time-pos", of: nil).get().asNumber ?? -1
            expect(abs(place - expected), below: 0.1, "\(seek): \(place)")
        }
    }

    @Test func seeksGoToTheFrameInAllTiles() {
        var world = playing()
        world.command(.pause(.toggle, .group))
        world.run(for: .milliseconds(500))
        let before = world.framesNow[0]!.number
        world.command(.seek(.by(.seconds(5)), .group))
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, equals: before + 150)
        expect(world.framesNow[1]!.number, equals: before + 150)
        world.command(.seek(.by(.zero - .seconds(1)), .group))
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, equals: before + 120)
        world.command(.home(.group))
        world.run(for: .seconds(1))
        expect(world.framesNow.map { $0!.number }, equals: [0, 0, 0])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        expect((28...31).contains(world.framesNow[0]!.number))
    }

    @Test func aTileMovedAloneLeavesItsSharedFeedUntilHome() {
        var world = Simulation(.of([["b"], ["b"], ["b"]]), clips: clips)
        world.run(for: .seconds(2))
        expect(world.mostLeases, equals: 1)
        world.command(.seek(.by(.seconds(4)), .tileAlone))
        world.run(for: .seconds(2))
        let apart = world.framesNow.map { $0!.number }
        expect(apart[1], equals: apart[2])
        expect((110...130).contains(apart[0] - apart[1]))
        expect(world.mostLeases, equals: 2)
        world.command(.home(.group))
        world.run(for: .seconds(2))
        let home = world.framesNow.map { $0!.number }
        expect(home[0] == home[1] && home[1] == home[2])
        expect((55...61).contains(home[0]))
    }

    @Test func aSeekAloneThatIsRefusedLeavesTheTileInItsGroup() {
        let unknown = FakeClip(frames: 600, knowsItsLength: false)
        var world = Simulation(.of([["unknown"], ["b"]]), clips: ["unknown": unknown, "b": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        for seek in [Change.Seek.to(.seconds(5)), .toPercent(50), .byPercent(10)] {
            for command in [Change.seek(seek, .tileAlone), .seekToKeyFrame(near: seek, .tileAlone)] {
                let isDone = world.wall.carryOut(command, at: world.now)
                expect(!isDone && world.wall.clocks.ids.count == 1, "\(command)")
            }
        }
        world.command(.seek(.by(.seconds(1)), .tileAlone))
        expect(world.wall.clocks.ids.count, equals: 2)
    }

    @Test func rateChangesTheClockOfAll() {
        var world = playing()
        // The eighth step stops at rate 2.
        for _ in 0..<8 { world.command(.rate(.faster, .group)) }
        let before = world.framesNow[0]!.number
        world.run(for: .seconds(2))
        expect((before + 117...before + 123).contains(world.framesNow[0]!.number))
        world.command(.rate(.to(.one), .group))
        world.run(for: .seconds(1))
        expect(world.dropped, below: 5)
    }

    @Test func theNextItemComesAtOnceToTheFocusedTile() {
        var world = playing([["a", "b", "c"], ["b"]])
        world.command(.item(by: 1))
        world.run(for: .milliseconds(300))
        expect(world.framesNow[0]?.clip, equals: "b")
        world.command(.item(by: 1))
        world.run(for: .milliseconds(300))
        expect(world.framesNow[0]?.clip, equals: "c")
        world.command(.item(by: -1))
        world.run(for: .milliseconds(300))
        expect(world.framesNow[0]?.clip, equals: "b")
        expect(world.slips(1, cycle: ["b"]), equals: 0)
    }
}

@Suite struct Scrubbing {
    private let clips = ["a": FakeClip(frames: 600, gop: 60), "b": FakeClip(frames: 600, gop: 60)]

    private func grabbed() -> Simulation {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(2))
        world.command(.scrub(.began(at: Point(100, 100))))
        return world
    }

    @Test func halfATileIsHalfTheItemAndAllTilesFollow() {
        var world = grabbed()
        let before = world.framesNow[0]!.number
        for step in 1...32 {
            world.command(.scrub(.moved(by: 10 * step)))
            world.run(for: .milliseconds(8))
        }
        world.run(for: .seconds(1))
        // The tile is 640 pixels wide, and the item has 600 frames.
        expect((before + 298...before + 302).contains(world.framesNow[0]!.number))
        expect(world.framesNow[1]!.number, equals: world.framesNow[0]!.number)
        let stands = world.framesNow
        world.run(for: .seconds(2))
        expect(world.framesNow, equals: stands)
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        expect((27...32).contains(world.framesNow[0]!.number - stands[0]!.number))
    }

    @Test func anItemOfSegmentsIsScrubbedAllOverBeforeItHasPlayed() {
        let segments = [("a", 0), ("b", 0), ("a", 8)].map { name, start in
            var segment = Item.Segment(source: name)
            (segment.start, segment.end) = (.seconds(Int64(start)), .seconds(Int64(start) + 8))
            return segment
        }
        var layout = Layout.of([["a"], ["b"]])
        layout.tiles[0].play[0].segments = Item.Segments(segments)!
        var world = Simulation(layout, clips: clips)
        world.run(for: .milliseconds(300))
        world.command(.scrub(.began(at: Point(100, 100))))
        world.command(.scrub(.moved(by: 320)))
        world.run(for: .seconds(1))
        // A drag by half of the item's 24 s, from the grabbed position: four seconds into the second segment.
        expect(world.framesNow[0]!.clip, equals: "b")
        expect((120...132).contains(world.framesNow[0]!.number))
    }

    @Test func aScrubStaysWithinItsItem() {
        var world = grabbed()
        world.command(.scrub(.moved(by: 5000)))
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, equals: 599)
        world.command(.scrub(.moved(by: -5000)))
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, equals: 0)
        expect(world.framesNow[1]!.number, equals: 0)
    }

    @Test func aPausedWallStaysPausedWhenItIsLetGo() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(2))
        world.command(.pause(.toggle, .group))
        world.command(.scrub(.began(at: Point(100, 100))))
        world.command(.scrub(.moved(by: 64)))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        let stands = world.framesNow
        expect((118...122).contains(stands[0]!.number))
        world.run(for: .seconds(2))
        expect(world.framesNow, equals: stands)
    }

    @Test func aChangedVolumeIsReportedAsLongAsMarksAreSeen() {
        var simulation = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 60)])
        simulation.run(for: .seconds(1))
        var marksVisibility = MarksVisibility()
        marksVisibility.commanded(at: simulation.now)
        func notices(after wait: Time) -> [String] {
            let now = simulation.now + wait
            var scene = simulation.wall.composeScene(at: now).scene
            _ = simulation.wall.mark(&scene, marksVisibility.visibility(at: now).marks, at: now)
            return scene.overlay.info
        }
        expect(notices(after: .zero).isEmpty)
        simulation.wall.carryOut(.volume(.by(-5), .wall), at: simulation.now)
        expect(notices(after: .zero), equals: ["volume 95"])
        expect(notices(after: .seconds(3)).isEmpty)
        // The notice does not come back with the marks, and does not outlast the next command.
        marksVisibility.commanded(at: simulation.now + .seconds(3))
        expect(notices(after: .seconds(3)).isEmpty)
        simulation.wall.carryOut(.volume(.by(-5), .tile), at: simulation.now)
        marksVisibility.commanded(at: simulation.now)
        expect(notices(after: .zero), equals: ["tile1: volume 95"])
        simulation.wall.carryOut(.audioDelay(.by(-10)), at: simulation.now)
        expect(notices(after: .zero), equals: ["audio delay -10 ms"])
        simulation.wall.carryOut(.focus(.next), at: simulation.now)
        expect(notices(after: .zero).isEmpty)
        // A property states its name and its new value, unless a mark or a command does.
        let changes: [(String, Change.PropertyChange, [String])] = [
            ("flip", .cycle(isUp: true), ["tile1: flip h"]),
            ("tiles/tile1/fit", .set(.text("cover")), ["tile1: fit cover"]),
            ("loop-file", .set(.integer(3)), ["tile1: loop-file 3"]),
            ("loop-playlist", .cycle(isUp: true), ["tile1: loop-playlist no"]),
            ("volume", .add(5), ["volume 100"]), ("key", .set(.integer(50)), ["tile1: key +12"]),
            ("focus", .cycle(isUp: true), []), ("time-pos", .set(.integer(1)), []),
        ]
        for (path, change, lines) in changes {
            simulation.act { wall, now in
                expect(wall.changeProperty(path, change, of: nil, .group, at: now), equals: nil, "\(path)")
            }
            expect(notices(after: .zero), equals: lines, "\(path)")
        }
        let fit = Change.property("fit", .cycle(isUp: true), .group)
        simulation.wall.carryOut(fit, at: simulation.now)
        expect(notices(after: .zero), equals: ["tile1: fit stretch"])
        simulation.wall.carryOut(.mute(.toggle, .wall), at: simulation.now)
        expect(notices(after: .zero), equals: ["the wall is muted"])
        // A text of the program is no command.
        simulation.wall.carryOut(.volume(.by(-5), .tile), at: simulation.now)
        simulation.wall.show("saved to wall.json", for: .seconds(2), at: simulation.now)
        expect(notices(after: .zero), equals: ["the wall is muted", "tile1: volume 90", "saved to wall.json"])
    }
}
