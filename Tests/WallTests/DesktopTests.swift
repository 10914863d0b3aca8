import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The wall among the desktop's players, driven by playerctl on a private bus.
    @Suite struct DesktopPlayer {
        private func socketPath() -> String { "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock" }

        private func isListed(_ bus: MessageBus, _ players: String..., atMost limit: Double = 10) -> Bool {
            RealTime.wait(atMost: limit) { bus.players == players }
        }

        @Test func playerctlDrivesTheFocusedTile() throws {
            let (stage, bus, path) = (try Stage(640, 180), try MessageBus(), socketPath())
            let poster = try Witness(5).still()
            let films = try [clip(1, frames: 150).file(), clip(2, frames: 150).file()]
            let program = try stage.play(
                tiles: [
                    ["id": "left", "play": films, "poster": poster], ["id": "right", "play": try clip(3).file()],
                ], options: ["--ipc", path], bus: bus)
            let client = try #require(ControlClient(path))
            expect(isListed(bus, "quadrille"))
            expect(RealTime.wait(atMost: 5) { client.number("time-pos") ?? 0 > 0 })
            try expect(bus.playerctl("status"), equals: "Playing")
            try bus.playerctl("pause")
            expect(client.get("pause") as? Bool, equals: true)
            try expect(bus.playerctl("status"), equals: "Paused")
            try bus.playerctl("position", "2")
            expect(RealTime.wait(atMost: 5) { client.number("time-pos") == 2 })
            try expect(bus.playerctl("position"), equals: "2.000000")
            try bus.playerctl("position", "1+")
            expect(RealTime.wait(atMost: 5) { client.number("time-pos") == 3 })
            try bus.playerctl("volume", "0.25")
            expect(client.number("volume"), equals: 25)
            try expect(bus.playerctl("volume"), equals: "0.250000")
            try bus.playerctl("loop", "Track")
            try expect(bus.playerctl("loop"), equals: "Track")
            expect(client.get("loop-file") as? String, equals: "inf")
            try bus.playerctl("loop", "Playlist")
            try expect(bus.playerctl("metadata", "xesam:title"), equals: (films[0] as NSString).lastPathComponent)
            try expect(bus.playerctl("metadata", "mpris:length"), equals: "5000000")
            try expect(bus.playerctl("metadata", "mpris:artUrl"), equals: URL(fileURLWithPath: poster).absoluteString)
            let track = try bus.playerctl("metadata", "mpris:trackid")
            try bus.playerctl("next")
            expect(RealTime.wait(atMost: 5) { client.get("playlist-pos") as? Int == 1 })
            try expect(bus.playerctl("metadata", "mpris:trackid") != track)
            try bus.playerctl("previous")
            expect(RealTime.wait(atMost: 5) { client.get("playlist-pos") as? Int == 0 })
            try bus.playerctl("play")
            try expect(bus.playerctl("status"), equals: "Playing")
            try bus.playerctl("stop")
            try expect(bus.playerctl("status"), equals: "Stopped")
            try bus.playerctl("play-pause")
            try expect(bus.playerctl("status"), equals: "Playing")
            // The other tile has one item.
            expect(client.error("focus", "right"), equals: "success")
            #expect(throws: CommandFailed.self) { try bus.playerctl("next") }
            try bus.playerctl("open", films[1])
            // playerctl writes the path in its own way.
            let name = (films[1] as NSString).lastPathComponent
            expect(RealTime.wait(atMost: 5) { client.get("tiles/right/filename") as? String == name })
            try bus.call("org.mpris.MediaPlayer2.Raise")
            try bus.call("org.mpris.MediaPlayer2.Quit")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            expect(bus.players.isEmpty && program.trace.wrong.isEmpty)
        }

        /// playerctl counts the position itself, and trusts the signals alone.
        @Test(.tags(.timed)) func theFollowedPositionStaysTrueOverTenLoops() throws {
            let (stage, bus, path) = (try Stage(320, 180), try MessageBus(), socketPath())
            let program = try stage.play([try clip(1, frames: 30).file(), "--ipc", path], bus: bus)
            let client = try #require(ControlClient(path))
            expect(isListed(bus, "quadrille"))
            let follower = try Child(["playerctl", "--follow", "position"], environment: bus.environment)
            defer { follower.end() }
            func lines() -> [Double] { follower.output.split(separator: "\n").compactMap { Double($0) } }
            var errors: [Double] = []
            for count in 2...12 {
                expect(RealTime.wait(atMost: 5) { lines().count >= count })
                guard let told = lines().last, let truth = client.number("time-pos") else { break }
                let error = abs(told - truth)
                errors.append(min(error, 1 - error))
            }
            expect(errors.count, equals: 11)
            expectInTime((errors.max() ?? 1) * 1000, .milliseconds, atMost: 100, "ms from the truth")
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aSecondWallHasANameAndABusThatComesBackHasBoth() throws {
            let bus = try MessageBus(), stages = try (0..<2).map { _ in try Stage(320, 180) }
            let first = try stages[0].play([try clip(1).file()], bus: bus)
            expect(isListed(bus, "quadrille"))
            let second = try stages[1].play([try clip(2).file()], bus: bus)
            let instance = "quadrille.instance\(second.child.pid)"
            expect(isListed(bus, "quadrille", instance))
            try expect(bus.playerctl("-p", instance, "status"), equals: "Playing")
            bus.die()
            try bus.start()
            expect(RealTime.wait(atMost: 12) { bus.players.count == 2 })
            for program in [first, second] {
                expect(program.child.exitStatus, equals: nil)
                kill(program.child.pid, SIGTERM)
                expect(program.child.wait(atMost: 5), equals: 0)
                expect(program.child.errors.isEmpty, "\(program.child.errors)")
            }
        }

        @Test func aWallIsListedWhileItsLayoutAllowsInput() throws {
            let (stage, bus, path) = (try Stage(320, 180), try MessageBus(), socketPath())
            let tiles = [["id": "one", "play": try clip(1).file()]]
            let program = try stage.play(
                tiles: tiles, ["window": ["input": "none"]], options: ["--ipc", path], bus: bus)
            let client = try #require(ControlClient(path))
            expect(RealTime.wait(atMost: 5) { client.number("tiles/one/presented") ?? 0 > 10 })
            expect(bus.players.isEmpty)
            // A layout that allows input lists the wall, and one that does not takes it off the list.
            expect(client.error("layout-load", try Stage.layout(tiles: tiles)), equals: "success")
            expect(isListed(bus, "quadrille"))
            let locked = try Stage.layout(tiles: tiles, ["window": ["input": "none"]])
            expect(client.error("layout-load", locked), equals: "success")
            expect(isListed(bus))
            expect(client.error("quit"), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }
    }
}
