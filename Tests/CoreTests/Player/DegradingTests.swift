import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Decoded
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The ladder of degradations by itself: how a shortage and a surplus move it, and when.
@Suite struct DegradingLadderTests {
    private struct Ladder {
        var way = Degrading()
        var now = Time.zero

        /// Calls `update` each tenth of a second for `length`.
        mutating func elapse(_ length: Time, _ supply: Degrading.Supply, others: Degrading.Others = .some) {
            let end = now + length
            while now < end {
                now += .milliseconds(100)
                way.update(supply, others: others, at: now)
            }
        }
    }

    @Test func aShortMomentChangesNothing() {
        var ladder = Ladder()
        ladder.elapse(.milliseconds(400), .short(left: .milliseconds(50)))
        ladder.elapse(.milliseconds(100), .enough)
        ladder.elapse(.milliseconds(400), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 0)
    }

    @Test func aLastingShortageClimbsARungASecond() {
        var ladder = Ladder()
        ladder.elapse(.milliseconds(700), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 1)
        ladder.elapse(.seconds(2), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 3)
        ladder.elapse(.seconds(20), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 6)
    }

    @Test func nobodyClimbsWhileWhatIsLeftGrows() {
        var ladder = Ladder()
        for left in 1..<9 { ladder.elapse(.milliseconds(400), .short(left: .milliseconds(Int64(left) * 20))) }
        expect(ladder.way.stepsTaken, equals: 0)
        ladder.elapse(.milliseconds(700), .short(left: .milliseconds(170)))
        expect(ladder.way.stepsTaken, equals: 1)
    }

    @Test func theFocusedTileClimbsWhenTheOthersHaveClimbed() {
        var ladder = Ladder()
        var seen: [[DegradingStep]] = []
        for _ in 0..<80 {
            ladder.elapse(.milliseconds(100), .short(left: .milliseconds(50)))
            let now = [Degrading.Rank.other, .focused].map { ladder.way.step(of: $0, others: .some) }
            if seen.last != now { seen.append(now) }
        }
        expect(
            seen,
            equals: [
                [.nothing, .nothing], [.loopFilter, .nothing], [.unreferencedFrames, .nothing],
                [.everySecondFrame, .nothing], [.everySecondFrame, .loopFilter],
                [.everySecondFrame, .unreferencedFrames], [.everySecondFrame, .everySecondFrame],
            ])
    }

    @Test func aTileThatPlaysAloneClimbsItself() {
        var ladder = Ladder()
        ladder.elapse(.seconds(10), .short(left: .milliseconds(50)), others: .none)
        expect(ladder.way.stepsTaken, equals: 3)
        expect(ladder.way.step(of: .focused, others: .none), equals: .everySecondFrame)
    }

    @Test func plentyGivesBackARungAfterAWhile() {
        var ladder = Ladder()
        ladder.elapse(.seconds(2), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 2)
        ladder.elapse(.milliseconds(3900), .plenty)
        expect(ladder.way.stepsTaken, equals: 2)
        ladder.elapse(.milliseconds(400), .plenty)
        expect(ladder.way.stepsTaken, equals: 1)
        ladder.elapse(.seconds(5), .plenty)
        expect(ladder.way.stepsTaken, equals: 0)
    }

    @Test func enoughIsNotPlenty() {
        var ladder = Ladder()
        ladder.elapse(.milliseconds(700), .short(left: .milliseconds(50)))
        ladder.elapse(.seconds(60), .enough)
        expect(ladder.way.stepsTaken, equals: 1)
    }

    @Test func aRungThatWasGivenBackTooEarlyIsKeptTwiceAsLong() {
        var ladder = Ladder()
        ladder.elapse(.milliseconds(700), .short(left: .milliseconds(50)))
        ladder.elapse(.milliseconds(4200), .plenty)
        expect(ladder.way.stepsTaken, equals: 0)
        ladder.elapse(.milliseconds(900), .short(left: .milliseconds(50)))
        expect(ladder.way.stepsTaken, equals: 1)
        ladder.elapse(.milliseconds(7900), .plenty)
        expect(ladder.way.stepsTaken, equals: 1)
        ladder.elapse(.milliseconds(300), .plenty)
        expect(ladder.way.stepsTaken, equals: 0)
    }
}

/// Whole walls whose decoders share two cores.
@Suite struct DegradingTests {
    private func wall(quality: Quality = .auto, decoding: Time) -> Simulation {
        var layout = Layout.of([["a"], ["b"], ["c"], ["d"]])
        layout.quality = quality
        let clip = FakeClip(frames: 3000, framesDecodeIn: decoding)
        var simulation = Simulation(layout, clips: ["a": clip, "b": clip, "c": clip, "d": clip])
        simulation.cores = 2
        return simulation
    }

    private func steps(_ simulation: Simulation) -> [(tile: String, step: DegradingStep)] {
        simulation.events.compactMap { event in
            if case .degrade(let tile, let step) = event.what { (tile, step) } else { nil }
        }
    }

    @Test func aWallThatKeepsUpLeavesNothingOut() {
        var simulation = wall(decoding: .milliseconds(8))
        simulation.run(for: .seconds(30))
        expect(steps(simulation).isEmpty)
        expect(simulation.dropped, equals: 0)
    }

    @Test func anOverloadedWallGivesWayInOrderAndTheFocusedTileStaysWhole() {
        var simulation = wall(decoding: .milliseconds(22))
        simulation.run(for: .seconds(20))
        let steps = steps(simulation)
        expect(
            steps.prefix(6).map(\.step),
            equals: [.loopFilter, .loopFilter, .loopFilter]
                + Array(repeating: .unreferencedFrames, count: 3))
        expect(!steps.contains { $0.tile == "tile1" })
        // The tile keeps up once it has degraded.
        let before = simulation.wall.health[0].health.dropped
        simulation.run(for: .seconds(20))
        expect(simulation.wall.health[0].health.dropped, equals: before)
        expect(simulation.slips(0, cycle: ["a"]), atMost: before + 1)
    }

    @Test func whatWasLeftOutComesBackWhenThereIsPlentyAgain() {
        var simulation = wall(decoding: .milliseconds(22))
        simulation.run(for: .seconds(15))
        expect(simulation.wall.feeds[1].decoding.step, atLeast: .loopFilter)
        for name in simulation.clips.keys { simulation.clips[name]!.framesDecodeIn = .milliseconds(5) }
        simulation.run(for: .seconds(60))
        expect(simulation.wall.feeds.allSatisfy { $0.decoding.step == .nothing })
        let dropped = simulation.dropped
        simulation.run(for: .seconds(5))
        expect(simulation.dropped, equals: dropped)
    }

    @Test func anExactWallNeverGivesWay() {
        var simulation = wall(quality: .exact, decoding: .milliseconds(22))
        simulation.run(for: .seconds(20))
        expect(steps(simulation).isEmpty)
    }

    @Test func theStepsFollowTheFocus() {
        var simulation = wall(decoding: .milliseconds(22))
        simulation.run(for: .seconds(10))
        simulation.command(.focus(.number(2)))
        simulation.run(for: .seconds(1))
        expect(simulation.wall.feeds[1].decoding.step, equals: .nothing)
        expect(simulation.wall.feeds[0].decoding.step, atLeast: .loopFilter)
    }

    @Test func framesThatAreLeftOutCountAsDroppedAndTheClockGoesOn() {
        var simulation = wall(decoding: .milliseconds(22))
        simulation.run(for: .seconds(20))
        let health = simulation.wall.health[1].health
        let due = 20 * 30
        expect(abs(health.presented + health.dropped - due), atMost: 20, "\(health)")
    }
}
