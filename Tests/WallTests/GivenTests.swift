import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Command-line options, and keys in a layout.
    @Suite struct Given {
        private func socketPath() -> String { "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock" }

        private func film(_ id: Int) throws -> String {
            try clip(id, frames: 150) { ($0.width, $0.height) = (320, 180) }.file()
        }

        private func object(_ file: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        /// The saved layout plays the films with the options of the command line.
        @Test func optionsAreInTheLayoutThatIsSaved() throws {
            let stage = try Stage(640, 180)
            let (films, saved, path) = (try [film(1), film(2)], Scratch.path("saved.json"), socketPath())
            let options = [
                "--together", "--no-loop", "--at", "1.5", "--rate", "0.5", "--audio-mode", "mix", "--paused",
            ]
            let program = try stage.play(["--ipc", path] + options + films)
            let client = try #require(ControlClient(path))
            expect(client.error("layout-save"), equals: "error running command")
            expect(client.error("layout-save", saved), equals: "success")
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)

            let layout = try object(saved)
            let main = (layout["groups"] as? [String: Any])?["main"] as? [String: Any]
            expect(main?["loop"] as? String, equals: "together")
            expect((layout["audio"] as? [String: Any])?["mode"] as? String, equals: "mix")
            let again = try Program(["--paused", "--ipc", path, saved], on: stage.display)
            let other = try #require(ControlClient(path))
            expect(other.number("groups/main/time-pos") == 1.5 && other.number("groups/main/speed") == 0.5)
            expect(other.get("loop-playlist") as? Bool, equals: false)
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            expect(
                RealTime.wait(atMost: 10) {
                    camera.latest(0) == .frame(Mark(clip: 1, number: 45))
                        && camera.latest(1) == .frame(Mark(clip: 2, number: 45))
                })
            camera.stop()
            expect(other.error("quit", 0), equals: "success")
            expect(again.child.wait(atMost: 5), equals: 0, "\(again.child.errors)")
        }

        /// Films and other files are not replaced. A layout and an empty file are.
        @Test func onlyALayoutIsReplacedByASavedLayout() throws {
            let stage = try Stage(320, 180)
            let (film, notes, empty, path) = (
                Scratch.path("film.mp4"), Scratch.path("notes.json"), Scratch.path("empty.json"), socketPath()
            )
            try FileManager.default.copyItem(atPath: try self.film(1), toPath: film)
            try Data(#"{"notes": [1]}"#.utf8).write(to: URL(fileURLWithPath: notes))
            try Data().write(to: URL(fileURLWithPath: empty))
            let before = try Data(contentsOf: URL(fileURLWithPath: film))
            let program = try stage.play(["--ipc", path, film])
            let client = try #require(ControlClient(path))
            for file in [film, notes] {
                let reply = client.ask("layout-save", file)
                expect(reply["error"] as? String, equals: "error running command")
                let detail = reply["detail"] as? String ?? ""
                expect(detail.contains("exists and is not a layout; another name would be right"), "\(detail)")
            }
            expect(try Data(contentsOf: URL(fileURLWithPath: film)), equals: before)
            expect(try object(notes).keys.first, equals: "notes")
            for _ in 1...2 { expect(client.error("layout-save", empty), equals: "success") }
            expect(try object(empty)["tiles"] != nil)
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// The keypad, F keys and keys of remote controls; all other keys are locked.
        @Test func keysOfALayoutWorkWhereAllOthersAreLocked() throws {
            let stage = try Stage(640, 180)
            let path = socketPath()
            let program = try stage.play(
                tiles: [["id": "left", "play": try film(1)], ["id": "right", "play": try film(2)]],
                [
                    "window": ["input": "none", "size": [640, 180]],
                    "keys": [
                        "F5": "zoom right", "KP1": "focus right", "Ctrl+PGUP": "zoom none", "PLAY": "cycle pause",
                    ],
                ], options: ["--ipc", path])
            let client = try #require(ControlClient(path))
            let keys = Keys(stage.display)
            func press(_ key: String, _ property: String, _ value: String) throws {
                try self.press(key, keys, until: property, is: value, client)
            }
            expect(RealTime.wait(atMost: 5) { client.get("tiles/left/presented") as? Int ?? 0 > 0 })
            for key in ["2", "space", "q", "ctrl+c", "z"] { try keys.press(key) }
            try press("F5", "zoomed", "right")
            expect(client.get("focus") as? String == "right" && client.get("pause") as? Bool == false)
            try press("ctrl+Prior", "zoomed", "none")
            expect(client.error("focus", "left"), equals: "success")
            try press("KP_1", "focus", "right")
            try press("XF86AudioPlay", "pause", "1")
            expect(client.error("keybind", "q", "quit 3"), equals: "success")
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 3, "\(program.child.errors)")
        }

        private func press(
            _ key: String, _ keys: Keys, until property: String, is value: String, _ client: ControlClient
        ) throws {
            try keys.press(key)
            let isSo = RealTime.wait(atMost: 3) { "\(client.get(property) ?? "")" == value }
            expect(isSo, "\(key): \(property) is \(client.get(property) ?? "")")
        }

        /// `folder`: XDG_CONFIG_HOME, with the file quadrille/keys.conf.
        private func play(_ layout: String, on stage: Stage, settings folder: String, ipc path: String) throws -> Child
        {
            let quadrille = try #require(Program.path)
            let options = ["--no-audio", "--size", "640x180", "--position", "0,0", "--borderless", "--ipc", path]
            return try Child(
                [quadrille] + options + [layout],
                environment: stage.display.environment.merging(["XDG_CONFIG_HOME": folder]) { $1 })
        }

        private func settings(_ keys: String) throws -> String {
            let folder = try Scratch.newFolder("settings")
            try FileManager.default.createDirectory(atPath: folder + "/quadrille", withIntermediateDirectories: true)
            try Data(keys.utf8).write(to: URL(fileURLWithPath: folder + "/quadrille/keys.conf"))
            return folder
        }

        /// Lines of keys.conf bind keys on every wall, and a wrong line is reported.
        @Test func keysOfTheUserWorkOnEveryWall() throws {
            let stage = try Stage(640, 180)
            let path = socketPath()
            let folder = try settings("# mine\nF5 focus right\nF6 focus rigth\nz qit\nspace ignore\nF7 zoom left\n")
            let layout = try Stage.layout(
                tiles: [["id": "left", "play": try film(1)], ["id": "right", "play": try film(2)]],
                ["window": ["size": [640, 180]], "keys": ["F7": "zoom right"]])
            let child = try play(layout, on: stage, settings: folder, ipc: path)
            let client = try #require(ControlClient(path))
            let keys = Keys(stage.display)
            func press(_ key: String, _ property: String, _ value: String) throws {
                try self.press(key, keys, until: property, is: value, client)
            }
            expect(RealTime.wait(atMost: 5) { client.get("tiles/left/presented") as? Int ?? 0 > 0 })
            try press("F5", "focus", "right")
            // The layout's key has precedence, and a key of a wrong line has its usual meaning.
            try press("F7", "zoomed", "right")
            try press("z", "zoomed", "none")
            for key in ["space", "F6", "1"] { try keys.press(key) }
            expect(RealTime.wait(atMost: 3) { client.get("focus") as? String == "left" })
            expect(client.get("pause") as? Bool, equals: false)
            try keys.press("q")
            expect(child.wait(atMost: 5), equals: 0, "\(child.errors)")
            let file = "\(folder)/quadrille/keys.conf"
            expect(
                child.errors.contains(
                    "\(file):4:3: z: \"qit\" is wrong here; no command is called \"qit\"; did you mean \"quit\"?\n"),
                "\(child.errors)")
            expect(child.errors.contains("quadrille: key F6: no tile is called \"rigth\""), "\(child.errors)")
        }

        /// The user's keys are locked with the others if the layout allows no input.
        @Test func keysOfTheUserAreLockedWithTheOthers() throws {
            let stage = try Stage(640, 180)
            let path = socketPath()
            let layout = try Stage.layout(
                tiles: [["id": "left", "play": try film(1)], ["id": "right", "play": try film(2)]],
                ["window": ["input": "none", "size": [640, 180]], "keys": ["F6": "zoom right"]])
            let folder = try settings("F5 quit 3\nF6 quit 3\n")
            let child = try play(layout, on: stage, settings: folder, ipc: path)
            let client = try #require(ControlClient(path))
            expect(RealTime.wait(atMost: 5) { client.get("tiles/left/presented") as? Int ?? 0 > 0 })
            let keys = Keys(stage.display)
            for key in ["F5", "F6"] { try keys.press(key) }
            expect(RealTime.wait(atMost: 3) { client.get("zoomed") as? String == "right" })
            // A key that is pressed over the socket is not locked.
            expect(client.error("keypress", "F5"), equals: "success")
            expect(child.wait(atMost: 5), equals: 3, "\(child.errors)")
        }

        /// Something else in place of the file is reported, and the wall plays.
        @Test func aKeyFileThatIsNoneIsReported() throws {
            let stage = try Stage(640, 180)
            let path = socketPath(), folder = try Scratch.newFolder("settings")
            let file = "\(folder)/quadrille/keys.conf"
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            let layout = try Stage.layout(tiles: [["id": "left", "play": try film(1)]])
            let child = try play(layout, on: stage, settings: folder, ipc: path)
            let client = try #require(ControlClient(path))
            expect(RealTime.wait(atMost: 5) { client.get("tiles/left/presented") as? Int ?? 0 > 0 })
            expect(client.error("quit", 0), equals: "success")
            expect(child.wait(atMost: 5), equals: 0, "\(child.errors)")
            expect(child.errors.contains("quadrille: \(file): Is a directory"), "\(child.errors)")
        }

        @Test func compareShowsBothClipsInOneWindow() throws {
            let stage = try Stage(640, 360)
            let colours = [Colour(200, 40, 40), Colour(40, 40, 200)]
            let films = try colours.enumerated().map { number, colour in
                try clip(number, frames: 30) { ($0.look, $0.width, $0.height) = (.flat(colour), 640, 360) }.file()
            }
            let quadrille = try #require(Program.path)
            let window = ["--size", "640x360", "--position", "0,0", "--borderless", "--no-audio"]
            let child = try Child(
                [quadrille, "compare"] + window + films, environment: stage.display.environment)
            func isReddish(_ x: Int) -> Bool? {
                guard let photo = try? Photo(stage.display) else { return nil }
                let colour = photo.mean(Area(x, 150, 8, 8))
                return colour.red > 2 * colour.blue ? true : colour.blue > 2 * colour.red ? false : nil
            }
            expect(RealTime.wait(atMost: 15) { isReddish(100) == true && isReddish(540) == false })
            try Keys(stage.display).press("q")
            expect(child.wait(atMost: 5), equals: 0, "\(child.errors)")
            for wrong in [["compare"], ["compare", films[0]], ["compare", films[0], "wall.json"]] {
                try expect(Program.run(wrong).status, equals: 2, "\(wrong)")
            }
        }
    }
}
