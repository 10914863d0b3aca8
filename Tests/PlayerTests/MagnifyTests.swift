import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Parts of their frames that the tiles of a group show.
@Suite struct FrameZooms {
    @Test func whatLiesUnderThePointerStaysThere() {
        var zoom = FrameZoom()
        for steps in [1.0, 3, -2, 5] {
            let before = zoom.part
            zoom.change(by: steps, at: (0.25, 0.75), natural: 8)
            let after = zoom.part
            expect(abs(before.x + 0.25 * before.width - after.x - 0.25 * after.width), below: 1e-9)
            expect(abs(before.y + 0.75 * before.height - after.y - 0.75 * after.height), below: 1e-9)
        }
    }

    @Test func oneToOneIsOneOfTheStepsAndSixteenTheLast() {
        var zoom = FrameZoom()
        var factors: [Double] = []
        for _ in 0..<40 {
            zoom.change(by: 1, at: (0.5, 0.5), natural: 3)
            factors.append(zoom.factor)
        }
        expect(factors.contains(3) && factors.last == 48)
        for _ in 0..<40 { zoom.change(by: -1, at: (0.5, 0.5), natural: 3) }
        expect(zoom.isWhole && zoom.part == .all)
    }

    @Test func itDoesNotLeaveTheFrame() {
        var zoom = FrameZoom()
        zoom.change(by: 4, at: (0.5, 0.5), natural: 3)
        zoom.move(by: 10, -10)
        expect(zoom.part.x == 0 && abs(zoom.part.y + zoom.part.height - 1) < 1e-9)
        // The next move away from the edge takes effect at once.
        zoom.move(by: -0.1, 0.1)
        expect(zoom.part.x > 0 && zoom.part.y + zoom.part.height < 1)
    }

    @Test func allTilesOfAGroupShowTheSamePartOverLoopsAndSeeks() {
        var layout = Layout.of([["a"], ["b"], ["c"]])
        layout.tiles[2].group = "other"
        layout.groups.append(GroupLayout(name: "other"))
        let clips = ["a", "b", "c"].reduce(into: [String: FakeClip]()) {
            $0[$1] = FakeClip(frames: 60, natural: Size(640, 360))
        }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        func crops() -> [Fractions] {
            world.wall.composeScene(at: world.now).scene.views.map { view in
                if case .frame(_, _, let crop, _) = view.content { crop } else { .all }
            }
        }
        for _ in 0..<5 { world.command(.magnify(.steps(1), at: nil)) }
        world.command(.magnify(.move(-40, 10), at: Point(100, 300)))
        let magnified = crops()
        expect(magnified[0].width < 0.5 && magnified[0] == magnified[1] && magnified[2] == .all)
        world.run(for: .seconds(5))
        world.command(.seek(.by(.seconds(-1)), .group))
        world.run(for: .seconds(1))
        expect(crops() == magnified && world.dropped == 0)
        world.command(.magnify(.all, at: nil))
        expect(crops(), equals: [.all, .all, .all])
    }
}
