import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct GroupTests {
    /// Returns a group that started at second 1 and then is paused if `motion` requires it.
    private func going(_ motion: Clock.Motion = .running) -> Group {
        var group = Group(name: "main", .together, .longest)
        group.wait(at: .zero, until: ms(500), then: motion)
        group.go(at: ms(1000), after: .zero)
        return group
    }

    @Test(arguments: [Clock.Motion.running, .paused]) func afterASeekItGoesOnAsItWas(_ motion: Clock.Motion) {
        var group = going(motion)
        // The second seek comes while the group still waits for the frames of the first.
        for (target, at) in [(60_000, 5000), (20_000, 5100)] as [(Int64, Int64)] {
            group.seek(to: ms(target), at: ms(at), until: ms(at + 250))
            expect(group.phase, equals: .waiting(until: ms(at + 250), then: motion))
            expect(group.clock.position(at: ms(at + 200)), equals: ms(target))
            expect(group.jump.at, equals: ms(at))
        }
        group.go(at: ms(5200), after: ms(100))
        expect(group.phase == .going && group.clock.motion == motion)
        expect(group.clock.position(at: ms(5300)), equals: ms(20_000))
        expect(group.clock.position(at: ms(6300)), equals: ms(motion == .running ? 21_000 : 20_000))
    }

    @Test(arguments: [Clock.Motion.running, .paused]) func twoWaitsInARowLeaveItAsItWas(_ motion: Clock.Motion) {
        var group = going(motion)
        for at in [3000, 3100, 3200] as [Int64] {
            group.wait(at: ms(at), until: ms(at + 250), then: group.motionToCome)
        }
        expect(group.isWaiting && group.clock.motion == .paused && group.motionToCome == motion)
        group.go(at: ms(3300), after: .zero)
        expect(group.clock.motion, equals: motion)
    }

    @Test func whatIsReportedWhileItWaitsHoldsWhenItGoes() {
        for says in [Clock.Motion.running, .paused] {
            for was in [Clock.Motion.running, .paused] {
                var group = going(was)
                group.seek(to: ms(60_000), at: ms(5000), until: ms(5250))
                if says == .running { group.run(at: ms(5100), after: .zero) } else { group.pause(at: ms(5100)) }
                expect(group.phase == .waiting(until: ms(5250), then: says) && group.clock.motion == .paused)
                group.go(at: ms(5200), after: .zero)
                expect(group.clock.motion == says && group.clock.position(at: ms(5200)) == ms(60_000))
            }
        }
    }

    /// A client may connect before the wall has begun.
    @Test func aPauseBeforeItHasBegunHolds() {
        var group = Group(name: "main", .each, .longest)
        expect(group.motionToCome, equals: .running)
        group.pause(at: ms(10))
        expect(group.motionToCome == .paused && group.clock.motion == .paused)
        group.wait(at: ms(20), until: ms(520), then: group.motionToCome)
        group.go(at: ms(400), after: .zero)
        expect(group.clock.motion, equals: .paused)

        var other = Group(name: "main", .each, .longest)
        other.set(Clock.Start(position: ms(500), rate: .one, motion: .paused))
        expect(other.motionToCome, equals: .paused)
        other.run(at: ms(10), after: .zero)
        expect(other.motionToCome == .running && other.clock.motion == .paused)
        expect(other.clock.position(at: ms(900)), equals: ms(500))
    }

    @Test func beforeItsFirstStartASeekPutsNothingOff() {
        var group = Group(name: "main", .each, .longest)
        group.seek(to: ms(3000), at: ms(10), until: ms(260))
        expect(group.phase, equals: .asleep(then: .running))
        group.wait(at: ms(20), until: ms(520), then: .running)
        group.seek(to: ms(7000), at: ms(300), until: ms(550))
        expect(group.phase == .waiting(until: ms(520), then: .running) && !group.hasStarted)
        group.go(at: ms(400), after: .zero)
        expect(group.clock.position(at: ms(1400)), equals: ms(8000))
    }

    @Test func aJumpThatIsWantedIsItsDestinationUntilItIsMade() {
        var group = going()
        group.jump.pending = .steps(3, of: 0)
        expect(group.destination(at: ms(4000)), equals: ms(3000))
        group.jump.pending = .position(ms(50_000))
        group.jump.alignsTo = 0
        expect(group.destination(at: ms(4000)), equals: ms(50_000))
        group.seek(to: ms(40_000), at: ms(4000), until: ms(4250))
        expect(group.jump.pending == nil && group.jump.alignsTo == nil && group.destination(at: ms(4000)) == ms(40_000))
    }

    @Test func aPausedGroupAlignsToAFrameThatBeginsEarlierOnly() {
        for (begins, expected) in [(2960, 2960), (3000, 3000), (3040, 3000)] as [(Int64, Int64)] {
            var group = going()
            group.pause(at: ms(4000))
            group.jump.alignsTo = 0
            group.align(at: ms(begins), at: ms(5000))
            expect(group.jump.alignsTo, equals: nil)
            expect(group.clock.position(at: ms(5000)), equals: ms(expected))
        }
    }

    @Test func ratesStayWithinTheirEndsAndTheClockWhereItIs() {
        let cases: [([Change.RateChange], Double)] = [
            ([.faster], 1.1), ([.faster, .faster, .to(.one)], 1), ([.to(Rate(9))], 4), ([.to(Rate(0.01))], 0.25),
            (Array(repeating: .faster, count: 99), 4), (Array(repeating: .slower, count: 99), 0.25),
        ]
        for (changes, rate) in cases {
            var group = going()
            for change in changes { group.setRate(change, at: ms(4000)) }
            expect(group.clock.rate, equals: Rate(rate), "\(changes[0])")
            expect(group.clock.position(at: ms(4000)), equals: ms(3000))
        }
    }

    @Test(arguments: [(29_999, 0), (30_000, 3), (45_000, 3)] as [(Int64, Int)])
    func onlyASeekOutOfItsIterationBeginsAnew(to target: Int64, _ iteration: Int) {
        var group = going()
        group.iterations.turn(3, of: ms(10_000))
        group.seek(to: ms(target), at: ms(36_000), until: ms(36_250))
        expect(group.iterations.number == iteration && group.iterations.start == ms(Int64(iteration) * 10_000))
    }

    @Test func theClockOfATileAloneGoesOnAsItsGroupsDoes() {
        var group = going()
        group.seek(to: ms(60_000), at: ms(5000), until: ms(5250))
        var alone = Group(alone: "tile1", of: group)
        expect(alone.isAlone && !alone.isTogether && alone.phase == group.phase && alone.clock == group.clock)
        alone.seek(to: ms(1000), at: ms(5100), until: ms(5350))
        expect(alone.motionToCome == .running && group.clock.position(at: ms(5100)) == ms(60_000))
    }
}
