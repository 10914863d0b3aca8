import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// The names of the sides, and other marks on what is compared.
extension Comparing {
    /// Returns the scene right after a command or a move of the pointer.
    private func stirred(_ world: inout Simulation, _ pointer: Point? = nil) -> Scene {
        let now = world.now
        return world.marked { visible in
            visible.commanded(at: now)
            visible.pointer = pointer
        }
    }

    private func sides(_ world: inout Simulation, pointer: Point? = nil) -> [Marks.Side] {
        stirred(&world, pointer).views.last?.marks.comparison.sides ?? []
    }

    @Test func eachSideOfAWipeHasItsName() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        expect(sides(&world), equals: [Marks.Side("a", across: 0, down: 1), Marks.Side("b", across: 1, down: 1)])
        world.command(.focus(.number(3)))
        world.command(.compare(.changeSides))
        world.run(for: .milliseconds(200))
        expect(sides(&world), equals: [Marks.Side("b", across: 0, down: 1), Marks.Side("a", across: 1, down: 1)])
        world.command(.compare(.turnLine))
        expect(sides(&world), equals: [Marks.Side("b", across: 0, down: 0), Marks.Side("a", across: 0, down: 1)])
        world.command(.compare(.turnLine))
        expect(sides(&world), equals: [Marks.Side("b", across: 1, down: 1), Marks.Side("a", across: 0, down: 1)])
    }

    @Test func aFileNameGoesWithTheMarksAndALabelStays() {
        var compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")])
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        expect(world.marked { _ in }.views.last?.marks.comparison.sides ?? [], equals: [])
        compared.tiles[1].label = "After"
        world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        expect(world.marked { _ in }.views.last?.marks.comparison.sides.map(\.name), equals: ["a", "After"])
    }

    @Test func otherWaysNameWhatTheyShow() {
        let cases: [(ComparisonMode, Set<String>)] = [
            (.difference, ["a \u{2212} b  \u{D7}4"]), (.heat, ["a \u{2212} b"]), (.overlay, ["a + b"]),
            (.blink, ["a", "b"]),
        ]
        for (mode, names) in cases {
            let compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = mode }
            var world = Simulation(compared, clips: clips)
            var seen: Set<String> = []
            for _ in 0..<20 {
                world.run(for: .milliseconds(100))
                seen.formUnion(sides(&world).map(\.name))
            }
            expect(seen, equals: names, "\(mode)")
        }
    }

    @Test func theLineOfAWipeIsDrawnWhileThePointerMovesOverIt() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        let rect = world.marked { _ in }.views.last!.rect
        func wipe(_ pointer: Point?) -> WipeLines? { stirred(&world, pointer).views.last?.marks.comparison.wipe }
        let within = Point(rect.x + 5, rect.y + 5), line = wipe(within)
        expect(line?.at == 0.5 && line?.offsets.count == 1)
        expect(wipe(nil), equals: nil)
        expect(wipe(Point(rect.x + 5, 5)), equals: nil)
        let still = world.marked {
            $0.toggleInfo()
            $0.pointer = within
        }
        expect(still.views.last?.marks.comparison.wipe, equals: nil)
    }

    @Test func aComparisonThatOpensShowsItsNamesAndItsLine() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        let now = world.now
        let opened = world.marked { $0.opened(at: now) }.views.last?.marks
        expect(opened?.comparison.wipe?.at == 0.5 && opened?.comparison.sides.map(\.name) == ["a", "b"])
        let later = world.marked { $0.opened(at: now - MarksVisibility.opening) }.views.last?.marks
        expect(later?.comparison.wipe == nil && (later?.comparison.sides ?? []).isEmpty)
    }

    @Test func anAutomaticGainIsStatedByTheCanvasAndEndsWithAKey() {
        let compared = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = .heat }
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        func content() -> ComparedFrames? {
            guard case .comparison(let frames)? = world.wall.composeScene(at: world.now).scene.views.last?.content
            else { return nil }
            return frames
        }
        expect(content() != nil && content()?.gain == nil)
        // The gain is stated even without other marks.
        expect(world.marked { _ in }.views.last?.marks.comparison.sides.map(\.showsGain), equals: [true])
        let tile = world.wall.tiles.watching[0]
        world.act { wall, _ in wall.note(gains: [tile: 16]) }
        world.command(.compare(.gainDoubled))
        expect(content()?.gain, equals: 32)
        world.command(.compare(.mode(by: -1)))
        expect(content()?.mode == .signed && content()?.gain == 32)
        world.command(.compare(.gain(nil)))
        expect(content() != nil && content()?.gain == nil)
        world.command(.compare(.gain(0.5)))
        expect(content()?.gain, equals: 0.5)
    }

    @Test func eachSideSaysHowItIsCoded() throws {
        let coded = CodedTraits(colorimetry: SourceColorimetry(SourceColorimetry.Tags(), size: Size(1280, 720)))
        var (a, b) = (FakeClip(frames: 600), FakeClip(frames: 600, rate: 25))
        (a.codec, a.coded, a.bitRate) = ("h264", coded, 1_234_567)
        (b.codec, b.coded) = ("hevc", coded)
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: ["a": a, "b": b])
        world.run(for: .milliseconds(2500))
        let tile = try #require(world.wall.tiles.id(named: "ab"))
        let lines = world.wall.player.snapshot(at: world.now).infoOnComparison(of: tile)
        expect(
            Array(lines.dropFirst()),
            equals: [
                "a: h264, 8 bits, 30/s, P frame", "64x36, 1235 kb/s, BT.709 (assumed)",
                "b: hevc, 8 bits, 25/s, P frame", "64x36, BT.709 (assumed)",
            ])
    }

    @Test func keysOfAnotherWaySayWhichOnesTheyAreOf() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        func reported(_ change: Change.Compare) -> String? {
            world.command(.compare(change))
            return stirred(&world).overlay.info.last
        }
        expect(reported(.gainDoubled), equals: "wipe has no gain; v leads to difference, signed, heat")
        expect(reported(.mode(by: 1)), equals: "difference \u{D7}4")
        expect(reported(.turnLine), equals: "difference has no line to turn; v leads to wipe")
        var single = Simulation(Layout.of([["a"]]), clips: clips)
        single.run(for: .seconds(1))
        single.command(.compare(.gainDoubled))
        expect(stirred(&single).overlay.info.last, equals: "nothing is compared; c compares two tiles")
    }

    @Test func namesThatAreAlikeHaveTheirFolders() {
        let cases: [([String], [String])] = [
            (["/x/a.mp4", "/x/b.mp4"], ["a.mp4", "b.mp4"]),
            (["/one/a.mp4", "/two/a.mp4"], ["one/a.mp4", "two/a.mp4"]),
            (["/x/1/a.mp4", "/y/1/a.mp4", "/y/b.mp4"], ["x/1/a.mp4", "y/1/a.mp4", "b.mp4"]),
            (["/x/a.mp4", "/x/a.mp4"], ["a.mp4", "a.mp4"]), (["a.mp4", "x/a.mp4"], ["a.mp4", "x/a.mp4"]),
            (["http://u:p@h/1/a.mp4?k=v", "http://h/2/a.mp4"], ["1/a.mp4", "2/a.mp4"]),
        ]
        for (sources, names) in cases { expect(SourceName.distinctNames(of: sources), equals: names) }
    }
}
