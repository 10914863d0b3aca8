import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

@Suite struct WindowShapeTests {
    @Test(arguments: [
        ([Size(1920, 1080)], Size(1280, 720)),
        ([Size(320, 180), Size(3840, 2160)], Size(1280, 360)),
        ([Size](repeating: Size(1920, 1080), count: 3), Size(1280, 720)),
        ([Size](repeating: Size(1920, 1080), count: 6), Size(1280, 480)),
        ([Size(640, 480)], Size(960, 720)),
        ([Size(1080, 1920)], Size(406, 720)),
        ([Size(1080, 1920), Size(1080, 1920)], Size(810, 720)),
        // The median shape of three.
        ([Size(1080, 1920), Size(1920, 1080), Size(1920, 1080)], Size(1280, 720)),
        ([Size(1920, 1080), Size(1080, 1920)], Size(1280, 640)),
        // Sound has no frame. The narrowest window has room for marks.
        ([Size(0, 0), Size(640, 480)], Size(1280, 480)),
        ([Size(16_000, 10)], Size(1280, 180)),
        ([Size(10, 16_000)], Size(180, 720)),
    ])
    func aWindowHasTheShapeOfItsFrames(_ frames: [Size], _ size: Size) {
        expect(GridLayout(tiles: frames.count).windowSize(for: frames), equals: size)
    }

    @Test func whatHasNoFrameSaysNoShape() {
        expect(GridLayout(tiles: 2).windowSize(for: []), equals: nil)
        expect(GridLayout(tiles: 1).windowSize(for: [Size(0, 0)]), equals: nil)
    }

    @Test func theShapesOfWhatIsOpenAreKnown() {
        var clip = FakeClip(frames: 600)
        clip.natural = Size(400, 300)
        var far = clip
        far.opensIn = .seconds(5)
        let clips = ["a": clip, "b": clip, "https://example.org/c": far]
        var world = Simulation(.ofMedia(["a", "b", "https://example.org/c"]), clips: clips, pipelines: 4)
        let early = world.wall.player.shapeWindow()
        expect(world.wall.awaitsShapes && early == nil)
        expect(world.wall.layout.window.size, equals: Size(1280, 720))
        world.run(for: .milliseconds(500))
        // The wall does not wait for the shape of a network source.
        expect(!world.wall.awaitsShapes)
        let size = world.wall.player.shapeWindow()
        expect(size == Size(960, 720) && world.wall.layout.window.size == size)
    }
}
