import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Events about breaks and about the items that they interrupt.
@Suite struct BreakTellingTests: BreakTesting {
    @Test func whatCannotBePlayedIsSkippedAndReported() {
        for onError in [OnError.next, .hold, .stop] {
            var world = playing(
                layout([["a", "b"]], [entry("ad", ["gone"])]) { $0.tiles[0].onError = onError }, for: .milliseconds(500)
            )
            world.command(.playBreak("ad"))
            world.run(for: .seconds(12))
            expect(order(world).prefix(3), equals: ["a 0-59", "b 0-89", "a 0-59"], "\(onError)")
            expect(world.longestHold(0), atMost: .milliseconds(35), "\(onError): \(world.longestHold(0))")
            expect(world.events.contains { if case .trouble(_, "gone", _, _, _) = $0.what { true } else { false } })
            expect(world.wall.tiles[0].play.count == 2 && !world.wall.breaks.all[0].isActive)
        }
    }

    @Test func whatIsInterruptedHasNotComeToItsEnd() {
        var world = playing(layout([["b"]], [entry("ad", ["spot"]) { $0.when = .now }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        let ends = world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, let reason) = event.what { "\(item.source) \(reason.rawValue)" } else { nil }
        }
        expect(ends.prefix(3), equals: ["b stop", "spot eof", "b eof"], "\(ends)")
    }

    @Test func itemsSayWhyTheyBegan() {
        var world = playing(layout([["a", "b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(10))
        let begins = world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, _) = event.what { "\(item.source) \(item.beginning.rawValue)" } else { nil }
        }
        expect(begins.prefix(4), equals: ["a start", "ad break", "b next", "a loop"], "\(begins)")
    }

    @Test func itemsAreCountedWithoutTheBreakAndItsOwnByThemselves() {
        for when in [BreakLayout.When.itemEnd, .now] {
            var world = playing(
                layout([["a", "b"]], [entry("ad", ["ad", "spot"]) { $0.when = when }]), for: .seconds(1))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(12))
            let starts = world.events.compactMap { event -> String? in
                if case .itemStart(_, let run, let source) = event.what { "\(source) \(run.item)" } else { nil }
            }
            let ends = world.events.compactMap { event -> String? in
                if case .itemEnd(let item, _, _) = event.what { "\(item.source) \(item.run.item)" } else { nil }
            }
            var due = ["a 0", "ad 0", "spot 1"]
            if when == .now { due.append("a 0") }
            due += ["b 1", "a 0"]
            expect(starts.prefix(due.count), equals: due[...], "\(starts)")
            expect(ends.prefix(4), equals: due.prefix(4), "\(ends)")
        }
    }

    /// An item of a break ends in the events as the item that began, however the break is left.
    @Test func anItemOfABreakEndsAsTheOneThatItBeganAs() {
        let ways: [(String, (inout Simulation) -> Void)] = [
            ("none", { $0.command(.endBreaks) }), ("stop", { $0.command(.sequence(.stop)) }),
            ("layout", { $0.apply(Layout.of([["c"]])) }),
        ]
        for (name, leave) in ways {
            var world = playing(layout([["a", "b"]], [entry("ad", ["spot", "ad"])]), for: .seconds(1))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(2))
            leave(&world)
            world.run(for: .seconds(1))
            expect(ends(world).prefix(3), equals: ["a 0 eof", "spot 0 eof", "ad 1 stop"], "\(name): \(ends(world))")
        }
    }

    private func ends(_ world: Simulation) -> [String] {
        world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, let reason) = event.what {
                "\(item.source) \(item.run.item) \(reason.rawValue)"
            } else {
                nil
            }
        }
    }

    /// A break follows the item that fades in. The item that fades out keeps its number in the events.
    @Test func whatFadesOutWhileABreakComesKeepsItsNumber() {
        var world = playing(
            layout([["a", "b", "c"]], [entry("ad", ["ad", "spot"])]) {
                $0.tiles[0].transition = .fade(.milliseconds(400))
            }, for: .milliseconds(5200))
        expect(world.framesNow[0]?.clip, equals: "a")
        let before = ends(world).count
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(600))
        expect(ends(world).dropFirst(before), equals: ["c 2 eof"], "\(ends(world))")
    }

    /// Properties count a tile's own items, as commands do.
    @Test func aPlaylistIsTheTilesOwn() {
        for when in [BreakLayout.When.itemEnd, .now] {
            var world = playing(
                layout([["a", "b", "c"]], [entry("ad", ["ad"]) { $0.when = when }]), for: .milliseconds(500))
            func property(_ name: String) -> PropertyValue? { try? world.wall.property(name, at: world.now).get() }
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(when == .now ? 500 : 1900))
            expect(world.framesNow[0]?.clip, equals: "ad")
            expect(property("playlist-count") == .integer(3) && property("playlist-pos") == .integer(0))
            world.command(.sequence(.remove(1)))
            let tile = world.wall.tiles.order[0]
            expect(world.wall.tiles[tile].play.map { $0.name(of: 0) }, equals: ["a", "c"])
            world.run(for: .milliseconds(2500))
            world.command(.playBreak("ad"))
            world.run(for: .milliseconds(1500))
            world.command(.goToItem(1))
            world.run(for: .milliseconds(300))
            expect(world.framesNow[0]?.clip == "c" && property("playlist-pos") == .integer(1))
        }
    }

    private func begins(_ world: Simulation) -> [String] {
        world.events.compactMap { event -> String? in
            if case .itemEnd(let item, _, _) = event.what { "\(item.source) \(item.beginning.rawValue)" } else { nil }
        }
    }

    @Test func theFirstItemOfAllIsNoBreaks() {
        for when in [BreakLayout.When.itemEnd, .now] {
            let world = playing(
                layout([["a", "b"]], [entry("ad", ["ad"]) { ($0.afterItems, $0.when) = (1, when) }]), for: .seconds(9))
            // The rest of the interrupted item belongs to the same showing.
            let next = when == .now ? "a start" : "b next"
            expect(begins(world).prefix(3), equals: ["a start", "ad break", next], "\(begins(world))")
        }
    }

    @Test func eachSeamIsToldOnce() {
        var rounds = items(["a"])[0]
        rounds.segments.append(Item.Segment(source: "c"))
        rounds.rounds = 2
        for play in [items(["b"]), items(["a", "b"]), [rounds], [rounds] + items(["a"])] {
            for isTogether in [false, true] {
                for ahead in stride(from: Int64(200), to: 5500, by: 400) {
                    var sequences = layout(
                        [["a"], ["flash", "b"]],
                        [entry("ad", ["spot"]) { ($0.when, $0.isTogether) = (.now, isTogether) }])
                    sequences.tiles[0].play = play
                    var world = playing(sequences, for: .milliseconds(ahead))
                    world.command(.playBreak("ad"))
                    world.run(for: .seconds(6))
                    for tile in ["tile1", "tile2"] {
                        let seams = world.events.compactMap { event -> Time? in
                            if case .seam(tile, _, _, _, _) = event.what { event.at } else { nil }
                        }
                        let close = zip(seams, seams.dropFirst()).filter { $1 - $0 < .milliseconds(80) }
                        expect(
                            close.isEmpty,
                            "\(play.count), \(isTogether), \(ahead), \(tile): \(close.map { $0.1.seconds })")
                    }
                }
            }
        }
    }

    @Test func whatIsMissingIsReportedByTheBreaksNameAndOnce() {
        var world = playing(
            layout([["c", "a"]], [entry("ad", ["gone", "spot"]) { $0.every = .seconds(2) }]), for: .seconds(25))
        func reported() -> [String] {
            world.events.compactMap { event -> String? in
                if case .trouble(_, let source, let place, _, _) = event.what { "\(source) \(place)" } else { nil }
            }
        }
        expect(states(world).count, atLeast: 8)
        expect(reported(), equals: ["gone ofBreak(\"ad\")"])
        // The file appears, is played, and is gone again.
        world.clips["gone"]?.trouble = nil
        world.run(for: .seconds(12))
        expect(order(world).contains { $0.hasPrefix("gone") })
        world.clips["gone"]?.trouble = SourceTrouble(.missing, "no such file")
        world.run(for: .seconds(25))
        expect(reported(), equals: Array(repeating: "gone ofBreak(\"ad\")", count: 2))
    }

    @Test func whatIsMissingOfTheSequenceIsReportedByItsOwnNumber() {
        var world = playing(
            layout([["b", "a", "gone"]], [entry("ad", ["ad", "spot"]) { $0.when = .now }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(30))
        let reported = world.events.compactMap { event -> String? in
            if case .trouble(_, let source, let place, _, _) = event.what { "\(source) \(place)" } else { nil }
        }
        expect(reported, equals: ["gone item(2)"])
    }

    @Test func aStillThatWaitsForABreakStandsAtItsEnd() {
        var world = playing(
            layout([["still"], ["b"]], [entry("ad", ["ad"]) { $0.isTogether = true }]) {
                $0.groups[0].loop = .together
                $0.tiles[0].play[0].duration = .seconds(1)
            }, for: .milliseconds(900))
        world.command(.playBreak("ad"))
        func place() -> Double? {
            guard case .success(.number(let place)) = world.wall.property("time-pos", of: 0, at: world.now) else {
                return nil
            }
            return place
        }
        for _ in 0..<20 {
            world.run(for: .milliseconds(100))
            expect(place().map { $0 <= 1 } ?? true, "\(place() ?? -1) at \(world.now.seconds - 100)")
        }
    }
}
