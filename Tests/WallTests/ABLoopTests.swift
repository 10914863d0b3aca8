import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// A-B loops by the key `b`, read back from the display and from the sound server.
    @Suite(.tags(.timed)) struct ABLoops {
        private static let frames = 150
        private static let tiles = [Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180))]

        private func film(_ id: Int, sound: Witness.SoundCodec? = nil) throws -> String {
            try clip(id, frames: Self.frames) {
                ($0.width, $0.height, $0.gop) = (320, 180, 60)
                if let sound { $0.sound = sound }
            }.file()
        }

        /// Returns the numbers of the frames in the A-B loop, as the program reports them.
        private func abLoop(_ client: ControlClient) throws -> Range<Int> {
            let a = try #require(client.number("ab-loop-a")), b = try #require(client.number("ab-loop-b"))
            return Int((a * 30).rounded())..<Int((b * 30).rounded())
        }

        /// Expects the tiles to have shown the A-B loop repeatedly.
        private func expectABIterations(_ film: Film, of clips: [Int], _ numbers: Range<Int>, atLeast abIterations: Int)
        {
            for (tile, clip) in clips.enumerated() {
                // Two iterations, so that a frame that is left out is not taken for one that comes back.
                let seen = Succession(
                    film.runs(of: tile), playing: [(clip, numbers), (clip, numbers)], blink: blink)
                expectUnbroken(seen, "tile \(tile + 1) in \(numbers)", seams: abIterations / 2)
            }
            // The tiles are in step, except in shots between the two halves of a present.
            let apart = film.shots.count { shot in
                guard case .frame(let one) = shot.readings[0], case .frame(let other) = shot.readings[1] else {
                    return true
                }
                return one.number != other.number
            }
            expect(apart * 50, atMost: film.shots.count, "\(apart) of \(film.shots.count) shots show two instants")
        }

        @Test(.tags(.exact)) func anABLoopLoopsEveryTileOfItsGroup() throws {
            let stage = try Stage(640, 180)
            let socket = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play([try film(1), try film(2), "--ipc", socket, "--for", "120"])
            let first = try stage.camera(Self.tiles[0], Self.tiles[1])
            expect(first.waitUntilReadable(atMost: 5))
            first.stop()
            let keys = Keys(stage.display)
            let client = try #require(ControlClient(socket))
            RealTime.pass(2)
            try keys.press("b")
            RealTime.pass(0.5)
            try keys.press("b")
            // Time until the marks are gone.
            RealTime.pass(3.5)
            let whole = try abLoop(client)
            expect((10...60).contains(whole.count))
            let camera = try stage.camera(Self.tiles[0], Self.tiles[1])
            RealTime.pass(Double(whole.count) / 30 * 8 + 1)
            expectABIterations(camera.stop(), of: [1, 2], whole, atLeast: 6)
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func theSoundOfAnABLoopHasNoHoleWhereItBeginsAgain() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let socket = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play([try film(4, sound: .aac), "--ipc", socket, "--for", "60"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            camera.stop()
            let client = try #require(ControlClient(socket))
            client.ask("set_property", "ab-loop-a", 2)
            client.ask("set_property", "ab-loop-b", 2.5)
            RealTime.pass(1.5)
            let began = RealTime.now
            RealTime.pass(6)
            let ended = RealTime.now
            client.ask("ab-loop")
            RealTime.pass(1)
            client.ask("quit")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            let heard = microphone.stop()
            expectInTime(
                heard.between(began, ended).longestSilence(), atMost: Limit.loopHole,
                "a hole of sound in its iterations")
            expectInTime(
                heard.between(ended - 0.5, ended + 0.8).longestSilence(), atMost: Limit.focusHole,
                "a hole of sound where it is over")
        }
    }
}
