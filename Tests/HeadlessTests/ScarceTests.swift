import Expectations
import TestKit
import Testing

import struct TestKit.Tile

/// Fewer decoders than tiles.
@Suite struct Scarce {
    private static let clips = [
        clip(1, frames: 60),
        clip(2, frames: 50) { ($0.codec, $0.container, $0.rate) = (.vp9, .webm, Rate(25)) },
        clip(3, frames: 48) { ($0.codec, $0.container, $0.rate) = (.mpeg4, .avi, Rate(24)) },
        clip(4, frames: 60) { ($0.codec, $0.container, $0.rate) = (.hevc, .mkv, Rate(30000, 1001)) },
    ]

    @Test(arguments: 1...3) func fewerPipelinesAreNeverExceeded(_ pipelines: Int) throws {
        let wall = try HeadlessWall(
            640, 360, try Self.clips.map { ["play": try $0.file()] }, ["overflow": ["rotate": 1]],
            pipelines: pipelines)
        let film = try wall.play(8, watching: Tile.quadrants)
        wall.stop()
        for (tile, clip) in Self.clips.enumerated() {
            expect(film.firstFrame(of: clip.clip, in: tile) != nil, "tile \(tile) was never shown")
            // The focused tile, the first, always plays: with one pipeline the others keep their posters.
            let plays = film.runs(of: tile).count { $0.mark != nil } > 10
            expect(plays, equals: (pipelines > 1 || tile == 0), "tile \(tile)")
        }
        expect(wall.mostDecoders, atMost: pipelines)
    }
}
