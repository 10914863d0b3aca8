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
    private let clips = [
        "a": FakeClip(frames: 600), "b": FakeClip(frames: 600), "c": FakeClip(frames: 500, rate: 25),
        "big": FakeClip(frames: 600, natural: Size(2560, 1440)), "black": FakeClip(frames: 600, blackUntil: 600),
        "gone": FakeClip(frames: 1, trouble: SourceTrouble(.missing, "no such file")),
    ]

    /// Returns a layout of tiles that play `sources`, and one that compares.
    private func layout(
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

    private func source(_ name: String, offset: Time = .zero) -> ComparisonLayout.Member {
        .source(Item(source: name), offset: offset)
    }

    /// Returns the frames that the last tile compares now; one frame if it shows a single one.
    private func pair(_ world: inout Simulation) -> [FakeFrame] {
        switch world.wall.composeScene(at: world.now).scene.views.last?.content {
        case .comparison(let frames, _)?: frames.parts.map(\.frame.fake)
        case .frame(let placed)?, .poster(let placed)?: [placed.frame.fake]
        case .fade?: []
        case .card?, .blank?, nil: []
        }
    }

    private func precision(_ world: inout Simulation) -> ComparedFrames.Precision? {
        if case .comparison(let frames, _)? = world.wall.composeScene(at: world.now).scene.views.last?.content {
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
            let lines = InfoReport(snapshot: world.wall.player.snapshot(at: .zero)).infoOnComparison(of: tile)
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
            return (world.marked { $0.commanded(at: now) }.views.last?.marks?.reasons ?? []).map(\.text)
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
        let reasons = world.marked { _ in }.views[2].marks?.reasons ?? []
        expect(reasons.contains { $0.text.hasPrefix("tile2: ") }, "\(reasons)")
        let ab = world.wall.tiles.comparing[0]
        expect(PropertyReport(world.wall, at: .zero).troubleText(of: ab)?.hasPrefix("tile2: "), equals: true)
    }

    @Test func aMemberThatFailsLeavesTheOthers() {
        let three = layout(["a", "gone"], comparing: [.tile("tile1"), .tile("tile2"), source("c")])
        var world = Simulation(three, clips: clips)
        world.run(for: .seconds(2))
        expect(pair(&world).map(\.clip), equals: ["a", "c"])
        let compared = world.wall.tile(named: "ab")!
        expect(world.wall.player.missingMembers(of: compared), equals: [.trouble("tile2: no such file")])
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
            world.wall.tiles[world.wall.player.tileMovedAlone(for: overlaid)].layout.offset, equals: .milliseconds(40))
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

    @Test func keysChangeTheWayOfComparing() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.changeSides))
        // The figures refer to the first: a notice names it.
        let now = world.now
        expect(world.marked { $0.commanded(at: now) }.overlay?.info, equals: ["reference: tile2"])
        world.run(for: .milliseconds(100))
        expect(pair(&world).map(\.clip), equals: ["b", "a"])
        for mode in ["difference", "signed", "heat", "blink", "overlay", "wipe"] {
            world.command(.compare(.mode(by: 1)))
            expect(world.wall.layout(of: 2).compare?.mode.rawValue, equals: mode)
        }
        world.command(.compare(.mode(by: 1)))
        for _ in 0..<9 { world.command(.compare(.gainDoubled)) }
        expect(world.wall.layout(of: 2).compare?.factor, equals: 64)
        for _ in 0..<20 { world.command(.compare(.gainHalved)) }
        expect(world.wall.layout(of: 2).compare?.factor, equals: 0.125)
    }

    @Test func blinkShowsOneAfterTheOtherEveryHalfSecondAndByHand() {
        let blinking = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = .blink }
        var world = Simulation(blinking, clips: clips)
        world.run(for: .seconds(2))
        var seen: [String] = []
        for _ in 0..<8 {
            world.run(for: .milliseconds(500))
            seen += pair(&world).map(\.clip)
        }
        expect(seen.count == 8 && zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
        world.command(.compare(.changeSides))
        let held = pair(&world).map(\.clip)
        for _ in 0..<5 {
            world.run(for: .milliseconds(400))
            expect(pair(&world).map(\.clip), equals: held)
        }
    }

    @Test func theKeyComparesTheFocusedTileWithTheOneBeforeAndGoesBack() {
        var world = Simulation(.of([["a"], ["b"], ["c"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.focus(.number(3)))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(200))
        var scene = world.wall.composeScene(at: world.now).scene
        expect(scene.views.count == 1 && scene.views[0].rect == Rect(scene.size))
        expect(pair(&world).map(\.clip), equals: ["c", "a"])
        world.command(.focus(.number(2)))
        world.run(for: .milliseconds(200))
        expect(pair(&world).map(\.clip), equals: ["b", "c"])
        world.command(.compare(.changeSides))
        world.run(for: .milliseconds(200))
        expect(pair(&world).map(\.clip) == ["c", "b"] && world.wall.focus == 2)
        world.command(.compare(.toggle))
        scene = world.wall.composeScene(at: world.now).scene
        expect(scene.views.count == 3 && world.dropped == 0 && world.openRequests == ["a": 1, "b": 1, "c": 1])
    }

    @Test func clicksAndDragsOnWhatLiesOverTheWallAreForTheWall() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(200))
        world.command(.click(Point(300, 300)))
        world.command(.doubleClick(Point(300, 300)))
        expect(world.wall.focus, equals: 0)
        world.command(.tap(Point(300, 300)))
        expect(!world.wall.isMoving)
        world.command(.tap(Point(300, 300)))
        let before = pair(&world).map(\.number)
        world.command(.scrub(.began(at: Point(300, 300))))
        world.command(.scrub(.moved(by: 128)))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        // A drag over a tenth of the window's width moves by a tenth of the item.
        let moved = pair(&world)[0].number - before[0]
        expect((80...100).contains(moved) && pair(&world)[1].number == pair(&world)[0].number)
        world.wall.player.note(.pictureInPictureShows(0), at: world.now)
        world.wall.player.note(.pictureInPictureShows(nil), at: world.now)
        expect(world.wall.composeScene(at: world.now).scene.views.count, equals: 2)
    }

    @Test func theNextTileIsComparedWhereNoOtherHadTheFocus() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(100))
        expect(pair(&world).map(\.clip), equals: ["a", "b"])
        world.command(.window(.escape))
        world.run(for: .milliseconds(100))
        expect(world.wall.composeScene(at: world.now).scene.views.count, equals: 2)
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
        expect(diff.kept == 1 && diff.removedCount == 1 && world.wall.player.seatedFeeds == 1)
        expect(world.dropped == 0 && world.openRequests["a"] == 1)
        world.apply(layout(["a"], comparing: [source("b"), .tile("tile1")]))
        world.run(for: .seconds(1))
        expect(pair(&world).map(\.clip) == ["b", "a"] && world.wall.health[0].health.dropped == 0)
    }

    @Test func theFirstIsHeardUntilTheSidesChange() {
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: clips)
        world.run(for: .seconds(1))
        func heard() -> [String] {
            world.wall.soundScene(at: world.now).parts.filter { !$0.gain.isSilent }.compactMap {
                $0.plan.runs.first?.source
            }
        }
        expect(heard(), equals: ["a"])
        world.command(.compare(.changeSides))
        expect(heard(), equals: ["b"])
    }

    @Test func whatIsMixedIsNotHeardTwice() {
        var mixed = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")])
        mixed.audio.mode = .mix
        mixed.tiles[0].isMuted = true
        var world = Simulation(mixed, clips: clips)
        world.run(for: .seconds(1))
        let heard = world.wall.soundScene(at: world.now).parts.filter { !$0.gain.isSilent }
        expect(heard.compactMap { $0.plan.runs.first?.source }, equals: ["b"])
    }

    @Test func offsetsOfComparedSourcesAreSaved() throws {
        let text = #"""
            {"tiles": [
              {"id": "ab", "compare": ["a.mp4", "b.mp4", {"src": "c.mp4", "offset": 1}]}
            ]}
            """#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "wall.json") else {
            Issue.record("a mistake")
            return
        }
        let clips = ["a.mp4", "b.mp4", "c.mp4"].reduce(into: [:]) { $0[$1] = FakeClip(frames: 300) }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        world.command(.nudge(by: .milliseconds(40)))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let wanted = text.replacing(#""b.mp4""#, with: #"{ "src": "b.mp4", "offset": 0.04 }"#)
        expect(String(decoding: saved, as: UTF8.self), equals: wanted)
        // A value that was saved does not count as a change.
        guard case .layout(let again) = LayoutReader.read(saved, path: "wall.json") else { return }
        world.apply(again)
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
    }

    @Test func aDragThatBeginsAtTheLineMovesIt() {
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: clips)
        world.run(for: .seconds(1))
        guard case .comparison(_, let target) = world.wall.composeScene(at: world.now).scene.views[0].content else {
            Issue.record("it compares nothing")
            return
        }
        world.command(.scrub(.began(at: Point(target.x + target.width / 2 + 9, target.y + 40))))
        world.command(.scrub(.moved(by: target.width / 4)))
        world.command(.scrub(.ended))
        let compared = world.wall.layout(of: world.wall.tile(named: "ab")!).compare!
        expect(abs(compared.at - 0.75), below: 0.01)
    }

    // MARK: which side is which

    /// Returns the scene right after a command or a move of the pointer.
    private func stirred(_ world: inout Simulation, _ pointer: Point? = nil) -> Scene {
        let now = world.now
        return world.marked { visible in
            visible.commanded(at: now)
            visible.pointer = pointer
        }
    }

    private func sides(_ world: inout Simulation, pointer: Point? = nil) -> [Marks.Side] {
        stirred(&world, pointer).views.last?.marks?.sides ?? []
    }

    @Test func eachSideOfAWipeHasItsName() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        expect(sides(&world), equals: [Marks.Side("a", across: 0, down: 1), Marks.Side("b", across: 1, down: 1)])
        world.command(.focus(.number(3)))
        world.command(.compare(.changeSides))
        world.run(for: .milliseconds(200))
        expect(sides(&world), equals: [Marks.Side("b", across: 0, down: 1), Marks.Side("a", across: 1, down: 1)])
        world.command(.compare(.turnLine))
        expect(sides(&world), equals: [Marks.Side("b", across: 0, down: 0), Marks.Side("a", across: 0, down: 1)])
        world.command(.compare(.turnLine))
        expect(sides(&world), equals: [Marks.Side("b", across: 1, down: 1), Marks.Side("a", across: 0, down: 1)])
    }

    @Test func aFileNameGoesWithTheMarksAndALabelStays() {
        var compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")])
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        expect(world.marked { _ in }.views.last?.marks?.sides ?? [], equals: [])
        compared.tiles[1].label = "After"
        world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        expect(world.marked { _ in }.views.last?.marks?.sides.map(\.name), equals: ["a", "After"])
    }

    @Test func otherWaysNameWhatTheyShow() {
        let cases: [(ComparisonMode, Set<String>)] = [
            (.difference, ["a \u{2212} b  \u{D7}4"]), (.heat, ["a \u{2212} b"]), (.overlay, ["a + b"]),
            (.blink, ["a", "b"]),
        ]
        for (mode, names) in cases {
            let compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = mode }
            var world = Simulation(compared, clips: clips)
            var seen: Set<String> = []
            for _ in 0..<20 {
                world.run(for: .milliseconds(100))
                seen.formUnion(sides(&world).map(\.name))
            }
            expect(seen, equals: names, "\(mode)")
        }
    }

    @Test func theLineOfAWipeIsDrawnWhileThePointerMovesOverIt() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        let rect = world.marked { _ in }.views.last!.rect
        func wipe(_ pointer: Point?) -> WipeLines? { stirred(&world, pointer).views.last?.marks?.wipe }
        let within = Point(rect.x + 5, rect.y + 5), line = wipe(within)
        expect(line?.at == 0.5 && line?.offsets.count == 1)
        expect(wipe(nil), equals: nil)
        expect(wipe(Point(rect.x + 5, 5)), equals: nil)
        let still = world.marked {
            $0.toggleInfo()
            $0.pointer = within
        }
        expect(still.views.last?.marks?.wipe, equals: nil)
    }

    @Test func aComparisonThatOpensShowsItsNamesAndItsLine() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        let now = world.now
        let opened = world.marked { $0.opened(at: now) }.views.last?.marks
        expect(opened?.wipe?.at == 0.5 && opened?.sides.map(\.name) == ["a", "b"])
        let later = world.marked { $0.opened(at: now - MarksVisibility.opening) }.views.last?.marks
        expect(later?.wipe == nil && (later?.sides ?? []).isEmpty)
    }

    @Test func anAutomaticGainIsStatedByTheCanvasAndEndsWithAKey() {
        let compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = .heat }
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        func content() -> ComparedFrames? {
            guard case .comparison(let frames, _)? = world.wall.composeScene(at: world.now).scene.views.last?.content
            else { return nil }
            return frames
        }
        expect(content() != nil && content()?.gain == nil)
        // The gain is stated even without other marks.
        expect(world.marked { _ in }.views.last?.marks?.sides.map(\.showsGain), equals: [true])
        let tile = world.wall.tiles.comparing[0]
        world.act { wall, _ in wall.note(gains: [tile: 16]) }
        world.command(.compare(.gainDoubled))
        expect(content()?.gain, equals: 32)
        world.command(.compare(.mode(by: -1)))
        expect(content()?.mode == .signed && content()?.gain == 32)
        world.command(.compare(.gain(nil)))
        expect(content() != nil && content()?.gain == nil)
        world.command(.compare(.gain(0.5)))
        expect(content()?.gain, equals: 0.5)
    }

    @Test func eachSideSaysHowItIsCoded() throws {
        let coded = CodedTraits(colorimetry: SourceColorimetry(SourceColorimetry.Tags(), size: Size(1280, 720)))
        var (a, b) = (FakeClip(frames: 600), FakeClip(frames: 600, rate: 25))
        (a.codec, a.coded, a.bitRate) = ("h264", coded, 1_234_567)
        (b.codec, b.coded) = ("hevc", coded)
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: ["a": a, "b": b])
        world.run(for: .milliseconds(2500))
        let tile = try #require(world.wall.tiles.id(named: "ab"))
        let lines = InfoReport(snapshot: world.wall.player.snapshot(at: world.now)).infoOnComparison(of: tile)
        expect(
            Array(lines.dropFirst()),
            equals: [
                "a: h264, 8 bits, 30/s, P frame", "64x36, 1235 kb/s, BT.709 (assumed)",
                "b: hevc, 8 bits, 25/s, P frame", "64x36, BT.709 (assumed)",
            ])
    }

    @Test func whatIsComparedByHandIsSaved() throws {
        let text = #"""
            {"tiles": [
              {"id": "ab", "compare": ["a.mp4", "b.mp4"], "mode": "wipe"}
            ]}
            """#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "wall.json") else {
            Issue.record("a mistake")
            return
        }
        let clips = ["a.mp4", "b.mp4"].reduce(into: [:]) { $0[$1] = FakeClip(frames: 300, natural: Size(1280, 720)) }
        /// Returns how the frames are compared, and the part of the first that is seen.
        func shown(_ world: inout Simulation) -> (look: ComparedFrames.Identity, part: Fractions)? {
            guard case .comparison(var frames, _)? = world.wall.composeScene(at: world.now).scene.views.last?.content
            else { return nil }
            let part = frames.parts[0].crop
            for place in frames.parts.indices {
                frames.parts[place] = ComparedFrames.Part(
                    frames.parts[place].frame, stamp: Stamp(composed: 0), crop: .all)
            }
            return (frames.identity, part)
        }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        world.command(.focus(.number(1)))
        for change in [Command.Compare.mode(by: 1), .gainDoubled, .turnLine, .changeSides] {
            if case .turnLine = change { world.command(.compare(.mode(by: -1))) }
            world.command(.compare(change))
        }
        world.command(.magnify(.to(3), at: nil))
        world.command(.magnify(.move(-90, 40), at: nil))
        world.run(for: .milliseconds(100))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let written = String(decoding: saved, as: UTF8.self)
        for part in [#""gain": 8"#, #""angle": 90"#, #""swapped": true"#, #""part": ["#] {
            expect(written.contains(part), "\(part): \(written)")
        }
        guard case .layout(let again) = LayoutReader.read(saved, path: "wall.json") else {
            Issue.record("\(written)")
            return
        }
        var loaded = Simulation(again, clips: clips)
        loaded.run(for: .seconds(1))
        /// The part is written in millionths of the frame.
        func areAlike(_ one: (look: ComparedFrames.Identity, part: Fractions)?) throws -> Bool {
            let (a, b) = (try #require(before), try #require(one))
            let apart = [a.part.x - b.part.x, a.part.y - b.part.y, a.part.width - b.part.width]
            return a.look == b.look && apart.allSatisfy { abs($0) < 1e-5 }
        }
        let before = shown(&world)
        try expect(areAlike(shown(&loaded)))
        // A value that was saved does not count as a change.
        world.apply(again)
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
        try expect(areAlike(shown(&world)))
    }

    @Test func aComparisonOverTheWallIsSaved() throws {
        let text = #"""
            {
              "tiles": [
                {"id": "a", "play": "a"}, {"id": "b", "play": "b"}, {"id": "c", "play": "a"}
              ]
            }
            """#
        func read(_ bytes: [UInt8]) throws -> Layout {
            guard case .layout(let layout) = LayoutReader.read(bytes, path: "wall.json") else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self))")
                throw CancellationError()
            }
            return layout
        }
        var world = Simulation(try read(Array(text.utf8)), clips: clips)
        world.run(for: .seconds(1))
        let tiles = ["c", "b"].map { world.wall.tile(named: $0)! }
        world.command(.compare(.tiles(tiles[0], tiles[1], .signed)))
        world.command(.compare(.gainDoubled))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let written = String(decoding: saved, as: UTF8.self)
        let field = #""compare": {"tiles": ["c", "b"], "mode": "signed", "gain": 8}"#
        expect(
            written.contains(field) || written.contains(field.replacing("{", with: "{ ").replacing("}", with: " }")),
            "\(written)")
        var loaded = Simulation(try read(saved), clips: clips)
        loaded.run(for: .seconds(1))
        func shown(_ world: inout Simulation) -> (mode: ComparisonMode, gain: Double?, clips: [String])? {
            let views = world.wall.composeScene(at: world.now).scene.views
            guard views.count == 1, case .comparison(let frames, _) = views[0].content else { return nil }
            return (frames.mode, frames.gain, frames.parts.map { $0.frame.fake.clip })
        }
        expect(shown(&loaded)?.mode == .signed && shown(&loaded)?.gain == 8 && shown(&loaded)?.clips == ["a", "b"])
        // After Escape the wall is saved without it.
        loaded.command(.window(.escape))
        let after = try LayoutPatch.patched(saved, with: loaded.wall.changesByHand)
        var again = Simulation(try read(after), clips: clips)
        again.run(for: .seconds(1))
        expect(again.wall.composeScene(at: again.now).scene.views.count, equals: 3)
    }

    @Test func keysOfAnotherWaySayWhichOnesTheyAreOf() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        func reported(_ change: Command.Compare) -> String? {
            world.command(.compare(change))
            return stirred(&world).overlay?.info.last
        }
        expect(reported(.gainDoubled), equals: "wipe has no gain; v leads to difference, signed, heat")
        expect(reported(.mode(by: 1)), equals: "difference \u{D7}4")
        expect(reported(.turnLine), equals: "difference has no line to turn; v leads to wipe")
        var single = Simulation(Layout.of([["a"]]), clips: clips)
        single.run(for: .seconds(1))
        single.command(.compare(.gainDoubled))
        expect(stirred(&single).overlay?.info.last, equals: "nothing is compared; c compares two tiles")
    }

    @Test func namesThatAreAlikeHaveTheirFolders() {
        let cases: [([String], [String])] = [
            (["/x/a.mp4", "/x/b.mp4"], ["a.mp4", "b.mp4"]),
            (["/one/a.mp4", "/two/a.mp4"], ["one/a.mp4", "two/a.mp4"]),
            (["/x/1/a.mp4", "/y/1/a.mp4", "/y/b.mp4"], ["x/1/a.mp4", "y/1/a.mp4", "b.mp4"]),
            (["/x/a.mp4", "/x/a.mp4"], ["a.mp4", "a.mp4"]), (["a.mp4", "x/a.mp4"], ["a.mp4", "x/a.mp4"]),
            (["http://u:p@h/1/a.mp4?k=v", "http://h/2/a.mp4"], ["1/a.mp4", "2/a.mp4"]),
        ]
        for (sources, names) in cases { expect(SourceName.distinctNames(of: sources), equals: names) }
    }
}

@Suite struct WipeLinesTests {
    @Test(arguments: [0.0, 17, 45, 90, 135, 180, 233, 270, 315])
    func eachPixelIsOfTheBandThatItsMiddleLiesIn(_ degrees: Double) {
        let rect = Rect(10, 20, 61, 43), angle = Angle(degrees: degrees)
        for (bands, at) in [(2, 0.5), (2, 0.2), (3, 0.5), (4, 0.9), (2, 0), (2, 1)] {
            let lines = WipeLines(in: rect, bands: bands, at: at, angle: angle)
            for y in rect.y..<rect.maxY {
                var found: [Int] = []
                var start = rect.x
                for (band, end) in lines.bands(inRow: y, columns: rect.x..<rect.maxX) {
                    found += Array(repeating: band, count: end - start)
                    start = end
                }
                let wanted = (rect.x..<rect.maxX).map { x in
                    let way =
                        (Double(x) + 0.5 - 40.5) * angle.cosine + (Double(y) + 0.5 - 41.5) * angle.sine
                    return lines.offsets.count { $0 <= way }
                }
                // If a line runs through the middle of a pixel, rounding may fall to either side.
                expect(
                    zip(found, wanted).count { $0 != $1 },
                    atMost: (degrees.truncatingRemainder(dividingBy: 90) == 0 ? 0 : 1))
                expect(found.count, equals: wanted.count)
            }
        }
    }

    @Test func theFirstIsOnTheLeftAndAQuarterTurnOnAtTheTop() {
        let rect = Rect(0, 0, 100, 50)
        let upright = WipeLines(in: rect, bands: 2, at: 0.25, angle: Angle(degrees: 0))
        expect(upright.bands(inRow: 3, columns: 0..<100).map(\.band), equals: [0, 1])
        expect(upright.bands(inRow: 3, columns: 0..<100).map(\.end), equals: [25, 100])
        let level = WipeLines(in: rect, bands: 2, at: 0.5, angle: Angle(degrees: 90))
        expect(level.bands(inRow: 24, columns: 0..<100).map(\.band), equals: [0])
        expect(level.bands(inRow: 25, columns: 0..<100).map(\.band), equals: [1])
    }
}
