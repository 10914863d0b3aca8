import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Folders whose files come and go while a tile plays a sequence that was changed by hand.
@Suite struct FolderChangeTests {
    private let clips = Dictionary(
        uniqueKeysWithValues: ["s/a", "s/b", "s/c", "s/0", "x", "q"].map { ($0, FakeClip(frames: 60)) })

    private func layout(_ files: [String], then more: [String] = [], crop: Double = 1) -> Layout {
        var layout = Layout.of([["s/"] + more])
        layout.tiles[0].play[0].crop = .fractions(Fractions(0, 0, crop, 1))
        layout.expandFolders { $0 == "s/" ? files : nil }
        return layout
    }

    private func sources(_ world: Simulation) -> [String] { world.wall.tiles[0].play.map { $0.segments[0].source } }

    /// Commands for a tile that plays s/a and s/b, another content of the folder, and the sequence then.
    static let changes: [([Change.SequenceChange], [String], [String])] = [
        ([.append([Item(source: "q")])], ["s/a", "s/b", "s/c"], ["s/a", "s/b", "s/c", "q"]),
        ([.append([Item(source: "q")])], ["s/0", "s/a", "s/b"], ["s/0", "s/a", "s/b", "q"]),
        ([.append([Item(source: "q")])], ["s/a"], ["s/a", "q"]),
        ([.append([Item(source: "q")])], ["s/b"], ["s/b", "q"]),
        ([.append([Item(source: "q")])], ["s/c"], ["s/c", "q"]),
        ([.append([Item(source: "q")])], [], ["s/", "q"]),
        ([.insertNext([Item(source: "q")])], ["s/a", "s/b", "s/c"], ["s/a", "q", "s/b", "s/c"]),
        ([.append([Item(source: "s/a")])], ["s/a", "s/b", "s/c"], ["s/a", "s/b", "s/c", "s/a"]),
        ([.remove(1)], ["s/a", "s/b", "s/c"], ["s/a", "s/c"]),
        ([.move(1, to: 0)], ["s/a", "s/b", "s/c"], ["s/b", "s/c", "s/a"]),
        ([.replace([Item(source: "x")])], ["s/a", "s/b", "s/c"], ["x"]),
        ([.replace([Item(source: "x")]), .append([Item(source: "q")])], ["s/a"], ["x", "q"]),
        ([.stop], ["s/a"], []),
        ([], ["s/a", "s/c"], ["s/a", "s/c"]),
    ]

    @Test(arguments: changes)
    func changesByHandStay(_ commands: [Change.SequenceChange], _ files: [String], _ then: [String]) {
        var world = Simulation(layout(["s/a", "s/b"]), clips: clips)
        world.run(for: .milliseconds(500))
        for command in commands { world.command(.sequence(command)) }
        world.apply(layout(files))
        expect(sources(world), equals: then)
        world.run(for: .seconds(1))
        // Another content follows.
        world.apply(layout(files))
        expect(sources(world), equals: then)
    }

    /// The layout states other settings for the folder's items. Items that were added by hand stay.
    @Test func anotherLookOfTheFolderLeavesThem() {
        var world = Simulation(layout(["s/a", "s/b"]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.sequence(.append([Item(source: "q")])))
        world.apply(layout(["s/a", "s/b"], crop: 0.5))
        expect(sources(world), equals: ["s/a", "s/b", "q"])
        let half = Crop.fractions(Fractions(0, 0, 0.5, 1))
        expect(world.wall.tiles[0].play.map(\.crop), equals: [half, half, .all])
    }

    @Test func anotherSequenceOfTheLayoutReplacesThem() {
        var world = Simulation(layout(["s/a", "s/b"]), clips: clips)
        world.run(for: .milliseconds(500))
        world.command(.sequence(.append([Item(source: "q")])))
        world.apply(layout(["s/a", "s/b"], then: ["x"]))
        expect(sources(world), equals: ["s/a", "s/b", "x"])
    }
}
