import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Tiles that compare other tiles, on a wall in simulated time.
@Suite struct Comparing {
    let clips = [
        "a": FakeClip(frames: 600), "b": FakeClip(frames: 600), "c": FakeClip(frames: 500, rate: 25),
        "big": FakeClip(frames: 600, natural: Size(2560, 1440)), "black": FakeClip(frames: 600, blackUntil: 600),
        "gone": FakeClip(frames: 1, trouble: SourceTrouble(.missing, "no such file")),
    ]

    /// Returns a layout of tiles that play `sources`, and one that compares.
    func layout(
        _ sources: [String], comparing members: [ComparisonLayout.Member],
        _ change: (inout ComparisonLayout) -> Void = { _ in }
    ) -> Layout {
        var layout = Layout.of(sources.map { [$0] })
        var tile = TileLayout(id: "ab", place: .cell(column: 0, row: 1, columns: 1, rows: 1), play: [])
        var comparison = ComparisonLayout(members: members)
        change(&comparison)
        tile.compare = comparison
        (layout.grid.columns, layout.grid.rows) = (max(1, sources.count), 2)
        layout.tiles.append(tile)
        return layout
    }

    func source(_ name: String, offset: Time = .zero) -> ComparisonLayout.Member {
        .source(Item(source: name), offset: offset)
    }

    /// Returns the frames that the last tile compares now; one frame if it shows a single one.
    func pair(_ world: inout Simulation) -> [FakeFrame] {
        switch world.wall.composeScene(at: world.now).scene.views.last?.content {
        case .comparison(let frames)?: frames.parts.map(\.frame.fake)
        case .frame(let placed)?, .poster(let placed)?: [placed.frame.fake]
        case .fade?: []
        case .card?, .blank?, nil: []
        }
    }

    private func precision(_ world: inout Simulation) -> ComparedFrames.Precision? {
        if case .comparison(let frames)? = world.wall.composeScene(at: world.now).scene.views.last?.content {
            frames.precision
        } else {
            nil
        }
    }

    @Test func comparedTilesArePlayedOnceAndInStep() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        for _ in 0..<200 {
            world.run(for: .milliseconds(23))
            let (pair, tiles) = (pair(&world), world.framesNow)
            expect(pair.map(\.clip) == ["a", "b"] && pair[0].number == pair[1].number)
            expect(pair[0].number, equals: tiles[0]?.number)
        }
        expect(world.openRequests == ["a": 1, "b": 1] && world.mostLeases <= 2 && world.dropped == 0)
    }

    @Test func sourcesThatNoTilePlaysAreFeedsLikeOthers() {
        let compared = layout([], comparing: [source("a"), source("c", offset: .seconds(2))])
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(3))
        for _ in 0..<100 {
            world.run(for: .milliseconds(17))
            let pair = pair(&world)
            expect(pair.map(\.clip), equals: ["a", "c"])
            // At different rates, the other frame is the one that is on screen at that instant.
            expect(
                pair[1].number == (pair[0].number * 25 / 30) + 50
                    || pair[1].number == (pair[0].number * 25 + 25) / 30 + 50)
        }
        expect(world.openRequests == ["a": 1, "c": 1] && world.dropped == 0)
        expect(world.wall.health.map(\.tile), equals: ["ab"])
    }

    /// The offset is no whole number of frames. Each frame is shown with the nearest one, and both change in one
    /// present.
    @Test(arguments: [
        (0.11, 3), (-0.11, -3), (1.0 / 3, 10), (0.345, 10), (0.49, 15), (-0.013, 0), (0.0095, 0),
    ])
    func framesOfOneRateAreShownWithTheNearest(_ offset: Double, _ frames: Int) {
        let ahead = source("b", offset: Time(seconds: offset))
        var world = Simulation(layout([], comparing: [source("a"), ahead]), clips: clips)
        world.run(for: .seconds(3))
        for _ in 0..<150 {
            world.run(for: .milliseconds(7))
            let pair = pair(&world)
            expect(pair.count == 2 && pair[1].number - pair[0].number == frames, "\(pair)")
        }
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        for by in [1, 1, 1, -1, -1, -1, -1] {
            let before = pair(&world)
            world.command(.step(by: by, .group))
            world.run(for: .seconds(1))
            let pair = pair(&world)
            expect(pair.map(\.number), equals: before.map { $0.number + by }, "\(pair)")
        }
        expect(world.dropped == 0 && world.wall.health.allSatisfy { $0.health.late == 0 })
    }

    /// The second is shown 10 ms earlier than its offset states. That is known once both are open, after the feed entered
    /// its film.
    @Test(arguments: [Time.zero, .seconds(1)]) func aPairThatIsShownEarlierHoldsUpNoStart(_ start: Time) {
        let ahead = source("b", offset: Time(seconds: 0.11))
        var world = Simulation(layout([], comparing: [source("a"), ahead]), clips: clips, start: start)
        world.run(for: .milliseconds(400))
        let pair = pair(&world), first = Int(start.seconds * 30)
        expect(pair.map(\.clip), equals: ["a", "b"])
        expect(pair.count == 2 && pair[1].number - pair[0].number == 3, "\(pair)")
        expect(pair.first?.number ?? 0, above: first + 6)
        expect(world.dropped, equals: 0)
    }

    @Test func whatIsPairedSaysItsOffsetInFrames() throws {
        let words = [
            -0.11: "offset \u{2212}0.110 s is no whole number of frames: paired as \u{2212}3 (\u{2212}0.100 s)",
            0.5: "offset +0.500 s",
        ]
        for (offset, words) in words {
            var world = Simulation(
                layout([], comparing: [source("a"), source("b", offset: Time(seconds: offset))]), clips: clips)
            world.run(for: .seconds(2))
            let tile = try #require(world.wall.tiles.id(named: "ab"))
            let lines = world.wall.player.snapshot(at: .zero).infoOnComparison(of: tile)
            expect(lines.last, equals: words)
        }
    }

    /// The shorter film shows its last frame, which does not belong to this instant. The tile reports that.
    @Test func aTileSaysThatAFilmItComparesHasEnded() {
        var clips = clips
        clips["short"] = FakeClip(frames: 60)
        var compared = layout(["a", "short"], comparing: [.tile("tile1"), .tile("tile2")])
        for index in 0..<2 { compared.tiles[index].loop = .iterations(1) }
        var world = Simulation(compared, clips: clips)
        func reasons() -> [String] {
            let now = world.now
            return (world.marked { $0.commanded(at: now) }.views.last?.marks.reasons ?? []).map(\.text)
        }
        world.run(for: .seconds(1))
        expect(reasons(), equals: [])
        world.run(for: .seconds(3))
        expect(reasons(), equals: ["tile2 has ended"])
    }

    @Test func aPairIsShownWhenBothAreThere() {
        var slow = clips
        slow["b"] = FakeClip(frames: 600, framesDecodeIn: .milliseconds(45))
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: slow)
        world.run(for: .seconds(2))
        var apart = 0
        for _ in 0..<300 {
            world.run(for: .milliseconds(20))
            let pair = pair(&world)
            if pair.count == 2, pair[0].number != pair[1].number { apart += 1 }
        }
        expect(world.dropped > 20 && apart == 0)
    }

    @Test func aNudgeMovesTheSecondAndTheOtherDropsNothing() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(2))
        world.command(.focus(.number(3)))
        for nudge in 1...6 {
            world.command(.nudgeByFrame(1))
            world.run(for: .milliseconds(100))
            let pair = pair(&world)
            expect(pair[1].number, equals: pair[0].number + nudge)
        }
        expect(world.wall.health[0].health.dropped == 0 && world.openRequests["a"] == 1)
    }

    @Test func whatStandsIsComparedInItsOwnSizeAndPlaysOnInThatOfTheTile() {
        var world = Simulation(layout(["big", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(2))
        expect(pair(&world)[0].size.width < 2560 && precision(&world) == .asDrawn)
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        expect(pair(&world)[0].size == Size(2560, 1440) && precision(&world) == .full)
        for _ in 0..<5 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(300))
            let pair = pair(&world)
            expect(pair[0].size == Size(2560, 1440) && pair[0].number == pair[1].number)
        }
        world.command(.pause(.off, .group))
        world.run(for: .seconds(2))
        expect(pair(&world)[0].size.width < 2560 && precision(&world) == .asDrawn)
    }

    /// A late frame belongs to an earlier instant. The pair on screen stays until both frames of the next are decoded.
    @Test func whatCannotKeepUpIsNotComparedWithAnotherInstant() {
        var clips = clips
        clips["slow"] = FakeClip(frames: 600, framesDecodeIn: .milliseconds(60))
        var world = Simulation(layout(["a", "slow"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        var pairs: Set<Int> = []
        for _ in 0..<400 {
            world.run(for: .milliseconds(17))
            let pair = pair(&world)
            expect(pair.count < 2 || pair[0].number == pair[1].number, "\(pair)")
            if let first = pair.first { pairs.insert(first.number) }
        }
        expect(pairs.count, above: 1)
    }

    @Test func aMemberThatFailsInALaterIterationIsLeftOutAndReported() {
        var clips = clips
        clips["short"] = FakeClip(frames: 60)
        var world = Simulation(layout(["a", "short"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        expect(pair(&world).count, equals: 2)
        world.clips["short"]!.trouble = SourceTrouble(.missing, "no such file")
        world.breakOff("short", SourceTrouble(.damaged, "cut off"))
        world.run(for: .seconds(8))
        expect(pair(&world).map(\.clip), equals: ["a"])
        let reasons = world.marked { _ in }.views[2].marks.reasons
        expect(reasons.contains { $0.text.hasPrefix("tile2: ") }, "\(reasons)")
        let ab = world.wall.tiles.watching[0]
        expect(
            (try? world.wall.property("trouble", of: ab, at: .zero).get())?.asText?.hasPrefix("tile2: "), equals: true)
    }

    @Test func aMemberThatFailsLeavesTheOthers() {
        let three = layout(["a", "gone"], comparing: [.tile("tile1"), .tile("tile2"), source("c")])
        var world = Simulation(three, clips: clips)
        world.run(for: .seconds(2))
        expect(pair(&world).map(\.clip), equals: ["a", "c"])
        let compared = world.wall.tile(named: "ab")!
        expect(
            world.wall.player.snapshot(at: .zero).missingMembers(of: compared),
            equals: [.trouble("tile2: no such file")])
        var two = Simulation(layout(["a", "gone"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        two.run(for: .seconds(2))
        expect(pair(&two).map(\.clip), equals: ["a"])
    }

    @Test func whatLiesOverTheWallIsNudgedByItsSecond() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.toggle))
        world.command(.nudge(by: .milliseconds(40)))
        let offsets = world.wall.tiles.order.map { world.wall.tiles[$0].layout.offset }
        expect(offsets, equals: [.zero, .milliseconds(40)])
        let overlaid = world.wall.tiles.overlaid!
        expect(
            world.wall.tiles[world.wall.player.tiles.tileMovedAlone(for: overlaid)].layout.offset,
            equals: .milliseconds(40))
    }

    @Test func offsetsThatNoLayoutMaySayAreRefused() {
        var world = Simulation(.of([["a"]]), clips: clips)
        world.run(for: .seconds(1))
        let tile = world.wall.tiles.order[0]
        for (change, isTaken) in [(30_000_000, true), (60_000_000, true), (20_000_000, false), (-300_000_000, false)] {
            let now = world.now
            expect(world.wall.carryOut(.nudge(by: .seconds(Int64(change))), on: tile, at: now), equals: isTaken)
        }
        expect(world.wall.tiles[tile].layout.offset, equals: .seconds(90_000_000))
        expect(Time.seconds(90_000_000).signedText, equals: "+90000000.000")
    }

    @Test func comparedFeedsGetAndLoseTheirSeatsTogether() {
        var crowded = layout(["a", "b", "c", "black"], comparing: [.tile("tile1"), .tile("tile4")])
        crowded.overflow = .rotate(every: .seconds(2))
        var world = Simulation(crowded, clips: clips, pipelines: 2)
        for _ in 0..<100 {
            world.run(for: .milliseconds(200))
            let seats = ["tile1", "tile4"].map { name in
                world.wall.feeds[world.wall.tiles[world.wall.tiles.id(named: name)!].feed].hasSeat
            }
            expect(seats[0], equals: seats[1])
        }
    }

    @Test func aLayoutThatEndsAComparisonGivesItsSourcesBack() {
        var world = Simulation(layout(["a"], comparing: [.tile("tile1"), source("b")]), clips: clips)
        world.run(for: .seconds(1))
        expect(pair(&world).map(\.clip), equals: ["a", "b"])
        let diff = world.apply(.of([["a"]]))
        world.run(for: .seconds(1))
        expect(diff.kept == 1 && diff.removedCount == 1 && world.wall.seatedFeeds == 1)
        expect(world.dropped == 0 && world.openRequests["a"] == 1)
        world.apply(layout(["a"], comparing: [source("b"), .tile("tile1")]))
        world.run(for: .seconds(1))
        expect(pair(&world).map(\.clip) == ["b", "a"] && world.wall.health[0].health.dropped == 0)
    }
}
