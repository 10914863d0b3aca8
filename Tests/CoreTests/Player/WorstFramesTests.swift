import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Measurement
@testable import Player
@testable import SimulatedWall

/// `next-worst` on a wall in simulated time: the worst of the frames that the figures have measured.
@Suite struct WorstFramesOfFigures {
    private let clips = ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600), "c": FakeClip(frames: 600)]

    /// Figures of a frame whose samples differ from the reference's by `apart`.
    private func answer(_ apart: Int) -> FiguresOrder.Answer {
        var sums = PlaneSums()
        (sums.samples, sums.squares, sums.windows, sums.similarity) = (100, UInt64(100 * apart * apart), 10, 9)
        return FiguresOrder.Answer(FrameFigures([sums], bits: 8), nil)
    }

    /// Plays, and measures each frame. `apart`: difference of a frame from the reference's, by clip and number; 0 for
    /// all others.
    private func play(_ world: inout Simulation, for length: Time, _ apart: [String: [Int: Int]]) {
        let end = world.now + length
        // An answer to an order that was answered before has no effect.
        var answered = 0
        while world.now < end {
            world.run(for: .milliseconds(20))
            guard world.figureOrders.count > answered, let order = world.figureOrders.last else { continue }
            answered = world.figureOrders.count
            let answers = order.pairs.map { pair in
                let fake = pair.other.frame.fake
                return self.answer(apart[fake.clip]?[fake.number] ?? 0)
            }
            world.act { wall, now in wall.take(answers, at: now) }
        }
    }

    /// Sends `next-worst`. Returns the notice, and the numbers of the frames that are shown from then on.
    private func next(_ world: inout Simulation) -> (notice: String?, frames: [Int?]) {
        world.command(.nextWorst)
        let notice = notice(&world)
        world.run(for: .seconds(1))
        return (notice, world.framesNow.map(\.?.number))
    }

    private func notice(_ world: inout Simulation) -> String? {
        let now = world.now
        return world.marked { $0.commanded(at: now) }.overlay.info.first
    }

    private func isPaused(_ world: inout Simulation) -> Bool {
        let before = world.framesNow.map(\.?.number)
        world.run(for: .seconds(1))
        return world.framesNow.map(\.?.number) == before
    }

    @Test func theWorstFramesAreVisitedInOrder() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.command(.figures)
        // Frames 70 and 80 are too close to the worse frame 75.
        play(&world, for: .seconds(6), ["b": [30: 9, 70: 11, 75: 12, 80: 7, 120: 5]])
        let first = next(&world)
        expect(first.notice, equals: "worst frame 1 of 3: 26.5 dB at 0:02.500")
        expect(first.frames, equals: [75, 75])
        expect(isPaused(&world))
        let second = next(&world)
        expect(second.notice == "worst frame 2 of 3: 29.0 dB at 0:01.000" && second.frames == [30, 30], "\(second)")
        let third = next(&world)
        expect(third.notice == "worst frame 3 of 3: 34.2 dB at 0:04.000" && third.frames == [120, 120], "\(third)")
        // After the last, the worst again.
        let again = next(&world)
        expect(again.notice == first.notice && again.frames == first.frames, "\(again)")
    }

    @Test func aWorseFrameBeginsTheListAnew() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.command(.figures)
        play(&world, for: .seconds(4), ["b": [30: 9, 75: 12]])
        _ = next(&world)
        _ = next(&world)
        world.command(.pause(.off, .group))
        play(&world, for: .seconds(6), ["b": [30: 9, 75: 12, 150: 14]])
        let worse = next(&world)
        expect(worse.notice == "worst frame 1 of 3: 25.2 dB at 0:05.000" && worse.frames == [150, 150], "\(worse)")
        // A better frame that is measured later only makes the list longer.
        world.command(.pause(.off, .group))
        play(&world, for: .seconds(4), ["b": [30: 9, 75: 12, 150: 14, 240: 3]])
        let next = next(&world)
        expect(next.notice == "worst frame 2 of 4: 26.5 dB at 0:02.500" && next.frames == [75, 75], "\(next)")
    }

    @Test func theNextOneIsReachedBeforeThePreviousIsShown() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.command(.figures)
        play(&world, for: .seconds(6), ["b": [30: 9, 75: 12, 120: 5]])
        world.command(.nextWorst)
        world.command(.nextWorst)
        let third = next(&world)
        expect(third.frames == [120, 120] && isPaused(&world), "\(third)")
    }

    @Test func aComparisonOverTheWallHasThoseOfItsMembers() {
        var world = Simulation(.of([["a"], ["b"], ["c"]]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.focus(.number(3)))
        world.command(.focus(.number(1)))
        world.command(.compare(.toggle))
        world.command(.figures)
        play(&world, for: .seconds(5), ["b": [60: 30], "c": [90: 9]])
        let found = next(&world)
        expect(found.notice, equals: "worst frame 1 of 1: 29.0 dB at 0:03.000")
        guard case .comparison(let shown)? = world.wall.composeScene(at: world.now).scene.views.last?.content else {
            Issue.record("no comparison is shown")
            return
        }
        expect(shown.parts.map(\.frame.fake.number), equals: [90, 90])
    }

    /// The focused tile is the reference: all others are measured against it.
    @Test func theReferenceHasTheFramesOfAllOthers() {
        var world = Simulation(.of([["a"], ["b"], ["c"]]), clips: clips)
        world.command(.figures)
        play(&world, for: .seconds(5), ["b": [60: 9], "c": [90: 12, 65: 11]])
        let found = [next(&world), next(&world)]
        expect(found[0].notice, equals: "worst frame 1 of 2, tile3: 26.5 dB at 0:03.000")
        expect(found[1].notice, equals: "worst frame 2 of 2, tile3: 27.3 dB at 0:02.166")
        world.command(.focus(.number(2)))
        let own = next(&world)
        expect(own.notice == "worst frame 1 of 1: 29.0 dB at 0:02.000" && own.frames == [60, 60, 60], "\(own)")
    }

    @Test func framesOfAFilmThatHasEndedAreReached() {
        let short = ["a": FakeClip(frames: 120), "b": FakeClip(frames: 120)]
        var world = Simulation(.of([["a"], ["b"]]) { $0.loop = .iterations(1) }, clips: short)
        world.command(.figures)
        play(&world, for: .seconds(9), ["b": [30: 9]])
        expect(world.framesNow.map(\.?.number), equals: [119, 119])
        let found = next(&world)
        expect(found.notice == "worst frame 1 of 1: 29.0 dB at 0:01.000" && found.frames == [30, 30], "\(found)")
    }

    @Test func withoutMeasuredFramesANoticeSaysWhatToDo() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        func refusal() -> [String?] {
            var reason: String?
            world.act { wall, now in reason = wall.apply(.nextWorst, at: now)?.detail }
            return [notice(&world), reason]
        }
        world.run(for: .seconds(1))
        expect(
            refusal(),
            equals: [
                "figures are off; y measures frames",
                "figures are off; the property figures, or the key y, switches them on",
            ])
        world.command(.figures)
        let lacking = "no measured frame of this item differs from the reference's"
        expect(refusal(), equals: ["no frame of this item is measured yet", lacking])
        play(&world, for: .seconds(1), [:])
        expect(refusal(), equals: ["all measured frames equal the reference's", lacking])
        expect(!isPaused(&world))
    }

    /// Plays two films whose instants differ by `offset`, jumps meanwhile, and notes each pair that is measured.
    private func pairs(offset: Time, isCompared: Bool, _ change: (inout Simulation) -> Void) -> [[Int]] {
        var clips = clips
        // The second decodes later than the first.
        clips["b"]?.framesDecodeIn = .milliseconds(15)
        clips["b"]?.opensIn = .milliseconds(40)
        var world = Simulation(.of([["a"], ["b"]]) { if $0.id == "tile2" { $0.offset = offset } }, clips: clips)
        if isCompared {
            world.run(for: .milliseconds(500))
            world.command(.compare(.toggle))
        }
        world.command(.figures)
        var measured: [[Int]] = []
        func watch(for length: Time) {
            let end = world.now + length
            while world.now < end {
                let before = world.figureOrders.count
                world.run(for: .milliseconds(10))
                guard world.figureOrders.count > before, let order = world.figureOrders.last else { continue }
                measured += order.pairs.map { [$0.reference, $0.other].map(\.frame.fake.number) }
                world.act { wall, now in wall.take(order.pairs.map { _ in self.answer(1) }, at: now) }
            }
        }
        watch(for: .milliseconds(2_500))
        change(&world)
        watch(for: .milliseconds(2_500))
        return measured
    }

    @Test func framesOfDifferentInstantsAreNotMeasuredAfterAJump() {
        let changes: [(String, (inout Simulation) -> Void)] = [
            ("home", { $0.command(.home(.group)) }),
            ("back", { $0.command(.seek(.by(.seconds(-2)), .group)) }),
            ("forward", { $0.command(.seek(.by(.seconds(2)), .group)) }),
        ]
        for (name, change) in changes {
            for offset in [Time.zero, .seconds(1), .seconds(-1)] {
                let apart = Int((offset.seconds * 30).rounded())
                for isCompared in [false, true] {
                    let measured = pairs(offset: offset, isCompared: isCompared, change)
                    let wrong = measured.filter { $0[1] - $0[0] != apart }
                    expect(
                        wrong.isEmpty && !measured.isEmpty,
                        "\(name), offset \(offset.seconds), \(isCompared): \(wrong)")
                }
            }
        }
    }
}
