import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Sequences of tiles, changed by hand.
@Suite struct SequencesByHand {
    private let clips = [
        "a": FakeClip(frames: 60), "b": FakeClip(frames: 90), "c": FakeClip(frames: 30),
    ]

    private func playing(_ sequences: [[String]], for time: Time = .milliseconds(1500)) -> Simulation {
        var world = Simulation(.of(sequences), clips: clips)
        world.run(for: time)
        return world
    }

    private func items(_ names: String...) -> [Item] { names.map { Item(source: $0) } }

    private func order(_ world: Simulation, _ tile: Int) -> [String] {
        var order: [String] = []
        for clip in world.shown[tile].compactMap({ $0.frame?.clip }) where order.last != clip { order.append(clip) }
        return order
    }

    @Test func aFilmIsLoadedIntoATileThatSharedItsFeed() {
        var world = playing([["a"], ["a"]])
        expect(world.wall.feeds.count, equals: 1)
        world.act { [new = items("c")] in $0.carryOut(.sequence(.replace(new)), on: 1, at: $1) }
        world.run(for: .milliseconds(500))
        expect(order(world, 1) == ["a", "c"] && world.wall.feeds.count == 2)
        expect((8...15).contains(world.framesNow[1]?.number ?? -1))
        world.run(for: .seconds(2))
        expect(world.slips(0, cycle: ["a"]), equals: 0)
    }

    @Test func theSameFilmOnceMoreBeginsAnew() {
        var world = playing([["b"]])
        world.act { [new = items("b")] in $0.carryOut(.sequence(.replace(new)), at: $1) }
        world.run(for: .milliseconds(500))
        expect((8...15).contains(world.framesNow[0]?.number ?? -1))
    }

    @Test func whatIsAppendedAndInsertedFollows() {
        var world = playing([["a"]])
        world.act { [new = items("b")] in $0.carryOut(.sequence(.append(new)), at: $1) }
        world.act { [new = items("c")] in $0.carryOut(.sequence(.insertNext(new)), at: $1) }
        world.run(for: .seconds(6))
        expect(order(world, 0).prefix(4), equals: ["a", "c", "b", "a"])
        expect(world.longestHold(0), atMost: .milliseconds(35))
    }

    @Test func itemsAreMovedAndRemovedUnderWhatPlaysOn() {
        var world = playing([["a", "b", "c"]])
        world.act { $0.carryOut(.sequence(.move(2, to: 1)), at: $1) }
        world.run(for: .milliseconds(700))
        expect(order(world, 0), equals: ["a", "c"])
        world.act { $0.carryOut(.sequence(.remove(0)), at: $1) }
        world.run(for: .seconds(5))
        expect(order(world, 0).prefix(4), equals: ["a", "c", "b", "c"])
        expect(world.longestHold(0), atMost: .milliseconds(35))
        world.act { $0.carryOut(.sequence(.remove(nil)), at: $1) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "c")
    }

    @Test func aTileThatIsStoppedShowsItsCardAndPlaysAgain() {
        var world = playing([["a"], ["b"]])
        world.act { $0.carryOut(.sequence(.stop), at: $1) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0] == nil && world.wall.tiles[0].play.isEmpty)
        world.command(.item(by: 1))
        world.command(.seek(.toPercent(50), .group))
        world.command(.track(.next))
        world.command(.step(by: 1, .group))
        world.command(.pause(.off, .group))
        world.run(for: .seconds(1))
        world.act { [new = items("c")] in $0.carryOut(.sequence(.appendAndPlay(new)), at: $1) }
        world.run(for: .milliseconds(500))
        expect((8...15).contains(world.framesNow[0]?.number ?? -1))
        world.command(.home(.group))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "c")
    }

    @Test func roundsAndLoopsCountWhilePlaying() {
        var world = playing([["c", "a"]], for: .milliseconds(500))
        world.act { $0.carryOut(.sequence(.rounds(3)), at: $1) }
        world.act { $0.carryOut(.sequence(.loop(.iterations(1))), at: $1) }
        world.run(for: .seconds(7))
        let numbers = world.shown[0].compactMap(\.frame).filter { $0.clip == "c" }.map(\.number)
        expect(numbers.filter { $0 == 0 }.count, equals: 3)
        expect(world.framesNow[0], equals: FakeFrame(clip: "a", number: 59))
        world.act { $0.carryOut(.sequence(.loop(.forever)), at: $1) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "c")
    }

    @Test func theCurrentItemIsPlayedAgainFromItsStart() throws {
        var world = playing([["a", "b"], ["b"]], for: .milliseconds(3500))
        expect(world.framesNow[0]?.clip == "b" && (43...45).contains(world.framesNow[0]?.number ?? -1))
        let change = try CommandTable.change("playlist-play-index", [.text("current")])
        expect(change, equals: .goToItem(nil))
        world.command(.goToItem(nil))
        world.run(for: .milliseconds(500))
        expect(world.framesNow[0]?.clip == "b" && (8...15).contains(world.framesNow[0]?.number ?? -1))
        // The other tile plays on.
        expect((28...30).contains(world.framesNow[1]?.number ?? -1))
        // A tile that plays nothing has no current item.
        world.act { $0.carryOut(.sequence(.stop), at: $1) }
        world.act { wall, now in
            expect(!wall.carryOut(.goToItem(nil), on: 0, at: now))
            expect(wall.reason(against: .goToItem(nil), on: 0), equals: "tile1 plays nothing")
        }
    }

    @Test func aPlaceInTheItemIsSoughtByTheSameSecondsForTheWholeGroup() {
        var world = playing([["a", "b"], ["b"]], for: .milliseconds(2500))
        expect(world.framesNow[0]?.clip, equals: "b")
        world.command(.pause(.on, .group))
        world.command(.seek(.to(.seconds(2)), .group))
        world.run(for: .milliseconds(500))
        expect(world.framesNow[0], equals: FakeFrame(clip: "b", number: 60))
        expect(world.framesNow[1]?.number, equals: 30)
        world.command(.seek(.toPercent(50), .group))
        world.run(for: .milliseconds(500))
        expect(world.framesNow[0], equals: FakeFrame(clip: "b", number: 45))
    }

    /// The clock of a wall that does not loop goes on after the end.
    @Test func aPlaceIsReachedAfterTheEnd() {
        let cases: [(Change, Int)] = [
            (.seek(.to(.seconds(1)), .group), 30), (.seek(.toPercent(50), .group), 45),
            (.seek(.by(-.seconds(1)), .group), 60),
            (.property("groups/main/time-pos", .set(.number(0.5)), .group), 15),
        ]
        for (command, number) in cases {
            var world = Simulation(.of([["b"]]) { $0.loop = .iterations(1) }, clips: ["b": FakeClip(frames: 90)])
            world.run(for: .seconds(8))
            world.command(.pause(.on, .group))
            expect(world.framesNow[0]?.number, equals: 89)
            world.command(command)
            world.run(for: .seconds(1))
            expect(world.framesNow[0]?.number, equals: number, "\(command)")
        }
    }

    @Test func aSeekToAKeyFrameGoesToTheNearestThatIsKnown() {
        let cases: [(near: Int64, group: GroupLoop, isStated: Bool, Int)] = [
            (1400, .each, true, 30), (1600, .each, true, 60), (2900, .each, true, 60), (100, .each, true, 0),
            (1400, .together, true, 42), (1400, .each, false, 42),
        ]
        for (near, loop, isStated, expected) in cases {
            var layout = Layout.of([["b"]])
            layout.groups = [GroupLayout(name: "main")]
            layout.groups[0].loop = loop
            var clips = clips
            clips["b"]!.listsKeyFrames = isStated
            var world = Simulation(layout, clips: clips)
            world.run(for: .milliseconds(500))
            world.command(.pause(.on, .group))
            world.command(.seekToKeyFrame(near: .to(.milliseconds(near)), .group))
            world.run(for: .seconds(1))
            expect(world.framesNow[0]?.number, equals: expected, "\(near) \(loop) \(isStated)")
        }
    }

    /// Random loads, moves and removals of items, mixed with commands to the clocks.
    @Test(arguments: seeds(40)) func anyChangesLeaveTheOthersAlone(_ seed: UInt64) {
        var random = Seeded(state: seed)
        let names = ["a", "b", "c", "missing"]
        var world = Simulation(.of([["b"], ["a", "c"], ["a", "c"]]), clips: clips, pipelines: 4)
        world.run(for: .seconds(1))
        for _ in 0..<80 {
            let new = (0...random.upTo(2)).map { _ in Item(source: names[random.upTo(4)]) }
            let place = random.upTo(4)
            let change: Change.SequenceChange =
                switch random.upTo(10) {
                case 0: .replace(new)
                case 1: .append(new)
                case 2: .appendAndPlay(new)
                case 3: .insertNext(new)
                case 4: .remove(random.onceIn(2) ? nil : place)
                case 5: .move(place, to: random.upTo(4))
                case 6: .clear
                case 7: .stop
                case 8: .rounds(1 + random.upTo(3))
                default: .loop(random.onceIn(2) ? .forever : .iterations(1 + random.upTo(3)))
                }
            let tile = TileID(number: 1 + random.upTo(2))
            world.act { $0.carryOut(.sequence(change), on: tile, at: $1) }
            let commands: [Change] = [
                .goToItem(place), .item(by: 1), .item(by: -1), .track(.next), .step(by: 1, .tileAlone),
                .seek(.toPercent(50), .tileAlone), .home(.tileAlone), .pause(.toggle, .tileAlone),
                .nudge(by: .milliseconds(70)),
            ]
            let command = commands[random.upTo(commands.count)]
            if random.onceIn(2) { world.act { $0.carryOut(command, on: tile, at: $1) } }
            let properties = Wall.properties.ofTile.names
            let name = properties[random.upTo(properties.count)]
            _ = world.wall.property(name, of: tile, at: world.now)
            world.run(for: .milliseconds(Int64(random.upTo(300))))
        }
        expect(world.mostLeases <= 4 && world.wall.feeds.count <= 4)
        expect(world.slips(0, cycle: ["b"]), equals: 0)
        expect(world.longestHold(0), atMost: .milliseconds(35))
    }
}
