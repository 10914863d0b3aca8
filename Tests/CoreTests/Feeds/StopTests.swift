import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The program does not run for a while, as after SIGSTOP. Frames that were due meanwhile are missed, whatever was
/// being played, at each phase of it.
@Suite struct StopTests {
    /// Sequences that the wall plays.
    struct Wall: CustomStringConvertible, Sendable {
        let name: String
        let play: [[String]]
        let change: @Sendable (inout Layout) -> Void
        let begin: @Sendable (inout Simulation) -> Void
        var description: String { name }

        init(
            _ name: String, _ play: [[String]], _ change: @escaping @Sendable (inout Layout) -> Void = { _ in },
            begin: @escaping @Sendable (inout Simulation) -> Void = { _ in }
        ) { (self.name, self.play, self.change, self.begin) = (name, play, change, begin) }
    }

    private static let clips: [String: FakeClip] = [
        "film": FakeClip(frames: 60), "short": FakeClip(frames: 7), "other": FakeClip(frames: 100, rate: 25),
        "long": FakeClip(frames: 3000), "still": FakeClip(frames: 1, isStill: true),
        "sound": FakeClip(frames: 40, isSound: true), "slow": FakeClip(frames: 75, opensIn: .milliseconds(300)),
        "http://server/film.mp4": FakeClip(frames: 75, opensIn: .milliseconds(120)),
        "unknown": FakeClip(frames: 75, knowsItsLength: false),
        "ntsc": FakeClip(frames: 90, rate: 30000, seconds: 1001),
    ]

    static let walls = [
        Wall("a looped film", [["film"]]), Wall("a short loop", [["short"]]), Wall("a long film", [["long"]]),
        Wall("a rate that is no whole number", [["ntsc"]]),
        Wall("a sequence", [["film", "other"]]), Wall("two tiles", [["film", "other"], ["long"]]),
        Wall("a film that opens slowly", [["slow"]]), Wall("a film of a server", [["http://server/film.mp4"]]),
        // The length is known from the second iteration on.
        Wall("an unknown length", [["unknown", "film"]]) { _ in
        } begin: {
            $0.run(for: .seconds(4))
        },
        Wall("a still among films", [["film", "still", "other"]]) { $0.tiles[0].play[1].duration = .seconds(1) },
        Wall("a sound among films", [["film", "sound", "other"]]),
        Wall("rounds", [["film", "short", "other"]]) {
            ($0.tiles[0].play[0].rounds, $0.tiles[0].play[1].rounds) = (2, 9)
        },
        Wall("an in-point and an out-point", [["other", "film"]]) {
            $0.tiles[0].play[0].segments[0].start = .milliseconds(500)
            $0.tiles[0].play[0].segments[0].end = .seconds(2)
        },
        Wall("another rate", [["film", "other"]]) { $0.groups[0].rate = Rate(0.75) },
        Wall("an item's rate", [["film", "other"]]) { $0.tiles[0].play[0].rate = Rate(0.5) },
        Wall("together, with the longest", [["other"], ["film"]]) { $0.groups[0].loop = .together },
        Wall("together, with the shortest", [["long"], ["film"]]) {
            ($0.groups[0].loop, $0.groups[0].until) = (.together, .shortest)
        },
        Wall("an A-B loop", [["long"]]) { _ in
        } begin: { world in
            world.command(.abLoop(.next, .group))
            world.run(for: .milliseconds(1300))
            world.command(.abLoop(.next, .group))
        },
        Wall("a short A-B loop over a seam", [["film", "other"]]) { _ in
        } begin: { world in
            world.run(for: .milliseconds(1700))
            world.command(.abLoop(.next, .group))
            world.run(for: .milliseconds(700))
            world.command(.abLoop(.next, .group))
        },
    ]

    /// A film that follows itself begins late after a delay. All that follows is then due later.
    private static let beginLate = ["a looped film", "a short A-B loop over a seam"]

    private func played(_ wall: Wall, for time: Time) -> Simulation {
        var layout = Layout.of(wall.play)
        wall.change(&layout)
        var world = Simulation(layout, clips: Self.clips)
        world.run(for: .seconds(1))
        wall.begin(&world)
        world.run(for: time)
        return world
    }

    private func played(_ wall: Wall, stoppedAfter phase: Time, for length: Time) -> Simulation {
        var world = played(wall, for: phase)
        world.now += length
        world.run(for: .milliseconds(4300))
        return world
    }

    private func counted(_ world: Simulation) -> [Int] {
        world.wall.health.map { $0.health.presented + $0.health.dropped }
    }

    @Test(arguments: walls, [Int64(6700), 12_000])
    func whatWasDueInAStopIsMissedAtEachPhase(_ wall: Wall, _ stop: Int64) {
        for step in seeds(6, from: 0) {
            let phase = Time.milliseconds(1100 + Int64(step) * 371)
            let world = played(wall, stoppedAfter: phase, for: .milliseconds(stop))
            let due = counted(played(wall, for: phase + .milliseconds(stop + 4300)))
            for (tile, (some, all)) in zip(counted(world), due).enumerated() {
                expect(abs(some - all), atMost: 1, "\(phase) tile \(tile + 1): \(some) of \(all) counted")
            }
            for case .itemEnd(let item, let tile, _) in world.events.map(\.what) {
                expect(
                    item.distinct + item.dropped, equals: item.frames, "\(phase) \(tile): \(item.source) of \(phase)")
            }
        }
    }

    /// A stop of less than two seconds is a delay, after which decoding catches up.
    @Test(arguments: walls.filter { !beginLate.contains($0.name) }) func aDelayIsCountedToo(_ wall: Wall) {
        for step in seeds(6, from: 0) {
            let phase = Time.milliseconds(1100 + Int64(step) * 197), stop = Int64(300 + step * 260)
            let world = played(wall, stoppedAfter: phase, for: .milliseconds(stop))
            let due = counted(played(wall, for: phase + .milliseconds(stop + 4300)))
            for (tile, (some, all)) in zip(counted(world), due).enumerated() {
                expect(abs(some - all), atMost: 1, "\(phase) for \(stop) tile \(tile + 1): \(some) of \(all) counted")
            }
        }
    }
}
