import Testing

@testable import WallCore

/// How long items are said to have been shown.
@Suite struct ProofOfPlayTests {
    private let clips = ["a": FakeClip(pictures: 60), "b": FakeClip(pictures: 90)]

    private func seconds(_ world: Simulation) -> [String] {
        world.events.compactMap { event -> String? in
            guard case .itemEnd(let item, let tile, _) = event.what else { return nil }
            let tenths = (item.shown(until: event.at).seconds * 10).rounded() / 10
            return "\(tile) \(item.source) \(tenths)"
        }
    }

    @Test func whileTheDisplayIsOffNothingIsShown() {
        var world = Simulation(Layout.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        for _ in 0..<2 {
            world.act { wall, now in wall.suspend(at: now) }
            world.run(for: .seconds(3600))
            world.act { wall, now in wall.resume(at: now) }
            world.run(for: .milliseconds(100))
        }
        world.run(for: .seconds(3))
        #expect(seconds(world) == ["tile1 a 2.0", "tile2 b 3.0"], "\(seconds(world))")
    }

    @Test func whatEndsMeanwhileWasShownTillThen() {
        var world = Simulation(Layout.of([["a"], ["b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.suspend(at: now) }
        world.run(for: .seconds(60))
        // One goes, one gets another film, one is on when the program ends.
        var layout = Layout.of([["a"], ["a"]])
        layout.tiles[0].id = "tile3"
        layout.tiles[0].play = [Item(pieces: [Item.Piece(source: "b")])]
        world.apply(layout)
        world.run(for: .seconds(60))
        world.act { wall, now in wall.endItems(at: now) }
        #expect(
            seconds(world).filter { !$0.hasSuffix("0.0") }.sorted() == ["tile1 a 1.0", "tile2 b 1.0", "tile3 b 1.0"],
            "\(seconds(world))")
    }

    @Test func aPauseByHandIsShown() {
        var world = Simulation(Layout.of([["a", "b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(10))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        #expect(seconds(world) == ["tile1 a 12.0"], "\(seconds(world))")
    }
}
