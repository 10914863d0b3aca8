import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The events `lease` and `release`.
@Suite struct LeaseEventTests {
    private let clips = [
        "a": FakeClip(frames: 60), "b": FakeClip(frames: 90, gop: 15), "c": FakeClip(frames: 600, gop: 60),
        "slow": FakeClip(frames: 120, framesDecodeIn: .milliseconds(25)), "still": FakeClip(frames: 1, isStill: true),
        "udp://live": FakeClip(frames: 3000, rate: 25, madeFrom: .seconds(90)),
        "broken": FakeClip(frames: 0, trouble: SourceTrouble(.damaged, "no")),
    ]

    private func sequence(_ random: inout Seeded) -> [String] {
        let names = clips.keys.sorted()
        return (0...random.upTo(2)).map { _ in names[random.upTo(names.count)] }
    }

    private func layout(_ random: inout Seeded) -> Layout {
        var layout = Layout.of((0...random.upTo(5)).map { _ in sequence(&random) })
        layout.groups = [GroupLayout(name: "main"), GroupLayout(name: "other")]
        for index in layout.tiles.indices {
            layout.tiles[index].id = "t\(random.upTo(4))\(index)"
            if random.onceIn(3) { layout.tiles[index].group = "other" }
            // Two tiles may share a feed.
            if index > 0, random.onceIn(3) { layout.tiles[index].play = layout.tiles[index - 1].play }
        }
        var entry = BreakLayout(name: "ad", play: [Item(source: "a")])
        (entry.when, entry.tiles) = (.now, [layout.tiles[0].id])
        layout.breaks = [entry]
        layout.overflow = [.rotate(every: .seconds(1)), .first, .largest][random.upTo(3)]
        return layout
    }

    /// Each pipeline is lent and given back in turns, whatever becomes of the tile that it was lent to. Both events
    /// name that tile.
    @Test(arguments: seeds(30)) func eachLeaseHasItsRelease(_ seed: UInt64) {
        var random = Seeded(state: seed)
        var world = Simulation(layout(&random), clips: clips, pipelines: 1 + random.upTo(3))
        for _ in 0..<40 {
            world.run(for: .milliseconds(Int64(random.upTo(700))))
            switch random.upTo(5) {
            case 0: world.apply(layout(&random))
            case 1: world.apply(layout(&random), pipelines: 1 + random.upTo(4))
            case 2: world.command(random.onceIn(3) ? .endBreaks : .playBreak("ad"))
            case 3: world.command(AnyCommands.command(&random))
            default: world.command(.focus(.number(1 + random.upTo(5))))
            }
        }
        world.apply(Layout.of([]))
        world.run(for: .seconds(5))
        var lent: [Int: String] = [:]
        for event in world.events {
            switch event.what {
            case .lease(let tile, _, let pipeline, _):
                expect(lent[pipeline], equals: nil, "pipeline \(pipeline), lent to \(tile)")
                lent[pipeline] = tile
            case .release(let tile, _, let pipeline, _):
                expect(lent.removeValue(forKey: pipeline), equals: tile, "pipeline \(pipeline)")
            default: break
            }
        }
        expect(lent.isEmpty, "\(lent)")
    }
}
