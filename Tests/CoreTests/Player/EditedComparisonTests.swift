import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Layouts that change or remove the members of a comparison, and commands to that tile before the next scene.
@Suite struct EditedComparisons {
    private let clips = [
        "a": FakeClip(frames: 600), "b": FakeClip(frames: 600), "c": FakeClip(frames: 600),
        "never": FakeClip(frames: 600, opensIn: .seconds(100)),
    ]

    /// Returns a layout of two tiles and a third that compares them.
    private func layout(_ change: (inout TileLayout) -> Void = { _ in }) -> Layout {
        var layout = Layout.of([["a"], ["b"]])
        var tile = TileLayout(id: "ab", place: .cell(column: 0, row: 1, columns: 2, rows: 1), play: [])
        tile.compare = ComparisonLayout(members: [.tile("tile1"), .tile("tile2")])
        change(&tile)
        (layout.grid.columns, layout.grid.rows) = (2, 2)
        layout.tiles.append(tile)
        return layout
    }

    @Test(arguments: [true, false]) func aComparingTileIsEditedAndThenRemoved(_ isGroup: Bool) {
        var world = Simulation(layout(), clips: clips)
        world.run(for: .seconds(1))
        var edited = layout { tile in
            if isGroup { tile.group = "second" } else { tile.onError = .hold }
        }
        edited.groups.append(GroupLayout(name: "second"))
        world.apply(edited)
        world.run(for: .milliseconds(500))
        var without = edited
        without.tiles.removeLast()
        world.apply(without)
        world.run(for: .seconds(1))
        world.wall.expectSound()
        expect(world.wall.missCount == 0 && world.wall.feeds.count == 2)
        expect(world.frameNow("tile1")!.number > 70 && world.frameNow("tile2")!.number > 70)
    }

    @Test func aComparisonIsMagnifiedAndGrabbedAfterAMemberWasRemoved() {
        var world = Simulation(layout(), clips: clips)
        world.run(for: .seconds(1))
        var without = layout()
        without.tiles.remove(at: 1)
        without.tiles[1].compare!.members = [
            .tile("tile1"), .source(Item(source: "c"), offset: .zero),
        ]
        world.act { wall, now in
            wall.apply(without, at: now)
            let tile = wall.tiles.id(named: "ab")!
            let shown = wall.tiles[tile].watch!.shown.count
            expect(shown, equals: 1)
            let rect = wall.output.rect(of: tile)
            let middle = Point(rect.x + rect.width / 2, rect.y + rect.height / 2)
            wall.carryOut(.magnify(.steps(2), at: middle), at: now)
            wall.carryOut(.scrub(.began(at: middle)), at: now)
            wall.carryOut(.scrub(.moved(by: 20)), at: now)
            wall.carryOut(.scrub(.ended), at: now)
        }
        expect(world.wall.missCount, equals: 0)
        world.run(for: .seconds(1))
        world.wall.expectSound()
    }

    /// The frame on screen belongs to a segment that the item in its place does not have.
    @Test func figuresStandOverAKeptComparisonWhoseItemWasMoved() {
        var segments = Item.Segments(Item.Segment(source: "a"), [Item.Segment(source: "a")])
        (segments[0].start, segments[0].end, segments[1].start) = (.zero, .milliseconds(500), .seconds(3))
        var changed = layout()
        changed.tiles[0].play = [Item(segments: segments), Item(source: "c")]
        var world = Simulation(changed, clips: clips)
        world.run(for: .seconds(1))
        world.command(.figures)
        // The other side has nothing to show, so the comparison keeps its frames.
        changed.tiles[1].play = [Item(source: "never")]
        world.apply(changed)
        world.run(for: .milliseconds(300))
        world.command(.focus(.number(1)))
        world.command(.sequence(.move(0, to: 1)))
        for _ in 0..<20 {
            world.run(for: .milliseconds(50))
            _ = world.marked { _ in }
        }
        expect(world.wall.missCount, equals: 0)
    }
}
