import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Sequences and layouts that change in the middle of a break.
@Suite struct BreakChangeTests: BreakTesting {
    @Test func aBreakIsLeftAtOnceByCommandAndWithTheItemThatItFollows() {
        for command in [Change.endBreaks, .sequence(.remove(nil))] {
            var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(1900))
            expect(world.framesNow[0]?.clip, equals: "ad")
            world.command(command)
            world.run(for: .milliseconds(500))
            expect(world.framesNow[0]?.clip, equals: "b")
            expect(states(world), equals: ["ad started", "ad ended"])
        }
        var world = playing(layout([["a"]], []), for: .milliseconds(500))
        let answers = [Change.playBreak("ad"), .endBreaks].map { world.wall.carryOut($0, at: world.now) }
        expect(answers, equals: [false, false])
        world.run(for: .seconds(1))
    }

    @Test func aBreakThatHasBegunAndStandsInNoTileIsLeftToo() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(1900))
        world.command(.playBreak("ad"))
        expect(world.wall.breaks.coveredTiles.isEmpty && world.wall.breaks.all[0].isActive)
        let answers = [Change.endBreaks, .endBreaks].map { world.wall.carryOut($0, at: world.now) }
        expect(answers, equals: [true, false])
        world.run(for: .seconds(6))
        expect(order(world).prefix(2) == ["a 0-59", "b 0-89"] && states(world).isEmpty, "\(order(world))")
    }

    @Test func anotherLayoutLeavesItAloneWhereItsTileIsTheSame() {
        var world = playing(
            layout([["a", "b"], ["b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1900))
        expect(world.framesNow[0]?.clip, equals: "ad")
        // The new layout has another tile and no break.
        let diff = world.apply(layout([["a", "b"], ["c"]], []))
        expect(diff.kept == 1 && diff.changed == 1)
        world.run(for: .seconds(9))
        expect(order(world).prefix(4), equals: ["a 0-59", "ad 0-44", "b 0-89", "a 0-59"], "\(order(world))")
        expect(world.longestHold(0), atMost: .milliseconds(35))
        expect(states(world) == ["ad started", "ad ended"] && world.wall.breaks.all.isEmpty)
    }

    @Test(arguments: [
        ([["c"], ["a", "b"]], [nil, "b"]), ([["a", "b"], ["c", "b", "c", "a"]], ["b", "c"]),
        ([["c", "b", "c", "a"], ["a", "b"]], ["c", "b"]),
    ]) func tilesThatSharedAFeedGoTheirOwnWaysInIt(sequences: [[String]], follows: [String?]) {
        var world = playing(layout([["a"], ["a"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1900))
        expect(world.framesNow[0]?.clip == "ad" && world.framesNow[1]?.clip == "ad")
        world.apply(layout(sequences, [entry("ad", ["ad"])]))
        world.run(for: .seconds(6))
        for (tile, clip) in follows.enumerated() {
            let order = order(world, tile).map { String($0.prefix { $0 != " " }) }
            // The break is not played twice. If nothing of the interrupted sequence is left, the break ends at once.
            expect(Array(order.prefix(3)), equals: (clip.map { ["a", "ad", $0] } ?? ["a", "ad", "c"]), "\(order)")
            expect(order.count { $0 == "ad" }, equals: 1, "\(order)")
        }
    }

    @Test func ofTheItemThatItInterruptsThereIsNoMoreThanItsHead() {
        var item = items(["a"])[0]
        item.segments.append(Item.Segment(source: "c"))
        let run = RunID(iteration: 0, item: 0),
            place = Layer.Place(run, cutOffset: .seconds(1), resumesAt: .seconds(1))
        var timeline = Timeline(items: [item], loop: .forever)
        timeline.push(Layer(items(["ad"]), at: place, isCut: false, .cut))
        expect(timeline.next(after: run), equals: RunID(iteration: 0, layer: 1))
        expect(timeline.next(after: RunID(iteration: 0, layer: 1)), equals: RunID(iteration: 0, isRest: true))
        expect(timeline.next(after: RunID(iteration: 0, isRest: true)), equals: RunID(iteration: 0, segment: 1))
        // The break plays in one iteration.
        expect(timeline.next(after: RunID(iteration: 3)), equals: RunID(iteration: 3, segment: 1))
    }

    @Test func aTileThatIsInItMovesBesideItsGroup() {
        for when in [BreakLayout.When.itemEnd, .now] {
            var world = playing(
                layout([["a", "b"]], [entry("ad", ["ad"]) { $0.when = when }]), for: .milliseconds(500))
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(when == .now ? 500 : 1900))
            expect(world.framesNow[0]?.clip, equals: "ad")
            world.command(.nudge(by: .milliseconds(200)))
            expect(world.wall.tiles[0].layout.offset, equals: .milliseconds(200))
            expect(world.wall.tiles[0].play.count == 2 && world.wall.tiles[0].layers.map(\.count) == [1])
            world.run(for: .seconds(8))
            expect(world.wall.tiles[0].play.count == 2 && world.wall.tiles[0].layers.isEmpty)
            expect(states(world), equals: ["ad started", "ad ended"])
        }
    }

    /// The length of the interrupted item stays known, so every position in it can be sought.
    @Test func whatWasInterruptedCanBeSought() throws {
        var world = playing(layout([["b"]], [entry("ad", ["ad"]) { $0.when = .now }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(2500))
        expect(world.framesNow[0]?.clip, equals: "b")
        expect(world.wall.property("duration", at: world.now), equals: .success(.number(3)))
        let isDone = world.wall.carryOut(.seek(.to(.seconds(2)), .group), at: world.now)
        expect(isDone)
    }

    @Test func soundThatWasInterruptedGoesOnWhereItStopped() throws {
        var all = clips
        all["song"] = FakeClip(frames: 120, isSound: true)
        var world = Simulation(layout([["song", "a"]], [entry("ad", ["spot"]) { $0.when = .now }]), clips: all)
        world.run(for: .milliseconds(3000))
        let began = world.now
        world.command(.playBreak("ad"))
        world.run(for: .seconds(4))
        let next = try #require(world.shown[0].first { $0.frame?.clip == "a" }).at - began
        // A second of the song was left, and the break lasted half a second.
        expect(next > .milliseconds(1400) && next < .milliseconds(2100), "\(next.seconds)")
    }

    @Test func theFilesOfABreakAreWatchedAsOthersAre() {
        let world = playing(layout([["a"]], [entry("ad", ["gone"])]), for: .milliseconds(100))
        expect(world.wall.files, equals: ["a", "gone"])
    }

    @Test func howItemsLookInANewLayoutHoldsAfterIt() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1900))
        var next = layout([["a", "b"]], [entry("ad", ["ad"])])
        (next.tiles[0].play[0].key, next.tiles[0].play[1].crop) = (3, .fractions(Fractions(0, 0, 0.5, 1)))
        world.apply(next)
        expect(world.framesNow[0]?.clip == "ad" && world.wall.tiles[0].play.map(\.key) == [3, 0])
        world.run(for: .seconds(3))
        expect(world.wall.tiles[0].play.map(\.key), equals: [3, 0])
        expect(world.wall.tiles[0].play.map(\.crop), equals: [.all, .fractions(Fractions(0, 0, 0.5, 1))])
    }

    @Test func whatItInterruptedGoesOnWhereItStoppedAndWhatIsAppendedFollows() {
        for ahead in stride(from: Int64(300), to: 2400, by: 290) {
            var world = playing(
                layout([["b", "a"]], [entry("ad", ["ad"]) { $0.when = .now }]), for: .milliseconds(ahead))
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(1000))
            expect(world.framesNow[0]?.clip, equals: "ad", "\(ahead)")
            world.command(.sequence(.append(items(["c"]))))
            world.run(for: .milliseconds(50))
            expect(world.wall.tiles[0].play.map { $0.segments[0].source }, equals: ["b", "a", "c"])
            world.run(for: .seconds(11))
            let seen = frames(world, without: ["ad"]), due = whole(["b", "a", "c", "b"])
            expect(seen.prefix(due.count), equals: due[...], "\(ahead): \(order(world))")
            expect(world.longestHold(0), atMost: .milliseconds(400), "\(ahead): \(world.longestHold(0))")
            expect(states(world), equals: ["ad started", "ad ended"], "\(ahead): \(states(world))")
        }
    }

    @Test func whatItInterruptedIsInItsPlaceForEveryChangeOfTheSequence() {
        var rounds = items(["a"])[0]
        rounds.segments.append(Item.Segment(source: "c"))
        rounds.rounds = 2
        let changes: [(Change.SequenceChange, then: [String])] = [
            (.append(items(["flash"])), ["b", "flash"]), (.insertNext(items(["flash"])), ["flash", "b"]),
            (.appendAndPlay(items(["flash"])), ["b", "flash"]), (.loop(.iterations(2)), ["b"]),
            (.move(1, to: 0), ["b"]), (.remove(1), ["a", "c"]),
        ]
        for (change, then) in changes {
            for ahead in [Int64(300), 940, 1580, 2220, 3500, 4140, 5420] {
                var sequences = layout([["a"]], [entry("ad", ["spot"]) { $0.when = .now }])
                sequences.tiles[0].play = [rounds, items(["b"])[0]]
                var world = playing(sequences, for: .milliseconds(ahead))
                world.command(.playBreak("ad"))
                for _ in 0..<30 where world.framesNow[0]?.clip != "spot" { world.run(for: .milliseconds(20)) }
                world.command(.sequence(change))
                world.run(for: .seconds(10))
                let seen = frames(world, without: ["spot"]), due = whole(["a", "c", "a", "c"] + then)
                expect(seen.prefix(due.count), equals: due[...], "\(change), \(ahead): \(order(world))")
                expect(states(world), equals: ["ad started", "ad ended"], "\(change), \(ahead)")
            }
        }
    }

    @Test func aStillThatWasInterruptedHasItsRestToo() {
        var sequences = layout([["still", "a"]], [entry("ad", ["spot"]) { $0.when = .now }])
        sequences.tiles[0].play[0].duration = .seconds(4)
        var world = playing(sequences, for: .seconds(1))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(600))
        expect(world.framesNow[0]?.clip, equals: "spot")
        world.command(.sequence(.append(items(["c"]))))
        let back = world.now
        world.run(for: .seconds(6))
        let next = world.shown[0].first { $0.frame?.clip == "a" }!.at
        expect((next - back - .milliseconds(2900)).magnitude, atMost: .milliseconds(100), "\((next - back).seconds)")
    }

    /// Files of a folder come and go, or a song is queued, during a break. The break plays on, and the interrupted item
    /// goes on after it.
    @Test func aSequenceThatChangesBelowItLeavesItAlone() {
        for when in [BreakLayout.When.itemEnd, .now] {
            for next in [["a", "b"], ["c", "a", "b", "c"], ["b", "a", "c"]] {
                var world = playing(
                    layout([["a", "b", "c"], ["c"]], [entry("ad", ["spot", "ad"]) { $0.when = when }]),
                    for: .milliseconds(500))
                world.command(.playBreak("ad"))
                world.run(for: .milliseconds(when == .now ? 700 : 1800))
                expect(world.framesNow[0]?.clip, equals: "spot", "\(next)")
                world.apply(layout([next, ["c"]], [entry("ad", ["spot", "ad"]) { $0.when = when }]))
                world.run(for: .seconds(8))
                let follows = next[(next.firstIndex(of: "a")! + 1) % next.count]
                let due = whole(["spot", "ad"]), seen = frames(world).filter { due.contains($0) }
                expect(seen, equals: due, "\(next): \(order(world))")
                let film = frames(world, without: ["spot", "ad"]), whole = whole(["a", follows])
                expect(film.prefix(whole.count), equals: whole[...], "\(next): \(order(world))")
                expect(states(world), equals: ["ad started", "ad ended"], "\(next): \(states(world))")
                expect(world.wall.tiles[0].play.count, equals: next.count)
            }
        }
    }

    @Test func anotherLayoutThatTakesItAwayIsItsEnd() {
        let breaks = [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]
        let others: [(String, Layout)] = [
            ("no break, another film", layout([["c"], ["b"]], [])),
            ("the break, another film", layout([["c"], ["b"]], breaks)),
            ("no break, the item that was on", layout([["a", "c"], ["b"]], [])),
            ("no break, the item that follows", layout([["b", "c"], ["b"]], [])),
            ("another break of its name", layout([["c"], ["b"]], [entry("ad", ["spot"])])),
            ("another tile", layout([["c"]], []) { $0.tiles[0].id = "other" }),
            ("nothing else", layout([["a", "b"], ["b"]], [])),
        ]
        for when in [BreakLayout.When.itemEnd, .now] {
            for (name, other) in others {
                for ahead in [Int64(200), 600, 1200, 1900, 2600, 3100] {
                    var before = layout([["a", "b"], ["b"]], breaks)
                    before.breaks[0].when = when
                    var world = playing(before, for: .milliseconds(500))
                    world.command(.playBreak("ad"))
                    world.run(for: .milliseconds(ahead))
                    let wasOn = world.framesNow[0]?.clip == "ad"
                    world.apply(other)
                    world.run(for: .seconds(6))
                    let note: Comment = "\(name), \(when), \(ahead): \(states(world))"
                    if wasOn { expect(states(world), equals: ["ad started", "ad ended"], note) }
                    let reported = states(world)
                    expect(reported.count % 2, equals: 0, note)
                    expect(reported.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "ad started" : "ad ended") }, note)
                    expect(world.wall.breaks.coveredTiles.isEmpty, note)
                }
            }
        }
    }

    /// A seek while a break waits, after an item was placed before the one that plays.
    @Test(arguments: [false, true]) func aSeekPassesABreakThatWaitsInAChangedSequence(isReloaded: Bool) {
        let ad = entry("ad", ["spot"])
        var world = playing(layout([["b", "c"]], [ad]), for: .milliseconds(500))
        if isReloaded {
            world.command(.playBreak("ad"))
            world.apply(layout([["a", "b", "c"]], [ad]))
        } else {
            world.act { [new = items(["a"])] in $0.carryOut(.sequence(.append(new)), at: $1) }
            world.command(.sequence(.move(2, to: 0)))
            world.command(.playBreak("ad"))
        }
        world.command(.seek(.by(.seconds(100)), .group))
        world.run(for: .seconds(8))
        expect(Set(order(world).compactMap { $0.first }).isSuperset(of: ["a", "b", "c"]), "\(order(world))")
        expect(world.longestHold(0), atMost: .milliseconds(500))
    }
}
