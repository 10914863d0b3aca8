import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// A-B loops of a group's time, in simulated time.
@Suite struct ABLoops {
    private static let frame = Time(1, ofUnits: 1, over: 30)
    private static let clips = [
        "a": FakeClip(frames: 300, gop: 100), "b": FakeClip(frames: 60, gop: 60),
        "c": FakeClip(frames: 600, gop: 250), "d": FakeClip(frames: 45),
        "still": FakeClip(frames: 1, isStill: true),
    ]
    private static let press = Change.abLoop(.next, .group)

    private func world(
        _ sequences: [[String]], _ change: (inout TileLayout) -> Void = { _ in },
        layout edit: (inout Layout) -> Void = { _ in }
    ) -> Simulation {
        var layout = Layout.of(sequences, change)
        edit(&layout)
        return Simulation(layout, clips: Self.clips)
    }

    /// Marks an A-B loop from the frame on screen to the one `length` later, and plays it until its first frames show.
    private func mark(_ world: inout Simulation, after length: Time) {
        world.command(Self.press)
        world.run(for: length)
        world.command(Self.press)
        world.run(for: .seconds(1))
    }

    /// Runs the wall for `length` and returns what each tile showed, from its next change on.
    private func watched(_ world: inout Simulation, for length: Time) -> [[(at: Time, frame: FakeFrame?)]] {
        let before = world.shown.map(\.count)
        world.run(for: length)
        return zip(world.shown, before).map { Array($0.dropFirst($1)) }
    }

    /// True if each frame is followed by the next of the cycle, one frame's length later.
    private func isGapless(_ shots: [(at: Time, frame: FakeFrame?)], _ cycle: [(String, Int)]) -> Bool {
        let frames = shots.map { shot in shot.frame.map { ($0.clip, $0.number) } ?? ("", -1) }
        guard let first = frames.first, let begin = cycle.firstIndex(where: { $0 == first }) else { return false }
        let isInOrder = frames.enumerated().allSatisfy { $1 == cycle[(begin + $0) % cycle.count] }
        let isOnTime = zip(shots, shots.dropFirst()).allSatisfy { ($1.at - $0.at - Self.frame).magnitude.ticks < 5 }
        if !isInOrder || !isOnTime {
            Issue.record("\(shots.prefix(200).map { "\($0.frame?.number ?? -1)@\($0.at.seconds)" })")
        }
        return isInOrder && isOnTime
    }

    private func numbers(_ clip: String, _ range: ClosedRange<Int>) -> [(String, Int)] { range.map { (clip, $0) } }

    // MARK: iterations

    @Test(arguments: [1, 2, 3, 10, 40, 130]) func everyFrameOfAnABLoopIsShownInEachIteration(count: Int) {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3510))
        let first = world.framesNow[0]!.number
        mark(&world, after: Self.frame * Int64(count - 1))
        let dropped = world.dropped
        let shots = watched(&world, for: .seconds(20))
        for (tile, clip) in ["a", "c"].enumerated() {
            if count == 1 {
                expect(shots[tile].isEmpty && world.framesNow[tile]?.number == first)
            } else {
                expect(shots[tile].count, atLeast: 595)
                expect(isGapless(shots[tile], numbers(clip, first...first + count - 1)))
            }
        }
        expect(world.dropped, equals: dropped)
    }

    @Test func tilesOfUnlikeLengthAndOffsetKeepStep() {
        var world = world([["a"], ["b"]]) { if $0.id == "tile2" { $0.offset = .milliseconds(500) } }
        world.run(for: .milliseconds(3050))
        let first = world.framesNow[0]!.number
        mark(&world, after: .milliseconds(1500))
        let shots = watched(&world, for: .seconds(15))
        expect(isGapless(shots[0], numbers("a", first...first + 45)))
        // The second film has 60 frames and is 15 ahead, so the A-B loop spans its end.
        expect(isGapless(shots[1], (first...first + 45).map { ("b", ($0 + 15) % 60) }))
        for (one, other) in zip(shots[0], shots[1]) {
            expect(one.at == other.at && (one.frame!.number + 15) % 60 == other.frame!.number)
        }
    }

    @Test func anABLoopGoesOverSeveralItemsAndPasses() {
        var world = world([["a"], ["d", "b"]])
        world.run(for: .milliseconds(1250))
        mark(&world, after: .seconds(4))
        let shots = watched(&world, for: .seconds(30))
        let cycle = (36...156).map { place in
            let inIteration = place % 105
            return inIteration < 45 ? ("d", inIteration) : ("b", inIteration - 45)
        }
        expect(isGapless(shots[0], numbers("a", 36...156)))
        expect(isGapless(shots[1], cycle))
    }

    @Test func whatIsKeptIsNotDecodedAgain() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3510))
        mark(&world, after: .seconds(1))
        world.run(for: .seconds(2))
        let before = world.decoded
        world.run(for: .seconds(10))
        expect(world.decoded, equals: before)
    }

    @Test func anABLoopThatDoesNotFitIntoTheMemoryIsDecodedInEachIteration() {
        var world = world([["a"], ["c"]]) { _ in
        } layout: {
            $0.memoryMiB = 1
        }
        world.run(for: .milliseconds(2050))
        mark(&world, after: .seconds(4))
        let before = world.decoded["a"]!
        let shots = watched(&world, for: .seconds(20))
        expect(isGapless(shots[0], numbers("a", 60...180)))
        expect(isGapless(shots[1], numbers("c", 60...180)))
        expect(world.decoded["a"]! - before, above: 500)
    }

    // MARK: its ends

    @Test(arguments: [1, 3, 60]) func afterThatAllPlaysOnFromWhereItIs(count: Int) {
        var world = world([["a"], ["b"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: Self.frame * Int64(count - 1))
        world.command(Self.press)
        let here = world.framesNow[0]!.number
        let shots = watched(&world, for: .seconds(8))
        let frames = shots.map { $0.compactMap { $0.frame?.number } }
        expect(frames[0].last! > 295 || frames[0].last! < 60)
        expect(frames[0].first! > here && frames[0].first! <= here + 8)
        for (one, other) in zip(shots[0].dropFirst(15), shots[1].dropFirst(15)) where one.at == other.at {
            expect(one.frame!.number % 60, equals: other.frame!.number)
        }
        // Both tiles play on over the end of the iteration, and begin the next.
        expect(isGapless(Array(shots[0].dropFirst(15)), numbers("a", 0...299)))
        expect(isGapless(Array(shots[1].dropFirst(15)), numbers("b", 0...59)))
    }

    @Test func aTileThatHasEndedStaysSoAndOneThatEndsInItPlaysAgain() {
        var world = world([["a"], ["b"], ["d"]]) { if $0.id != "tile1" { $0.loop = .iterations(1) } }
        world.run(for: .milliseconds(1850))
        mark(&world, after: .seconds(1))
        let shots = watched(&world, for: .seconds(10))
        expect(isGapless(shots[0], numbers("a", 54...84)))
        // The second tile's last frame stays until the A-B loop begins again.
        let abIterations = shots[1].split { $0.frame?.number == 54 }
        expect(abIterations.count, atLeast: 9)
        expect(abIterations.dropFirst().dropLast().allSatisfy { $0.map { $0.frame!.number } == [55, 56, 57, 58, 59] })
        expect(shots[2].isEmpty && world.framesNow[2]?.number == 44)
    }

    @Test func earlierThanTheFirstMarkIsTheBeginning() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(5050))
        world.command(Self.press)
        world.command(.seek(.by(-.seconds(1)), .group))
        world.run(for: .milliseconds(500))
        let first = world.framesNow[0]!.number
        world.command(Self.press)
        world.run(for: .seconds(1))
        expect(isGapless(watched(&world, for: .seconds(5))[0], numbers("a", first...150)))
    }

    // MARK: groups that loop together

    @Test func aGroupThatLoopsTogetherLoopsAnABLoopOverTheEndOfItsPass() {
        var world = world([["a"], ["b"]]) { _ in
        } layout: {
            $0.groups[0].loop = .together
        }
        world.run(for: .milliseconds(9050))
        mark(&world, after: .seconds(2))
        let shots = watched(&world, for: .seconds(12))
        let cycle = numbers("a", 270...299) + numbers("a", 0...30)
        expect(isGapless(shots[0], cycle))
        // The shorter film holds its last frame until the iteration begins, and again after frame 30, where the A-B
        // loop ends.
        let abIterations = shots[1].split { $0.frame?.number == 59 }
        expect(abIterations.dropFirst().dropLast().count, atLeast: 4)
        expect(abIterations.dropFirst().dropLast().allSatisfy { $0.map { $0.frame!.number } == Array(0...30) })
        world.command(Self.press)
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, above: 30)
        let after = watched(&world, for: .seconds(12))
        expect(isGapless(after[0], numbers("a", 0...299)))
    }

    @Test func whereAShortTileWaitsForTheOthersItsLastFrameStays() {
        var world = world([["a"], ["b"]]) { _ in
        } layout: {
            $0.groups[0].loop = .together
        }
        world.run(for: .milliseconds(5050))
        mark(&world, after: .seconds(1))
        let shots = watched(&world, for: .seconds(5))
        expect(isGapless(shots[0], numbers("a", 150...180)))
        expect(shots[1].isEmpty && world.framesNow[1]?.number == 59)
    }

    // MARK: commands while it loops

    @Test func seeksStayInIt() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(2))
        for seek in [Change.Seek.by(.seconds(60)), .by(-.seconds(60)), .to(.seconds(9)), .to(.zero), .by(.seconds(1))] {
            world.command(.seek(seek, .group))
            world.run(for: .milliseconds(700))
            expect((90...150).contains(world.framesNow[0]!.number))
            expect(world.framesNow[0]!.number, equals: world.framesNow[1]!.number)
        }
        world.command(.home(.group))
        world.run(for: .milliseconds(400))
        expect((90...104).contains(world.framesNow[0]!.number))
        world.command(.end(.group))
        world.run(for: .milliseconds(500))
        expect(world.framesNow.map { $0!.number }, equals: [150, 150])
    }

    @Test(arguments: [3, 50]) func stepsGoRound(count: Int) {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: Self.frame * Int64(count - 1))
        let (first, last) = (90, 90 + count - 1)
        world.command(.pause(.on, .group))
        world.command(.seek(.by(-.seconds(60)), .group))
        world.run(for: .seconds(1))
        expect(world.framesNow.map { $0!.number }, equals: [first, first])
        for expected in [last, last - 1, last, first, first + 1] {
            let before = world.framesNow[0]!.number
            let isBack = expected == before - 1 || expected == last && before == first
            world.command(.step(by: isBack ? -1 : 1, .group))
            world.run(for: .seconds(1))
            expect(world.framesNow.map { $0!.number }, equals: [expected, expected])
        }
        world.command(.pause(.off, .group))
        world.run(for: .seconds(1))
        expect(isGapless(watched(&world, for: .seconds(5))[1], numbers("c", first...last)))
    }

    @Test func pauseAndAnotherRateAreAsElsewhere() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(1))
        world.command(.pause(.on, .group))
        let still = world.framesNow[0]!.number
        world.run(for: .seconds(3))
        expect(world.framesNow.map { $0!.number }, equals: [still, still])
        world.command(.pause(.off, .group))
        world.command(.rate(.to(Rate(0.5)), .group))
        world.run(for: .seconds(1))
        let slow = watched(&world, for: .seconds(6))
        expect((88...92).contains(slow[0].count))
        world.command(.rate(.to(.one), .group))
        world.run(for: .seconds(1))
        expect(isGapless(watched(&world, for: .seconds(5))[1], numbers("c", 90...120)))
    }

    @Test func aTileIsNudgedWhileItLoops() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(1))
        world.command(.focus(.number(2)))
        world.command(.nudgeByFrame(1))
        world.run(for: .seconds(3))
        let shots = watched(&world, for: .seconds(5))
        expect(isGapless(shots[0], numbers("a", 90...120)))
        expect(isGapless(shots[1], numbers("c", 91...121)))
    }

    @Test func aTileMovedAlonePlaysAllAndHomeBringsItBackIntoTheABLoop() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(1))
        world.command(.seek(.by(.seconds(1)), .tileAlone))
        world.run(for: .seconds(1))
        expect(isGapless(watched(&world, for: .seconds(2))[0], numbers("a", 0...299)))
        world.command(.home(.group))
        world.run(for: .seconds(1))
        let shots = watched(&world, for: .seconds(3))
        expect(isGapless(shots[0], numbers("a", 90...120)) && isGapless(shots[1], numbers("c", 90...120)))
    }

    // MARK: what is said and saved

    @Test func itsMarksArePropertiesAsInMpv() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        func ends(_ world: Simulation) -> [PropertyValue?] {
            ["ab-loop-a", "ab-loop-b"].map { try? world.wall.property($0, of: 0, at: world.now).get() }
        }
        expect(ends(world), equals: [.text("no"), .text("no")])
        mark(&world, after: .seconds(1))
        expect(ends(world), equals: [.number(3), .number(Double(121) / 30)])
        world.command(Self.press)
        expect(ends(world), equals: [.text("no"), .text("no")])
        for (name, value) in [("ab-loop-a", 2.5), ("ab-loop-b", 1.5)] {
            world.act { wall, now in expect(wall.set(name, to: .number(value), of: 1, at: now), equals: nil) }
        }
        // The later time becomes B, although it was set as A.
        expect(ends(world), equals: [.number(1.5), .number(2.5)])
        world.run(for: .seconds(1))
        expect(isGapless(watched(&world, for: .seconds(4))[1], numbers("c", 45...74)))
        world.act { wall, now in expect(wall.set("ab-loop-b", to: .text("no"), of: 1, at: now), equals: nil) }
        expect(ends(world), equals: [.number(1.5), .text("no")])
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, above: 75)
    }

    @Test func aLayoutIsSavedAsItWasAndAnotherEndsIt() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(1))
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
        var next = Layout.of([["a"], ["c"]])
        next.tiles[1].label = "another"
        world.apply(next)
        world.run(for: .milliseconds(500))
        expect(isGapless(watched(&world, for: .seconds(8))[0], numbers("a", 0...299)))
    }

    @Test func theSoundGoesOnOverItsEnd() {
        var world = world([["a"], ["c"]])
        world.run(for: .milliseconds(3050))
        mark(&world, after: .seconds(1))
        var heard: [Int64] = []
        let begin = world.wall.soundScene(at: world.now).parts[0].plan.sample(heardAt: world.now)
        let since = world.now
        for _ in 0..<300 {
            world.run(for: .milliseconds(10))
            let plan = world.wall.soundScene(at: world.now).parts[0].plan
            let sample = plan.sample(heardAt: world.now)
            // The mix's samples advance with the wall's time, without a jump.
            expect(abs(sample - begin - SoundGrid.sample(at: world.now - since)), atMost: 1)
            guard case .run(let run, let start, let end) = plan.segment(at: sample) else {
                Issue.record("silence at \(sample)")
                continue
            }
            heard.append(SoundGrid.sample(at: run.from) + sample - start)
            // The next segment is known 9600 samples ahead.
            if let end, end < sample + 9600 { expect(plan.segment(at: end) != .gap(until: nil)) }
        }
        // The A-B loop spans 3 s to the end of the frame one second later.
        expect(heard.allSatisfy { (144_000...193_600).contains($0) })
        expect(zip(heard, heard.dropFirst()).count { $1 < $0 }, atLeast: 2)
        let steps: [Int64] = zip(heard, heard.dropFirst()).map { $1 - $0 }
        expect(steps.allSatisfy { abs($0) == 480 || abs($0 + 49_120) < 3 })
    }
}
