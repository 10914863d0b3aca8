import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Times and order of breaks.
@Suite struct BreakOrderTests: BreakTesting {
    @Test func aBreakIsQueuedAtMostOnce() {
        var world = playing(layout([["b"]], [entry("ad", ["ad"])]), for: .milliseconds(500))
        for _ in 0..<5 { world.command(.playBreak("ad")) }
        world.run(for: .seconds(3))
        for _ in 0..<5 { world.command(.playBreak("ad")) }
        world.run(for: .seconds(15))
        expect(states(world), equals: ["ad started", "ad ended", "ad started", "ad ended"])
    }

    @Test func twoThatAreDueAtOnceComeOneAfterTheOther() {
        let names = ["ad", "spot"].map { name in entry(name, [name]) { $0.every = .seconds(4) } }
        let world = playing(layout([["b", "c"]], names), for: .seconds(40))
        expect(world.wall.tiles[0].play.count, atMost: 4)
        let states = states(world)
        expect(states.count, above: 8)
        for (one, next) in zip(states, states.dropFirst()) where one.hasSuffix("started") {
            expect(next, equals: one.replacingSuffix, "\(states)")
        }
    }

    @Test func aBreakComesEverySoOftenFromTheEndOfTheOneBefore() {
        let world = playing(layout([["c"]], [entry("ad", ["ad"]) { $0.every = .seconds(5) }]), for: .seconds(31))
        let starts = world.events.filter { if case .breakChange(_, .started) = $0.what { true } else { false } }
        // A gap consists of 5 s, up to 1 s until the item ends, and a break of 1.5 s.
        expect((4...5).contains(starts.count), "\(starts.count)")
        let gaps = zip(starts, starts.dropFirst()).map { $1.at - $0.at }
        expect(gaps.allSatisfy { $0 >= .milliseconds(6400) && $0 <= .milliseconds(7600) }, "\(gaps)")
        expect(world.longestHold(0), atMost: .milliseconds(35))
    }

    @Test func aBreakComesAfterSoManyItemsOfTheFirstTile() {
        let world = playing(
            layout([["c"], ["b"]], [entry("ad", ["spot"]) { ($0.afterItems, $0.tiles) = (3, ["tile1"]) }]),
            for: .seconds(12))
        let order = order(world)
        expect(order.prefix(9).map { $0.prefix(1) }, equals: ["c", "c", "c", "s", "c", "c", "c", "s", "c"], "\(order)")
        expect(world.longestHold(0), atMost: .milliseconds(35))
        expect(!self.order(world, 1).contains { $0.hasPrefix("spot") })
    }

    @Test func itemsThatEndWhileAnotherStandsInTheTileAreCounted() {
        let world = playing(
            layout(
                [["b"]],
                [
                    entry("ad", ["flash"]) { $0.every = .seconds(1) },
                    entry("spot", ["spot"]) { $0.afterItems = 2 },
                ]), for: .seconds(10))
        let order = order(world)
        expect(order.prefix(4), equals: ["b 0-89", "flash 0-5", "b 0-89", "spot 0-14"], "\(order)")
    }

    /// A tile takes one more break after its last item. It has ended then and takes no more.
    @Test func afterItsLastItemATileHasOneMoreAndIsLeftInPeace() {
        let world = playing(
            layout([["c"]], [entry("ad", ["spot"]) { $0.afterItems = 1 }]) { $0.tiles[0].loop = .iterations(2) },
            for: .seconds(15))
        expect(order(world), equals: ["c 0-29", "spot 0-14", "c 0-29", "spot 0-14"])
        expect(frames(world).last, equals: "c 29")
        expect(states(world), equals: ["ad started", "ad ended", "ad started", "ad ended"])
    }

    /// A break of the former layout is still on. The break of its name in the new layout counts items and waits.
    @Test(arguments: [false, true]) func aBreakOfTheSameNameBeginsWhenTheFormerHasEnded(isAsked: Bool) throws {
        var world = playing(
            layout([["a"], ["c"]], [entry("ad", ["ad", "ad", "ad"]) { $0.tiles = ["tile1"] }]), for: .milliseconds(500))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(2))
        expect(states(world), equals: ["ad started"])
        world.apply(
            layout([["a"], ["c"]], [entry("ad", ["spot"]) { ($0.tiles, $0.afterItems) = (["tile2"], 4) }]))
        if isAsked { world.command(.playBreak("ad")) }
        world.run(for: .seconds(8))
        expect(states(world), equals: ["ad started", "ad ended", "ad started", "ad ended"])
        expect(!frames(world, 1).contains { $0.hasPrefix("ad ") })
        // The former break ends after 6.5 s. Four items of the other tile have ended before that.
        let began = try #require(world.shown[1].first { $0.frame?.clip == "spot" }).at
        expect(began >= .milliseconds(106_500) && began <= .milliseconds(107_500), "\(began.seconds)")
    }

    @Test func breaksComeByTheClockInTheirOrder() {
        let zone = LocalTime { _ in 3600 }
        let layout = layout(
            [["a"]],
            [
                entry("noon", ["ad"]) { $0.times = [43_200] },
                entry("hours", ["spot"]) { $0.times = [39_600, 43_200, 46_800] },
            ])
        let day = CivilDate(year: 2026, month: 3, day: 1)!, noon = zone.instant(day, 43_200)
        let coming = layout.breaks(comingIn: noon - 10..<noon + 3601, zone)
        expect(coming.map(\.name).sorted() == ["hours", "hours", "noon"] && coming.last?.instant == noon + 3600)
        expect(layout.breaks(comingIn: noon + 1..<noon + 3600, zone).isEmpty)
    }

    /// The clock goes back a minute after midnight, as in St. John's until 2011.
    @Test func aClockThatGoesBackOverMidnightIsFollowed() {
        let midnight = CivilDate(year: 2026, month: 11, day: 1)!.day * 86_400
        let zone = LocalTime { $0 < midnight + 60 ? 0 : -3600 }
        let layout = layout([["a"]], [entry("late", ["ad"]) { $0.times = [86_370] }])
        expect(layout.breaks(comingIn: midnight + 30..<midnight + 90, zone).isEmpty)
        expect(layout.breaks(comingIn: midnight - 40..<midnight + 90, zone).map(\.instant), equals: [midnight - 30])
    }

    @Test func breaksThatWaitComeInTheOrderInWhichTheyFellDue() {
        let breaks = [entry("one", ["flash"]), entry("two", ["spot"]), entry("on", ["ad", "ad", "ad"])]
        for (asked, due) in [
            (["one", "two"], ["one", "two"]), (["two", "one"], ["two", "one"]),
            (["two", "one", "two"], ["two", "one"]),
        ] {
            var world = playing(layout([["b", "c"]], breaks), for: .milliseconds(500))
            world.command(.playBreak("on"))
            world.run(for: .seconds(3))
            expect(states(world), equals: ["on started"])
            for name in asked {
                world.command(.playBreak(name))
                world.run(for: .milliseconds(200))
            }
            world.run(for: .seconds(18))
            expect(states(world), equals: (["on"] + due).flatMap { ["\($0) started", "\($0) ended"] }, "\(asked)")
        }
        // Breaks that fall due at one instant come in the layout's order.
        var world = playing(
            layout(
                [["b", "c"]],
                [
                    entry("one", ["flash"]) { $0.every = .seconds(5) },
                    entry("two", ["spot"]) { $0.every = .seconds(4) }, breaks[2],
                ]),
            for: .milliseconds(500))
        world.command(.playBreak("on"))
        world.run(for: .seconds(14))
        expect(
            states(world).prefix(6),
            equals: [
                "on started", "on ended", "two started", "two ended", "one started", "one ended",
            ], "\(states(world))")
    }

    @Test func aBreakThatWaitsForATileIsNotOvertakenOnAnother() {
        var world = playing(
            layout(
                [["b"], ["c"]],
                [
                    entry("later", ["flash"]) { $0.tiles = ["tile2"] }, entry("both", ["spot"]),
                    entry("on", ["ad", "ad", "ad"]) { $0.tiles = ["tile1"] },
                ]), for: .milliseconds(500))
        world.command(.playBreak("on"))
        world.run(for: .seconds(3))
        world.command(.playBreak("both"))
        world.run(for: .milliseconds(100))
        world.command(.playBreak("later"))
        world.run(for: .seconds(14))
        let begun = states(world).filter { $0.hasSuffix("started") }
        expect(begun, equals: ["on started", "both started", "later started"], "\(states(world))")
    }
}

extension String {
    fileprivate var replacingSuffix: String { String(prefix { $0 != " " }) + " ended" }
}
