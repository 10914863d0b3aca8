import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The first things that somebody tries who has just installed the program.
    @Suite struct FirstSteps {
        private func film(_ id: Int) throws -> String { try clip(id, frames: 150).file() }

        // MARK: without arguments

        @Test func atATerminalItPrintsCommandsThatWorkHere() throws {
            let folder = try Scratch.newFolder("home")
            for (id, name) in [(1, "it's one.mp4"), (2, "two.mp4")] {
                try FileManager.default.copyItem(atPath: try film(id), toPath: "\(folder)/\(name)")
            }
            let terminal = try PseudoTerminal(columns: 200)
            let program = try Program([], terminal: terminal, folder: folder, environment: ["HOME": folder])
            expect(program.child.wait(atMost: 20), equals: 2)
            let path = try #require(Program.path)
            let commands = terminal.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
            expect(commands.count, equals: 3, "\(terminal.text)")
            for command in commands {
                // Two blanks end the command.
                let words = command.dropFirst(2).components(separatedBy: "  ")[0]
                expect(words.hasPrefix(path), "\(command)")
                // Films and layouts are checked in place of being played.
                let rest = words.dropFirst(path.count)
                let files = rest.hasPrefix(" compare ") ? rest.dropFirst(" compare".count) : rest
                let arguments =
                    rest.hasPrefix(" help ") ? rest : files.hasPrefix(" --") ? "\(rest) --help" : " check\(files)"
                let ran = try Child(["sh", "-c", path + arguments], folder: folder)
                // 3: playable, with seams.
                expect([0, 3].contains(ran.wait(atMost: 20) ?? -1), "\(command): \(ran.output)\(ran.errors)")
            }
            expect(commands.contains { $0.contains(" . ") && $0.contains("2 media") }, "\(commands)")
        }

        @Test func theVersionNamesTheLibrariesForAReport() throws {
            expect(try Program.run(["--version"]).output.split(separator: "\n").count, equals: 1)
            for arguments in [["--version", "--verbose"], ["version", "--verbose"], ["--verbose", "--version"]] {
                let lines = try Program.run(arguments).output.split(separator: "\n")
                for name in ["quadrille ", "FFmpeg ", "libavcodec ", "SDL ", "libass ", "libpulse ", "zlib "] {
                    expect(lines.contains { $0.hasPrefix(name) && $0.contains(".") }, "\(name): \(lines)")
                }
                expect(lines.last?.contains("Linux") == true, "\(lines)")
            }
        }

        // MARK: no display

        @Test func withoutADisplayItSaysSoInALineWhateverTheSoundServerDoes() throws {
            let server = try SoundServer()
            let hanging = try SoundServer()
            try hanging.signal(SIGSTOP)
            defer { try? hanging.signal(SIGCONT) }
            let film = try film(1)
            // Without XDG_RUNTIME_DIR, Wayland's library writes a line of its own.
            let nothing = ["SDL_VIDEODRIVER": nil, "XDG_RUNTIME_DIR": Scratch.folder]
            let environments: [[String: String?]] = [
                server.environment, hanging.environment, [:], server.environment.merging(["DISPLAY": ":4077"]) { $1 },
            ]
            let runs = try environments.flatMap { environment in
                try (0..<3).map { _ in
                    try Program([film, "--for", "5"], environment: nothing.merging(environment) { $1 }).child
                }
            }
            for run in runs {
                expect(run.wait(atMost: 10), equals: 1, "\(run.errors)")
                let lines = run.errors.split(separator: "\n")
                expect(lines.count == 1 && lines[0].hasPrefix("quadrille: no display: "), "\(run.errors)")
            }
        }

        // MARK: --save

        @Test func whatIsOnTheCommandLineIsSavedAsALayout() throws {
            let folder = try Scratch.newFolder("save")
            try FileManager.default.createDirectory(atPath: "\(folder)/films", withIntermediateDirectories: true)
            for (id, name) in [(1, "a.mp4"), (2, "films/b.mp4")] {
                try FileManager.default.copyItem(atPath: try film(id), toPath: "\(folder)/\(name)")
            }
            func run(_ arguments: String...) throws -> (status: Int32?, output: String, errors: String) {
                try Program.run(arguments, folder: folder)
            }
            func saved(_ name: String) throws -> [String: Any] {
                let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
                return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            }
            // Nothing is played: there is no display here.
            let done = try run(
                "--save", "films/wall.json", "--volume", "40", "--no-loop", "--size", "640x180", "--tone-mapping",
                "clip", "a.mp4", "films/b.mp4")
            expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
            let wall = try saved("films/wall.json")
            let tiles = try #require(wall["tiles"] as? [[String: Any]])
            let plays = tiles.map { $0["play"].map { "\($0)" } ?? "" }
            expect(plays.count == 2 && plays[0].contains("../a.mp4") && plays[1].contains("b.mp4"), "\(plays)")
            expect(!plays[1].contains("films/"), "\(plays)")
            expect((wall["audio"] as? [String: Any])?["volume"] as? Int, equals: 40)
            expect(tiles[0]["loop"] as? Bool, equals: false)
            expect(wall["tone-mapping"] as? [String: String], equals: ["curve": "clip"])
            expect(try run("check", "films/wall.json").status, equals: 0)

            // A layout with options keeps its other fields.
            expect(try run("films/wall.json", "--save", "copy.json", "--focus", "tile2", "--volume", "10").status == 0)
            let copy = try saved("copy.json")
            expect((copy["audio"] as? [String: Any])?["volume"] as? Int, equals: 10)
            expect((copy["tiles"] as? [[String: Any]])?[0]["loop"] as? Bool, equals: false)
            expect(try run("check", "copy.json").status, equals: 0)

            expect(try run("compare", "a.mp4", "films/b.mp4", "--save", "pair.json").status, equals: 0)
            expect((try saved("pair.json")["tiles"] as? [[String: Any]])?[0]["compare"] != nil)

            // Each clip of a comparison keeps its offset.
            let three = ["compare", "--offset", "-0.28", "--offset", "0.5", "a.mp4", "films/b.mp4", "a.mp4"]
            expect(try Program.run(three + ["--save", "three.json"], folder: folder).status, equals: 0)
            let offsets = (try saved("three.json")["tiles"] as? [[String: Any]])?.map { $0["offset"] as? Double }
            expect(offsets, equals: [nil, -0.28, 0.5])

            // A film is not replaced.
            let before = FileManager.default.contents(atPath: "\(folder)/a.mp4")
            let refused = try run("--save", "a.mp4", "films/b.mp4")
            expect(refused.status == 5 && refused.errors.contains("is not a layout"), "\(refused.errors)")
            expect(FileManager.default.contents(atPath: "\(folder)/a.mp4") == before)
            expect(try run("--save", "x.json").status, equals: 2)
            expect(try run("--save", "none/x.json", "a.mp4").status, equals: 5)
            expect(try run("--save", "x.json", "--focus", "nobody", "a.mp4").status, equals: 2)
        }

        // MARK: dropped films

        private func window(of program: Program, on display: Display) throws -> String {
            var windows: [String] = []
            RealTime.wait(atMost: 10) {
                windows = (try? Keys(display).windows(".")) ?? []
                return !windows.isEmpty
            }
            return try #require(windows.first, "\(program.child.errors)")
        }

        private func played(_ client: ControlClient, _ tile: String) -> [String] {
            let list = client.get("tiles/\(tile)/playlist") as? [[String: Any]] ?? []
            return list.compactMap { $0["filename"] as? String }
        }

        @Test func droppedFilmsTakeTheTileUnderThePointer() throws {
            let stage = try Stage(640, 180)
            let path = Scratch.path("drop.sock")
            let (first, second) = (try film(1), try film(2))
            let program = try stage.play(
                tiles: [["id": "left", "play": first], ["id": "right", "play": second]], options: ["--ipc", path])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            let client = try #require(ControlClient(path))
            expect(camera.waitUntilReadable(atMost: 5))
            let window = try window(of: program, on: stage.display)
            let folder = try Scratch.newFolder("with blanks")
            let (third, fourth) = ("\(folder)/third film.mp4", try film(4))
            try FileManager.default.copyItem(atPath: try film(3), toPath: third)

            try FileDrop.drop([third], on: window, at: (480, 90), stage.display)
            expect(
                RealTime.wait(atMost: 5) {
                    if case .frame(let mark) = camera.latest(1) { mark.clip == 3 } else { false }
                }, "\(program.child.errors)")
            expect(played(client, "right"), equals: [third])
            expect(played(client, "left"), equals: [first])

            // With Shift they are appended.
            try FileDrop.drop([fourth, second], on: window, at: (160, 90), stage.display, isShiftDown: true)
            expect(RealTime.wait(atMost: 5) { played(client, "left") == [first, fourth, second] })
            if case .frame(let mark) = camera.latest(0) { expect(mark.clip, equals: 1) }
            expect(program.child.exitStatus, equals: nil)
        }

        @Test func anEmptyWallGetsATileForEachDroppedFilm() throws {
            let stage = try Stage(640, 180)
            let path = Scratch.path("idle.sock")
            let program = try stage.play(["--idle", "--ipc", path])
            let client = try #require(ControlClient(path))
            let window = try window(of: program, on: stage.display)
            let films = try [film(1), film(2)]
            try FileDrop.drop(films, on: window, at: (100, 90), stage.display)
            expect(RealTime.wait(atMost: 5) { played(client, "tile2") == [films[1]] }, "\(program.child.errors)")
            expect(played(client, "tile1"), equals: [films[0]])
        }

        /// A kiosk's wall takes nothing from visitors.
        @Test func aLockedWallTakesNoFilms() throws {
            let stage = try Stage(640, 180)
            let path = Scratch.path("locked.sock")
            let first = try film(1)
            let program = try stage.play(
                tiles: [["id": "left", "play": first]], ["window": ["input": "none"]], options: ["--ipc", path])
            let client = try #require(ControlClient(path))
            let window = try window(of: program, on: stage.display)
            try FileDrop.drop([try film(2)], on: window, at: (100, 90), stage.display)
            // The wall has handled the drop before it presses a key.
            expect(client.error("keypress", "F1") != nil)
            expect(played(client, "left"), equals: [first])
        }

        // MARK: more films than decoders

        /// A text over the upper middle tile names the option with which all films play, for some seconds.
        @Test func filmsThatWaitAreExplainedOnTheWallOnce() throws {
            let red = Colour(200, 40, 40)
            let films = try (1...6).map { id in
                try clip(id, frames: 30) { ($0.look, $0.width, $0.height) = (.flat(red), 320, 180) }.file()
            }
            let stage = try Stage(960, 360)
            let program = try stage.play(films)
            let (notice, first) = (Area(440, 55, 80, 14), Area(140, 100, 40, 40))
            func isRed(_ area: Area) -> Bool {
                (try? Photo(stage.display).mean(area)).map { $0.distance(to: red) <= 24 } ?? false
            }
            expect(RealTime.wait(atMost: 10) { isRed(first) && !isRed(notice) }, "\(program.child.errors)")
            expect(RealTime.wait(atMost: 10) { isRed(first) && isRed(notice) })
            expect(program.child.errors.contains("--pipelines 6, or auto, plays all of them"))
        }
    }
}
