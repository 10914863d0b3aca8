import Expectations
import Foundation
import TestKit
import Testing

import struct TestKit.Tile

@testable import Base
@testable import Commands

/// Tiles that compare two others.
@Suite struct Comparing {
    /// A tile shows the difference of two tiles with the same frames. It is black. If frames of two instants were
    /// compared, the marks of both would show.
    @Test func aPairIsNeverAFrameApartOverSeamsAndSeeks() throws {
        let film = try clip(1, frames: 75) { ($0.gop, $0.bFrames) = (30, 2) }.file()
        let twin = Scratch.path("twin.mp4")
        try FileManager.default.copyItem(atPath: film, toPath: twin)
        let wall = try HeadlessWall(
            640, 360,
            [
                ["id": "left", "play": film, "rect": [0, 0, 0.5, 0.5]],
                ["id": "right", "play": twin, "rect": [0.5, 0, 0.5, 0.5]],
                ["id": "ab", "compare": ["left", "right"], "mode": "difference", "rect": [0, 0.5, 0.5, 0.5]],
            ], ["groups": ["main": ["loop": "together"]]])
        let compared = [Tile.quadrants[2]]
        var shots = try wall.play(5, watching: compared).shots
        wall.carryOut(.seek(.by(-.seconds(1)), .group))
        shots += try wall.play(1, watching: compared).shots
        expect(shots.count, equals: 360)
        // The marks of the seek are drawn on the two tiles only.
        let apart = shots.count { $0.readings[0] != .black }
        expect(apart, equals: 0)
        // One frame apart: the marks of both are seen.
        wall.carryOut(.focus(.tile(try wall.id("right"))))
        wall.carryOut(.nudge(by: .milliseconds(34)))
        _ = try wall.play(0.5, watching: compared)
        let nudged = try wall.play(1, watching: compared).shots
        expect(nudged.allSatisfy { $0.readings[0] != .black })
        wall.stop()
        expect(wall.mostDecoders, atMost: 2)
    }
}
