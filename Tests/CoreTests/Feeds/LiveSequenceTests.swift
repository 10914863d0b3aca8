import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import SimulatedWall

/// Several live sources in one sequence. Each plays until it ends, fails, or its duration is over.
@Suite struct LiveSequenceTests: BreakTesting {
    private let clips = [
        "udp://a:1": FakeClip(frames: 9000, rate: 25, opensIn: .milliseconds(400), madeFrom: .seconds(40)),
        "udp://b:1": FakeClip(frames: 9000, rate: 25, opensIn: .milliseconds(400), madeFrom: .seconds(40)),
        "http://c/live.m3u8": FakeClip(frames: 9000, rate: 25, opensIn: .milliseconds(900), madeFrom: .seconds(40)),
        "film": FakeClip(frames: 90),
    ]

    private func world(
        _ sequence: [String], lasting durations: [Int64?], pipelines: Int = 2, _ changes: [String: FakeClip] = [:],
        for time: Time
    ) -> Simulation {
        var layout = Layout.of([sequence])
        for (item, duration) in durations.enumerated() {
            layout.tiles[0].play[item].duration = duration.map { Time.seconds($0) }
        }
        var world = Simulation(layout, clips: clips.merging(changes) { $1 }, pipelines: pipelines)
        world.run(for: time)
        return world
    }

    /// Returns the clips in the order in which they were shown, and how long each was shown.
    private func turns(_ world: Simulation) -> [(clip: String, length: Time)] {
        var turns: [(clip: String, from: Time)] = []
        for (at, frame) in world.shown[0] {
            guard let frame, frame.clip != turns.last?.clip else { continue }
            turns.append((frame.clip, at))
        }
        return zip(turns, turns.dropFirst()).map { ($0.clip, $1.from - $0.from) }
    }

    @Test(arguments: [1, 2]) func theFirstPlaysUntilItEnds(_ pipelines: Int) {
        var short = clips["udp://a:1"]!
        short.frames = 25 * 75
        let world = world(
            ["udp://a:1", "udp://b:1"], lasting: [], pipelines: pipelines, ["udp://a:1": short], for: .seconds(30))
        let turns = turns(world)
        expect(turns.map(\.clip), equals: ["udp://a:1"], "\(turns)")
        expect((turns.first?.length ?? .zero), above: .milliseconds(14_500))
        expect(world.openRequests["udp://b:1"] == 1 && world.framesNow[0]?.clip == "udp://b:1")
    }

    @Test(arguments: [1, 2]) func eachLiveItemPlaysForItsDuration(_ pipelines: Int) {
        let world = world(
            ["udp://a:1", "udp://b:1", "http://c/live.m3u8"], lasting: [8, 5, 6], pipelines: pipelines,
            for: .seconds(62))
        let turns = turns(world)
        expect(
            turns.prefix(6).map(\.clip),
            equals: [
                "udp://a:1", "udp://b:1", "http://c/live.m3u8", "udp://a:1", "udp://b:1", "http://c/live.m3u8",
            ], "\(turns)")
        let lengths: [String: Int64] = ["udp://a:1": 8, "udp://b:1": 5, "http://c/live.m3u8": 6]
        // Turns count from the beginning of the wall, so the first one is shorter by the time of its opening. A source
        // plays on until the next one has a frame.
        for turn in turns.dropFirst() {
            let over = turn.length - .seconds(lengths[turn.clip]!)
            expect(over > .milliseconds(-100) && over < .milliseconds(1500), "\(turn)")
        }
        // A source is not read while another one plays.
        expect(world.openSources.count, atMost: 2)
    }

    @Test func aLiveItemThatFailsGivesItsTurnAway() {
        let dead = FakeClip(frames: 0, opensIn: .seconds(3), trouble: SourceTrouble(.unreachable, "gone"))
        let world = world(
            ["udp://a:1", "udp://b:1"], lasting: [5, 5], ["udp://b:1": dead], for: .seconds(40))
        expect(world.shown[0].compactMap(\.frame).allSatisfy { $0.clip == "udp://a:1" })
        // The source is tried each time its turn comes.
        expect((4...6).contains(world.openRequests["udp://b:1"] ?? 0), "\(world.openRequests)")
    }

    /// The source's duration ends while no frame arrives.
    @Test func aLiveItemThatStallsGivesItsTurnAway() {
        var world = world(["udp://a:1", "film"], lasting: [6, nil], for: .seconds(3))
        world.clips["udp://a:1"]?.madeFrom = .seconds(3600)
        world.run(for: .milliseconds(4500))
        expect(world.framesNow[0]?.clip, equals: "film", "\(turns(world))")
        expect(order(world).first { $0.hasPrefix("film") } ?? "film 0", equals: "film 0", "\(order(world))")
    }

    @Test(arguments: [1, 2]) func betweenFilmsItTakesNothingFromThem(_ pipelines: Int) {
        let world = world(["film", "udp://a:1"], lasting: [nil, 6], pipelines: pipelines, for: .seconds(40))
        let films = order(world).filter { $0.hasPrefix("film") }
        expect(films.count >= 3 && films.allSatisfy { $0 == "film 0-89" }, "\(order(world))")
    }

    /// The time played before the connection was lost counts.
    @Test func aLostConnectionDoesNotMakeItsTurnLonger() {
        var layout = Layout.of([["udp://a:1"]])
        layout.tiles[0].loop = .iterations(1)
        layout.tiles[0].play[0].duration = .seconds(10)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        world.breakOff("udp://a:1", SourceTrouble(.timeout, "no answer in time"))
        world.run(for: .seconds(25))
        expect(world.openRequests["udp://a:1"], equals: 2)
        let frames = world.shown[0].filter { $0.frame != nil }
        let length = (frames.last?.at ?? .zero) - (frames.first?.at ?? .zero)
        // The wait for the new connection does not count.
        expect(length > .seconds(9) && length < .seconds(13), "\(length)")
    }

    /// The source is alone in its sequence, so it is not connected again when its duration ends.
    @Test func aLiveItemAloneInItsSequenceIsNotConnectedAgain() {
        let world = world(["udp://a:1"], lasting: [4], for: .seconds(30))
        expect(world.openRequests["udp://a:1"] == 1 && world.slips(0, cycle: ["udp://a:1"]) == 0)
    }
}
