import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Lines of the log for items that a break interrupts.
@Suite struct InterruptedItemTests {
    private static let clips = [
        "a": FakeClip(frames: 60), "b": FakeClip(frames: 90), "logo": FakeClip(frames: 1, isStill: true),
        "uneven": FakeClip(frames: 90, isUneven: true), "slow": FakeClip(frames: 90, framesDecodeIn: .milliseconds(66)),
    ]

    /// Returns a wall whose tile plays `names`, one second after its start, with a break that interrupts.
    private func wall(
        _ names: [String] = ["b", "a"], _ change: (inout Layout) -> Void = { _ in }
    ) -> Simulation {
        var layout = Layout.of([names])
        var entry = BreakLayout(name: "ad", play: [Item(source: "a")])
        entry.when = .now
        layout.breaks = [entry]
        change(&layout)
        var world = Simulation(layout, clips: Self.clips)
        world.run(for: .seconds(1))
        return world
    }

    @Test(arguments: ["b", "uneven"]) func anInterruptedFilmIsOneShowing(film: String) {
        var world = wall([film, "a"])
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        expect(Array(world.showings.prefix(2)), equals: ["a break 60/60 2 eof", "\(film) start 90/90 3 eof"])
    }

    @Test func aFilmThatIsInterruptedTwiceIsOneShowing() {
        var world = wall()
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(3300))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        expect(
            Array(world.showings.prefix(3)),
            equals: ["a break 60/60 2 eof", "a break 60/60 2 eof", "b start 90/90 3 eof"])
    }

    @Test func anInterruptedFilmThatFadesIsOneShowing() {
        var world = wall { $0.tiles[0].transition = .fade(.milliseconds(300)) }
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        expect(
            world.showings.prefix(2).map { $0.replacing(" 2 ", with: " 3 ") },
            equals: ["a break 60/60 3 eof", "b start 90/90 3 eof"])
    }

    /// The events of the parts have their own counts.
    @Test func eventsOfBothPartsAddUp() {
        var world = wall()
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        let parts = world.events.compactMap { event -> Int? in
            guard case .itemEnd(let item, _, _) = event.what, item.source == "b" else { return nil }
            return item.presentedSinceBreak
        }
        expect(parts.count == 2 && parts[0] > 25 && parts.reduce(0, +) == 90, "\(parts)")
    }

    @Test func framesThatWereMissedInBothPartsAreMissed() throws {
        var world = wall(["slow", "a"])
        world.command(.playBreak("ad"))
        world.run(for: .seconds(8))
        let item = try #require(
            world.events.compactMap { event -> ItemRecord? in
                guard case .itemEnd(let item, _, .eof) = event.what, item.source == "slow" else { return nil }
                return item
            }.first)
        expect(item.presented + item.dropped == 90 && item.frames == 90 && item.dropped > 20, "\(item)")
    }

    @Test func aFilmOfWhichTheBreakIsEndedByHandIsOneShowing() {
        var world = wall()
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1500))
        world.command(.endBreaks)
        world.run(for: .seconds(4))
        expect(world.showings[1], equals: "b start 90/90 3 eof", "\(world.showings)")
    }

    @Test func framesBeforeTheBreakThatAreShownAgainAreRepeated() throws {
        var world = wall()
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(3000))
        world.command(.seek(.by(-.seconds(1)), .group))
        world.run(for: .seconds(5))
        let items = world.events.compactMap { event -> ItemRecord? in
            guard case .itemEnd(let item, _, .eof) = event.what, item.source == "b" else { return nil }
            return item
        }
        let item = try #require(items.first)
        expect(item.frames == 90 && item.distinct <= 90, "\(item)")
    }

    @Test func anInterruptedStillIsOneShowing() {
        var world = wall(["logo", "b"]) { $0.tiles[0].play[0].duration = .seconds(5) }
        world.command(.playBreak("ad"))
        world.run(for: .seconds(8))
        expect(Array(world.showings.prefix(2)), equals: ["a break 60/60 2 eof", "logo start 1/1 5 eof"])
    }

    /// The line is written when it is certain that the film does not go on.
    @Test func anInterruptedFilmThatDoesNotGoOnIsReported() {
        let ways: [(name: String, leave: (inout Simulation) -> Void)] = [
            ("the next item", { $0.command(.item(by: 1)) }),
            ("the end", { $0.act { wall, now in wall.player.note(.ends, at: now) } }),
            ("another sequence", { $0.command(.sequence(.replace([Item(source: "a")]))) }),
            ("no sequence", { $0.command(.sequence(.stop)) }),
            ("another layout", { $0.apply(Layout.of([["a"]])) }),
            (
                "a tile that is removed",
                { world in
                    var layout = Layout.of([["a"]])
                    layout.tiles[0].id = "other"
                    world.apply(layout)
                }
            ),
        ]
        for (name, leave) in ways {
            var world = wall()
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(1500))
            expect(world.showings, equals: [], "\(name)")
            leave(&world)
            world.run(for: .seconds(1))
            let lines = world.showings.filter { $0.hasPrefix("b ") }
            expect(lines.count == 1 && lines[0].hasSuffix("/90 1 left"), "\(name): \(world.showings)")
        }
    }

    @Test func anInterruptedFilmThatIsMovedInItsSequenceIsOneShowing() {
        var world = wall()
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1500))
        world.command(.sequence(.move(0, to: 2)))
        world.run(for: .seconds(4))
        expect(world.showings[1], equals: "b start 90/90 3 eof", "\(world.showings)")
    }
}
