import Testing

@testable import WallCore

/// Sequences and layouts that change in the middle of a break.
@Suite struct BreakChangeTests: BreakTesting {
    @Test func itIsLeftAtOnceByCommandAndBySequencesByHand() {
        for command in [Command.takeBreak(nil), .sequence(.append(items(["c"])))] {
            var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
            world.command(.takeBreak("ad"))
            world.run(for: .milliseconds(1900))
            #expect(world.picturesNow[0]?.clip == "ad")
            world.command(command)
            world.run(for: .milliseconds(500))
            #expect(world.picturesNow[0]?.clip == "b")
            #expect(states(world) == ["ad started", "ad ended"])
        }
        var world = playing(layout([["a"]], []), for: .milliseconds(500))
        let answers = [Command.takeBreak("ad"), .takeBreak(nil)].map { world.wall.carryOut($0, at: world.now) }
        #expect(answers == [false, false])
        world.run(for: .seconds(1))
    }

    @Test func oneThatHasBegunAndStandsInNoTileIsLeftToo() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(1900))
        world.command(.takeBreak("ad"))
        #expect(world.wall.breaks.onTiles.isEmpty && world.wall.breaks.all[0].isOn)
        let answers = [Command.takeBreak(nil), .takeBreak(nil)].map { world.wall.carryOut($0, at: world.now) }
        #expect(answers == [true, false])
        world.run(for: .seconds(6))
        #expect(order(world).prefix(2) == ["a 0-59", "b 0-89"] && states(world).isEmpty, "\(order(world))")
    }

    @Test func anotherLayoutLeavesItAloneWhereItsTileIsTheSame() {
        var world = playing(
            layout([["a", "b"], ["b"]], [entry("ad", ["ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.takeBreak("ad"))
        world.run(for: .milliseconds(1900))
        #expect(world.picturesNow[0]?.clip == "ad")
        // Another tile, and no break any more.
        let diff = world.apply(layout([["a", "b"], ["c"]], []))
        #expect(diff.kept == 1 && diff.changed == 1)
        world.run(for: .seconds(9))
        #expect(order(world).prefix(4) == ["a 0-59", "ad 0-44", "b 0-89", "a 0-59"], "\(order(world))")
        #expect(world.longestHold(0) <= .milliseconds(35))
        #expect(states(world) == ["ad started", "ad ended"] && world.wall.breaks.all.isEmpty)
    }

    @Test func whatItInterruptedGoesOnWhereItStoppedAndWhatIsAppendedFollows() {
        for ahead in stride(from: Int64(300), to: 2400, by: 290) {
            var world = playing(
                layout([["b", "a"]], [entry("ad", ["ad"]) { $0.when = .now }]), for: .milliseconds(ahead))
            world.command(.takeBreak("ad"))
            world.run(for: .milliseconds(1000))
            #expect(world.picturesNow[0]?.clip == "ad", "\(ahead)")
            world.command(.sequence(.append(items(["c"]))))
            world.run(for: .milliseconds(50))
            #expect(world.wall.tiles[0].play.map { $0.pieces[0].source } == ["b", "a", "c"])
            world.run(for: .seconds(11))
            let seen = pictures(world, without: ["ad"]), due = whole(["b", "a", "c", "b"])
            #expect(seen.prefix(due.count) == due[...], "\(ahead): \(order(world))")
            #expect(world.longestHold(0) <= .milliseconds(400), "\(ahead): \(world.longestHold(0))")
            #expect(states(world) == ["ad started", "ad ended"], "\(ahead): \(states(world))")
        }
    }

    @Test func whatItInterruptedIsInItsPlaceForEveryChangeOfTheSequence() {
        var rounds = items(["a"])[0]
        rounds.pieces.append(Item.Piece(source: "c"))
        rounds.rounds = 2
        let changes: [(Command.SequenceChange, then: [String])] = [
            (.append(items(["flash"])), ["b", "flash"]), (.insertNext(items(["flash"])), ["flash", "b"]),
            (.appendAndPlay(items(["flash"])), ["b", "flash"]), (.loop(.passes(2)), ["b"]),
            (.move(1, to: 0), ["b"]), (.remove(1), ["a", "c"]),
        ]
        for (change, then) in changes {
            for ahead in [Int64(300), 940, 1580, 2220, 3500, 4140, 5420] {
                var sequences = layout([["a"]], [entry("ad", ["spot"]) { $0.when = .now }])
                sequences.tiles[0].play = [rounds, items(["b"])[0]]
                var world = playing(sequences, for: .milliseconds(ahead))
                world.command(.takeBreak("ad"))
                for _ in 0..<30 where world.picturesNow[0]?.clip != "spot" { world.run(for: .milliseconds(20)) }
                world.command(.sequence(change))
                world.run(for: .seconds(10))
                let seen = pictures(world, without: ["spot"]), due = whole(["a", "c", "a", "c"] + then)
                #expect(seen.prefix(due.count) == due[...], "\(change), \(ahead): \(order(world))")
                #expect(states(world) == ["ad started", "ad ended"], "\(change), \(ahead)")
            }
        }
    }

    @Test func aStillThatWasInterruptedHasItsRestToo() {
        var sequences = layout([["still", "a"]], [entry("ad", ["spot"]) { $0.when = .now }])
        sequences.tiles[0].play[0].duration = .seconds(4)
        var world = playing(sequences, for: .seconds(1))
        world.command(.takeBreak("ad"))
        world.run(for: .milliseconds(600))
        #expect(world.picturesNow[0]?.clip == "spot")
        world.command(.sequence(.append(items(["c"]))))
        let back = world.now
        world.run(for: .seconds(6))
        let next = world.shown[0].first { $0.picture?.clip == "a" }!.at
        #expect((next - back - .milliseconds(2700)).magnitude <= .milliseconds(100), "\((next - back).seconds)")
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
                    world.command(.takeBreak("ad"))
                    world.run(for: .milliseconds(ahead))
                    let wasOn = world.picturesNow[0]?.clip == "ad"
                    world.apply(other)
                    world.run(for: .seconds(6))
                    let note: Comment = "\(name), \(when), \(ahead): \(states(world))"
                    if wasOn { #expect(states(world) == ["ad started", "ad ended"], note) }
                    let told = states(world)
                    #expect(told.count % 2 == 0, note)
                    #expect(told.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "ad started" : "ad ended") }, note)
                    #expect(world.wall.breaks.onTiles.isEmpty, note)
                }
            }
        }
    }
}
