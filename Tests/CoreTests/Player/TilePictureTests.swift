import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// A tile's frame as a picture of its own.
@Suite struct TilePictureTests {
    private var clips: [String: FakeClip] {
        var large = FakeClip(frames: 600)
        large.natural = Size(1920, 1080)
        return ["large": large, "b": FakeClip(frames: 600)]
    }

    /// Frames are decoded as small as their tiles are, until one is wanted in its own size.
    @Test(arguments: [false, true]) func aTilesPictureHasTheSizeOfItsFilm(_ isPaused: Bool) throws {
        var world = Simulation(.of([["large"], ["b"], ["b"], ["b"]]), clips: clips)
        world.run(for: .seconds(2))
        if isPaused { world.command(.pause(.on, .group)) }
        world.run(for: .seconds(1))
        let tile = try #require(world.wall.tile(named: "tile1"))
        let number = world.framesNow[0]?.number
        let small = try #require(world.wall.picture(of: tile))
        expect(!small.isFullSize && small.target.size.width < 1000, "\(small.target.size)")
        world.act { wall, now in wall.decodeInFullSize(tile, at: now) }
        world.run(for: .milliseconds(1500))
        let picture = try #require(world.wall.picture(of: tile))
        expect(picture.isFullSize && picture.target.size == Size(1920, 1080), "\(picture.target.size)")
        if isPaused { expect(world.framesNow[0]?.number, equals: number) }
        world.act { wall, now in wall.decodeInFullSize(nil, at: now) }
        guard !isPaused else { return }
        world.run(for: .milliseconds(1500))
        expect(world.wall.picture(of: tile)?.isFullSize, equals: false)
    }

    @Test func aTilesPictureShowsThePartThatTheLayoutShows() throws {
        var layout = Layout.of([["large"]])
        layout.tiles[0].play[0].look.crop = .fractions(Fractions(0.25, 0, 0.5, 1))
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        let tile = try #require(world.wall.tile(named: "tile1"))
        world.act { wall, now in wall.decodeInFullSize(tile, at: now) }
        world.command(.magnify(.steps(4), at: nil))
        world.run(for: .seconds(2))
        let picture = try #require(world.wall.picture(of: tile))
        let size = picture.target.size
        expect(size == Size(960, 1080) && picture.crop.width == 0.5, "\(size) \(picture.crop)")
    }

    @Test func aTileWithoutAFrameOfItsOwnHasNone() throws {
        var layout = Layout.of([["b"], ["gone"]])
        var compared = TileLayout(id: "both", place: .cell(column: 0, row: 1, columns: 1, rows: 1), play: [])
        compared.content = .comparison(ComparisonLayout(members: [.tile("tile1"), .tile("tile2")]))
        layout.tiles.append(compared)
        var world = Simulation(
            layout,
            clips: ["b": FakeClip(frames: 60), "gone": FakeClip(frames: 1, trouble: SourceTrouble(.missing, "no"))])
        world.run(for: .seconds(1))
        for (name, hasOne) in [("tile1", true), ("tile2", false), ("both", false)] {
            let tile = try #require(world.wall.tile(named: name))
            expect(world.wall.picture(of: tile) != nil, equals: hasOne, "\(name)")
        }
    }
}
