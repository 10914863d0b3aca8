import Expectations
import TestKit
import Testing

import struct TestKit.Tile

@testable import Base
@testable import Feeds
@testable import Player

/// The order of the frames around breaks.
@Suite struct Breaks {
    private func interrupted(_ entry: [String: Any]) throws -> [String: Any] {
        ["breaks": [entry.merging(["name": "ad", "play": try clip(9, frames: 30).file()]) { $1 }]]
    }

    private func states(_ wall: HeadlessWall) -> [Event.BreakState] {
        wall.events.compactMap { if case .breakChange(_, let state) = $0.what { state } else { nil } }
    }

    @Test func onOneTileNothingIsMissingOnEitherSide() throws {
        let films = [try clip(1, frames: 60).file(), try clip(2, frames: 45) { $0.codec = .vp9 }.file()]
        let wall = try HeadlessWall(
            320, 180, [["id": "stage", "play": films]], try interrupted(["after-items": 2]), pipelines: 1)
        let seen = try wall.play(16).runs(of: 0)
        wall.stop()
        let cycle = [(clip: 1, numbers: 0..<60), (clip: 2, numbers: 0..<45), (clip: 9, numbers: 0..<30)]
        expectWhole(Succession(seen, playing: cycle), seams: 3)
        expect(states(wall).prefix(4), equals: [.started, .ended, .started, .ended])
        expect(wall.mostDecoders, equals: 1)
    }

    @Test func onFourTilesWithFourPipelinesNothingIsMissing() throws {
        let lengths = (0..<4).map { [2 * $0 + 1: 60 + 15 * $0, 2 * $0 + 2: 45, 9: 30] }
        let tiles = try (0..<4).map { place -> [String: Any] in
            let clips = [2 * place + 1, 2 * place + 2]
            return ["id": "t\(place)", "play": try clips.map { try clip($0, frames: lengths[place][$0]!).file() }]
        }
        let wall = try HeadlessWall(640, 360, tiles, try interrupted(["every": 3]))
        let film = try wall.play(20, watching: Tile.quadrants)
        wall.stop()
        for place in 0..<4 {
            let marks = film.runs(of: place).map(\.mark)
            var order: [Int] = []
            for (one, next) in zip(marks, marks.dropFirst()) {
                let (one, next) = (try #require(one), try #require(next))
                if one.clip == next.clip, next.number == one.number + 1 { continue }
                let isSeam = one.number == lengths[place][one.clip]! - 1 && next.number == 0
                expect(isSeam, "tile \(place): \(one), then \(next)")
                order.append(next.clip)
            }
            expect(order.count { $0 == 9 }, atLeast: 3, "tile \(place): \(order)")
            expect(!zip(order, order.dropFirst()).contains { $0 == 9 && $1 == 9 }, "tile \(place): \(order)")
            // Without the breaks, the order is that of the sequence.
            let rest = order.filter { $0 != 9 }
            expect(!zip(rest, rest.dropFirst()).contains { $0 == $1 }, "tile \(place): \(order)")
        }
        expect(wall.mostDecoders, atMost: 4)
    }
}
