import Expectations
import TestKit
import Testing

import struct TestKit.Tile

@testable import Base
@testable import Player

/// Layouts that change while a tile goes on.
@Suite struct Reloads {
    private func rect(_ column: Int, _ row: Int) -> [Double] { [Double(column) / 2, Double(row) / 2, 0.5, 0.5] }

    @Test func aHundredEditsCostATileThatTheyDoNotTouchNothing() throws {
        let kept: [String: Any] = ["id": "kept", "play": try clip(1).file(), "rect": rect(0, 0)]
        let films = try [clip(2, frames: 45), clip(3, frames: 30), clip(4, frames: 75)].map { try $0.file() }
        let wall = try HeadlessWall(640, 360, [kept, ["id": "a", "play": films[0], "rect": rect(1, 0)]])
        var shots: [Camera.Shot] = []
        for edit in 0..<100 {
            var tiles = [kept]
            for (place, id) in ["a", "b", "c", "d"].enumerated() where (edit / (place + 1)) % 3 != 0 {
                let corner = (edit + place) % 3
                tiles.append([
                    "id": id, "play": [films[(edit + place) % 3], films[(edit / 2 + place) % 3]],
                    "rect": rect((corner + 1) % 2, (corner + 1) / 2), "loop": edit % 5 != 0,
                    "offset": Double(edit % 4) * 0.1, "mute": edit % 2 == 0,
                ])
            }
            let diff = try wall.apply(tiles)
            expect(diff.kept, atLeast: 1)
            shots += try wall.play(0.2, watching: [Tile.quadrants[0]]).shots
        }
        expectWhole(Succession(Film(shots).runs(of: 0), looping: 1, 60), seams: 8)
        wall.stop()
        expect(wall.mostDecoders, atMost: 4)
    }

    /// The schedule changes between four films on four pipelines and one film on one pipeline.
    @Test func aTileThatStaysLosesNothingWhenPipelinesGoAndCome() throws {
        let kept: [String: Any] = ["id": "kept", "play": try clip(1) { $0.gop = 60 }.file(), "rect": rect(0, 0)]
        let others = try (1...3).map { place -> [String: Any] in
            ["play": try clip(place + 1).file(), "rect": rect(place % 2, place / 2)]
        }
        // The kept tile is the last, so its pipeline is not the one that stays.
        let wall = try HeadlessWall(640, 360, others + [kept])
        var shots: [Camera.Shot] = []
        for turn in 0..<24 {
            let isOne = turn % 2 == 0
            try wall.apply(isOne ? [kept] : others + [kept], pipelines: isOne ? 1 : 4)
            shots += try wall.play(0.3 + 0.07 * Double(turn % 5), watching: [Tile.quadrants[0]]).shots
        }
        expectWhole(Succession(Film(shots).runs(of: 0), looping: 1, 60), seams: 3)
        wall.stop()
    }
}
