import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Sequences with a source that does not answer. The item after it is shown whole.
@Suite struct DeadSourceTests: BreakTesting {
    private func clips(frames: Int = 90) -> [String: FakeClip] {
        let silence = FakeClip(
            frames: 90, opensIn: .seconds(10), trouble: SourceTrouble(.timeout, "no answer within 10 s of opening"))
        return [
            "a": FakeClip(frames: frames), "b": FakeClip(frames: 45), "film": FakeClip(frames: 240),
            "http://dead/1": silence, "http://dead/2": silence, "udp://silent:1": silence, "/share/x.mp4": silence,
        ]
    }

    /// Returns the runs of playable clips that were not shown whole. The last run is still on.
    private func torn(_ world: Simulation, _ tile: Int = 0) -> [String] {
        order(world, tile).filter { run in
            let words = run.split(separator: " ")
            return words[1] != "0-\((world.clips[String(words[0])]?.frames ?? 0) - 1)"
        }
    }

    @Test(
        arguments: [
            ["http://dead/1", "a"], ["a", "http://dead/1"], ["a", "http://dead/1", "b"],
            ["http://dead/1", "http://dead/2", "a"], ["a", "http://dead/1", "http://dead/2", "b"],
            ["udp://silent:1", "a"], ["/share/x.mp4", "a", "b"],
        ], [1, 2, 4])
    func whatFollowsIsShownWhole(_ sequence: [String], _ pipelines: Int) {
        var world = Simulation(.of([sequence]), clips: clips(), pipelines: pipelines)
        world.run(for: .seconds(60))
        expect(torn(world).isEmpty, "\(order(world))")
        // The tile waits for the dead source only the first time.
        let held = zip(world.shown[0], world.shown[0].dropFirst()).count { $1.at - $0.at > .seconds(1) }
        expect(held, atMost: 3, "\(held) \(order(world))")
        let least = sequence.contains("b") ? 6 : 12
        expect(order(world).count, atLeast: least, "\(order(world))")
    }

    /// The late source's length is known from the second time on. Its server answers late to each request.
    @Test(
        arguments: [
            ["a", "http://late/1", "b"], ["a", "http://late/1"], ["a", "http://late/1", "http://late/2", "b"],
            ["a", "http://dead/1", "http://late/1", "b"],
        ], [2, 4, 7, 9])
    func whatAnswersLateIsShownWholeEachTime(_ sequence: [String], _ seconds: Int64) {
        var clips = clips(frames: 30)
        for late in ["http://late/1", "http://late/2"] {
            clips[late] = FakeClip(frames: 60, opensIn: .seconds(seconds), answersIn: .seconds(seconds))
        }
        for pipelines in [1, 4] {
            var world = Simulation(.of([sequence]), clips: clips, pipelines: pipelines)
            world.run(for: .seconds(90))
            expect(torn(world).isEmpty, "\(pipelines): \(order(world))")
            let turns = order(world).count { $0.hasPrefix("http://late/1") }
            expect(turns, atLeast: 3, "\(pipelines): \(order(world))")
        }
    }

    @Test func theNextItemBeginsWhenTheAttemptIsGivenUp() throws {
        var world = Simulation(.of([["http://dead/1", "a"]]), clips: clips())
        let began = world.now
        world.run(for: .seconds(20))
        let first = try #require(world.shown[0].first { $0.frame != nil })
        expect(first.frame?.number == 0 && (first.at - began - .seconds(10)).magnitude <= .milliseconds(150))
        let last = try #require(world.shown[0].first { $0.frame?.number == 89 })
        expect((last.at - first.at - .milliseconds(2967)).magnitude, atMost: .milliseconds(40))
    }

    /// The dead source does not change the other tile's iterations.
    @Test(arguments: [["http://dead/1", "a"], ["a", "http://dead/1", "b"]], [2, 4])
    func othersOfItsGroupAreNotDisturbed(_ sequence: [String], _ pipelines: Int) {
        var world = Simulation(.of([sequence, ["film"]]), clips: clips(), pipelines: pipelines)
        world.run(for: .seconds(60))
        expect(torn(world).isEmpty, "\(order(world))")
        expect(world.slips(1, cycle: ["film"]), equals: 0)
        // At the start the clock waits for half a second at most.
        let later = world.shown[1].map(\.at).filter { $0 > .seconds(101) }
        expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(35) })
    }

    @Test(
        arguments: [
            ["http://dead/1", "a"], ["a", "http://dead/1"], ["a", "http://dead/1", "b"],
            ["http://dead/1", "http://dead/2", "a"],
        ], [1, 4])
    func whereIterationsBeginTogetherEachBeginsAtItsBeginning(_ sequence: [String], _ pipelines: Int) {
        for film in [30, 240, 600] {
            var clips = clips()
            clips["film"]?.frames = film
            var layout = Layout.of(pipelines == 1 ? [sequence] : [sequence, ["film"]])
            layout.groups[0].loop = .together
            var world = Simulation(layout, clips: clips, pipelines: pipelines)
            world.run(for: .seconds(70))
            expect(torn(world).isEmpty, "\(film): \(order(world))")
            // An iteration lasts as long as the film of the other tile.
            expect(order(world).count, atLeast: (film == 600 ? 3 : 6), "\(film): \(order(world))")
            guard pipelines > 1 else { continue }
            expect(torn(world, 1).isEmpty, "\(film): \(order(world, 1))")
            // Both tiles begin their iterations at one instant.
            let firsts = world.shown.map { shown in
                shown.filter { $0.frame?.number == 0 && $0.frame?.clip != "b" }.map(\.at)
            }
            for (index, at) in firsts[0].enumerated().dropFirst() where index < firsts[1].count {
                expect((at - firsts[1][index]).magnitude, atMost: .milliseconds(40), "\(film), pass \(index)")
            }
        }
    }

    @Test func theShortestOfItsGroupEndsTheIteration() {
        var layout = Layout.of([["http://dead/1", "a"], ["film"]])
        (layout.groups[0].loop, layout.groups[0].until) = (.together, .shortest)
        var clips = clips()
        clips["film"]?.frames = 120
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(60))
        expect(order(world).allSatisfy { $0.hasPrefix("a 0-") }, "\(order(world))")
        expect(order(world, 1).allSatisfy { $0.hasPrefix("film 0-") }, "\(order(world, 1))")
        expect(order(world).count { $0 == "a 0-89" }, atLeast: 10, "\(order(world))")
    }

    @Test func afterAPhaseThatNobodySawItGoesOnWithAWholeItem() {
        for hidden in [1, 5, 12, 30] {
            for sequence in [["http://dead/1", "a"], ["a", "http://dead/1", "b"]] {
                var world = Simulation(.of([sequence]), clips: clips())
                world.run(for: .seconds(4))
                world.act { $0.player.note(.frames(.none), at: $1) }
                world.run(for: .seconds(Int64(hidden)))
                world.act { $0.player.note(.frames(.all), at: $1) }
                world.run(for: .seconds(30))
                // The item that was on when the tile was hidden ends there, and goes on from its middle.
                expect(torn(world).count <= 2 && order(world).count >= 4, "\(hidden): \(order(world))")
            }
        }
    }

    /// The source answers at last, some iterations later.
    @Test func oneThatComesBackIsPlayedInItsNextIteration() {
        var world = Simulation(.of([["a", "http://dead/1"]]), clips: clips())
        world.run(for: .seconds(30))
        world.clips["http://dead/1"] = FakeClip(frames: 60, opensIn: .milliseconds(300))
        world.run(for: .seconds(30))
        expect(order(world).suffix(4).contains("http://dead/1 0-59"), "\(order(world))")
        expect(torn(world).isEmpty, "\(order(world))")
    }

    /// The film has played before, and its server is gone.
    @Test(arguments: [20, 90, 400]) func aDeadSourceThatPlayedBeforeTakesNoTimeEither(frames: Int) {
        var clips = clips(frames: frames)
        clips["http://dead/1"] = FakeClip(frames: 60, opensIn: .milliseconds(300))
        var world = Simulation(.of([["a", "http://dead/1", "b"]]), clips: clips)
        world.run(for: .seconds(3))
        world.clips["http://dead/1"] = FakeClip(
            frames: 60, opensIn: .seconds(10), trouble: SourceTrouble(.timeout, "no answer"))
        world.breakOff("http://dead/1", SourceTrouble(.unreachable, "gone"))
        world.run(for: .seconds(60))
        let whole = order(world).filter { !$0.hasPrefix("http") }
        expect(whole.allSatisfy { ["a 0-\(frames - 1)", "b 0-44"].contains($0) }, "\(order(world))")
    }

    @Test func aPlaceThatIsHeldIsHeldAndNoLonger() {
        var layout = Layout.of([["a", "http://dead/1", "b"]]) { $0.onError = .hold }
        layout.tiles[0].play[1].duration = .seconds(2)
        var world = Simulation(layout, clips: clips())
        world.run(for: .seconds(60))
        expect(torn(world).isEmpty, "\(order(world))")
        let held = zip(world.shown[0], world.shown[0].dropFirst()).map { $1.at - $0.at }.filter { $0 > .seconds(1) }
        expect(held.dropFirst().allSatisfy { ($0 - .milliseconds(2033)).magnitude < .milliseconds(250) }, "\(held)")
    }

    /// The rounds of a dead source are not tried one by one.
    @Test func whatIsRepeatedIsTriedOnceAnIteration() {
        var layout = Layout.of([["http://dead/1", "a"]])
        layout.tiles[0].play[0].rounds = 3
        var world = Simulation(layout, clips: clips())
        world.run(for: .seconds(30))
        expect(torn(world).isEmpty && order(world).count >= 5, "\(order(world))")
        expect(
            world.shown[0].first { $0.frame != nil }.map { $0.at - .seconds(100) } ?? .zero,
            below: .milliseconds(10_200))
    }

    /// The rounds of an item are not tried one by one either if none of its segments can be played.
    @Test(arguments: [["broken"], ["broken", "broken"], ["broken", "gone"]], [1, 2])
    func aRoundWithoutPictureIsTriedOnceAnIteration(_ segments: [String], _ iterations: Int) throws {
        var clips = clips()
        clips["broken"] = FakeClip(frames: 90, trouble: SourceTrouble(.damaged, "no frame"))
        var layout = Layout.of([["a", "b"]]) { $0.loop = .iterations(iterations) }
        layout.tiles[0].play[1] = Item(
            segments: Item.Segments(
                Item.Segment(source: segments[0]), segments.dropFirst().map { Item.Segment(source: $0) }))
        layout.tiles[0].play[1].rounds = 1_000_000
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(10))
        expect(world.shown[0].count(where: { $0.frame != nil }) == 90 * iterations, "\(world.shown[0].count)")
        let slot = try #require(world.wall.feeds[0].slots.first)
        expect(slot.id, atMost: 20)
    }

    private func failures(_ world: Simulation) -> Int {
        world.events.count { if case .itemEnd(_, _, .error) = $0.what { true } else { false } }
    }

    /// Each attempt is reported once and uses up one or two iterations, however many rounds are planned.
    @Test func whereNothingElsePlaysAttemptsAreReportedAndNotPlans() {
        for rounds in [1, 3, 100] {
            var layout = Layout.of([["http://dead/1"], ["film"]])
            layout.tiles[0].play[0].rounds = rounds
            var world = Simulation(layout, clips: clips())
            world.run(for: .seconds(30))
            // Each attempt is reported once.
            let attempts = world.openRequests["http://dead/1"] ?? 0
            expect((2...3).contains(attempts))
            expect((attempts - 1...attempts).contains(failures(world)), "\(rounds): \(failures(world))")
            expect(world.wall.feeds[0].anchor.iteration, atMost: 6, "\(world.wall.feeds[0].anchor)")
        }
    }

    /// The item before the dead source is over, though its last frame is still on screen.
    @Test func healthNamesTheSourceThatIsWaitedFor() {
        var world = Simulation(.of([["a", "http://dead/1", "b"]]), clips: clips(frames: 30))
        world.run(for: .seconds(8))
        let health = JSONWriter.text(HealthReport(world.wall.player.snapshot(at: world.now)).health())
        expect(health.contains("\"due\":\"http://dead/1\""), "\(health)")
    }

    /// A seek to before the delayed start of the first iteration finds the run that would play without the delay.
    @Test(arguments: [false, true]) func aSeekBackBeforeTheDelayFindsTheRunThatPlaysThere(_ isPaused: Bool) {
        var world = Simulation(.of([["http://dead/1", "a"]]), clips: clips())
        world.run(for: .seconds(30))
        if isPaused { world.command(.pause(.toggle, .group)) }
        world.command(.seek(.to(.milliseconds(8010)), .group))
        world.run(for: .milliseconds(600))
        let shown = world.framesNow[0]
        // Iterations of 3 s: 2 s into the third.
        let number = 60 + (isPaused ? 0 : 18)
        expect(shown?.clip == "a" && abs((shown?.number ?? -99) - number) <= 12, "\(String(describing: shown))")
    }

    /// A still image on a server follows a silent source. The image is ready when the source is given up.
    @Test func aStillOfAServerBehindItIsFetchedMeanwhile() throws {
        var clips = clips()
        clips["http://cam/1.jpg"] = FakeClip(frames: 1, opensIn: .milliseconds(900), isStill: true)
        var world = Simulation(.of([["http://dead/1", "http://cam/1.jpg"]]), clips: clips)
        let began = world.now
        world.run(for: .seconds(12))
        let first = try #require(world.shown[0].first { $0.frame?.clip == "http://cam/1.jpg" })
        expect((first.at - began - .seconds(10)).magnitude, atMost: .milliseconds(150), "\((first.at - began).seconds)")
    }

    // MARK: breaks

    private func world(_ due: BreakLayout, _ sequence: [String] = ["a", "b"]) -> Simulation {
        var world = Simulation(layout([sequence], [due]), clips: clips())
        world.run(for: .milliseconds(1500))
        world.command(.playBreak("ad"))
        return world
    }

    @Test func aBreakAtTheEndOfAnItemIsSkippedTwoSecondsAfterItWasDue() {
        var world = world(entry("ad", ["http://dead/1"]))
        world.run(for: .seconds(20))
        expect(torn(world).isEmpty, "\(order(world))")
        let held = zip(world.shown[0], world.shown[0].dropFirst()).map { $1.at - $0.at }.filter {
            $0 > .milliseconds(50)
        }
        expect(held.count == 1 && (held[0] - .seconds(2)).magnitude < .milliseconds(150), "\(held)")
        expect(world.wall.breaks.coveredTiles.isEmpty && !world.wall.breaks.all[0].isActive)
    }

    @Test func aBreakAtOnceLeavesItsTilePlayingWhileItIsAwaited() {
        var world = world(entry("ad", ["http://dead/1", "http://dead/2"]) { $0.when = .now })
        let asked = world.now
        world.run(for: .seconds(20))
        expect(order(world).first == "a 0-89" && world.slips(0, cycle: ["a", "b"]) == 0, "\(order(world))")
        expect(world.longestHold(0), below: .milliseconds(300), "\(world.longestHold(0).seconds)")
        expect(world.wall.breaks.coveredTiles.isEmpty && !world.wall.breaks.all[0].isActive)
        let failed = world.events.compactMap { event -> Time? in
            if case .itemEnd(let item, _, .error) = event.what, item.beginning == .break { event.at } else { nil }
        }
        expect(failed.count == 2 && failed.allSatisfy { $0 - asked < .milliseconds(2600) }, "\(failed)")
    }

    @Test func aBreakThatAnswersInTimeIsPlayed() {
        for when in [BreakLayout.When.now, .itemEnd] {
            var world = Simulation(layout([["a", "b"]], [entry("ad", ["ad"]) { $0.when = when }]), clips: clips())
            world.clips["ad"] = FakeClip(frames: 45, opensIn: .milliseconds(1700))
            world.run(for: .milliseconds(1500))
            world.command(.playBreak("ad"))
            world.run(for: .seconds(10))
            expect(order(world).contains("ad 0-44"), "\(when): \(order(world))")
            expect(states(world), equals: ["ad started", "ad ended"], "\(when)")
        }
    }

    @Test func severalItemsOfADeadServerCostTwoSecondsInAll() {
        var world = world(entry("ad", ["http://dead/1", "http://dead/2", "b"]))
        world.run(for: .seconds(20))
        expect(torn(world).isEmpty && order(world).prefix(3) == ["a 0-89", "b 0-44", "b 0-44"], "\(order(world))")
        expect(world.longestHold(0), below: .milliseconds(2200))
    }
}
