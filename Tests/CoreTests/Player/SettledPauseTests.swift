import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Decoded
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// A pause and steps on a wall that can't keep up: all tiles of a group show the frame of one instant.
@Suite struct SettledPauseTests {
    private static let names = ["a", "b", "c", "d"]

    /// Decoders that share two cores, each as slow as `decoding` states, in milliseconds.
    private func wall(_ decoding: [Int64], quality: Quality? = .auto, gop: Int = 30) -> Simulation {
        var layout = Layout.of(Self.names.map { [$0] })
        layout.quality = quality
        let clips = zip(Self.names, decoding).map {
            ($0, FakeClip(frames: 3000, framesDecodeIn: .milliseconds($1), gop: gop, codec: "h264"))
        }
        var world = Simulation(layout, clips: Dictionary(uniqueKeysWithValues: clips))
        world.cores = 2
        return world
    }

    /// Number of the frame that is due in the only group.
    private func due(_ world: Simulation) -> Int {
        let time = world.wall.clocks[0].dueTime(at: world.now)
        return Int(time.ticks * 30 / Time.seconds(1).ticks)
    }

    private func numbers(_ world: Simulation) -> [Int] { Self.names.indices.map { world.framesNow[$0]?.number ?? -1 } }

    private func expectSettled(_ world: Simulation, _ text: String) {
        expect(numbers(world), equals: Array(repeating: due(world), count: Self.names.count), "\(text)")
    }

    /// Decoding times with which a wall comes to each step of degrading, and how soon.
    static let loads: [(decoding: [Int64], after: Int64)] = [
        ([18, 19, 20, 16], 4), ([22, 22, 22, 22], 9), ([35, 22, 28, 19], 9), ([30, 45, 30, 60], 14),
        ([70, 40, 50, 60], 20), ([12, 90, 20, 33], 12),
    ]

    @Test(arguments: loads, [Quality.auto, .exact])
    func aPauseShowsOneInstant(_ load: (decoding: [Int64], after: Int64), _ quality: Quality) {
        for phase in seeds(3) {
            var world = wall(load.decoding, quality: quality, gop: 12)
            world.run(for: .seconds(load.after) + .milliseconds(Int64(phase) * 37))
            world.command(.pause(.on, .group))
            world.run(for: .seconds(3))
            expectSettled(world, "\(load) \(phase)")
            // Nothing changes any more.
            let shown = world.shown.map(\.count)
            world.run(for: .seconds(2))
            expect(world.shown.map(\.count), equals: shown)
            var last = numbers(world)
            for by in [1, 1, 1, -1, 1, 1, -1, -1, -1] {
                world.command(.step(by: by, .group))
                world.run(for: .seconds(6))
                expect(numbers(world), equals: last.map { $0 + by }, "\(load) \(phase), step by \(by)")
                last = numbers(world)
            }
            expectSettled(world, "\(load) \(phase), steps")
        }
    }

    /// Tiles change in one present, also while the machine is slow.
    @Test(arguments: loads) func aStepIsShownByAllTilesAtOnce(_ load: (decoding: [Int64], after: Int64)) {
        var world = wall(load.decoding, gop: 12)
        world.run(for: .seconds(load.after))
        world.command(.pause(.on, .group))
        world.run(for: .seconds(3))
        let before = world.shown.map(\.count)
        for _ in 0..<12 { world.command(.step(by: 1, .group)) }
        world.run(for: .seconds(40))
        let changes = zip(world.shown, before).map { Array($0.dropFirst($1)) }
        for tile in changes {
            expect(tile.count, equals: 12)
            expect(zip(tile, changes[0]).allSatisfy { $0.at == $1.at && $0.frame?.number == $1.frame?.number })
        }
        world.command(.stepOfAny(by: 1))
        world.run(for: .seconds(6))
        expectSettled(world, "\(load)")
    }

    /// The machine is freed only after the pause.
    @Test func whatIsTooSlowSettlesWhenTheLoadEnds() {
        var world = wall([200, 300, 400, 250], gop: 60)
        world.run(for: .seconds(25))
        world.command(.pause(.on, .group))
        world.run(for: .milliseconds(500))
        for name in Self.names { world.clips[name]!.framesDecodeIn = .milliseconds(4) }
        // The frames before the due one that were begun under load still take their time.
        world.run(for: .seconds(40))
        expectSettled(world, "after the load")
    }

    // MARK: quality

    private func steps(_ world: Simulation) -> [DegradingStep] {
        Self.names.indices.map { world.wall.feeds[FeedID(number: $0)].decoding.step }
    }

    @Test func whatIsComparedOrMeasuredIsDecodedExactly() {
        for command in [Change.figures, .compare(.toggle)] {
            var world = wall([22, 22, 22, 22], quality: nil)
            world.run(for: .seconds(15))
            expect(steps(world).contains { $0 > .nothing }, "an overloaded wall degrades")
            world.command(command)
            world.run(for: .seconds(1))
            expect(steps(world).allSatisfy { $0 == .nothing }, "\(command)")
            world.run(for: .seconds(15))
            expect(steps(world).allSatisfy { $0 == .nothing }, "\(command)")
            world.command(command)
            world.run(for: .seconds(15))
            expect(steps(world).contains { $0 > .nothing }, "\(command) is over")
        }
    }

    @Test func theQualityThatTheLayoutStatesHolds() {
        var world = wall([22, 22, 22, 22], quality: .auto)
        world.command(.figures)
        world.run(for: .seconds(15))
        expect(steps(world).contains { $0 > .nothing })
        let clips = ["/a.mkv", "/b.mkv", "/c.mkv"]
        for layout in [
            Layout.ofComparison(clips), Layout.ofComparison(Array(clips.prefix(2))),
            Layout.ofPair(clips[0], clips[1], offset: .zero),
        ] { expect(layout.quality, equals: .exact) }
    }

    /// The key i names what is left out now.
    @Test func whatIsLeftOutIsNamed() throws {
        var world = wall([22, 22, 22, 22], quality: nil)
        func left(_ tile: TileID) -> String? {
            InfoReport(snapshot: world.wall.player.snapshot(at: world.now)).info(of: tile).first {
                $0.hasPrefix("leaves out")
            }
        }
        world.run(for: .seconds(20))
        expect(left(2), equals: "leaves out: loop filter, frames nobody refers to")
        world.command(.figures)
        world.run(for: .seconds(2))
        expect(left(2)?.contains("loop filter") != true, "\(left(2) ?? "")")
    }
}
