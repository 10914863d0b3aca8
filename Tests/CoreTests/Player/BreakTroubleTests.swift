import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Breaks on walls where one tile can't begin or can't end a break. The other tiles go on having breaks.
@Suite struct BreakTroubleTests: BreakTesting {
    /// A reason why the second of two tiles can't take a break.
    private struct Unlucky {
        let name: String
        let play: [String]
        var pipelines = 4
        var change: (inout Layout) -> Void = { _ in }
    }

    @Test func aTileThatCannotTakeABreakStopsNone() {
        let unlucky = [
            Unlucky(name: "missing", play: ["gone"]),
            Unlucky(name: "nothing plays it", play: ["odd"]),
            Unlucky(name: "it stopped at what is missing", play: ["gone"]) { $0.tiles[1].onError = .stop },
            Unlucky(name: "the first plays", play: ["b"], pipelines: 1) { $0.overflow = .first },
            Unlucky(name: "the largest plays", play: ["b"], pipelines: 1) { $0.overflow = .largest },
            Unlucky(name: "the focused one plays", play: ["b"], pipelines: 1),
            Unlucky(name: "live", play: ["stream"]),
            Unlucky(name: "it has ended", play: ["b"]) { $0.tiles[1].loop = .iterations(1) },
        ]
        for tile in unlucky {
            let due = entry("ad", ["spot"]) { $0.every = .seconds(2) }
            let world = playing(
                layout([["c"], tile.play], [due], tile.change), pipelines: tile.pipelines, for: .seconds(16))
            let ended = states(world).count { $0 == "ad ended" }
            expect(ended, atLeast: 3, "\(tile.name): \(states(world))")
            let shown = order(world).count { $0.hasPrefix("spot") }
            expect(shown, atLeast: 3, "\(tile.name): \(order(world))")
        }
    }

    @Test func aTileThatIsEmptiedBeforeItsBreakIsLeftOut() {
        var world = playing(layout([["c"], ["b"]], [entry("ad", ["spot"])]), for: .milliseconds(2900))
        world.command(.playBreak("ad"))
        expect(world.wall.breaks.coveredTiles.isEmpty && world.wall.breaks.all[0].isActive)
        world.command(.focus(.number(2)))
        world.command(.sequence(.stop))
        world.run(for: .seconds(4))
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// A tile that is still opening, or that waits for its turn on a pipeline, has no trouble.
    @Test func aTileThatIsToPlayIsWaitedFor() {
        var slow = clips
        slow["b"]?.opensIn = .milliseconds(400)
        var opening = Simulation(layout([["c"], ["b"]], [entry("ad", ["spot"])]), clips: slow)
        opening.command(.playBreak("ad"))
        opening.run(for: .seconds(6))
        for tile in 0..<2 {
            expect(order(opening, tile).contains { $0.hasPrefix("spot") }, "\(order(opening, tile))")
        }
        var turns = playing(
            layout([["c"], ["b"], ["a"]], [entry("ad", ["spot"]) { $0.tiles = ["tile3"] }]) {
                $0.overflow = .rotate(every: .seconds(12))
            }, pipelines: 2, for: .seconds(1))
        turns.command(.playBreak("ad"))
        turns.run(for: .seconds(12))
        expect(states(turns), equals: ["ad started", "ad ended"])
    }

    /// The display is off, or another tile is zoomed, while a tile is in a break. The tile goes on at the same position
    /// as if visible.
    @Test func aTileThatNobodySeesKeepsItsPlace() {
        var world = playing(
            layout([["a", "b", "c"]], [entry("ad", ["ad"])]), for: .milliseconds(2500))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(3000))
        expect(world.framesNow[0]?.clip, equals: "ad")
        world.act { $0.player.note(.frames(.none), at: $1) }
        world.run(for: .milliseconds(500))
        expect(world.wall.breaks.coveredTiles.count, equals: 1)
        world.act { $0.player.note(.frames(.all), at: $1) }
        world.run(for: .milliseconds(200))
        expect(world.framesNow[0]?.clip, equals: "ad")
        world.run(for: .seconds(4))
        expect(states(world), equals: ["ad started", "ad ended"])
        let starts = world.events.compactMap { event -> String? in
            if case .itemStart(_, let run, let source) = event.what { "\(source) \(run.item)" } else { nil }
        }
        expect(starts.prefix(4), equals: ["a 0", "b 1", "ad 0", "c 2"], "\(starts)")
    }

    /// The sources of a hidden tile's break are not opened, so that no server was asked and none is silent.
    @Test func aBreakOnAHiddenTileIsNotGivenUp() {
        var world = playing(layout([["a", "c"]], [entry("ad", ["b"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.act { $0.player.note(.frames(.none), at: $1) }
        world.run(for: .milliseconds(4100))
        expect(world.wall.breaks.coveredTiles.count, equals: 1, "the break, 2.6 s after its beginning")
        let troubles = world.events.count { if case .trouble = $0.what { true } else { false } }
        expect(troubles, equals: 0)
        world.run(for: .milliseconds(500))
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    // MARK: tiles that it stands in

    @Test func aTileThatHasEndedShowsItsLastFrameAgain() {
        var world = playing(
            layout([["c"], ["b"]], [entry("ad", ["spot"])]) { $0.tiles[1].loop = .iterations(1) }, for: .seconds(4))
        for round in 1...2 {
            world.command(.playBreak("ad"))
            world.run(for: .seconds(3))
            expect(states(world).count, equals: 2 * round, "\(states(world))")
            expect(frames(world, 1).count { $0 == "spot 14" }, equals: round)
            expect(frames(world, 1).last, equals: "b 89", "\(order(world, 1))")
        }
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(200))
        expect(world.framesNow[1]?.clip, equals: "spot")
        world.command(.endBreaks)
        world.run(for: .milliseconds(500))
        expect(frames(world, 1).last, equals: "b 89", "\(order(world, 1))")
    }

    @Test func aTileThatLosesItsSeatLeavesItsBreak() {
        var world = playing(
            layout([["b"], ["a"]], [entry("ad", ["spot"])]) { $0.overflow = .first }, pipelines: 1,
            for: .milliseconds(500))
        world.command(.playBreak("ad"))
        expect(world.wall.breaks.coveredTiles.count, equals: 1)
        world.command(.focus(.number(2)))
        world.run(for: .seconds(1))
        expect(world.wall.breaks.coveredTiles.isEmpty)
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        expect(states(world), equals: ["ad started", "ad ended"])
        expect(order(world, 1).contains { $0.hasPrefix("spot") }, "\(order(world, 1))")
    }

    /// Neither the tile's film nor the break's can be played.
    @Test func aTileThatLosesItsFilmLeavesItsBreak() {
        var world = playing(
            layout([["c"], ["b"]], [entry("lost", ["gone"]), entry("ad", ["spot"])]), for: .milliseconds(500))
        world.command(.playBreak("lost"))
        expect(world.wall.breaks.coveredTiles.count, equals: 2)
        let missing = SourceTrouble(.missing, "no such file")
        world.clips["b"]?.trouble = missing
        world.breakOff("b", missing)
        world.run(for: .seconds(3))
        expect(world.wall.breaks.coveredTiles.isEmpty)
        world.command(.playBreak("ad"))
        world.run(for: .seconds(4))
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// The break was requested before the source was known to be live, so it follows an item without an end.
    @Test func aTileThatTurnsOutToBeLiveLeavesItsBreak() {
        var world = playing(
            layout([["c"], ["stream"]], [entry("ad", ["spot"])]) { $0.tiles[1].loop = .iterations(1) }, for: .zero)
        world.command(.playBreak("ad"))
        expect(world.wall.breaks.coveredTiles[1] != nil)
        world.run(for: .seconds(4))
        expect(world.wall.breaks.coveredTiles.isEmpty)
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    @Test func whereThePlaceOfWhatIsMissingIsHeldItComesOnce() {
        var world = playing(
            layout([["gone"]], [entry("ad", ["spot"])]) { $0.tiles[0].onError = .hold }, for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(12))
        expect(frames(world), equals: whole(["spot"]))
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    @Test func whatCannotBePlayedOfABreakIsOfTheBreak() {
        var world = playing(layout([["c"]], [entry("ad", ["gone", "spot"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(3))
        let failed = world.events.compactMap { event -> ItemRecord? in
            if case .itemEnd(let item, _, .error) = event.what { item } else { nil }
        }
        expect(!failed.isEmpty && failed.allSatisfy { $0.beginning == .break && $0.run.item == 0 }, "\(failed)")
    }
}
