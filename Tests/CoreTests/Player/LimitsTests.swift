import Base
import Commands
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

/// Cases that could run without end, or ever more slowly, on a wall in simulated time.
@Suite struct Limits {
    private let clips = [
        "a": FakeClip(frames: 600, gop: 60), "b": FakeClip(frames: 600, gop: 60),
        "short": FakeClip(frames: 60, knowsItsLength: false),
        "one": FakeClip(frames: 1, rate: 10, knowsItsLength: false),
        "tick": FakeClip(frames: 1, rate: Int(Time.ticksPerSecond)), "long": FakeClip(frames: 90),
        "hung": FakeClip(frames: 60, opensIn: .seconds(1_000_000)),
    ]

    private func world(_ sequences: [[String]], start: Time = .zero, _ change: (inout Layout) -> Void = { _ in })
        -> Simulation
    {
        var layout = Layout.of(sequences)
        change(&layout)
        return Simulation(layout, clips: clips, start: start)
    }

    // MARK: openings

    /// `render` waits meanwhile, because its time runs faster than that of a disk.
    @Test func aSourceThatIsBeingOpenedIsKnown() {
        var world = Simulation(
            .of([["still", "late"]]),
            clips: ["still": FakeClip(frames: 1, isStill: true), "late": FakeClip(frames: 90, opensIn: .seconds(2))])
        func report() -> Snapshot { world.wall.snapshot(at: world.now) }
        for _ in 0..<500 where world.openRequestsUnderWay("late") == 0 { world.run(for: .milliseconds(10)) }
        expect(report().isOpening)
        world.run(for: .milliseconds(2100))
        expect(!report().isOpening)
    }

    // MARK: iterations

    @Test(.timeLimit(.minutes(1)), arguments: [["tick"], ["tick", "tick"]])
    func oneFrameOfATickLoopsTogetherWithoutEnd(sequence: [String]) {
        var world = world([sequence, ["tick"]]) { $0.groups[0].loop = .together }
        for _ in 0..<10 {
            world.run(for: .milliseconds(100))
            expect(world.framesNow.allSatisfy { $0?.clip == "tick" })
        }
    }

    @Test(.timeLimit(.minutes(1))) func threeYearsIntoALoopAreEnteredAtOnce() {
        let years = Time.seconds(27000 * 3600)
        let took = ContinuousClock().measure {
            var world = world([["a"], ["long"]], start: years) { $0.groups[0].loop = .together }
            world.run(for: .seconds(1))
            // 97,200,000 s are 4,860,000 iterations of 20 s.
            expect((28...31).contains(world.framesNow[0]!.number))
            expect((28...31).contains(world.framesNow[1]!.number))
        }
        expect(took, below: .seconds(1))
    }

    /// Films of 3 s and 20 s, in iterations of 20 s. The first plays in only five iterations, the second, in one case,
    /// in seven.
    @Test func iterationsOfUnlikeMembersAreCountedAsTheyAre() {
        for (start, iterations, number) in [(99, nil, 596), (101, nil, 56), (205, 7, 599)] as [(Int64, Int?, Int)] {
            var world = world([["long"], ["a"]], start: .seconds(start)) { layout in
                layout.groups[0].loop = .together
                layout.tiles[0].loop = .iterations(5)
                if let iterations { layout.tiles[1].loop = .iterations(iterations) }
            }
            world.run(for: .milliseconds(900))
            expect(world.framesNow[0]?.clip == "long" && world.framesNow[0]?.number == 89, "\(start)")
            expect((number - 3...number + 1).contains(world.framesNow[1]!.number), "\(start)")
        }
    }

    // MARK: many tiles

    /// Eight times the tiles, each in a group of its own, take about eight times as long.
    @Test func anUpdateTakesTimeThatGrowsWithTheTiles() {
        func duration(of count: Int) -> Int {
            var layout = Layout.of((0..<count).map { ["\($0)"] })
            layout.groups = (0..<count).map { GroupLayout(name: "\($0)") }
            for index in layout.tiles.indices { layout.tiles[index].group = "\(index)" }
            var wall = Wall(layout: layout, pipelines: 64)
            wall.note(.began, at: .zero)
            return leastNanoseconds(times: 5) { wall.update(at: .milliseconds(Int64($0))) }
        }
        let (few, many) = (duration(of: 256), duration(of: 2048))
        expect(many, below: few * 20, "nanoseconds: \(few) \(many)")
    }

    // MARK: instants beyond what is known

    /// The clips' lengths are unknown until they were read to the end.
    @Test(arguments: [("one", 0), ("short", 0)]) func anInstantFarBeyondAShortLoopOfUnknownLengthIsEntered(
        clip: String, number: Int
    ) throws {
        var world = world([[clip]], start: .seconds(30))
        world.run(for: .milliseconds(400))
        let frame = try #require(world.framesNow[0])
        expect(frame.clip, equals: clip)
        // 30 s are a whole number of iterations of both.
        expect(frame.number, atMost: 14)
        expect(world.decoded[clip, default: 0], below: 200)
    }

    @Test func anInstantBeyondTheEndOfAnUnknownLengthIsItsLastFrame() {
        var world = world([["short"]], start: .seconds(30)) { $0.tiles[0].loop = .iterations(1) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.number, equals: 59)
    }

    // MARK: before the beginning

    @Test func aTileThatBeginsLaterHoldsNobodyUpAndShowsItsFirstFrame() throws {
        var world = world([["a"], ["b"]]) { $0.tiles[1].offset = .seconds(-2) }
        world.run(for: .milliseconds(200))
        // A start waits half a second at most.
        expect((4...6).contains(world.framesNow[0]!.number))
        expect(world.framesNow[1]?.number, equals: 0)
        world.run(for: .seconds(4))
        let before = world.framesNow[1]!.number
        expect((60...66).contains(before))
        let began = world.now
        world.command(.home(.group))
        world.run(for: .milliseconds(60))
        expect(world.framesNow[1]?.number, equals: 0)
        expect(world.shown[1].last!.at - began, below: .milliseconds(60))
        world.run(for: .milliseconds(1500))
        expect(world.framesNow[1]?.number, equals: 0)
        expect(world.framesNow[0]!.number, above: 40)
        world.run(for: .seconds(1))
        expect((10...25).contains(world.framesNow[1]!.number))
        expect(world.spinners[1].isEmpty)
    }

    @Test func aStandingWallBeforeATilesBeginningIsSettled() {
        for together in [false, true] {
            var layout = Layout.of([["a"], ["b"]])
            layout.tiles[1].offset = .seconds(-2)
            layout.groups[0].loop = together ? .together : .each
            var world = Simulation(layout, clips: clips)
            world.run(for: .milliseconds(100))
            expect(world.wall.snapshot(at: .zero).hasBegun)
            expect(world.wall.isSettled(at: world.now))
        }
    }

    // MARK: sources that stay open

    @Test func aJumpOpensNoFileAgain() {
        var world = world([["a"], ["b"], ["a"], ["b"]]) { layout in
            for tile in 2..<4 { layout.tiles[tile].offset = .seconds(1) }
        }
        world.run(for: .seconds(2))
        let opened = world.openRequests
        for by in [5, -3, 4, -2, 6] as [Int64] {
            world.command(.seek(.by(.seconds(by)), .group))
            world.run(for: .milliseconds(700))
        }
        world.command(.step(by: -1, .group))
        world.run(for: .seconds(1))
        expect(world.openRequests, equals: opened)
        expect(opened, equals: ["a": 2, "b": 2])
    }

    // MARK: sources that hang

    @Test func aSourceThatHangsFailsAfterTenSecondsAndIsOpenedOnce() throws {
        var world = world([["hung"], ["a"]])
        world.run(for: .seconds(9))
        expect(world.events.allSatisfy { if case .trouble = $0.what { false } else { true } })
        world.run(for: .seconds(110))
        let troubles = world.events.compactMap { event -> SourceTrouble? in
            if case .trouble(_, _, _, _, let trouble) = event.what { trouble } else { nil }
        }
        expect(troubles, equals: [SourceTrouble(.timeout, "no answer within 10 s of opening")])
        expect(world.openRequests["hung"], equals: 1)
        expect(world.slips(1, cycle: ["a"]), equals: 0)
    }

    @Test func aSourceThatHangsIsOpenedOnceThoughSeatsChange() {
        var layout = Layout.of([["hung"], ["a"], ["b"]])
        layout.overflow = .rotate(every: .seconds(2))
        layout.audio.focus = 1
        var world = Simulation(layout, clips: clips, pipelines: 2)
        for _ in 0..<60 {
            world.run(for: .seconds(1))
            expect(world.openRequestsUnderWay("hung"), atMost: 1)
        }
        expect(world.openRequests["hung"], equals: 1)
    }

    /// Forty tiles take turns on four pipelines. The sources of all but one hang.
    @Test func threadsOfSourcesThatHangAreBounded() {
        let names = (0..<39).map { "hung\($0)" }
        var clips = clips
        for name in names { clips[name] = FakeClip(frames: 60, opensIn: .seconds(1_000_000)) }
        var layout = Layout.of([["a"]] + names.map { [$0] })
        layout.overflow = .rotate(every: .seconds(1))
        var world = Simulation(layout, clips: clips)
        for _ in 0..<90 {
            world.run(for: .seconds(2))
            expect(names.map(world.openRequestsUnderWay).reduce(0, +), atMost: 32)
        }
        expect(names.allSatisfy { world.openRequests[$0, default: 0] <= 1 })
        expect(world.dropped, equals: 0)
    }

    @Test func aSourceThatAnswersAfterAllIsPlayed() throws {
        var clips = clips
        clips["slow"] = FakeClip(frames: 60, opensIn: .seconds(30))
        var world = Simulation(.of([["slow"], ["a"]]), clips: clips)
        world.run(for: .seconds(60))
        expect(world.framesNow[0]?.clip, equals: "slow")
        expect(world.openRequests["slow"], equals: 1)
    }

    // MARK: crops

    /// The same file whole, then a sixteenth of it: the second item needs a frame of four times the width and height.
    @Test func eachItemIsDecodedForItsOwnCrop() throws {
        var layout = Layout.of([["large", "large"]])
        layout.tiles[0].play[1].crop = .fractions(Fractions(0.25, 0.25, 0.25, 0.25))
        let large = FakeClip(frames: 30, natural: Size(7680, 4320))
        var world = Simulation(layout, clips: ["large": large])
        world.run(for: .milliseconds(500))
        expect(world.framesNow[0]?.size, equals: Size(1280, 720))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.size, equals: Size(5120, 2880))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.size, equals: Size(1280, 720))
    }
}
