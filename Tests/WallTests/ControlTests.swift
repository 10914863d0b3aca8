import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The control socket of a wall that plays.
    @Suite struct Control {
        private func socketPath() -> String { "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock" }

        @Test func whatIsAskedForIsSeen() throws {
            let stage = try Stage(640, 180)
            let path = socketPath()
            let program = try stage.play(
                tiles: [
                    ["id": "left", "play": try clip(1, frames: 150).file()],
                    ["id": "right", "play": try clip(2, frames: 150).file()],
                ], options: ["--ipc", path])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            let client = try #require(ControlClient(path))
            expect(camera.waitUntilReadable(atMost: 5))
            var status = stat()
            expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)

            expect(client.error("set_property", "pause", true), equals: "success")
            expect(client.error("seek", 2, "absolute"), equals: "success")
            expect(RealTime.wait(atMost: 3) { camera.latest(0) == .frame(Mark(clip: 1, number: 60)) })
            expect(RealTime.wait(atMost: 3) { camera.latest(1) == .frame(Mark(clip: 2, number: 60)) })
            expect(client.number("time-pos"), equals: 2)
            expect(client.error("tile", "right", "frame-step"), equals: "success")
            expect(RealTime.wait(atMost: 3) { camera.latest(1) == .frame(Mark(clip: 2, number: 61)) })
            expect(client.error("tile", "right", "alone", "seek", 1, "absolute"), equals: "success")
            expect(RealTime.wait(atMost: 3) { camera.latest(1) == .frame(Mark(clip: 2, number: 30)) })
            expect(camera.latest(0), equals: .frame(Mark(clip: 1, number: 61)))
            expect(client.get("tiles/right/pause") as? Bool == true && client.get("focus") as? String == "left")
            expect(client.error("tile", "right", "alone", "keypress", "Home"), equals: "success")
            expect(RealTime.wait(atMost: 3) { camera.latest(1) == .frame(Mark(clip: 2, number: 0)) })
            expect(camera.latest(0), equals: .frame(Mark(clip: 1, number: 61)))
            expect(client.error("tile", "right", "keypress", "."), equals: "success")

            expect(client.error("loadfile", try clip(3).file()), equals: "success")
            expect(client.error("set_property", "pause", false), equals: "success")
            expect(
                RealTime.wait(atMost: 3) {
                    if case .frame(let mark) = camera.latest(0) { mark.clip == 3 } else { false }
                })
            let began = try #require(client.waitForEvent("start-file"))
            expect(began["playlist_entry_id"] as? Int, equals: 1)

            let shot = Scratch.path("shot.png")
            expect(client.error("screenshot-to-file", shot), equals: "success")
            expect(FileManager.default.contents(atPath: shot)?.starts(with: [0x89, 0x50, 0x4E, 0x47]), equals: true)
            expect(client.error("keybind", "k", "script-message pressed it"), equals: "success")
            expect(client.error("keypress", "k"), equals: "success")
            expect(client.waitForEvent("client-message")?["args"] as? [String], equals: ["pressed", "it"])
            expect(client.error("no-such-command"), equals: "invalid parameter")
            expect(client.error("get_property", "no-such-property"), equals: "property not found")
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(access(path, F_OK) != 0)
            expect(program.trace.wrong.isEmpty)
        }

        @Test func anEmptyWallWaitsAndTakesFilmsAndLayouts() throws {
            let stage = try Stage(320, 180)
            let path = socketPath()
            let program = try stage.play(["--idle", "--input-ipc-server=\(path)"])
            let camera = try stage.camera(Tile(stage.whole))
            let client = try #require(ControlClient(path))
            expect(client.get("idle-active") as? Bool, equals: true)
            expect(client.error("get_property", "time-pos"), equals: "property unavailable")
            expect(client.error("loadfile", try clip(1).file()), equals: "success")
            expect(camera.waitUntilReadable(atMost: 5))
            let layout = try Stage.layout(tiles: [["id": "one", "play": try clip(2).file()]])
            expect(client.error("layout-load", layout), equals: "success")
            expect(
                RealTime.wait(atMost: 3) {
                    if case .frame(let mark) = camera.latest(0) { mark.clip == 2 } else { false }
                })
            expect(client.get("layout-path") as? String, equals: layout)
            expect(client.error("layout-load", "/nowhere.json"), equals: "loading failed")
            expect(client.error("stop"), equals: "success")
            expect(client.get("idle-active") as? Bool, equals: true)
            expect(client.error("quit", 3), equals: "success")
            expect(client.waitForEvent("shutdown") != nil)
            expect(program.child.wait(atMost: 5), equals: 3)
        }

        @Test func whatIsNoFileAndWhatPlaysIsLeftAsItIs() throws {
            let stage = try Stage(320, 180)
            let path = socketPath()
            let film = try clip(1).file()
            let program = try stage.play(["--ipc", path, film])
            let client = try #require(ControlClient(path))
            let (fifo, link, shot) = (Scratch.path("fifo.json"), Scratch.path("link.png"), Scratch.path("shot.png"))
            expect(mkfifo(fifo, 0o600), equals: 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: shot)
            expect(FileManager.default.createFile(atPath: shot, contents: nil))
            // Opening a FIFO would block for ever.
            expect(client.error("layout-load", fifo), equals: "loading failed")
            expect(client.error("screenshot-to-file", fifo), equals: "error running command")
            expect(client.error("screenshot-to-file", path), equals: "error running command")
            let before = FileManager.default.contents(atPath: film)
            expect(client.error("screenshot-to-file", film), equals: "error running command")
            expect(FileManager.default.contents(atPath: film), equals: before)
            var status = stat()
            expect(lstat(fifo, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            // A link is followed and stays.
            expect(client.error("screenshot-to-file", link), equals: "success")
            expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            expect(FileManager.default.contents(atPath: shot)?.starts(with: [0x89, 0x50, 0x4E, 0x47]), equals: true)
            // Addresses that are no source.
            for source in ["gopher://127.0.0.1/a", "pulse://mic?a=1"] {
                expect(client.error("loadfile", source), equals: "loading failed")
                let layout = try Stage.layout(tiles: [["play": source]])
                expect(client.error("layout-load", layout), equals: "loading failed")
            }
            expect(client.error("sub-add", "\(film).missing.srt"), equals: "loading failed")
            expect(client.get("playlist-count") as? Int, equals: 1)
            expect(client.error("quit", "x"), equals: "invalid parameter")
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// The new pipelines' threads request work before the wall knows of them.
        @Test func morePipelinesAreUsedWhileItPlays() throws {
            let stage = try Stage(320, 180)
            let path = socketPath()
            let tiles = try (1...8).map { ["id": "\($0)", "play": try clip($0).file()] }
            let program = try stage.play(tiles: Array(tiles[..<4]), options: ["--ipc", path])
            let client = try #require(ControlClient(path))
            for count in [8, 16, 32, 64, 1, 64] {
                let layout = try Stage.layout(tiles: tiles, ["pipelines": count])
                expect(client.error("layout-load", layout), equals: "success", "\(count)")
            }
            // Each tile has a pipeline of its own.
            expect(
                RealTime.wait(atMost: 20) {
                    (1...8).allSatisfy { client.get("tiles/\($0)/presented") as? Int ?? 0 > 10 }
                })
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test(.tags(.large)) func hostileClientsCostTheWallNothing() throws {
            let stage = try Stage(320, 180)
            let path = socketPath()
            let program = try stage.play(["--ipc", path, "--for", "7", try clip(1).file()])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            let clients = (0..<200).compactMap { _ in ControlClient(path, within: 2) }
            expect(clients.count, equals: 200)
            for client in clients { client.error("observe_property", 1, "time-pos") }
            for (place, client) in clients.enumerated() where place % 4 == 0 {
                expect(client.error("get_property", "pause"), equals: "success")
                client.error(["garbage": place])
            }
            expect(program.child.wait(atMost: 15), equals: 0)
            let seen = Succession(camera.stop().show.runs(of: 0), playing: [(1, 0..<60)], blink: blink)
            expectUnbroken(seen)
        }

        @Test func aSocketThatIsUsedIsReported() throws {
            let stage = try Stage(320, 180)
            let path = socketPath()
            let first = try stage.play(["--ipc", path, "--for", "6", try clip(1).file()])
            expect(ControlClient(path) != nil)
            let second = try Program(["--ipc", path, "--for", "2", try clip(1).file()], on: stage.display)
            expect(second.child.wait(atMost: 5), equals: 1)
            expect(second.child.errors.contains(path), "\(second.child.errors)")
            expect(first.child.wait(atMost: 15), equals: 0)
        }
    }
}
