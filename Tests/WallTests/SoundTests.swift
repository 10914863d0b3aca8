import TestKit
import Testing

extension WallTests {
    @Suite(.serialized) struct Sound {
        private func singer(_ id: Int) throws -> String { try clip(id, pictures: 90) { $0.sound = .aac }.file() }

        @Test func onlyTheFocusIsHeardAndKeysMoveIt() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(640, 180)
            let program = try stage.play([try singer(2), try singer(7), "--for", "9"], sound: server)
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 4))
            Clock.pass(2.5)
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            let asked = Clock.now
            try keys.press("2")
            #expect(program.child.wait(atMost: 15) == 0)
            camera.stop()
            let heard = microphone.stop()
            let all = Array(0..<16)
            #expect(heard.between(asked - 2, asked - 0.2).clips(among: all) == [2])
            #expect(heard.between(asked + 0.8, asked + 2.8).clips(among: all) == [7])
            #expect(heard.between(asked - 2, asked + 2.8).longestSilence() < 0.15)
        }

        @Test func aMixIsHeardWhole() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [["play": try singer(1)], ["play": try singer(6)], ["play": try singer(11), "mute": true]],
                ["audio": ["mode": "mix"], "grid": ["columns": 3, "rows": 1]], options: ["--for", "6"], sound: server)
            let camera = try stage.camera(Tile(Area(0, 30, 213, 120)))
            #expect(camera.waitUntilReadable(atMost: 4))
            let began = Clock.now
            #expect(program.child.wait(atMost: 12) == 0)
            camera.stop()
            let heard = microphone.stop().between(began + 1, began + 4.5)
            #expect(heard.clips(among: Array(0..<16)) == [1, 6])
            #expect(heard.longestSilence() < 0.15)
        }
    }
}
