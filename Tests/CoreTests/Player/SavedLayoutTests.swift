import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Tests of saved layouts with command-line options, and of walls that began without a layout.
@Suite struct SavedLayoutTests {
    private func read(_ bytes: [UInt8]) throws -> Layout {
        let reading = LayoutReader.read(bytes, path: "wall.json")
        guard case .layout(let layout) = reading else {
            Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(reading)")
            throw CancellationError()
        }
        return layout
    }

    private func patched(_ text: String, _ change: (inout Layout) -> Void) throws -> String {
        var asked = try read(Array(text.utf8))
        change(&asked)
        let after = try LayoutPatch.patched(Array(text.utf8), with: LayoutTextChanges(of: asked))
        // The result holds the changes, and a second patch changes nothing.
        try expect(LayoutTextChanges(of: read(after)), equals: LayoutTextChanges(of: asked))
        try expect(LayoutPatch.patched(after, with: LayoutTextChanges(of: asked)), equals: after)
        return String(decoding: after, as: UTF8.self)
    }

    @Test func whatTheCommandLineSaysIsWrittenAndNoOtherByte() throws {
        let text = """
            {
              "title": "t",
              "window": { "size": [640, 360] },
              "tiles": [
                { "id": "a", "play": "a.mp4" },
                { "id": "b", "play": "b.mp4", "loop": 3 }
              ]
            }

            """
        try expect(patched(text) { _ in }, equals: text)
        let after = try patched(text) { layout in
            (layout.window.size, layout.window.fullscreen) = (Size(800, 450), .on)
            (layout.window.position, layout.window.display) = (Point(10, -20), 1)
            layout.groups[0].loop = .together
            (layout.groups[0].at, layout.groups[0].rate) = (.milliseconds(83500), Rate(0.5))
            for place in layout.tiles.indices { layout.tiles[place].loop = .iterations(1) }
            (layout.audio.mode, layout.audio.volume, layout.audio.focus) = (.mix, 30, 1)
            (layout.audio.delayMilliseconds, layout.audio.statesDelay) = (40, true)
            (layout.pipelines, layout.quality) = (.auto, .exact)
        }
        expect(
            after,
            equals: """
                {
                  "title": "t",
                  "window": { "size": [800, 450], "position": [10, -20], "display": 1, "fullscreen": true },
                  "pipelines": "auto",
                  "quality": "exact",
                  "groups": { "main": { "loop": "together", "at": 83.5, "rate": 0.5 } },
                  "audio": { "focus": "b", "volume": 30, "mode": "mix", "delay": 40 },
                  "tiles": [
                    { "id": "a", "play": "a.mp4", "loop": false },
                    { "id": "b", "play": "b.mp4", "loop": false }
                  ]
                }

                """)
    }

    @Test func aGroupIsCompletedWhereItStands() throws {
        let text =
            #"{"groups": {"x": {}, "main": {"until": "shortest"}}, "tiles": [{"play": "a"}, {"play": "b", "group": "y"}]}"#
        let after = try patched(text) { layout in
            for place in layout.groups.indices { layout.groups[place].rate = Rate(2) }
        }
        expect(
            after,
            equals:
                #"{"groups": {"x": {"rate": 2}, "main": {"until": "shortest", "rate": 2}, "y": { "rate": 2 }}, "tiles": [{"play": "a"}, {"play": "b", "group": "y"}]}"#
        )
    }

    @Test func whatIsChangedByHandWins() {
        var layout = Layout.ofMedia(["a", "b"])
        (layout.audio.volume, layout.audio.mode) = (30, .mix)
        var hand = LayoutTextChanges()
        (hand.volume, hand.focus) = (70, "tile2")
        hand.tiles[1] = .init(isMuted: true)
        let both = LayoutTextChanges(of: layout).merging(hand)
        expect(both.volume == 70 && both.focus == "tile2" && both.audioMode == .mix)
        expect(both.tiles[1]?.isMuted == true && both.tiles[1]?.loop == .forever)
    }

    /// Returns the text of a layout that is saved after commands by hand.
    private func saved(_ text: String, after commands: [Change]) throws -> String {
        let layout = try read(Array(text.utf8))
        var world = Simulation(layout, clips: ["a.mp4": FakeClip(frames: 60), "b.mp4": FakeClip(frames: 60)])
        world.run(for: .milliseconds(500))
        for command in commands { world.command(command) }
        let changes = LayoutTextChanges(of: layout).merging(world.wall.changesByHand)
        return try String(decoding: LayoutPatch.patched(Array(text.utf8), with: changes), as: UTF8.self)
    }

    @Test func keyAndRateByHandAreSaved() throws {
        let commands: [Change] = [.rate(.to(Rate(1.25)), .group), .key(.by(2))]
        try expect(
            saved(#"{ "tiles": [ { "play": "a.mp4" } ] }"#, after: commands),
            equals:
                #"{ "groups": { "main": { "rate": 1.25 } }, "tiles": [ { "play": { "src": "a.mp4", "key": 2 } } ] }"#
        )
        try expect(
            saved(
                #"{"groups": {"main": {"rate": 2}}, "tiles": [{"play": [{"src": "a.mp4", "key": -1}, "b.mp4"]}]}"#,
                after: commands),
            equals:
                #"{"groups": {"main": {"rate": 1.25}}, "tiles": [{"play": [{"src": "a.mp4", "key": 1}, "b.mp4"]}]}"#)
        let text = #"{"tiles": [{"play": {"src": "a.mp4", "key": -1}}]}"#
        try expect(saved(text, after: [.rate(.to(Rate(2)), .group), .rate(.to(.one), .group)]), equals: text)
    }

    /// Returns the layout that is read from the saved text.
    private func saved(_ layout: Layout) throws -> Layout {
        let wall = Wall(layout: layout, pipelines: 4)
        let changes = LayoutTextChanges(of: wall.givenLayout).merging(wall.changesByHand)
        return try read(LayoutPatch.patched(Array(wall.layoutText.utf8), with: changes))
    }

    @Test func aWallOfFilmsIsSavedWhole() throws {
        var layout = Layout.ofMedia(["a.mp4", "dir/b.mp4", "c.mp4"])
        layout.groups[0].loop = .together
        layout.tiles[1].loop = .iterations(1)
        layout.window.size = Size(1280, 360)
        layout.audio.focus = 2
        let again = try saved(layout)
        expect(again.tiles == layout.tiles && again.groups == layout.groups && again.window == layout.window)
        expect(again.audio == layout.audio && again.grid == layout.grid && again.pipelines == layout.pipelines)
    }

    @Test func aComparisonIsSavedWhole() throws {
        for (sources, offsets) in [(["a.mp4", "b"], [Time.milliseconds(40)]), (["a.mp4", "b.mp4", "c.mp4"], [])] {
            let layout = Layout.ofComparison(sources, offsets: offsets, mode: .heat)
            let again = try saved(layout)
            expect(again.groups == layout.groups && again.pipelines == layout.pipelines)
            expect(again.tiles.map(\.label), equals: layout.tiles.map(\.label))
            expect(again.tiles.map { $0.compare?.mode }, equals: layout.tiles.map { $0.compare?.mode })
            func played(_ layout: Layout) -> [String] {
                layout.playingTiles.map { "\($0.play[0].segments[0].source.split(separator: "/").last!) \($0.offset)" }
            }
            expect(played(again), equals: played(layout))
        }
    }

    @Test func sourcesThatAreComparedMoveWithTheirLayout() throws {
        let text = #"{"tiles": [{"id": "a", "play": "x"}, {"compare": ["a", "y.mp4", "z/w", {"src": "v"}]}]}"#
        func moved(_ from: String, _ to: String, _ text: String) throws -> String {
            String(decoding: try LayoutPatch.moved(Array(text.utf8), fromFolder: from, toFolder: to), as: UTF8.self)
        }
        let up = try moved("/m/d", "/m", text)
        expect(
            up,
            equals: #"{"tiles": [{"id": "a", "play": "d/x"}, {"compare": ["a", "d/y.mp4", "d/z/w", {"src": "d/v"}]}]}"#)
        // Without "./" the source would be a tile's id.
        let down = try moved("/m", "/m/z", text)
        expect(
            down,
            equals: #"{"tiles": [{"id": "a", "play": "../x"}, {"compare": ["a", "../y.mp4", "./w", {"src": "../v"}]}]}"#
        )
    }

    @Test func aLayoutSaysWhereItsClocksBegin() throws {
        let text =
            #"{"groups": {"main": {"at": "1:23.5", "rate": 0.5}}, "tiles": [{"play": "a"}, {"play": "b", "group": "x"}]}"#
        let layout = try read(Array(text.utf8))
        func clocks(_ start: Clock.Start) -> [String] {
            let wall = Wall(layout: layout, pipelines: 4, start: start)
            return ["main", "x"].flatMap { group in
                ["time-pos", "speed"].map { name in
                    let value = try? wall.property(name, ofGroup: group, at: .zero).get().asNumber
                    return "\(value ?? -1)"
                }
            }
        }
        expect(clocks(Clock.Start()), equals: ["83.5", "0.5", "0.0", "1.0"])
        expect(clocks(Clock.Start(position: .seconds(5), rate: Rate(2))), equals: ["5.0", "2.0", "5.0", "2.0"])
    }
}
