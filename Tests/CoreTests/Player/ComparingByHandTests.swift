import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Comparing by keys, the pointer and commands, and what is saved of it.
extension Comparing {
    @Test func keysChangeTheWayOfComparing() {
        var world = Simulation(layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.changeSides))
        // The figures refer to the first: a notice names it.
        let now = world.now
        expect(world.marked { $0.commanded(at: now) }.overlay.info, equals: ["reference: tile2"])
        world.run(for: .milliseconds(100))
        expect(pair(&world).map(\.clip), equals: ["b", "a"])
        for mode in ["difference", "signed", "heat", "blink", "overlay", "wipe"] {
            world.command(.compare(.mode(by: 1)))
            expect(world.wall.layout(of: 2).compare?.mode.rawValue, equals: mode)
        }
        world.command(.compare(.mode(by: 1)))
        for _ in 0..<9 { world.command(.compare(.gainDoubled)) }
        expect(world.wall.layout(of: 2).compare?.factor, equals: 64)
        for _ in 0..<20 { world.command(.compare(.gainHalved)) }
        expect(world.wall.layout(of: 2).compare?.factor, equals: 0.125)
    }

    @Test func blinkShowsOneAfterTheOtherEveryHalfSecondAndByHand() {
        let blinking = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")]) { $0.mode = .blink }
        var world = Simulation(blinking, clips: clips)
        world.run(for: .seconds(2))
        var seen: [String] = []
        for _ in 0..<8 {
            world.run(for: .milliseconds(500))
            seen += pair(&world).map(\.clip)
        }
        expect(seen.count == 8 && zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
        world.command(.compare(.changeSides))
        let held = pair(&world).map(\.clip)
        for _ in 0..<5 {
            world.run(for: .milliseconds(400))
            expect(pair(&world).map(\.clip), equals: held)
        }
    }

    @Test func theKeyComparesTheFocusedTileWithTheOneBeforeAndGoesBack() {
        var world = Simulation(.of([["a"], ["b"], ["c"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.focus(.number(3)))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(200))
        var scene = world.wall.composeScene(at: world.now).scene
        expect(scene.views.count == 1 && scene.views[0].rect == Rect(scene.size))
        expect(pair(&world).map(\.clip), equals: ["c", "a"])
        world.command(.focus(.number(2)))
        world.run(for: .milliseconds(200))
        expect(pair(&world).map(\.clip), equals: ["b", "c"])
        world.command(.compare(.changeSides))
        world.run(for: .milliseconds(200))
        expect(pair(&world).map(\.clip) == ["c", "b"] && world.wall.focus == 2)
        world.command(.compare(.toggle))
        scene = world.wall.composeScene(at: world.now).scene
        expect(scene.views.count == 3 && world.dropped == 0 && world.openRequests == ["a": 1, "b": 1, "c": 1])
    }

    @Test func clicksAndDragsOnWhatLiesOverTheWallAreForTheWall() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(200))
        world.command(.click(Point(300, 300)))
        world.command(.doubleClick(Point(300, 300)))
        expect(world.wall.focus, equals: 0)
        world.command(.tap(Point(300, 300)))
        expect(!world.wall.isMoving)
        world.command(.tap(Point(300, 300)))
        let before = pair(&world).map(\.number)
        world.command(.scrub(.began(at: Point(300, 300))))
        world.command(.scrub(.moved(by: 128)))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        // A drag over a tenth of the window's width moves by a tenth of the item.
        let moved = pair(&world)[0].number - before[0]
        expect((80...100).contains(moved) && pair(&world)[1].number == pair(&world)[0].number)
        world.wall.player.note(.pictureInPictureShows(0), at: world.now)
        world.wall.player.note(.pictureInPictureShows(nil), at: world.now)
        expect(world.wall.composeScene(at: world.now).scene.views.count, equals: 2)
    }

    @Test func theNextTileIsComparedWhereNoOtherHadTheFocus() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.compare(.toggle))
        world.run(for: .milliseconds(100))
        expect(pair(&world).map(\.clip), equals: ["a", "b"])
        world.command(.window(.escape))
        world.run(for: .milliseconds(100))
        expect(world.wall.composeScene(at: world.now).scene.views.count, equals: 2)
    }

    @Test func theFirstIsHeardUntilTheSidesChange() {
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: clips)
        world.run(for: .seconds(1))
        func heard() -> [String] {
            world.wall.soundScene(at: world.now).parts.filter { !$0.gain.isSilent }.compactMap {
                $0.plan.runs.first?.source.location
            }
        }
        expect(heard(), equals: ["a"])
        world.command(.compare(.changeSides))
        expect(heard(), equals: ["b"])
    }

    @Test func whatIsMixedIsNotHeardTwice() {
        var mixed = layout(["a", "b"], comparing: [.tile("tile1"), .tile("tile2")])
        mixed.audio.mode = .mix
        mixed.tiles[0].isMuted = true
        var world = Simulation(mixed, clips: clips)
        world.run(for: .seconds(1))
        let heard = world.wall.soundScene(at: world.now).parts.filter { !$0.gain.isSilent }
        expect(heard.compactMap { $0.plan.runs.first?.source.location }, equals: ["b"])
    }

    @Test func offsetsOfComparedSourcesAreSaved() throws {
        let text = #"""
            {"tiles": [
              {"id": "ab", "compare": ["a.mp4", "b.mp4", {"src": "c.mp4", "offset": 1}]}
            ]}
            """#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "wall.json") else {
            Issue.record("a mistake")
            return
        }
        let clips = ["a.mp4", "b.mp4", "c.mp4"].reduce(into: [:]) { $0[$1] = FakeClip(frames: 300) }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        world.command(.nudge(by: .milliseconds(40)))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let wanted = text.replacing(#""b.mp4""#, with: #"{ "src": "b.mp4", "offset": 0.04 }"#)
        expect(String(decoding: saved, as: UTF8.self), equals: wanted)
        // A value that was saved does not count as a change.
        guard case .layout(let again) = LayoutReader.read(saved, path: "wall.json") else { return }
        world.apply(again)
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
    }

    @Test func aDragThatBeginsAtTheLineMovesIt() {
        var world = Simulation(layout([], comparing: [source("a"), source("b")]), clips: clips)
        world.run(for: .seconds(1))
        guard case .comparison(let frames) = world.wall.composeScene(at: world.now).scene.views[0].content else {
            Issue.record("it compares nothing")
            return
        }
        let target = frames.target
        world.command(.scrub(.began(at: Point(target.x + target.width / 2 + 9, target.y + 40))))
        world.command(.scrub(.moved(by: target.width / 4)))
        world.command(.scrub(.ended))
        let compared = world.wall.layout(of: world.wall.tile(named: "ab")!).compare!
        expect(abs(compared.at - 0.75), below: 0.01)
    }

    @Test func whatIsComparedByHandIsSaved() throws {
        let text = #"""
            {"tiles": [
              {"id": "ab", "compare": ["a.mp4", "b.mp4"], "mode": "wipe"}
            ]}
            """#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "wall.json") else {
            Issue.record("a mistake")
            return
        }
        let clips = ["a.mp4", "b.mp4"].reduce(into: [:]) { $0[$1] = FakeClip(frames: 300, natural: Size(1280, 720)) }
        /// Returns how the frames are compared, and the part of the first that is seen.
        func shown(_ world: inout Simulation) -> (look: ComparedFrames.Identity, part: Fractions)? {
            guard case .comparison(var frames)? = world.wall.composeScene(at: world.now).scene.views.last?.content
            else { return nil }
            let part = frames.parts[0].crop
            for place in frames.parts.indices {
                frames.parts[place] = PlacedFrame(
                    frames.parts[place].frame, stamp: Stamp(composed: 0), crop: .all, target: frames.target)
            }
            return (frames.identity, part)
        }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        world.command(.focus(.number(1)))
        for change in [Change.Compare.mode(by: 1), .gainDoubled, .turnLine, .changeSides] {
            if case .turnLine = change { world.command(.compare(.mode(by: -1))) }
            world.command(.compare(change))
        }
        world.command(.magnify(.to(3), at: nil))
        world.command(.magnify(.move(-90, 40), at: nil))
        world.run(for: .milliseconds(100))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let written = String(decoding: saved, as: UTF8.self)
        for part in [#""gain": 8"#, #""angle": 90"#, #""swapped": true"#, #""part": ["#] {
            expect(written.contains(part), "\(part): \(written)")
        }
        guard case .layout(let again) = LayoutReader.read(saved, path: "wall.json") else {
            Issue.record("\(written)")
            return
        }
        var loaded = Simulation(again, clips: clips)
        loaded.run(for: .seconds(1))
        /// The part is written in millionths of the frame.
        func areAlike(_ one: (look: ComparedFrames.Identity, part: Fractions)?) throws -> Bool {
            let (a, b) = (try #require(before), try #require(one))
            let apart = [a.part.x - b.part.x, a.part.y - b.part.y, a.part.width - b.part.width]
            return a.look == b.look && apart.allSatisfy { abs($0) < 1e-5 }
        }
        let before = shown(&world)
        try expect(areAlike(shown(&loaded)))
        // A value that was saved does not count as a change.
        world.apply(again)
        expect(world.wall.changesByHand, equals: LayoutTextChanges())
        try expect(areAlike(shown(&world)))
    }

    @Test func aComparisonOverTheWallIsSaved() throws {
        let text = #"""
            {
              "tiles": [
                {"id": "a", "play": "a"}, {"id": "b", "play": "b"}, {"id": "c", "play": "a"}
              ]
            }
            """#
        func read(_ bytes: [UInt8]) throws -> Layout {
            guard case .layout(let layout) = LayoutReader.read(bytes, path: "wall.json") else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self))")
                throw CancellationError()
            }
            return layout
        }
        var world = Simulation(try read(Array(text.utf8)), clips: clips)
        world.run(for: .seconds(1))
        let tiles = ["c", "b"].map { world.wall.tile(named: $0)! }
        world.command(.compare(.tiles(tiles[0], tiles[1], .signed)))
        world.command(.compare(.gainDoubled))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        let written = String(decoding: saved, as: UTF8.self)
        let field = #""compare": {"tiles": ["c", "b"], "mode": "signed", "gain": 8}"#
        expect(
            written.contains(field) || written.contains(field.replacing("{", with: "{ ").replacing("}", with: " }")),
            "\(written)")
        var loaded = Simulation(try read(saved), clips: clips)
        loaded.run(for: .seconds(1))
        func shown(_ world: inout Simulation) -> (mode: ComparisonMode, gain: Double?, clips: [String])? {
            let views = world.wall.composeScene(at: world.now).scene.views
            guard views.count == 1, case .comparison(let frames) = views[0].content else { return nil }
            return (frames.mode, frames.gain, frames.parts.map { $0.frame.fake.clip })
        }
        expect(shown(&loaded)?.mode == .signed && shown(&loaded)?.gain == 8 && shown(&loaded)?.clips == ["a", "b"])
        // After Escape the wall is saved without it.
        loaded.command(.window(.escape))
        let after = try LayoutPatch.patched(saved, with: loaded.wall.changesByHand)
        var again = Simulation(try read(after), clips: clips)
        again.run(for: .seconds(1))
        expect(again.wall.composeScene(at: again.now).scene.views.count, equals: 3)
    }
}
