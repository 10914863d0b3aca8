import Base
import Commands
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

/// Commands that come before the wall has finished earlier ones.
@Suite struct QuickHands {
    private let clips = [
        "a": FakeClip(frames: 600, gop: 60), "b": FakeClip(frames: 600, gop: 60),
        "fast": FakeClip(frames: 1200, rate: 60, gop: 60), "short": FakeClip(frames: 60),
        "gone": FakeClip(frames: 0, trouble: SourceTrouble(.missing, "no such file")),
    ]

    private func playing(_ sequences: [[String]], _ change: (inout TileLayout) -> Void = { _ in }) -> Simulation {
        var world = Simulation(.of(sequences, change), clips: clips)
        world.run(for: .seconds(2))
        return world
    }

    private func numbers(_ world: Simulation) -> [Int] { world.framesNow.map { $0?.number ?? -1 } }

    @Test(arguments: [0, 20, 100, 250]) func aSecondDragBeginsWhereTheFirstHasNotArrivedYet(wait: Int64) {
        var world = playing([["a"], ["b"]])
        for _ in 0..<2 {
            world.command(.scrub(.began(at: Point(100, 100))))
            world.command(.scrub(.moved(by: 160)))
            world.command(.scrub(.ended))
            world.run(for: .milliseconds(wait))
        }
        let moved = world.now
        world.run(for: .seconds(1))
        // Two drags by a quarter of 600 frames each, from about frame 60, and the frames played since.
        let latest = 360 + Int((world.now - moved + .milliseconds(2 * wait)).ticks * 30 / Time.ticksPerSecond) + 5
        expect((360...latest).contains(numbers(world)[0]))
        expect(numbers(world)[0], equals: numbers(world)[1])
    }

    @Test func aDragRightAfterASeekCountsFromThere() {
        var world = playing([["a"], ["b"]])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let before = numbers(world)[0]
        world.command(.seek(.by(.seconds(5)), .group))
        world.command(.scrub(.began(at: Point(100, 100))))
        world.command(.scrub(.moved(by: 64)))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        expect((before + 209...before + 211).contains(numbers(world)[0]))
        expect(numbers(world)[0], equals: numbers(world)[1])
    }

    @Test func aDragOverAZoomedTileIsItsShareOfTheWholeWindow() {
        var world = playing([["a"], ["b"]])
        world.command(.pause(.toggle, .group))
        world.command(.zoom(.toggle))
        world.run(for: .seconds(1))
        let before = numbers(world)[0]
        world.command(.scrub(.began(at: Point(100, 100))))
        world.command(.scrub(.moved(by: 320)))
        world.run(for: .seconds(1))
        expect((before + 149...before + 151).contains(numbers(world)[0]))
    }

    @Test func aZoomedTileFillsAWindowThatIsResized() {
        var world = playing([["a"], ["b"]])
        world.command(.zoom(.toggle))
        for size in [Size(800, 450), Size(1000, 400)] {
            world.act { $0.note(.resized(to: size), at: $1) }
            let top = world.wall.composeScene(at: world.now).scene.views.last
            expect(top?.tile == 0 && top?.rect == Rect(size))
            world.run(for: .milliseconds(500))
        }
        world.command(.zoom(.toggle))
        world.act { $0.note(.resized(to: Size(640, 360)), at: $1) }
        world.run(for: .milliseconds(500))
        expect(world.wall.composeScene(at: world.now).scene.views.map(\.rect.width), equals: [320, 320])
    }

    @Test func besideAZoomedFrameOfAnotherShapeThereIsNoOtherTile() {
        var world = playing([["a"], ["b"]])
        func drawn() -> [TileID] { world.wall.composeScene(at: world.now).scene.views.map(\.tile) }
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(100))
        expect(drawn(), equals: [1, 0])
        world.run(for: .milliseconds(150))
        expect(drawn(), equals: [0])
        world.run(for: .seconds(1))
        world.command(.zoom(.toggle))
        world.run(for: .milliseconds(100))
        expect(drawn(), equals: [1, 0])
        expect(numbers(world)[0], equals: numbers(world)[1])
    }

    @Test func spaceInADragIsForAfterIt() {
        var world = playing([["a"], ["b"]])
        world.command(.scrub(.began(at: Point(100, 100))))
        world.command(.scrub(.moved(by: 64)))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        let held = numbers(world)
        world.run(for: .seconds(1))
        expect(numbers(world), equals: held)
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        expect(numbers(world), equals: held)
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        expect(numbers(world)[0], above: held[0] + 20)
    }

    @Test(arguments: [0, 1, 2, 5, 10]) func stepsAfterASeekAreAllTaken(count: Int) {
        var world = playing([["a"], ["b"]])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let before = numbers(world)[0]
        world.command(.seek(.by(.seconds(5)), .group))
        for _ in 0..<count {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(12))
        }
        world.run(for: .seconds(1))
        expect(numbers(world), equals: [before + 150 + count, before + 150 + count])
    }

    @Test func aWallHiddenDuringASeekPauses() {
        var world = playing([["a"], ["b"]])
        world.command(.seek(.by(.seconds(5)), .group))
        world.act { $0.note(.restBegan, at: $1) }
        world.run(for: .seconds(2))
        let stands = numbers(world)
        world.run(for: .seconds(2))
        expect(numbers(world), equals: stands)
        world.act { $0.note(.restEnded, at: $1) }
        world.run(for: .seconds(1))
        expect((25...35).contains(numbers(world)[0] - stands[0]))
    }

    /// The clock moves to the previous frame of the focused tile. The other tiles follow the clock.
    @Test func theFirstStepBackIsLikeTheSecond() {
        var world = playing([["a"], ["fast"]])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let before = numbers(world)[0]
        for step in 1...3 {
            world.command(.step(by: -1, .group))
            world.run(for: .seconds(1))
            expect(numbers(world), equals: [before - step, 2 * (before - step)])
        }
        expect(world.dropped, equals: 0)
    }

    @Test func whatIsShownAgainIsReportedAgain() {
        var world = playing([["a"]])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let before = world.events.count
        for by in [-1, -1, 1, -1] {
            world.command(.step(by: by, .group))
            world.run(for: .seconds(1))
        }
        let shown = world.events[before...].compactMap { event -> Int? in
            if case .frame(_, _, let pts, _) = event.what {
                Int((pts.ticks * 30 + 1) / Time.ticksPerSecond)
            } else {
                nil
            }
        }
        let stood = numbers(world)[0] + 2
        expect(shown, equals: [stood - 1, stood - 2, stood - 1, stood - 2])
    }

    @Test func leftAfterTheEndIsFiveSecondsBeforeIt() {
        for extra in [Change.seek(.by(.seconds(60)), .group), nil] {
            var world = playing([["a"], ["short"]]) { $0.loop = .iterations(1) }
            if let extra { world.command(extra) }
            world.run(for: .seconds(40))
            expect(numbers(world), equals: [599, 59])
            world.command(.pause(.toggle, .group))
            world.command(.seek(.by(.seconds(-5)), .group))
            world.run(for: .seconds(1))
            expect((449...451).contains(numbers(world)[0]))
        }
    }

    @Test func previousItemSkipsOneThatCanNotBePlayed() {
        var world = playing([["a", "gone", "b"], ["fast"]])
        world.command(.item(by: 1))
        world.run(for: .seconds(2))
        expect(world.framesNow[0]?.clip, equals: "b")
        world.command(.item(by: -1))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "a")
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "b")
    }
}
