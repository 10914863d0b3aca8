import Testing

@testable import WallCore

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
        #expect(GridLayout(tiles: frames.count).windowSize(for: frames) == size)
    }

    @Test func whatHasNoFrameSaysNoShape() {
        #expect(GridLayout(tiles: 2).windowSize(for: []) == nil)
        #expect(GridLayout(tiles: 1).windowSize(for: [Size(0, 0)]) == nil)
    }

    @Test func theShapesOfWhatIsOpenAreKnown() {
        var clip = FakeClip(frames: 600)
        clip.natural = Size(400, 300)
        var far = clip
        far.opensIn = .seconds(5)
        let clips = ["a": clip, "b": clip, "https://example.org/c": far]
        var world = Simulation(.ofMedia(["a", "b", "https://example.org/c"]), clips: clips, pipelines: 4)
        let early = world.wall.shapeWindow()
        #expect(world.wall.awaitsShapes && early == nil)
        #expect(world.wall.layout.window.size == Size(1280, 720))
        world.run(for: .milliseconds(500))
        // The wall does not wait for the shape of a network source.
        #expect(!world.wall.awaitsShapes)
        let size = world.wall.shapeWindow()
        #expect(size == Size(960, 720) && world.wall.layout.window.size == size)
    }
}

@Suite struct WindowFitTests {
    private let laptop = WindowFit.Display(bounds: Rect(0, 0, 1366, 768), usable: Rect(0, 30, 1366, 738))
    private let second = WindowFit.Display(bounds: Rect(1366, 0, 1920, 1080), usable: Rect(1366, 0, 1920, 1080))

    @Test func whatHasRoomStaysAsItIs() {
        let fit = WindowFit(Size(1280, 720), .decorated, onDisplay: 0, of: [laptop])
        #expect((fit.size, fit.display, fit.sizeRemark, fit.displayRemark) == (Size(1280, 720), 0, nil, nil))
    }

    @Test func whatHasNoneKeepsItsShape() {
        let fit = WindowFit(Size(3840, 2160), .decorated, onDisplay: 0, of: [laptop, second])
        #expect(fit.size == Size(1312, 738))
        #expect(fit.sizeRemark == "the window is 1312x738; the display has no room for 3840x2160")
        #expect(WindowFit(Size(4000, 16), .decorated, onDisplay: 1, of: [laptop, second]).size == Size(1920, 7))
        #expect(WindowFit(Size(16, 16_384), .decorated, onDisplay: 0, of: [laptop]).size == Size(1, 738))
    }

    @Test func withoutAFrameItMayLieOverSeveralDisplays() {
        let wide = WindowFit(Size(3286, 768), .borderless, onDisplay: 0, of: [laptop, second])
        #expect((wide.size, wide.sizeRemark) == (Size(3286, 768), nil))
        #expect(WindowFit(Size(1366, 768), .borderless, onDisplay: 0, of: [laptop]).size == Size(1366, 768))
        #expect(WindowFit(Size(2732, 1536), .borderless, onDisplay: 0, of: [laptop]).size == Size(1366, 768))
    }

    @Test func aDisplayThatIsNotThereIsReported() {
        let one = WindowFit(Size(640, 360), .decorated, onDisplay: 1, of: [laptop])
        #expect(one.display == 0)
        #expect(one.displayRemark == "display 1 does not exist (only 0 exists); using display 0")
        let two = WindowFit(Size(640, 360), .decorated, onDisplay: 7, of: [laptop, second])
        #expect(two.displayRemark == "display 7 does not exist (there are 0 to 1); using display 0")
    }
}
