import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

extension Clocks {
    /// Suspends the clocks, and returns those that are paused for that reason.
    fileprivate mutating func suspended(at now: Time) -> [GroupID] {
        let known = ids.filter(isSuspended)
        suspend(at: now)
        return ids.filter { isSuspended($0) && !known.contains($0) }
    }

    /// Resumes the clocks, and returns those that were paused only because the wall was hidden.
    fileprivate mutating func resumed(at now: Time, after delay: Time) -> [GroupID] {
        let known = ids.filter(isSuspended)
        resume(at: now, after: delay)
        return known
    }

    /// Pauses or resumes a clock. Returns true if its motion is another one then, or will be.
    fileprivate mutating func changes(
        _ group: GroupID, _ switching: Change.Switching, at now: Time, after delay: Time
    ) -> Bool {
        let before = motionWanted(of: group)
        pause(group, switching, at: now, after: delay)
        return motionWanted(of: group) != before
    }
}

@Suite struct ClocksTests {
    /// Returns three groups at second 10: one runs, one is paused, and one waits to run.
    private func clocks() -> Clocks {
        var clocks = Clocks()
        for (name, motion) in [("main", .running), ("still", .paused), ("waiting", .running)]
            as [(String, Clock.Motion)]
        {
            var group = Group(name: name, .each, .longest)
            group.wait(at: .zero, until: ms(500), then: motion)
            group.go(at: .zero, after: .zero)
            clocks.add(group)
        }
        clocks[2].seek(to: ms(70_000), at: ms(10_000), until: ms(10_250))
        return clocks
    }

    private func grab(_ group: GroupID, _ clocks: inout Clocks) {
        clocks.grab(0, group, at: ms(10_000), item: ms(8000)..<ms(12_000), width: 400, now: ms(10_000))
    }

    private func motions(_ clocks: Clocks) -> [Clock.Motion] { clocks.map(\.motionToCome) }

    @Test func heldClocksStandUntilTheyAreResumedAndOthersAreLeftAlone() {
        var clocks = clocks()
        expect(clocks.suspended(at: ms(10_000)), equals: [0, 2])
        expect(motions(clocks) == [.paused, .paused, .paused] && clocks.isWaiting)
        expect(clocks[0].clock.position(at: ms(90_000)), equals: ms(10_000))
        // A second suspension changes nothing.
        expect(clocks.suspended(at: ms(11_000)), equals: [])
        expect(clocks.resumed(at: ms(20_000), after: ms(50)), equals: [0, 2])
        expect(motions(clocks), equals: [.running, .paused, .running])
        expect(clocks[0].clock.position(at: ms(21_050)), equals: ms(11_000))
        expect(clocks[2].phase, equals: .waiting(until: ms(10_250), then: .running))
        expect(clocks.resumed(at: ms(22_000), after: .zero), equals: [])
    }

    @Test func whatIsPausedWhileNobodySeesItStaysPaused() {
        var clocks = clocks()
        clocks.suspend(at: ms(10_000))
        expect(clocks.motionWanted(of: 0), equals: .running)
        let isChanged = clocks.changes(0, .on, at: ms(11_000), after: .zero)
        expect(isChanged)
        expect(clocks.motionWanted(of: 0), equals: .paused)
        let resumed = clocks.resumed(at: ms(20_000), after: .zero)
        expect(resumed, equals: [2])
        expect(motions(clocks), equals: [.paused, .paused, .running])
    }

    /// A group that is resumed while the wall is suspended stays silent until the wall is seen.
    @Test func whatIsToGoOnWhileNobodySeesItStandsUntilItIsSeen() {
        var clocks = clocks()
        clocks.suspend(at: ms(10_000))
        for (group, switching) in [(1, .off), (0, .on), (0, .off)] as [(GroupID, Change.Switching)] {
            let isChanged = clocks.changes(group, switching, at: ms(11_000), after: .zero)
            expect(isChanged && motions(clocks) == [.paused, .paused, .paused])
        }
        expect(clocks.motionWanted(of: 1), equals: .running)
        expect(clocks.resumed(at: ms(20_000), after: .zero), equals: [0, 1, 2])
        expect(motions(clocks), equals: [.running, .running, .running])
        let isPaused = clocks.changes(0, .on, at: ms(21_000), after: .zero)
        expect(isPaused && motions(clocks) == [.paused, .running, .running])
    }

    /// The pause is pressed during a drag, or a step stops the clock.
    @Test func aPauseWhileNobodySeesItCountsWhenItIsSeen() {
        for pauses in 0...2 {
            var clocks = clocks()
            grab(0, &clocks)
            clocks.suspend(at: ms(10_100))
            for _ in 0..<pauses { clocks.pause(0, .toggle, at: ms(10_200), after: .zero) }
            expect(clocks.motionWanted(of: 0), equals: (pauses == 1 ? .paused : .running))
            expect(clocks.endScrub()?.motion, equals: .paused)
            clocks.resume(at: ms(11_000), after: .zero)
            expect(clocks[0].motionToCome, equals: (pauses == 1 ? .paused : .running), "\(pauses)")
        }
        var clocks = clocks()
        clocks.suspend(at: ms(10_000))
        clocks.pause(0, at: ms(10_100))
        expect(clocks.resumed(at: ms(11_000), after: .zero), equals: [2])
    }

    @Test func aGroupThatComesWhileNobodySeesItBeginsWhenItIsSeen() {
        var world = Simulation(
            Layout.of([["a"]]), clips: ["a": FakeClip(frames: 60), "b": FakeClip(frames: 300)])
        world.run(for: .milliseconds(500))
        world.act { $0.player.note(.restBegan, at: $1) }
        var next = Layout.of([["b"]])
        next.groups = [GroupLayout(name: "late")]
        next.tiles[0].group = "late"
        world.apply(next)
        world.run(for: .seconds(3))
        let position = { (world: Simulation) in
            world.wall.clocks.id(named: "late").map { world.wall.clocks[$0].clock.position(at: world.now) }
        }
        expect(position(world), equals: .zero)
        world.act { $0.player.note(.restEnded, at: $1) }
        world.run(for: .seconds(2))
        expect(
            position(world).map { $0 > .seconds(1) && $0 <= .seconds(2) }, equals: true,
            "\(String(describing: position(world)))")
    }

    @Test func aTileMovedAloneWhileNobodySeesItGoesOnWithTheOthers() {
        var clocks = clocks()
        clocks.suspend(at: ms(10_000))
        let own = clocks.add(alone: "one", of: 0)
        let resumed = clocks.resumed(at: ms(20_000), after: .zero)
        expect(resumed, equals: [0, 2, own])
        expect(clocks[own].clock.motion, equals: .running)
    }

    /// A wall is hidden during a drag. The drag ends before or after the wall is seen again.
    @Test(arguments: [true, false]) func aClockUnderAHandGoesOnWhenItIsLetGoAndSeen(isSeenFirst: Bool) {
        for group in [0, 1] as [GroupID] {
            var clocks = clocks()
            let motion = clocks[group].motionToCome
            grab(group, &clocks)
            clocks.suspend(at: ms(10_100))
            expect(clocks[group].motionToCome, equals: .paused)
            expect(clocks.scrub?.motion, equals: .paused)
            if isSeenFirst {
                clocks.resume(at: ms(10_200), after: .zero)
                expect(clocks[group].motionToCome == .paused && clocks.motionWanted(of: group) == motion)
                expect(clocks.endScrub()?.motion, equals: motion)
            } else {
                expect(clocks.endScrub()?.motion, equals: .paused)
                clocks.resume(at: ms(10_200), after: .zero)
                expect(clocks[group].motionToCome, equals: motion)
            }
            expect(clocks.scrub == nil && clocks[group].clock.position(at: ms(10_200)) == ms(group == 0 ? 10_000 : 0))
        }
    }

    @Test func aPauseUnderAHandCountsWhenItIsLetGo() {
        let cases: [(GroupID, [Change.Switching], Clock.Motion)] = [
            (0, [], .running), (0, [.toggle], .paused), (0, [.toggle, .toggle], .running), (0, [.off], .running),
            (0, [.on, .on], .paused), (1, [], .paused), (1, [.off], .running),
        ]
        for (group, reported, motion) in cases {
            var clocks = clocks()
            grab(group, &clocks)
            for switching in reported {
                clocks.pause(group, switching, at: ms(10_500), after: .zero)
                expect(clocks[group].clock.motion, equals: .paused)
            }
            expect(clocks.motionWanted(of: group), equals: motion)
            expect(clocks.endScrub()?.motion, equals: motion, "\(group) \(reported)")
        }
    }

    @Test func aPauseChangesAGroupThatPlays() {
        let cases: [(GroupID, Change.Switching, Bool, Clock.Motion)] = [
            (0, .on, true, .paused), (0, .off, false, .running), (0, .toggle, true, .paused),
            (1, .on, false, .paused), (1, .off, true, .running), (1, .toggle, true, .running),
            (2, .on, true, .paused), (2, .off, false, .running), (2, .toggle, true, .paused),
        ]
        for (group, switching, changes, motion) in cases {
            var clocks = clocks()
            let hasChanged = clocks.changes(group, switching, at: ms(10_100), after: .zero)
            expect(hasChanged == changes && clocks[group].motionToCome == motion, "\(group) \(switching)")
            expect(clocks[group].isWaiting, equals: (group == 2))
        }
    }

    @Test func aGroupUnderAHandStaysUntilItIsLetGo() {
        var clocks = clocks()
        grab(1, &clocks)
        clocks.remove(1)
        clocks.remove(2)
        expect(clocks.ids, equals: [0, 1])
        _ = clocks.endScrub()
        clocks.remove(1)
        expect(clocks.ids, equals: [0])
        // A suspended clock that was removed is not resumed.
        clocks.suspend(at: ms(10_000))
        clocks.remove(0)
        expect(clocks.resumed(at: ms(11_000), after: .zero) == [] && clocks.count == 0)
    }

    @Test func aDragStaysWithinItsItem() {
        var clocks = clocks()
        grab(0, &clocks)
        let scrub = clocks.scrub!
        let cases: [(Int, Time)] = [
            (0, ms(10_000)), (100, ms(11_000)), (-150, ms(8500)), (-200, ms(8000)), (-10_000, ms(8000)),
            (200, ms(12_000) - Time(ticks: 1)), (10_000, ms(12_000) - Time(ticks: 1)),
        ]
        for (pixels, position) in cases { expect(scrub.position(movedBy: pixels), equals: position, "\(pixels)") }
    }
}
