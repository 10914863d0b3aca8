import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Labels of items, which stand in place of their tile's.
@Suite struct ItemLabelTests {
    private func layout(_ text: String) throws -> Layout {
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "/w/wall.json") else {
            throw ControlError(.loadingFailed, because: "no layout: \(text)")
        }
        return layout
    }

    private func value(_ world: Simulation, _ path: String) -> String? {
        (try? WallReport(world.wall, at: world.now).value(at: path, of: nil).get())?.asText
    }

    @Test func anItemsLabelStandsWhileItIsShown() throws {
        let layout = try layout(
            #"{"tiles": [{"label": "Stage", "play": [{"src": "/w/a", "label": "One"}, "/w/b", {"src": "/w/a", "label": ""}]}]}"#
        )
        var world = Simulation(layout, clips: ["/w/a": FakeClip(frames: 60), "/w/b": FakeClip(frames: 60)])
        func label() -> String? { world.wall.composeScene(at: world.now).scene.views.first?.label }
        for (item, label, title) in [(0, "One", "One"), (1, "Stage", "b"), (2, "Stage", "a"), (0, "One", "One")] {
            world.run(for: .seconds(1))
            expect(world.wall.composeScene(at: world.now).scene.views.first?.label, equals: label, "item \(item)")
            expect(value(world, "tiles/tile1/label"), equals: label)
            expect(value(world, "media-title") == title && value(world, "now-playing/title") == title, "item \(item)")
            world.run(for: .seconds(1))
        }
        expect(value(world, "playlist/0/title"), equals: "One")
        expect(value(world, "playlist/1/title"), equals: nil)
    }

    /// A new label is no new item.
    @Test func anotherLabelLeavesTheItemPlaying() throws {
        let clips = ["/w/a": FakeClip(frames: 600)]
        var world = Simulation(
            try layout(#"{"tiles": [{"play": {"src": "/w/a", "label": "One"}}]}"#), clips: clips)
        world.run(for: .seconds(2))
        world.apply(try layout(#"{"tiles": [{"play": {"src": "/w/a", "label": "Two"}}]}"#))
        world.run(for: .seconds(2))
        expect(world.slips(0, cycle: ["/w/a"]), equals: 0)
        expect(value(world, "tiles/tile1/label"), equals: "Two")
    }

    @Test func theSidesOfAComparisonHaveThem() throws {
        let layout = try layout(
            #"""
            {"tiles": [{"id": "both", "compare": [{"src": "/w/a", "label": "Original"}, "/w/b"]}]}
            """#)
        guard case .source(let items, _)? = layout.tiles[0].compare?.members.first else {
            Issue.record("\(layout.tiles)")
            return
        }
        expect(items.first?.label, equals: "Original")
    }
}
