import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Breaks that interrupt sequences, and how the sequences go on.
@Suite struct BreakTests: BreakTesting {
    @Test func afterAnItemItComesAndGoesWithoutASeam() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        let isTaken = world.wall.carryOut(.playBreak("ad"), at: world.now)
        expect(isTaken)
        world.run(for: .seconds(12))
        expect(order(world).prefix(5), equals: ["a 0-59", "ad 0-44", "b 0-89", "a 0-59", "b 0-89"])
        expect(world.longestHold(0), atMost: .milliseconds(35))
        expect(states(world), equals: ["ad started", "ad ended"])
        expect(world.wall.tiles[0].play.count, equals: 2)
    }

    @Test func afterTheLastItemOfAnIterationItComesBeforeTheNextIteration() {
        for sequence in [["a"], ["a", "b", "a", "a"], ["a", "a"]] {
            for ahead in stride(from: Int64(100), to: 9000, by: 700) {
                var world = playing(layout([sequence], [entry("ad", ["ad", "spot"])]), for: .milliseconds(ahead))
                world.command(.playBreak("ad"))
                world.run(for: .seconds(14))
                let order = order(world)
                let place = order.firstIndex(of: "ad 0-44")
                expect(place != nil, "\(order)")
                guard let place else { continue }
                expect(order[place + 1], equals: "spot 0-14", "\(order)")
                // Without the break, the order is the sequence's: the item after the break is the one that was to
                // follow.
                let rest = order[..<place] + order[(place + 2)...]
                let due = (0..<rest.count).map { sequence[$0 % sequence.count] == "a" ? "a 0-59" : "b 0-89" }
                expect(Array(rest), equals: due, "\(order)")
                expect(world.longestHold(0), atMost: .milliseconds(35), "\(sequence), \(ahead)")
            }
        }
    }

    /// The time of a repeated break stands still while the display is off.
    @Test func timeWithTheDisplayOffDoesNotCount() throws {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"]) { $0.every = .seconds(60) }]), for: .seconds(40))
        world.act { wall, now in wall.player.note(.restBegan, at: now) }
        world.run(for: .seconds(8 * 3600))
        world.act { wall, now in wall.player.note(.restEnded, at: now) }
        let back = world.now
        world.run(for: .seconds(60))
        expect(states(world), equals: ["ad started", "ad ended"])
        let first = try #require(world.shown[0].first { $0.frame?.clip == "ad" }).at - back
        expect(first > .seconds(19) && first < .seconds(26), "\(first.seconds)")
    }

    @Test func onAsManyPipelinesAsTilesNothingIsMissing() {
        let sequences = [["a", "b"], ["b"], ["c", "a"], ["b", "a"]]
        var world = playing(layout(sequences, [entry("ad", ["ad"])]), pipelines: 4, for: .milliseconds(700))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(20))
        for tile in 0..<4 {
            expect(order(world, tile).contains("ad 0-44"), "\(order(world, tile))")
            expect(world.longestHold(tile), atMost: .milliseconds(35), "\(tile): \(world.longestHold(tile))")
        }
        expect(world.mostLeases <= 4 && states(world) == ["ad started", "ad ended"])
    }

    @Test func tilesThatShareAFeedGoOnSharingIt() {
        var world = playing(
            layout([["a", "b"], ["a", "b"]], [entry("ad", ["ad"])]), pipelines: 1, for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(9))
        expect(world.wall.feeds.count == 1 && world.mostLeases == 1)
        expect(order(world, 1).prefix(3), equals: ["a 0-59", "ad 0-44", "b 0-89"])
    }

    @Test func aTileAloneInABreakStaysBehindUntilHome() {
        var world = playing(
            layout([["a", "b"], ["a", "b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(4))
        expect(order(world, 0).prefix(2) == ["a 0-59", "ad 0-44"] && order(world, 1).prefix(1) == ["a 0-59"])
        expect(world.framesNow[0] != world.framesNow[1])
        world.command(.home(.group))
        world.run(for: .seconds(1))
        expect(world.framesNow[0], equals: world.framesNow[1])
    }

    @Test func inAGroupThatLoopsTogetherTheIterationIsLonger() {
        var world = playing(
            layout([["a"], ["b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile2"] }]) { $0.groups[0].loop = .together },
            for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(12))
        expect(order(world, 1).prefix(3), equals: ["b 0-89", "ad 0-44", "b 0-89"])
        // The other tile holds its last frame until the iteration ends: after 4.5 s, then after 3 s.
        let begins = world.shown[0].filter { $0.frame?.number == 0 }.map(\.at)
        let lengths = zip(begins, begins.dropFirst()).map { $1 - $0 }
        expect(abs((lengths[0] - .milliseconds(4500)).seconds), below: 0.04, "\(lengths)")
        expect(abs((lengths[1] - .seconds(3)).seconds), below: 0.04, "\(lengths)")
        expect(world.longestHold(1), atMost: .milliseconds(35))
    }

    @Test func nowItComesAtOnceAndTheItemGoesOnAtTheVeryFrame() {
        for ahead in stride(from: Int64(0), to: 2000, by: 130) {
            var world = playing(
                layout([["b"]], [entry("ad", ["spot"]) { $0.when = .now }]), for: .milliseconds(200 + ahead))
            world.command(.playBreak("ad"))
            let asked = world.now
            world.run(for: .seconds(9))
            let order = order(world)
            let place = order.firstIndex(of: "spot 0-14")
            expect(place != nil, "\(ahead): \(order)")
            guard let place else { continue }
            let began = world.shown[0].first { $0.frame?.clip == "spot" }!.at
            expect(began - asked, atMost: .milliseconds(420), "\(ahead): \(began - asked)")
            // Each frame of the interrupted item is shown once.
            let parts = order[..<place] + order[(place + 1)...]
            let numbers = parts.prefix(2).flatMap { part in
                let ends = part.split(separator: " ")[1].split(separator: "-").compactMap { Int($0) }
                return Array(ends[0]...ends[1])
            }
            expect(numbers, equals: Array(0..<90), "\(ahead): \(order)")
            expect(order.contains("b 0-89"), "\(order)")
            expect(states(world) == ["ad started", "ad ended"] && world.wall.tiles[0].play.count == 1)
            expect(world.longestHold(0), atMost: .milliseconds(150), "\(ahead): \(world.longestHold(0))")
        }
    }

    @Test func oneItemMayBeInterruptedAgainAndAgain() {
        var world = playing(
            layout([["b"]], [entry("ad", ["spot"]) { ($0.when, $0.every) = (.now, .seconds(1)) }]), for: .seconds(20))
        world.run(for: .seconds(1))
        let order = order(world)
        expect(order.count { $0 == "spot 0-14" }, atLeast: 8, "\(order)")
        let numbers = order.filter { $0.hasPrefix("b") }.flatMap { part in
            let ends = part.split(separator: " ")[1].split(separator: "-").compactMap { Int($0) }
            return Array(ends[0]...ends[1])
        }
        expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 90 == $1 }, "\(order)")
    }

    @Test func itemsOfSeveralRoundsAndSegmentsGoOnWhereTheyWere() {
        var item = Item(segments: Item.Segments(Item.Segment(source: "a"), [Item.Segment(source: "c")]))
        item.rounds = 2
        for ahead in stride(from: Int64(0), to: 5500, by: 370) {
            var sequences = layout([["a"]], [entry("ad", ["spot"]) { $0.when = .now }])
            sequences.tiles[0].play = [item, Item(source: "b")]
            var world = playing(sequences, for: .milliseconds(200 + ahead))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(10))
            let seen = world.shown[0].compactMap(\.frame).filter { $0.clip != "spot" }
            let due = ["a", "c", "a", "c", "b"].flatMap { name in (0..<clips[name]!.frames).map { "\(name) \($0)" } }
            expect(seen.prefix(due.count).map { "\($0.clip) \($0.number)" }, equals: due, "\(ahead): \(order(world))")
            expect(order(world).contains("spot 0-14"), "\(ahead): \(order(world))")
        }
    }

    @Test func veryShortItemsAreInterruptedToo() {
        var world = playing(layout([["flash"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(5))
        expect(order(world).contains("ad 0-44"))
        expect(order(world).suffix(3).allSatisfy { $0 == "flash 0-5" }, "\(order(world))")
    }

    /// The tiles shared a feed before the break. One of them is in it, and Home brings both to the beginning.
    @Test func homeDuringABreakOfOneOfTwoTilesLeavesItToThatTile() {
        for after in [Int64(400), 1000, 1900] {
            let ad = entry("ad", ["ad"]) { ($0.when, $0.tiles) = (.now, ["tile1"]) }
            var world = playing(layout([["b"], ["b"]], [ad]), for: .milliseconds(500))
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(after))
            world.command(.home(.group))
            world.run(for: .seconds(9))
            expect(frames(world, 1).allSatisfy { $0.hasPrefix("b") }, "\(after): \(order(world, 1))")
            expect(states(world).last, equals: "ad ended", "\(after): \(states(world))")
            expect(world.wall.breaks.coveredTiles.isEmpty && world.wall.tiles[0].layers.isEmpty)
            expect(order(world).last ?? "", equals: "b 0-89", "\(after): \(order(world))")
        }
    }

    @Test func aBreakIsNotAskedForWhileTheDisplayIsOff() {
        var world = playing(layout([["a"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.act { wall, now in
            wall.player.note(.display(isOff: true), at: now)
            wall.player.note(.restBegan, at: now)
        }
        expect(refusal(&world), equals: "the display is off, and no break begins")
        world.act { wall, now in wall.player.note(.display(isOff: false), at: now) }
        expect(refusal(&world), equals: "the wall is hidden, and no break begins")
        // The clock that switches the display on may have the break come at the same instant.
        world.command(.breakIsDue("ad"))
        world.act { wall, now in wall.player.note(.restEnded, at: now) }
        world.run(for: .seconds(8))
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// Returns why the break "ad" was refused; nil if it was not.
    private func refusal(_ world: inout Simulation) -> String? {
        world.wall.apply(.playBreak("ad"), at: world.now)?.detail
    }

    /// A visitor presses the key of the break again and again.
    @Test(arguments: [false, true])
    func aBreakThatComesOnceIsRefusedWhileItIsOnOrWaits(_ isOnce: Bool) {
        var world = playing(layout([["a"]], [entry("ad", ["ad"]) { $0.isOnce = isOnce }]), for: .milliseconds(500))
        var answers = [refusal(&world), refusal(&world)]
        world.run(for: .milliseconds(2000))
        expect(states(world), equals: ["ad started"])
        answers.append(refusal(&world))
        world.command(.breakIsDue("ad"))
        world.run(for: .seconds(12))
        let once = ["ad started", "ad ended"]
        expect(states(world), equals: isOnce ? once : once + once)
        answers.append(refusal(&world))
        let words = [nil, "the break ad waits already", "the break ad is on already", nil]
        expect(answers, equals: isOnce ? words : [nil, nil, nil, nil])
    }

    /// Breaks that end by themselves, at once by a command, and with the layout that states them.
    @Test(arguments: [0, 1, 2])
    func theCommandsOfABreakRunWithItsStartAndItsEnd(_ ending: Int) throws {
        let (first, then) = (try KeyCommand("zoom tile1"), try KeyCommand("zoom none; set volume 50"))
        var world = playing(
            layout([["a"]], [entry("ad", ["ad"]) { ($0.first, $0.then) = (first, then) }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        expect(world.windowCommands, equals: [])
        world.run(for: .milliseconds(2000))
        let start = Change.WindowCommand.run(first, cause: "break ad")
        expect(world.windowCommands, equals: [start])
        if ending == 1 { world.command(.endBreaks) }
        if ending == 2 { world.apply(layout([["a"]], [])) }
        world.run(for: .seconds(4))
        expect(world.windowCommands, equals: [start, .run(then, cause: "break ad")])
    }

    /// A break that could not be played has neither started nor ended.
    @Test func aBreakThatNeverCameRunsNothing() throws {
        let command = try KeyCommand("zoom none")
        var world = playing(
            layout([["a"]], [entry("ad", ["gone"]) { ($0.first, $0.then) = (command, command) }]),
            for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(8))
        expect(world.windowCommands.count, equals: states(world).count)
    }
}
