import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Random commands in random order: the wall keeps its invariants, and Home restores its start.
@Suite struct AnyCommands {
    private let clips = [
        "a": FakeClip(frames: 90, gop: 30), "b": FakeClip(frames: 240, gop: 60),
        "c": FakeClip(frames: 10, gop: 10),
        "still": FakeClip(frames: 1, isStill: true),
    ]

    static func command(_ random: inout Seeded) -> Change {
        let scope: Change.Scope = Bool.random(using: &random) ? .tileAlone : .group
        let point = Point(Int.random(in: 0..<640, using: &random), Int.random(in: 0..<360, using: &random))
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: .pause(.toggle, scope)
        case 1: .step(by: Int.random(in: -3...3, using: &random), scope)
        case 2: .seek(.by(.milliseconds(Int64.random(in: -9000...9000, using: &random))), scope)
        case 3: .home(scope)
        case 17: .end(scope)
        case 18: .click(point)
        case 19: .doubleClick(point)
        case 4:
            .rate([.faster, .slower, .to(Rate(2)), .to(Rate(0.5)), .to(.one)].randomElement(using: &random)!, scope)
        case 5, 6: .focus(.number(Int.random(in: 1...6, using: &random)))
        case 7: .item(by: Bool.random(using: &random) ? 1 : -1)
        case 8: .zoom(.toggle)
        case 9: .tap(point)
        case 10: .scrub(.began(at: point))
        case 11: .scrub(.moved(by: Int.random(in: -300...300, using: &random)))
        case 12: .seek(.toPercent(Double(random.upTo(120))), scope)
        case 15: .seekToKeyFrame(near: .by(.milliseconds(Int64(random.upTo(9000) - 4000))), scope)
        case 13: .seek(.to(.milliseconds(Int64(random.upTo(9000) - 1000))), scope)
        case 14: .goToItem(random.upTo(3))
        default: .scrub(.ended)
        }
    }

    @Test(arguments: seeds(24)) func leaveNothingBehind(_ seed: UInt64) {
        var random = Seeded(state: seed)
        let layout = Layout.of([["b"], ["b"], ["a", "still"], ["a", "still"], ["c"], ["c"]])
        var world = Simulation(layout, clips: clips, pipelines: Int.random(in: 1...4, using: &random))
        world.run(for: .seconds(1))
        for _ in 0..<80 {
            let next = Self.command(&random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                // Commands may arrive and feeds may go between drawing a scene and reporting it as presented.
                let goesHome = Bool.random(using: &random)
                world.act { wall, now in
                    _ = wall.composeScene(at: now)
                    wall.carryOut(goesHome ? .home(.group) : next, at: now)
                    wall.player.note(.presented, at: now)
                }
            } else {
                world.command(next)
            }
            world.run(for: .milliseconds(Int64.random(in: 0...300, using: &random)))
            expect(world.wall.feeds.count, atMost: 12)
        }
        expect(world.mostLeases, atMost: world.wall.pool.pipelines.count)

        world.command(.scrub(.ended))
        if world.wall.zoomedTile != nil { world.command(.zoom(.toggle)) }
        world.command(.home(.group))
        world.run(for: .seconds(2))
        world.command(.rate(.to(.one), .group))
        if world.wall.clocks[0].clock.motion == .paused { world.command(.pause(.toggle, .group)) }
        world.command(.home(.group))
        world.run(for: .seconds(3))
        expect(world.wall.feeds.count, equals: 3)
        let shown = world.framesNow
        expect(shown[0] == shown[1] && shown[4] == shown[5] && shown[2] == shown[3], "\(shown)")
        // On fewer pipelines the feeds take turns.
        if world.wall.pool.pipelines.count > 2 { expect((80...91).contains(shown[0]?.number ?? -1), "\(shown)") }
    }

    // MARK: breaks, fades and other layouts

    private func anyLayout(_ random: inout Seeded) -> Layout {
        let names = ["a", "b", "c", "still", "gone"]
        let sequences = (0..<Int.random(in: 2...5, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in names[random.upTo(names.count)] }
        }
        var layout = Layout.of(sequences) { _ in }
        for place in layout.tiles.indices {
            layout.tiles[place].transition = random.onceIn(2) ? .cut : .fade(.milliseconds(Int64(random.upTo(2000))))
            if random.onceIn(3) { layout.tiles[place].loop = .iterations(1 + random.upTo(3)) }
            if random.onceIn(4) { layout.tiles[place].offset = .milliseconds(Int64(random.upTo(2000) - 1000)) }
            for item in layout.tiles[place].play.indices {
                if random.onceIn(3) { layout.tiles[place].play[item].rounds = 1 + random.upTo(3) }
                if random.onceIn(4) { layout.tiles[place].play[item].transition = .fade(.milliseconds(700)) }
                if random.onceIn(4) { layout.tiles[place].play[item].rate = Rate(2) }
                if random.onceIn(5), layout.tiles[place].play[item].segments[0].source == "b" {
                    let segments = [0, 3].map { (begin: Int64) -> Item.Segment in
                        var segment = Item.Segment(source: "b")
                        (segment.start, segment.end) = (.seconds(begin), .seconds(begin + 2))
                        return segment
                    }
                    layout.tiles[place].play[item].segments = Item.Segments(segments)!
                }
            }
        }
        layout.groups[0].loop = random.onceIn(2) ? .together : .each
        layout.groups[0].until = random.onceIn(2) ? .shortest : .longest
        layout.memoryMiB = random.onceIn(3) ? 1 : 256
        layout.breaks = (0..<random.upTo(3)).map { number in
            var entry = BreakLayout(
                name: "break\(number)",
                play: (0...random.upTo(2)).map { _ in
                    Item(source: names[random.upTo(names.count)])
                })
            entry.when = random.onceIn(2) ? .now : .itemEnd
            entry.isTogether = random.onceIn(2)
            if random.onceIn(2) { entry.every = .seconds(Int64(2 + random.upTo(5))) }
            if random.onceIn(3) { entry.afterItems = 1 + random.upTo(3) }
            if random.onceIn(2) { entry.tiles = [layout.tiles[random.upTo(layout.tiles.count)].id] }
            if random.onceIn(3) { entry.play[0].transition = .fade(.milliseconds(400)) }
            return entry
        }
        return layout
    }

    /// Returns a random change of the focused tile.
    private func changeByHand(_ random: inout Seeded) -> Change {
        let more = [Item(source: ["a", "c", "still"][random.upTo(3)])]
        return switch random.upTo(9) {
        case 0: .nudge(by: .milliseconds(Int64(random.upTo(900) - 450)))
        case 1: .nudgeByFrame(random.upTo(5) - 2)
        case 2: .key(.by(random.upTo(5) - 2))
        case 3: .sequence(.append(more))
        case 4: .sequence(.insertNext(more))
        case 5: .sequence(.rounds(1 + random.upTo(3)))
        case 6: .sequence(.loop(random.onceIn(2) ? .forever : .iterations(1 + random.upTo(3))))
        case 7: .sequence(.move(random.upTo(3), to: random.upTo(3)))
        default: .focus(.next)
        }
    }

    @Test(arguments: seeds(40))
    func breaksFadesAndLayoutsHoldWhateverIsAsked(_ seed: UInt64) {
        var random = Seeded(state: seed &* 7919)
        var all = clips
        all["gone"] = FakeClip(frames: 30, trouble: SourceTrouble(.missing, "no such file"))
        var layout = anyLayout(&random)
        var world = Simulation(layout, clips: all, pipelines: 2 + random.upTo(4))
        world.run(for: .seconds(1))
        for _ in 0..<120 {
            switch random.upTo(11) {
            case 0:
                layout = anyLayout(&random)
                world.apply(layout)
            case 8:
                // The same sequences with other keys, crops and sound.
                for place in layout.tiles.indices {
                    let item = random.upTo(layout.tiles[place].play.count)
                    layout.tiles[place].play[item].key = random.upTo(5) - 2
                    layout.tiles[place].play[item].crop =
                        random.onceIn(2) ? .all : .fractions(Fractions(0, 0, 0.5, 0.5))
                }
                world.apply(layout)
            case 9, 10: world.command(changeByHand(&random))
            case 1, 2: world.command(random.onceIn(4) ? .endBreaks : .playBreak("break\(random.upTo(3))"))
            default: world.command(Self.command(&random))
            }
            world.run(for: .milliseconds(Int64.random(in: 0...900, using: &random)))
        }
        // Breaks that have begun end, and the wall plays its layout.
        world.command(.scrub(.ended))
        var last = Layout.of([["a"], ["b"]])
        last.breaks = []
        // Settings made by hand survive if a layout has the same value as the one before, so another layout comes
        // between.
        world.apply(Layout.of([["b"], ["a"]]))
        world.apply(last)
        if world.wall.zoomedTile != nil { world.command(.zoom(.toggle)) }
        for tile in world.wall.tiles.order {
            let commands: [Change] = [
                .focus(.tile(tile)), .sequence(.loop(.forever)), .home(.group), .rate(.to(.one), .group),
                .pause(.off, .group),
            ]
            for command in commands { world.command(command) }
        }
        world.run(for: .seconds(12))
        expect(world.wall.breaks.coveredTiles.isEmpty && world.wall.breaks.all.isEmpty)
        expect(world.wall.tiles.order.map { world.wall.tiles[$0].play.count }, equals: [1, 1])
        let ids = world.wall.tiles.order.map(\.number)
        let before = ids.map { world.shown[$0].count }
        world.run(for: .seconds(3))
        // Both tiles go on playing.
        for (id, count) in zip(ids, before) {
            expect(world.shown[id].count, above: count + 60, "\(seed): \(id)")
        }
        expect(world.mostLeases, atMost: world.wall.pool.pipelines.count)
    }

    /// Steps back on a paused clock decode earlier frames. Breaks may interrupt that.
    @Test(arguments: seeds(24)) func stepsBackHoldWhileBreaksComeAtOnce(_ seed: UInt64) {
        var random = Seeded(state: seed &* 104_729)
        var layout = Layout.of([["b"], ["b", "a"], ["a", "c"]])
        layout.breaks = ["a", "c", "still"].enumerated().map { number, name in
            var entry = BreakLayout(name: "break\(number)", play: [Item(source: name)])
            (entry.when, entry.isTogether) = (random.onceIn(4) ? .itemEnd : .now, random.onceIn(3))
            if random.onceIn(2) { entry.tiles = [layout.tiles[random.upTo(3)].id] }
            return entry
        }
        var world = Simulation(layout, clips: clips, pipelines: 1 + random.upTo(4))
        world.run(for: .seconds(3))
        world.command(.pause(.on, .group))
        for _ in 0..<150 {
            switch random.upTo(10) {
            case 0: world.command(random.onceIn(5) ? .endBreaks : .playBreak("break\(random.upTo(3))"))
            case 1: world.command(.pause(random.onceIn(3) ? .off : .on, .group))
            case 2: world.command(.focus(.next))
            case 3: world.command(.seek(.by(.milliseconds(Int64(random.upTo(2000) - 1500))), .group))
            default: world.command(.step(by: random.onceIn(6) ? 1 : -1 - random.upTo(3), .group))
            }
            world.run(for: .milliseconds(random.onceIn(4) ? Int64(random.upTo(900)) : Int64(random.upTo(60))))
        }
        world.command(.endBreaks)
        world.command(.pause(.off, .group))
        world.run(for: .seconds(20))
        let before = world.shown.map(\.count)
        world.run(for: .seconds(6))
        for (tile, count) in before.enumerated() where world.wall.pool.pipelines.count > 2 {
            expect(world.shown[tile].count, above: count + 100, "\(tile)")
        }
    }
}
