import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// How many frames an item should have had, and how many of them were shown.
extension ProofOfPlayTests {
    private struct Counts: Equatable, CustomStringConvertible {
        let source: String
        let reason: Event.ItemEnd
        let frames: Int
        let distinct: Int
        var description: String { "\(source) \(reason.rawValue) \(distinct)/\(frames)" }
    }

    private func counts(_ world: Simulation, _ tile: String = "tile1") -> [String] {
        world.events.compactMap {
            guard case .itemEnd(let item, tile, let reason) = $0.what else { return nil }
            return Counts(source: item.source, reason: reason, frames: item.frames, distinct: item.distinct).description
        }
    }

    /// Items that play, a change to the layout, and the counts of the first items that ended.
    struct FrameCase: CustomStringConvertible, Sendable {
        let name: String
        let play: [[String]]
        let change: @Sendable (inout Layout) -> Void
        let counts: [String]
        var description: String { name }

        init(
            _ name: String, _ play: [[String]], _ counts: [String],
            _ change: @escaping @Sendable (inout Layout) -> Void = { _ in }
        ) { (self.name, self.play, self.change, self.counts) = (name, play, change, counts) }
    }

    static let frameCases = [
        FrameCase("whole films", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]),
        FrameCase("an in-point and an out-point", [["a", "b"]], ["a eof 25/25", "b eof 90/90"]) {
            $0.tiles[0].play[0].segments[0].start = .milliseconds(500)
            $0.tiles[0].play[0].segments[0].end = Time(40, ofUnits: 1, over: 30)
        },
        FrameCase("an out-point beyond the end", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]) {
            $0.tiles[0].play[0].segments[0].end = .seconds(9)
        },
        FrameCase("rounds", [["a", "b"]], ["a eof 120/120"]) { $0.tiles[0].play[0].rounds = 2 },
        FrameCase("a slow rate", [["a", "b"]], ["a eof 60/60"]) { $0.tiles[0].play[0].rate = Rate(0.5) },
        FrameCase("fades", [["a", "b"]], ["a eof 60/60", "b eof 90/90"]) {
            $0.tiles[0].transition = .fade(.milliseconds(500))
        },
        FrameCase("a length that only decoding tells", [["long", "a"]], ["long eof 75/75", "a eof 60/60"]),
        FrameCase("a film that is cut off", [["cut", "a"]], ["cut eof 45/60", "a eof 60/60"]),
        FrameCase("a film that is cut off, up to an out-point", [["cut", "a"]], ["cut eof 30/30"]) {
            $0.tiles[0].play[0].segments[0].end = .seconds(1)
        },
        FrameCase("frames of unlike lengths", [["uneven", "a"]], ["uneven eof 60/60", "a eof 60/60"]),
        FrameCase("frames of unlike lengths at another rate", [["uneven", "a"]], ["uneven eof 60/60", "a eof 60/60"]) {
            $0.groups[0].rate = Rate(1.5)
        },
        FrameCase("a sound", [["sound", "a"]], ["sound eof 0/0", "a eof 60/60"]),
        FrameCase("a still", [["still", "a"]], ["still eof 1/1", "a eof 60/60"]),
        // The end of the shorter tile's iteration ends that of the longer.
        FrameCase("passes that end with the shortest", [["b"], ["a"]], ["b eof 60/60", "b eof 60/60"]) {
            ($0.groups[0].loop, $0.groups[0].until) = (.together, .shortest)
        },
        FrameCase("a tile that is ahead of its group", [["b"], ["b"]], ["b eof 60/60", "b eof 60/60"]) {
            ($0.groups[0].loop, $0.groups[0].until) = (.together, .longest)
            $0.tiles[0].offset = .seconds(1)
        },
    ]

    @Test(arguments: frameCases) func anItemIsReportedOfWithTheFramesThatItShouldHaveHad(_ test: FrameCase) {
        var layout = Layout.of(test.play)
        test.change(&layout)
        let more = [
            "long": FakeClip(frames: 75, knowsItsLength: false), "sound": FakeClip(frames: 60, isSound: true),
            "still": FakeClip(frames: 1, isStill: true), "cut": FakeClip(frames: 45, lacks: 15),
            "uneven": FakeClip(frames: 60, isUneven: true),
        ]
        var world = Simulation(layout, clips: clips.merging(more) { $1 })
        world.run(for: .seconds(9))
        expect(Array(counts(world).prefix(test.counts.count)), equals: test.counts, "\(counts(world))")
    }

    @Test func aSoundThatHasEndedIsReportedOfOnce() {
        var layout = Layout.of([["sound"]])
        layout.tiles[0].loop = .iterations(1)
        let sound = FakeClip(frames: 60, isSound: true)
        var world = Simulation(layout, clips: clips.merging(["sound": sound]) { $1 })
        for _ in 0..<10 {
            world.run(for: .seconds(1))
            world.act { wall, now in wall.player.update(at: now) }
        }
        expect(counts(world), equals: ["sound eof 0/0"])
        // An item that is added plays, and the sound before it does not begin again.
        world.act { $0.carryOut(.sequence(.append([Item(source: "a")])), at: $1) }
        world.run(for: .seconds(5))
        expect(counts(world).filter { $0.hasPrefix("sound") }, equals: ["sound eof 0/0"], "\(counts(world))")
        expect(world.framesNow[0]?.clip, equals: "a")
    }

    /// Frames that were decoded too late or never, and those of a server that went away.
    @Test func whatIsMissingIsMissingInTheLog() {
        let slow = FakeClip(frames: 60, framesDecodeIn: .milliseconds(66))
        var world = Simulation(Layout.of([["slow", "b"]]), clips: clips.merging(["slow": slow]) { $1 })
        world.run(for: .seconds(4))
        let items = ended(world, "tile1")
        expect(items.map(\.frames) == [60] && items.map(\.distinct)[0] < 50, "\(items)")
    }

    /// 120 frames a second do not fit into 60 presents.
    @Test func aDisplayIsAskedForNoMoreThanItCanShow() throws {
        var layout = Layout.of([["a", "b"]])
        layout.tiles[0].play[0].rate = Rate(4)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(3))
        let item = try #require(ended(world, "tile1").first)
        expect((30...31).contains(item.frames) && item.distinct >= 29, "\(item)")
    }

    /// The program stands still for a while, as after SIGSTOP. Frames that were due meanwhile are missed.
    @Test(arguments: [[["b", "a"]], [["b"]], [["long", "a"]], [["b", "a"], ["a"]]], [Int64(5), 10, 47])
    func framesThatWereDueWhileTheProgramStoodStillAreMissed(_ play: [[String]], _ length: Int64) {
        for isTogether in [false, true] {
            var layout = Layout.of(play)
            layout.groups[0].loop = isTogether ? .together : .each
            var world = Simulation(layout, clips: clips.merging(["long": FakeClip(frames: 240)]) { $1 })
            world.run(for: .milliseconds(1500))
            world.now += .seconds(length)
            world.run(for: .seconds(9))
            let items = ended(world, "tile1")
            let lines = items.map { "\($0.source) \($0.distinct) + \($0.dropped) of \($0.frames)" }
            expect(
                items.count > 1 && items[0].dropped > 20
                    && items.allSatisfy { $0.distinct + $0.dropped == $0.frames },
                "\(play) \(length) \(isTogether): \(lines)")
        }
    }

    @Test func whatIsShownTwiceAfterAJumpBackCountsOnce() {
        var world = Simulation(Layout.of([["b", "a"]]), clips: clips)
        world.run(for: .milliseconds(1500))
        world.command(.seek(.by(-.seconds(1)), .group))
        world.run(for: .seconds(4))
        expect(counts(world) == ["b eof 90/90"] && ended(world, "tile1")[0].repeated > 25, "\(counts(world))")
    }

    @Test func anItemOfABreakThatFailsIsReportedOfOnce() {
        for play in [["gone"], ["gone", "a"], ["a", "gone"]] {
            for when in [BreakLayout.When.itemEnd, .now] {
                var layout = Layout.of([["b"], ["a", "b"]])
                var entry = BreakLayout(name: "ad", play: play.map { Item(source: $0) })
                (entry.when, entry.tiles) = (when, ["tile1"])
                layout.breaks = [entry]
                var world = Simulation(layout, clips: clips)
                world.run(for: .seconds(1))
                world.command(.playBreak("ad"))
                world.run(for: .seconds(12))
                let failed = counts(world).filter { $0.hasPrefix("gone") }
                expect(failed, equals: ["gone error 0/0"], "\(play) \(when): \(counts(world))")
            }
        }
    }

    /// The item after it can't be played, and nothing follows that item.
    @Test(arguments: [(OnError.next, Loop.iterations(1)), (.stop, .iterations(1)), (.stop, .forever)])
    func anItemBeforeOneThatFailsEndsWithoutAnError(_ onError: OnError, _ loop: Loop) {
        var layout = Layout.of([["a", "gone"]])
        (layout.tiles[0].onError, layout.tiles[0].loop) = (onError, loop)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        expect(counts(world), equals: ["gone error 0/0", "a eof 60/60"])
        expect(ended(world, "tile1").last?.isBroken, equals: false)
    }

    /// The item's own second part can't be played.
    @Test(arguments: [OnError.next, .stop]) func anItemOfWhichAPartFailsEndsWithAnError(_ onError: OnError) {
        var layout = Layout.of([["a"]])
        layout.tiles[0].play[0].segments.append(Item.Segment(source: "gone"))
        (layout.tiles[0].onError, layout.tiles[0].loop) = (onError, .iterations(1))
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        expect(counts(world).last?.hasPrefix("a error"), equals: true, "\(counts(world))")
    }
}
