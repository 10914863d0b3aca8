import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Layers on top of a break: an alarm that comes in its middle.
@Suite struct StackTests: BreakTesting {
    private static let alarm = "alarm"

    private func wall(_ sequence: [String], pipelines: Int, _ change: (inout BreakLayout) -> Void = { _ in })
        -> Simulation
    {
        let ad = entry("ad", ["ad"]) {
            $0.when = .now
            change(&$0)
        }
        var world = Simulation(layout([sequence], [ad]), clips: clips, pipelines: pipelines)
        world.run(for: .seconds(1))
        return world
    }

    /// Interrupts what a tile plays by a film, as soon as its first frame can be decoded.
    private func push(_ film: String, named name: String = alarm, on tile: Int = 0, of world: inout Simulation) {
        let id = world.wall.tiles.order[tile], feed = world.wall.feeds[world.wall.tiles[id].feed]
        if feed.slots.isEmpty { return }
        let earliest = world.wall.clocks[feed.group].clock.position(at: world.now) + .milliseconds(400)
        // The cut is at the beginning of a frame. Otherwise the frame before would be held for a part of another one.
        let start = feed.slots[0].start ?? .zero, frame = Time.seconds(1) / 30
        let begin = start + frame * ((earliest - start).ticks / frame.ticks + 1)
        let push = Push(
            tile: id, name: name, items: items([film]), place: Layer.Place(interrupting: feed, at: begin), begin: nil,
            isCut: true)
        world.command(.push([push]))
    }

    /// Runs a wall. Takes off what `push` has put on top, once it is over.
    private func run(_ world: inout Simulation, for length: Time, popping names: [String] = [alarm]) {
        let end = world.now + length
        while world.now < end {
            world.run(for: .milliseconds(10))
            for tile in world.wall.tiles.order {
                let snapshot = world.wall.player.snapshot(at: world.now), ends = LayerEnds(snapshot: snapshot)
                let timeline = snapshot.feeds[snapshot.tiles[tile].feed].timeline
                for name in names where timeline.number(ofLayer: name) != nil && ends.isOver(name, on: tile) {
                    world.command(.pop(name, of: [tile]))
                }
            }
        }
    }

    private func layers(_ world: Simulation) -> [String] {
        world.wall.feeds[world.wall.tiles[0].feed].timeline.layers.map(\.name)
    }

    /// The break goes on where the alarm stopped it, then the film goes on where the break stopped it. The break may
    /// have begun, and may be nearly over.
    @Test(arguments: [1, 2], [Int64(500), 900, 1100, 1300])
    func anAlarmOverABreakOverAFilm(pipelines: Int, ahead: Int64) {
        var world = wall(["b", "a"], pipelines: pipelines)
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(ahead))
        push("spot", of: &world)
        expect(layers(world), equals: ["ad", Self.alarm])
        run(&world, for: .seconds(8))
        let order = order(world), note = Comment(rawValue: "\(pipelines), \(ahead): \(order)")
        expect(order.count >= 5 && order[1].hasPrefix("ad 0-") && order[2] == "spot 0-14", note)
        expect(order.count >= 5 && order[3].hasPrefix("ad ") && order[4].hasPrefix("b "), note)
        expect(frames(world, without: ["b", "a", "spot"]), equals: whole(["ad"]), note)
        expect(Array(frames(world, without: ["ad", "spot"]).prefix(150)), equals: whole(["b", "a"]), note)
        expect(world.longestHold(0), atMost: .milliseconds(35), note)
        expect(world.mostLeases, atMost: pipelines)
        expect(layers(world).isEmpty && world.wall.tiles[0].layers.isEmpty, note)
        expect(states(world), equals: ["ad started", "ad ended"])
        expect(world.dropped, equals: 0, note)
        let showings = world.showings.prefix(3)
        expect(showings.map { $0.prefix { $0 != " " } }, equals: ["spot", "ad", "b"], "\(world.showings)")
        expect(showings.allSatisfy { $0.contains("15/15") || $0.contains("45/45") || $0.contains("90/90") })
    }

    /// All three are cut in the middle of a film that decodes slowly after a seek.
    @Test(arguments: [Int64(900), 1200]) func aFilmWithFewKeyFramesReturnsWithoutASeam(ahead: Int64) {
        var clips = clips
        clips["slow"] = FakeClip(frames: 90, framesDecodeIn: .milliseconds(9), gop: 90)
        let ad = entry("ad", ["ad"]) { $0.when = .now }
        var world = Simulation(layout([["slow"]], [ad]), clips: clips, pipelines: 1)
        world.run(for: .seconds(1))
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(ahead))
        push("spot", of: &world)
        run(&world, for: .seconds(7))
        expect(Array(frames(world, without: ["ad", "spot"]).prefix(90)), equals: (0..<90).map { "slow \($0)" })
        expect(world.longestHold(0), atMost: .milliseconds(35), "\(order(world))")
    }

    /// Three layers: a page over an alarm over a break.
    @Test func layersLieOnLayers() {
        var world = wall(["b"], pipelines: 2)
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(900))
        push("a", of: &world)
        run(&world, for: .milliseconds(900))
        push("flash", named: "page", of: &world)
        expect(layers(world), equals: ["ad", Self.alarm, "page"])
        run(&world, for: .seconds(8), popping: [Self.alarm, "page"])
        let clips = order(world).map { String($0.prefix { $0 != " " }) }
        expect(Array(clips.prefix(7)), equals: ["b", "ad", "a", "flash", "a", "ad", "b"], "\(order(world))")
        expect(frames(world, without: ["b", "a", "flash"]), equals: whole(["ad"]))
        expect(frames(world, without: ["b", "ad", "flash"]), equals: whole(["a"]))
        expect(world.longestHold(0), atMost: .milliseconds(35))
        expect(layers(world).isEmpty)
    }

    /// The alarm is taken off in its middle. The break goes on at once, where it stopped.
    @Test func anAlarmThatIsTakenOffLeavesTheBreak() {
        var world = wall(["b", "a"], pipelines: 2)
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1000))
        push("a", of: &world)
        world.run(for: .milliseconds(900))
        expect(world.framesNow[0]?.clip, equals: "a")
        world.command(.pop(Self.alarm, of: [world.wall.tiles.order[0]]))
        expect(layers(world), equals: ["ad"])
        run(&world, for: .seconds(6))
        expect(frames(world, without: ["a", "b"]), equals: whole(["ad"]), "\(order(world))")
        expect(Array(frames(world, without: ["ad", "a"]).prefix(90)), equals: whole(["b"]), "\(order(world))")
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// The break is ended while an alarm is on top of it. Both leave, and the film goes on where it stopped.
    @Test func whatLiesBelowLeavesWithWhatIsOnTop() {
        var world = wall(["b", "a"], pipelines: 2)
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(1000))
        push("a", of: &world)
        world.run(for: .milliseconds(900))
        world.command(.endBreaks)
        expect(layers(world), equals: [])
        run(&world, for: .seconds(3))
        expect(states(world), equals: ["ad started", "ad ended"])
        expect(Array(frames(world, without: ["ad", "a"]).prefix(90)), equals: whole(["b"]), "\(order(world))")
        let left = world.showings.filter { $0.hasPrefix("ad ") && $0.hasSuffix(" left") }
        expect(left.count, equals: 1, "\(world.showings)")
    }

    /// A break that waits for the end of an item gives way to an alarm, and comes after it.
    @Test func aBreakThatHasNotBegunComesAfterTheAlarm() {
        var world = wall(["b", "c"], pipelines: 2) { $0.when = .itemEnd }
        world.command(.playBreak("ad"))
        world.run(for: .milliseconds(300))
        expect(layers(world), equals: ["ad"])
        push("spot", of: &world)
        expect(layers(world), equals: [Self.alarm])
        run(&world, for: .seconds(8))
        let clips = order(world).map { String($0.prefix { $0 != " " }) }
        expect(Array(clips.prefix(5)), equals: ["b", "spot", "b", "ad", "c"], "\(order(world))")
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// A break that becomes due under an alarm waits until the alarm is over.
    @Test func aBreakWaitsUnderAnAlarm() {
        var world = wall(["b"], pipelines: 2)
        push("a", of: &world)
        run(&world, for: .milliseconds(900))
        world.command(.playBreak("ad"))
        run(&world, for: .seconds(8))
        let clips = order(world).map { String($0.prefix { $0 != " " }) }
        expect(Array(clips.prefix(4)).contains("ad") && clips.prefix(2) == ["b", "a"], "\(order(world))")
        expect(frames(world, without: ["b", "ad"]).prefix(60), equals: whole(["a"])[...])
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// Another layout or sequence, seeks and pauses under two layers end no wall, and leave no source behind.
    @Test(arguments: seeds(20)) func nothingThatHappensUnderLayersEndsTheWall(_ seed: UInt64) {
        var random = Seeded(state: seed)
        var world = wall(["b", "a", "c"], pipelines: 1 + random.upTo(2))
        for _ in 0..<40 {
            switch random.upTo(12) {
            case 0: world.command(.playBreak("ad"))
            case 1, 2: push(["spot", "flash", "still", "gone"][random.upTo(4)], of: &world)
            case 3: push("a", named: "page \(random.upTo(100))", of: &world)
            case 4: world.command(.endBreaks)
            case 5: world.command(.pop(Self.alarm, of: [world.wall.tiles.order[0]]))
            case 6: world.command(.seek(.by(.milliseconds(Int64(random.upTo(4000)) - 2000)), .group))
            case 7: world.command(.item(by: 1))
            case 8: world.command(.pause(.toggle, .group))
            case 9: world.command(.sequence(.move(0, to: 2)))
            case 10: world.command(.sequence(.append(items(["c"]))))
            default: world.apply(layout([["b", "a"]], [entry("ad", ["ad"]) { $0.when = .now }]))
            }
            run(&world, for: .milliseconds(Int64(random.upTo(900))))
        }
        expect(world.wall.missCount, equals: 0)
    }
}
