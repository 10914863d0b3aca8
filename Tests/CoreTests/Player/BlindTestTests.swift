import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// An A/B/X test: its trials, its score, and the wall that shows its clips.
@Suite struct BlindTestTests {
    // MARK: trials and score

    /// Probabilities of a fair coin, computed with whole numbers.
    @Test(arguments: [
        (12, 16, 0.0384063720703125), (16, 16, 1.52587890625e-05), (8, 16, 0.5981903076171875),
        (9, 10, 0.0107421875), (14, 16, 0.0020904541015625), (60, 100, 0.028443966820490395), (1, 1, 0.5),
        (500, 1000, 0.5126125090891804), (560, 1000, 8.252493527522651e-05), (1000, 1000, 9.332636185032189e-302),
        (0, 16, 1), (0, 0, 1),
    ]) func theProbabilityIsThatOfAtLeastSoManyByChance(_ right: Int, _ trials: Int, _ expected: Double) {
        let probability = BlindTest.probability(ofAtLeast: right, of: trials)
        expect(abs(probability / expected - 1), below: 1e-12, "\(right) of \(trials): \(probability)")
    }

    @Test func xIsSeenFirstAndIsNoAnswer() {
        var test = BlindTest(hidden: [.b, .a, .b], at: .seconds(10))
        expect(test.sight == .x && test.seen == .b)
        expect(test.answer(at: .seconds(11)) == .none && test.trials.isEmpty)
        test.show(.a)
        expect(test.seen == .a && test.answer(at: .seconds(12)) == .next)
        expect(test.trials, equals: [BlindTest.Trial(x: .b, answer: .a, length: .seconds(2))])
        expect(test.sight == .x && test.seen == .a)
        test.show(.b)
        test.show(.a)
        expect(test.answer(at: .seconds(15)) == .next && test.trials[1].length == .seconds(3))
        test.show(.b)
        expect(test.answer(at: .seconds(16)) == .over && test.answer(at: .seconds(17)) == .none)
        expect(test.trials.map(\.isRight) == [false, true, true] && test.right == 2 && test.probability == 0.5)
    }

    // MARK: keys

    @Test func noKeyTellsAndTimeIsMovedForBothAlike() {
        let keys = KeyTable.blind
        for letter in "cdegijklmnoprstuvwyz" {
            for modifiers in [[], .shift, .control, .alt] as [Modifiers] {
                let command = keys.change(for: .letter(letter), modifiers, isRepeated: false)
                expect(command == nil || command == .window(.quit(0)), "\(letter) \(modifiers)")
            }
        }
        for key in [Key.digit(1), .tab, .named("UP"), .named("DOWN"), .named("END")] {
            expect(keys.change(for: key, [], isRepeated: false), equals: nil, "\(key)")
        }
        for key in [Key.space, .named("LEFT"), .sign("."), .named("HOME"), .plus, .sign("[")] {
            expect(keys.change(for: key, [], isRepeated: false) != nil, "\(key)")
            expect(keys.change(for: key, .control, isRepeated: false), equals: nil, "\(key)")
        }
        expect(keys.change(for: .enter, [], isRepeated: false), equals: .blind(.answer))
        expect(keys.change(for: .enter, [], isRepeated: true), equals: nil)
        expect(keys.allows(.magnify(.steps(1), at: nil)))
        expect(
            !keys.allows(.click(Point(1, 1))) && !keys.allows(.scrub(.ended)) && KeyTable.wall.allows(.scrub(.ended)))
    }

    // MARK: on a wall

    private let clips = [
        "/a": FakeClip(frames: 600), "/b": FakeClip(frames: 600),
        "/wide": FakeClip(frames: 600, natural: Size(2560, 1440)), "/short": FakeClip(frames: 60),
        "/late": FakeClip(frames: 600, opensIn: .milliseconds(400)),
        "/gone": FakeClip(frames: 1, trouble: SourceTrouble(.missing, "no such file")),
    ]

    private func world(
        _ first: String = "/a", _ second: String = "/b", offset: Time = .zero, hidden: [BlindTest.Clip]
    ) -> Simulation {
        var world = Simulation(Layout.ofPair(first, second, offset: offset), clips: clips)
        world.act { wall, now in wall.begin(BlindTest(hidden: hidden, at: now), at: now) }
        return world
    }

    private func seen(_ world: inout Simulation) -> FakeFrame? {
        guard case .frame(let placed)? = world.wall.composeScene(at: world.now).scene.views.first?.content
        else {
            return nil
        }
        return placed.frame.fake
    }

    private func see(_ sight: Change.Blind.Sight, _ world: inout Simulation) -> FakeFrame? {
        world.command(.blind(.show(sight)))
        return seen(&world)
    }

    @Test func theThreeAreSeenAtTheSameInstantAndNothingIsDropped() {
        let hidden: [BlindTest.Clip] = [.b, .a, .a, .b]
        var world = world(hidden: hidden)
        world.run(for: .seconds(1))
        for clip in hidden {
            let name = "/\(clip.rawValue)"
            expect(seen(&world)?.clip, equals: name)
            for _ in 0..<20 {
                world.run(for: .milliseconds(23))
                let (a, b) = (see(.a, &world), see(.b, &world)), x = see(.x, &world)
                expect(a?.clip == "/a" && b?.clip == "/b" && x?.clip == name)
                expect(a?.number == b?.number && x?.number == a?.number)
            }
            world.command(.blind(.show(.a)))
            world.command(.blind(.answer))
        }
        expect(world.wall.blindTest?.trials.map(\.x) == hidden && world.wall.blindTest?.right == 2)
        expect(world.dropped == 0 && world.openRequests == ["/a": 1, "/b": 1] && world.mostLeases == 2)
    }

    /// The scenes differ only in the frame and in the letter of what is seen.
    @Test func nothingElseOfTheSceneChanges() {
        var world = world(hidden: [.a])
        world.run(for: .seconds(3))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(1))
        func rest(_ sight: Change.Blind.Sight) -> (rect: Rect, target: Rect, crop: Fractions, label: String?)? {
            world.command(.blind(.show(sight)))
            let foot = "trial 1 of 1: \(sight.rawValue.uppercased())"
            var scene = world.wall.composeScene(at: world.now).scene
            var visibility = MarksVisibility()
            visibility.commanded(at: world.now)
            _ = world.wall.mark(&scene, visibility.visibility(at: world.now).marks, at: world.now)
            expect(scene.views.count == 1 && scene.views[0].marks == Marks() && scene.overlay == Overlay(foot: foot))
            guard case .frame(let placed)? = scene.views.first?.content else { return nil }
            return (scene.views[0].rect, placed.target, placed.crop, scene.views[0].label)
        }
        let (a, b, x) = (rest(.a), rest(.b), rest(.x))
        expect(a != nil && a?.label == nil)
        expect(a?.rect == b?.rect && a?.target == b?.target && a?.crop == b?.crop)
        expect(a?.rect == x?.rect && a?.target == x?.target && a?.crop == x?.crop)
    }

    @Test func theScreenStatesTheTrialAndWhichOfTheThreeIsSeen() {
        var world = world(hidden: [.a, .b])
        world.run(for: .seconds(3))
        func foot() -> String? { world.marked { _ in }.overlay.foot }
        expect(foot(), equals: "trial 1 of 2: X")
        world.command(.blind(.show(.b)))
        expect(foot(), equals: "trial 1 of 2: B")
        world.command(.blind(.answer))
        expect(foot(), equals: "trial 2 of 2: X")
        world.command(.blind(.show(.a)))
        world.command(.blind(.answer))
        // The test is over: the last trial stays until the window closes.
        expect(foot(), equals: "trial 2 of 2: A")
    }

    /// Showing a clip before the other is ready would reveal X.
    @Test func nothingIsSeenUntilBothAreThere() {
        var world = world("/a", "/late", hidden: [.b])
        var seen: Set<String> = []
        for _ in 0..<100 {
            world.run(for: .milliseconds(10))
            if let frame = self.seen(&world) { seen.insert(frame.clip) }
        }
        expect(seen, equals: ["/late"])
    }

    @Test func aClipThatCannotBeShownGetsNoAnswers() {
        var world = world("/a", "/gone", hidden: [.a])
        world.run(for: .seconds(2))
        let (a, x) = (see(.a, &world), see(.x, &world))
        expect(a == nil && x == nil)
        world.command(.blind(.show(.a)))
        world.command(.blind(.answer))
        expect(world.wall.blindTest?.trials.isEmpty, equals: true)
    }

    @Test func theShorterClipWaitsForTheLonger() {
        var world = world("/short", "/a", hidden: [.a])
        world.run(for: .milliseconds(10_500))
        expect(see(.a, &world)?.number, equals: 59)
        world.run(for: .seconds(10))
        let (a, b) = (see(.a, &world), see(.b, &world))
        expect(a?.clip == "/short" && a?.number == b?.number && (a?.number ?? 99) < 30)
    }

    @Test func theOffsetIsHowFarAheadBIs() {
        var world = world(offset: .seconds(2), hidden: [.a])
        world.run(for: .seconds(3))
        let (a, b) = (see(.a, &world), see(.b, &world))
        expect(a != nil && b?.number == a.map { $0.number + 60 })
    }

    @Test func zoomIsTheSameForBothAndEscapeIsTheEnd() {
        var world = world("/wide", "/b", hidden: [.b])
        world.run(for: .seconds(1))
        world.command(.magnify(.steps(4), at: nil))
        func crop(_ sight: Change.Blind.Sight) -> Fractions? {
            world.command(.blind(.show(sight)))
            guard case .frame(let placed)? = world.wall.composeScene(at: world.now).scene.views.first?.content
            else {
                return nil
            }
            return placed.crop
        }
        let (a, b) = (crop(.a), crop(.b))
        expect(a != nil && a != .all && a == b)
        world.wall.carryOut(.window(.escape), at: world.now)
        expect(world.wall.finishChange(at: world.now).window, equals: [.quit(0)])
    }
}
