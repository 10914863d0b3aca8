import Expectations
import Foundation
import Testing

@testable import Base
@testable import Layout
@testable import SimulatedWall

/// The random walk of `make fuzz` with fixed seeds, and the walks that crashed a wall before.
@Suite struct Walks {
    private static let schema: PropertyValue = {
        let data = try? Data(contentsOf: ManualPage.repository.appendingPathComponent("layouts/layout.schema.json"))
        return PropertyValue(json: String(decoding: data ?? Data(), as: UTF8.self)) ?? .null
    }()

    @Test func layoutsDrawnFromTheSchemaAreMostlyValid() {
        var drawer = WalkLayouts(schema: Self.schema, sources: WalkWorld.sources, seed: 7)
        var (taken, refused, layout) = (0, 0, drawer.layout())
        var kept = layout
        for _ in 0..<200 {
            if case .layout = LayoutReader.read(JSONWriter.bytes(of: layout), path: "/w/wall.json") {
                taken += 1
                kept = layout
            } else {
                refused += 1
            }
            layout = drawer.random.onceIn(5) ? drawer.layout() : drawer.edited(kept)
        }
        expect(taken > refused && refused > 5, "\(taken) taken, \(refused) refused")
    }

    @Test func anActionIsReadAsItIsWritten() {
        for action in Walk.actions(200, schema: Self.schema, sources: WalkWorld.sources, seed: 3) {
            let read = WalkAction(text: action.text)
            expect(read.map(\.text), equals: action.text)
        }
    }

    @Test(arguments: seeds(12)) func nothingEndsTheWall(_ seed: UInt64) {
        var world = WalkWorld()
        for action in Walk.actions(100, schema: Self.schema, sources: WalkWorld.sources, seed: seed) {
            world.take(action)
        }
        expect(world.layoutsTaken, above: 0)
    }

    /// Walks that `make fuzz` found, after shrinking.
    @Test(arguments: FoundWalks.all) func whatEndedAWallBeforeDoesNot(_ walk: String) {
        var world = WalkWorld()
        for line in walk.split(separator: "\n") {
            guard let action = WalkAction(text: String(line)) else {
                Issue.record("no action: \(line)")
                continue
            }
            world.take(action)
        }
        expect(world.layoutsTaken, above: 0)
    }
}
