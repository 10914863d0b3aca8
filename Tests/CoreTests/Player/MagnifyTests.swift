import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
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

    @Test func aMagnifiedPartDoesNotLeaveTheFrame() {
        var zoom = FrameZoom()
        zoom.change(by: 4, at: (0.5, 0.5), natural: 3)
        zoom.move(by: 10, -10)
        expect(zoom.part.x == 0 && abs(zoom.part.y + zoom.part.height - 1) < 1e-9)
        // The next move away from the edge takes effect at once.
        zoom.move(by: -0.1, 0.1)
        expect(zoom.part.x > 0 && zoom.part.y + zoom.part.height < 1)
    }

    /// The number is the same in the command, the property, the notice and the picture.
    @Test func theScaleIsThatOfPixelsEverywhere() throws {
        let clips = ["a": FakeClip(frames: 600, natural: Size(1920, 1080))]
        var world = Simulation(.of([["a"]]), clips: clips)
        world.run(for: .seconds(1))
        func scale() throws -> Double? { try world.wall.property("magnify", at: world.now).get().asNumber }
        func notice() -> String? {
            let now = world.now
            return world.marked { $0.commanded(at: now) }.overlay.info.last
        }
        let rect = world.wall.composeScene(at: world.now).scene.views[0].rect
        try expect(abs(#require(try scale()) - Double(rect.width) / 1920), atMost: 0.005)
        for wanted in [1.0, 2, 2.5, 16] {
            world.command(try CommandTable.change("magnify", [.number(wanted)]))
            try expect(scale(), equals: wanted)
            expect(notice(), equals: "\(wanted.plain):1")
            guard case .frame(let placed)? = world.wall.composeScene(at: world.now).scene.views.first?.content
            else { return }
            expect(abs(Double(placed.target.width) / (placed.crop.width * 1920) - wanted), below: 0.01)
        }
        world.command(.magnify(.steps(-1), at: nil))
        try expect(scale(), equals: 12.8)
        world.act { wall, now in _ = wall.set("magnify", to: .number(4), at: now) }
        try expect(scale(), equals: 4)
        world.act { wall, now in _ = wall.set("magnify", to: .number(0), at: now) }
        expect(notice()?.hasPrefix("whole frame, "), equals: true)
    }

    @Test func aLayoutStatesThePartOfAGroup() throws {
        let text = #"{"groups": {"main": {"part": [0.25, 0.5, 0.25]}}, "tiles": [{"play": "a"}]}"#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "wall.json") else {
            Issue.record("a mistake")
            return
        }
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 600, natural: Size(640, 360))])
        world.run(for: .seconds(1))
        guard case .frame(let placed)? = world.wall.composeScene(at: world.now).scene.views.first?.content else {
            Issue.record("no frame")
            return
        }
        expect(placed.crop, equals: Fractions(0.25, 0.5, 0.25, 0.25))
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
        // Whole frames are saved, too.
        world.command(.magnify(.all, at: nil))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        expect(String(decoding: saved, as: UTF8.self).contains("[0, 0, 1]"), equals: true)
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
                if case .frame(let placed) = view.content { placed.crop } else { .all }
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
