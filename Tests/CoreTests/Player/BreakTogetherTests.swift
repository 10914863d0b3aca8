import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Breaks that come at one instant on several tiles.
@Suite struct BreakTogetherTests: BreakTesting {
    @Test func aTileThatHasWaitedForItsGroupWaitsForTheBreakToo() {
        let breaks = [entry("ad", ["ad"]) { $0.isTogether = true }]
        func world(_ breaks: [BreakLayout]) -> Simulation {
            playing(layout([["a"], ["b"]], breaks) { $0.groups[0].loop = .together }, for: .milliseconds(2300))
        }
        var (interrupted, other) = (world(breaks), world([]))
        interrupted.command(.playBreak("ad"))
        interrupted.run(for: .milliseconds(300))
        expect(interrupted.framesNow.map { $0?.clip }, equals: ["a", "b"])
        interrupted.run(for: .milliseconds(1000))
        expect(interrupted.framesNow.map { $0?.clip }, equals: ["ad", "ad"])
        expect(interrupted.framesNow[0], equals: interrupted.framesNow[1])
        interrupted.run(for: .seconds(3))
        other.run(
            for: interrupted.wall.clocks[0].clock.position(at: interrupted.now)
                - other.wall.clocks[0].clock.position(at: other.now))
        expect(interrupted.framesNow, equals: other.framesNow)
        expect(interrupted.dropped, equals: 0)
    }

    @Test func togetherTheOthersStopWhereTheFirstEnds() {
        var world = playing(
            layout([["a"], ["b"], ["c", "b"]], [entry("ad", ["ad"]) { $0.isTogether = true }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(12))
        let begins = (0..<3).map { tile in world.shown[tile].first { $0.frame?.clip == "ad" }?.at }
        expect(begins.allSatisfy { $0 != nil && $0 == begins[0] }, "\(begins)")
        expect(
            order(world, 0).prefix(2) == ["a 0-59", "ad 0-44"] || order(world, 2).prefix(2) == ["c 0-29", "ad 0-44"])
        for tile in 0..<3 {
            let seen = world.shown[tile].compactMap(\.frame).filter { $0.clip != "ad" }
            let slips = zip(seen, seen.dropFirst()).filter { one, next in
                one.clip == next.clip ? next.number != one.number + 1 && next.number != 0 : next.number != 0
            }
            expect(slips.isEmpty, "\(tile): \(order(world, tile))")
        }
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    @Test func theClockOfAWholeGroupStandsMeanwhile() {
        for loop in [GroupLoop.each, .together] {
            for (first, second) in [(["a"], ["b"]), (["a", "c"], ["c", "b"])] {
                let breaks = [entry("ad", ["ad"]) { $0.isTogether = true }]
                func world(_ breaks: [BreakLayout]) -> Simulation {
                    playing(layout([first, second], breaks) { $0.groups[0].loop = loop }, for: .milliseconds(700))
                }
                var (interrupted, other) = (world(breaks), world([]))
                interrupted.command(.playBreak("ad"))
                interrupted.run(for: .milliseconds(first.count == 1 ? 2400 : 1300))
                expect(interrupted.framesNow.allSatisfy { $0?.clip == "ad" })
                // Pausing and resuming emits the position of the clock.
                interrupted.command(.pause(.toggle, .group))
                interrupted.command(.pause(.toggle, .group))
                let reported = interrupted.events.compactMap {
                    if case .clock(_, _, let position, _, _) = $0.what { position } else { nil }
                }
                expect(
                    reported.suffix(2).allSatisfy { $0 == reported.last! } && reported.last! <= .seconds(2),
                    "\(reported)")
                for _ in 0..<12 {
                    interrupted.run(for: .milliseconds(777))
                    let now = interrupted.wall.clocks[0].clock.position(at: interrupted.now)
                    other.run(for: now - other.wall.clocks[0].clock.position(at: other.now))
                    expect(interrupted.framesNow, equals: other.framesNow, "\(loop), \(first): at \(now.seconds)")
                }
                expect(interrupted.dropped, equals: 0)
            }
        }
    }

    @Test func aTileAloneInABreakStaysBehindAndTheClockGoesOn() {
        var world = playing(
            layout([["a"], ["b"]], [entry("ad", ["ad"]) { ($0.isTogether, $0.tiles) = (true, ["tile1"]) }]),
            for: .milliseconds(700))
        let wall = world.now, before = world.wall.clocks[0].clock.position(at: wall)
        world.command(.playBreak("ad"))
        world.run(for: .seconds(9))
        expect(world.wall.clocks[0].clock.position(at: world.now) - before, equals: world.now - wall)
    }

    @Test func eachBreakBeginsAtOneInstantOnAllItsTilesAndIsReportedOnce() {
        let sequences = [["b", "still"], ["still", "c"]], lengths: [Int64] = [2000, 3000]
        for loop in [GroupLoop.each, .together] {
            for every in stride(from: Int64(1000), through: 4000, by: 250) {
                let due = entry("ad", ["spot"]) { ($0.every, $0.isTogether) = (.milliseconds(every), true) }
                let world = playing(
                    layout(sequences, [due]) { layout in
                        layout.groups[0].loop = loop
                        for tile in 0..<2 {
                            let still = sequences[tile].firstIndex(of: "still")!
                            layout.tiles[tile].play[still].duration = .milliseconds(lengths[tile])
                        }
                    }, for: .seconds(40))
                let note = "\(loop), every \(every)"
                let begins = (0..<2).map { tile in
                    world.shown[tile].filter { $0.frame?.clip == "spot" && $0.frame?.number == 0 }.map(\.at)
                }
                expect(begins[0], equals: begins[1], "\(note): \(begins.map { $0.map(\.seconds) })")
                let states = states(world)
                expect(states.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "ad started" : "ad ended") }, "\(note)")
                expect(states.count, atLeast: 8, "\(note): \(states.count)")
                expect(abs(states.count / 2 - begins[0].count), atMost: 1, "\(note)")
            }
        }
    }

    @Test func whoseItemEndsTooSoonForItPlaysOnTillTheOthersEnd() {
        // The first tile's item ends when the break is due, the other tile's a little later.
        for ahead in stride(from: Int64(1650), through: 1990, by: 20) {
            var world = playing(
                layout([["a", "b"], ["b", "a"]], [entry("ad", ["ad"]) { $0.isTogether = true }]),
                for: .milliseconds(ahead))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(12))
            let begins = (0..<2).map { tile in world.shown[tile].first { $0.frame?.clip == "ad" }?.at }
            expect(begins[0] != nil && begins[0] == begins[1], "\(ahead): \(begins)")
            for tile in 0..<2 {
                expect(world.longestHold(tile), atMost: .milliseconds(60), "\(ahead): \(world.longestHold(tile))")
            }
            expect(states(world), equals: ["ad started", "ad ended"], "\(ahead): \(states(world))")
        }
    }

    // MARK: iterations that begin together

    /// Returns when a tile began to show each clip, in tenths of a second after `start`.
    private func begins(_ world: Simulation, _ tile: Int, from start: Time) -> [String] {
        var last = ""
        return world.shown[tile].compactMap { shown -> String? in
            guard let clip = shown.frame?.clip, clip != last || shown.frame?.number == 0 else { return nil }
            last = clip
            return "\(clip) \(Int(((shown.at - start).seconds * 10).rounded()))"
        }
    }

    /// A break's length is added to the iteration, whichever tile ends the iteration.
    @Test func aBreakMakesAnIterationLonger() {
        // Each case: the end of the iteration, the tiles of the break, and what each tile shows, up to the second
        // iteration.
        let cases: [(until: Until, tiles: [String]?, first: [String], second: [String])] = [
            (.shortest, nil, ["c 0", "spot 10", "c 15"], ["b 0", "spot 10", "b 15"]),
            (.shortest, ["tile1"], ["c 0", "spot 10", "c 15"], ["b 0", "b 15"]),
            (.shortest, ["tile2"], ["c 0", "c 15"], ["b 0", "spot 10", "b 15"]),
            (.longest, nil, ["c 0", "spot 10", "c 35"], ["b 0", "spot 30", "b 35"]),
            (.longest, ["tile1"], ["c 0", "spot 10", "c 30"], ["b 0", "b 30"]),
        ]
        for (until, tiles, first, second) in cases {
            var world = playing(
                layout([["c"], ["b"]], [entry("ad", ["spot"]) { $0.tiles = tiles }]) {
                    ($0.groups[0].loop, $0.groups[0].until) = (.together, until)
                }, for: .milliseconds(300))
            let start = world.shown[0].first { $0.frame != nil }!.at
            world.command(.playBreak("ad"))
            world.run(for: .seconds(4))
            expect(begins(world, 0, from: start).starts(with: first), "\(until): \(begins(world, 0, from: start))")
            expect(begins(world, 1, from: start).starts(with: second), "\(until): \(begins(world, 1, from: start))")
            expect(states(world), equals: ["ad started", "ad ended"])
        }
    }

    @Test func whatWaitsForTheEndOfAnIterationTakesABreakWithTheOthers() {
        for when in [BreakLayout.When.itemEnd, .now] {
            var world = playing(
                layout([["c"], ["b"]], [entry("ad", ["spot"]) { $0.when = when }]) {
                    $0.groups[0].loop = .together
                }, for: .milliseconds(1800))
            let start = world.shown[0].first { $0.frame != nil }!.at
            world.command(.playBreak("ad"))
            world.run(for: .seconds(4))
            let spots = (0..<2).map { tile in begins(world, tile, from: start).first { $0.hasPrefix("spot") } }
            expect(spots[0] == spots[1] && spots[0] != nil, "\(when): \(spots)")
            expect(states(world), equals: ["ad started", "ad ended"])
            expect(begins(world, 0, from: start).contains("c 35"), "\(begins(world, 0, from: start))")
            expect(begins(world, 1, from: start).contains("b 35"), "\(begins(world, 1, from: start))")
        }
    }
}
