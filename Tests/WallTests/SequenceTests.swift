import Expectations
import TestKit
import Testing

extension WallTests {
    @Suite(.tags(.timed)) struct Sequences {
        @Test(.tags(.exact)) func itemsFollowEachOtherWithoutAGap() throws {
            let one = try clip(1, frames: 30).file()
            let two = try clip(2, frames: 25) { ($0.codec, $0.container, $0.rate) = (.vp9, .webm, Rate(25)) }.file()
            let stage = try Stage(320, 180)
            let program = try stage.play(tiles: [["play": [one, two]]], options: ["--for", "7"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            expect(program.child.wait(atMost: 16), equals: 0)
            let runs = camera.stop().show.runs(of: 0)
            let seen = Succession(runs, playing: [(1, 0..<30), (2, 0..<25)], blink: blink)
            expectUnbroken(seen, frame: 1.0 / 25, seams: 2)
        }
    }
}
