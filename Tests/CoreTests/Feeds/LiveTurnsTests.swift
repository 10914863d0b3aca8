import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Tiles that show several cameras in turn, each for its duration.
@Suite struct LiveTurnsTests {
    private let names = ["udp://a:1", "udp://b:1", "udp://c:1", "udp://d:1"]

    private func camera(opensIn milliseconds: Int64) -> FakeClip {
        FakeClip(frames: 25 * 3600, rate: 25, opensIn: .milliseconds(milliseconds), madeFrom: .seconds(40))
    }

    /// Makes tiles that each show these cameras for `duration`. The cameras take longer and longer to open.
    private func world(
        _ sequences: [[String]], lasting duration: Time, pipelines: Int, _ changes: [String: FakeClip] = [:]
    ) -> Simulation {
        var layout = Layout.of(sequences)
        for tile in layout.tiles.indices {
            for item in layout.tiles[tile].play.indices { layout.tiles[tile].play[item].duration = duration }
        }
        let cameras = names.enumerated().map { ($1, camera(opensIn: 400 + 900 * Int64($0))) }
        let clips = Dictionary(uniqueKeysWithValues: cameras).merging(changes) { $1 }
        return Simulation(layout, clips: clips, pipelines: pipelines)
    }

    /// Returns the times at which a tile shows another camera, since the beginning.
    private func changes(_ world: Simulation, _ tile: Int) -> [(at: Time, clip: String)] {
        var last: String?
        return world.shown[tile].compactMap { at, frame in
            guard let clip = frame?.clip, clip != last else { return nil }
            defer { last = clip }
            return last == nil ? nil : (at - .seconds(100), clip)
        }
    }

    private func ill(_ world: Simulation) -> Int {
        guard case .success(let health) = world.wall.property("health", at: world.now),
            case .list(let ill)? = health["ill"]
        else { return -1 }
        return ill.count
    }

    /// Returns the sources that `health` names as skipped.
    private func skipped(_ world: Simulation) -> [String] {
        guard case .success(let health) = world.wall.property("health", at: world.now),
            case .list(let skipped)? = health["skipped"]
        else { return ["none"] }
        return skipped.map { $0["source"]?.asText ?? "" }
    }

    private func troubles(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            switch event.what {
            case .stale, .recovered, .trouble: "\(event.what)"
            default: nil
            }
        }
    }

    /// With two pipelines for two tiles, the next camera is open before its turn. With four, it is decoded, too.
    @Test(arguments: [2, 4]) func equalDurationsChangeTogether(pipelines: Int) {
        var world = world([[names[0], names[1]], [names[2], names[3]]], lasting: .seconds(6), pipelines: pipelines)
        for _ in 0..<60 {
            world.run(for: .seconds(1))
            expect(ill(world), equals: 0)
        }
        let first = changes(world, 0).map(\.at), second = changes(world, 1).map(\.at)
        expect(first.count >= 8 && second.count >= 8, "\(first) \(second)")
        // The first camera to be opened comes late: its tile changes with the next turn at the latest.
        for instant in first.dropFirst() {
            let other = second.map { ($0 - instant).magnitude }.min() ?? .distantFuture
            expect(other, below: .milliseconds(150), "\(instant)")
            let turns = (instant.ticks + Time.seconds(3).ticks) / Time.seconds(6).ticks
            expect((instant - .seconds(6) * turns).magnitude, below: .milliseconds(150), "\(instant)")
        }
        expect(troubles(world), equals: [])
        expect(world.mostLeases, atMost: pipelines)
        expect(world.dims.isEmpty)
        // After its first frame, a camera's frames wait for those that come unevenly.
        for tile in 0..<2 {
            let times = world.shown[tile].filter { $0.frame != nil }.map(\.at)
            let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
            expect(longest, below: .milliseconds(450), "\(longest.seconds)")
        }
    }

    /// A camera that does not answer before its turn takes no time of the others' display. One that takes longer than
    /// five seconds the first time is awaited from its second turn on.
    @Test(arguments: [1, 2]) func aCameraPlaysOnUntilTheNextOneIsThere(pipelines: Int) {
        let slow = camera(opensIn: 8000)
        var world = world(
            [[names[0], names[1]]], lasting: .seconds(6), pipelines: pipelines, [names[1]: slow])
        world.run(for: .seconds(75))
        let times = world.shown[0].filter { $0.frame != nil }.map(\.at)
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
        expect(longest, below: .milliseconds(450), "\(longest.seconds)")
        // Less than half of its turn is left when the late camera comes, so that it has another turn.
        let instants = changes(world, 0).map(\.at)
        expect(instants.count, atLeast: 6)
        for (instant, next) in zip(instants.dropFirst(2), instants.dropFirst(3)) {
            expect((next - instant).magnitude, below: .milliseconds(9500), "\(instant.seconds)")
        }
        expect(world.dims.isEmpty && ill(world) == 0)
    }

    @Test func theTimeOfADeadCameraFallsToTheOneAfterIt() {
        let dead = FakeClip(frames: 0, opensIn: .seconds(3), trouble: SourceTrouble(.unreachable, "gone"))
        var world = world(
            [[names[0], names[1], names[2]], [names[0], names[2], names[3]]], lasting: .seconds(6), pipelines: 4,
            [names[1]: dead])
        world.run(for: .seconds(90))
        let dying = changes(world, 0), sound = changes(world, 1)
        expect(dying.allSatisfy { $0.clip != names[1] } && dying.count >= 8, "\(dying)")
        // The camera after the dead one is opened when the dead one has failed.
        for change in dying.dropFirst() where change.clip != names[2] {
            expect(sound.contains { ($0.at - change.at).magnitude < .milliseconds(300) }, "\(change)")
        }
        expect(world.dims.isEmpty && ill(world) == 0)
    }

    /// The wall waits five seconds for a camera's first answer. Later attempts go on beside the cameras that play.
    @Test func aSilentCameraIsPassedOverUntilItAnswers() {
        let silent = FakeClip(frames: 0, opensIn: .seconds(10), trouble: SourceTrouble(.timeout, "no answer"))
        var world = world(
            [[names[0], names[1], names[2]]], lasting: .seconds(4), pipelines: 2,
            [names[1]: silent, names[2]: camera(opensIn: 400)])
        world.run(for: .seconds(15))
        for _ in 0..<60 {
            world.run(for: .seconds(1))
            expect(skipped(world), equals: [names[1]])
            expect(ill(world), equals: 0)
        }
        // The camera after the silent one plays in its time, too.
        let later = changes(world, 0).filter { $0.at > .seconds(15) }
        expect(later.count, atLeast: 9, "\(later)")
        for (change, next) in zip(later, later.dropFirst()) {
            let length: Time = change.clip == names[0] ? .seconds(4) : .seconds(8)
            expect((next.at - change.at - length).magnitude, below: .milliseconds(300), "\(later)")
            let turns = (change.at.ticks + Time.seconds(2).ticks) / Time.seconds(4).ticks
            expect((change.at - .seconds(4) * turns).magnitude, below: .milliseconds(300), "\(later)")
        }
        let attempts = world.openRequests[names[1]] ?? 0
        expect((5...8).contains(attempts), "\(attempts)")
        world.clips[names[1]] = camera(opensIn: 400)
        world.run(for: .seconds(40))
        let last = changes(world, 0).suffix(3).map(\.clip)
        expect(Set(last), equals: Set(names.prefix(3)), "\(last)")
        expect(skipped(world), equals: [])
    }

    @Test func aCameraBesideADeadOneStaysConnected() {
        let dead = FakeClip(frames: 0, opensIn: .seconds(1), trouble: SourceTrouble(.unreachable, "gone"))
        var world = world([[names[0], names[1]]], lasting: .seconds(6), pipelines: 2, [names[1]: dead])
        world.run(for: .seconds(60))
        expect(world.openRequests[names[0]], equals: 1)
        expect((4...7).contains(world.openRequests[names[1]] ?? 0), "\(world.openRequests)")
    }

    /// A tile that is added later changes with the others, too.
    @Test func aTileThatIsAddedLaterFallsIntoStep() {
        var world = world([[names[0], names[1]]], lasting: .seconds(6), pipelines: 4)
        world.run(for: .milliseconds(20_300))
        var layout = Layout.of([[names[0], names[1]], [names[2], names[3]]])
        for tile in 0..<2 {
            for item in 0..<2 { layout.tiles[tile].play[item].duration = .seconds(6) }
        }
        world.apply(layout)
        world.run(for: .seconds(40))
        let first = changes(world, 0).map(\.at), second = changes(world, 1).map(\.at)
        expect(second.count, atLeast: 4)
        for instant in second {
            expect(first.contains { ($0 - instant).magnitude < .milliseconds(150) }, "\(instant)")
        }
    }
}
