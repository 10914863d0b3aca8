import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Posters of tiles are loaded a few at a time.
@Suite struct PosterLoadsTests {
    private func wall(of count: Int) -> Wall {
        let layout = Layout.of(Array(repeating: ["a"], count: count)) { $0.poster = "\($0.id).png" }
        return Wall(layout: layout, pipelines: 4)
    }

    private let frame = FakeFrame(clip: "poster", number: 0).frame

    @Test func eightAtOnceAndOneMoreForEachThatIsBack() {
        var wall = wall(of: 50)
        wall.player.update(at: .seconds(1))
        var effects = wall.finishChange(at: .seconds(1)).posters
        expect(effects.count, equals: 8)
        var loaded = 0
        while let order = effects.first {
            effects.removeFirst()
            loaded += 1
            if loaded % 2 == 0 {
                wall.player.note(.poster(.success(frame), for: order), at: .seconds(1))
            } else {
                wall.player.note(
                    .poster(.failure(SourceTrouble(.missing, "no such file")), for: order), at: .seconds(1))
            }
            effects += wall.finishChange(at: .seconds(1)).posters
            expect(effects.count, atMost: 8)
        }
        expect(loaded, equals: 50)
        expect(wall.tiles.order.allSatisfy { wall.tiles[$0].poster.isSettled })
    }

    @Test func postersThatHangHoldUpNoOthersForLongAndFailInTheEnd() {
        var wall = wall(of: 12)
        wall.player.update(at: .seconds(1))
        let hanging = wall.finishChange(at: .seconds(1)).posters
        expect(wall.nextUpdate.map { $0 <= .seconds(2) }, equals: true)
        wall.player.update(at: .milliseconds(1900))
        expect(wall.finishChange(at: .seconds(1)).posters.isEmpty)
        wall.player.update(at: .seconds(2))
        let others = wall.finishChange(at: .seconds(1)).posters
        expect(others.count, equals: 4)
        for order in others { wall.player.note(.poster(.success(frame), for: order), at: .seconds(3)) }
        wall.player.update(at: .seconds(11))
        let failed = wall.finishChange(at: .seconds(1)).events.compactMap { event in
            if case .trouble(_, let source, _, _, _) = event.what, source.hasSuffix(".png") { source } else { nil }
        }
        expect(failed == hanging.map(\.location) && failed.count == 8)
        // A poster that loads after the failure is ignored, and no trouble is reported again.
        for order in hanging { wall.player.note(.poster(.success(frame), for: order), at: .seconds(12)) }
        expect(wall.tiles.order.count { wall.tiles[$0].poster.image != nil }, equals: 4)
        expect(wall.tiles.order.allSatisfy { wall.tiles[$0].poster.isSettled })
    }
}
