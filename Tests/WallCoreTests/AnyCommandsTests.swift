import Testing

@testable import WallCore

/// Whatever is asked for, in whatever order: the wall holds, and after Home it is as it was at its beginning.
@Suite struct AnyCommands {
    private let clips = [
        "a": FakeClip(pictures: 90, gop: 30), "b": FakeClip(pictures: 240, gop: 60),
        "c": FakeClip(pictures: 10, gop: 10),
        "still": FakeClip(pictures: 1, isStill: true),
    ]

    static func command(_ random: inout Seeded) -> Command {
        let scope: Command.Scope = Bool.random(using: &random) ? .tileAlone : .group
        let point = Point(Int.random(in: 0..<640, using: &random), Int.random(in: 0..<360, using: &random))
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: .pause(.toggle, scope)
        case 1: .step(by: Int.random(in: -3...3, using: &random), scope)
        case 2: .seek(.by(.milliseconds(Int64.random(in: -9000...9000, using: &random))), scope)
        case 3: .home(scope)
        case 17: .end(scope)
        case 18: .click(point)
        case 19: .doubleClick(point)
        case 4: .rate([.faster, .slower, .doubled, .halved, .reset].randomElement(using: &random)!, scope)
        case 5, 6: .focus(.number(Int.random(in: 1...6, using: &random)))
        case 7: .item(by: Bool.random(using: &random) ? 1 : -1)
        case 8: .zoom(.toggle)
        case 9: .tap(point)
        case 10: .scrub(.began(at: point))
        case 11: .scrub(.moved(by: Int.random(in: -300...300, using: &random)))
        case 12: .seek(.toPercent(Double(random.upTo(120))), scope)
        case 15: .seekToKeyPicture(near: .by(.milliseconds(Int64(random.upTo(9000) - 4000))), scope)
        case 13: .seek(.to(.milliseconds(Int64(random.upTo(9000) - 1000))), scope)
        case 14: .goToItem(random.upTo(3))
        default: .scrub(.ended)
        }
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>) func leaveNothingBehind(_ seed: UInt64) {
        var random = Seeded(state: seed)
        let layout = Layout.of([["b"], ["b"], ["a", "still"], ["a", "still"], ["c"], ["c"]])
        var world = Simulation(layout, clips: clips, pipelines: Int.random(in: 1...4, using: &random))
        world.run(for: .seconds(1))
        for _ in 0..<80 {
            let next = Self.command(&random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                // Between what is drawn and the report that it was shown, anything may be asked for; feeds may go.
                let goesHome = Bool.random(using: &random)
                world.act { wall, now in
                    _ = wall.scene(at: now)
                    wall.carryOut(goesHome ? .home(.group) : next, at: now)
                    wall.presented(at: now)
                }
            } else {
                world.command(next)
            }
            world.run(for: .milliseconds(Int64.random(in: 0...300, using: &random)))
            #expect(world.wall.feeds.count <= 12)
        }
        #expect(world.mostLeases <= world.wall.pool.pipelines.count)

        world.command(.scrub(.ended))
        if world.wall.zoomedTile != nil { world.command(.zoom(.toggle)) }
        world.command(.home(.group))
        world.run(for: .seconds(2))
        world.command(.rate(.reset, .group))
        if world.wall.clocks[0].clock.motion == .standing { world.command(.pause(.toggle, .group)) }
        world.command(.home(.group))
        world.run(for: .seconds(3))
        #expect(world.wall.feeds.count == 3)
        let shown = world.picturesNow
        #expect(shown[0] == shown[1] && shown[4] == shown[5] && shown[2] == shown[3], "\(shown)")
        // On fewer pipelines they take turns.
        if world.wall.pool.pipelines.count > 2 { #expect((80...91).contains(shown[0]?.number ?? -1), "\(shown)") }
    }
}
