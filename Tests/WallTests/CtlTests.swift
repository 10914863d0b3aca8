import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// `quadrille ctl` beside walls that play.
    @Suite struct Ctl {
        /// Runs `ctl` with this runtime directory.
        private func ctl(
            _ words: String..., in runtime: String, folder: String? = nil
        ) throws -> (status: Int32?, output: String, errors: String) {
            try Program.run(["ctl"] + words, folder: folder, environment: ["XDG_RUNTIME_DIR": runtime])
        }

        private func play(_ runtime: String, _ rest: [String: Any] = [:], _ options: [String] = []) throws -> Program {
            let tiles: [[String: Any]] = [
                ["id": "left", "play": try clip(1, frames: 150).file()],
                ["id": "right", "play": try clip(2, frames: 150).file()],
            ]
            let program = try Stage(640, 180).play(
                options + [try Stage.layout(tiles: tiles, rest)], environment: ["XDG_RUNTIME_DIR": runtime])
            let folder = "\(runtime)/quadrille"
            expect(
                RealTime.wait(atMost: 10) {
                    !((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).isEmpty
                }, "\(program.child.errors)")
            return program
        }

        @Test func theOneWallOfTheUserIsFound() throws {
            let runtime = try Scratch.newFolder("runtime")
            let program = try play(runtime)
            let socket = "\(runtime)/quadrille/\(program.child.pid)"
            var status = stat()
            expect(lstat(socket, &status) == 0 && status.st_mode & (S_IFMT | 0o777) == S_IFSOCK | 0o600)

            let paused = try ctl("pause", in: runtime)
            expect(paused.status == 0 && paused.output.isEmpty && paused.errors.isEmpty, "\(paused)")
            expect(try ctl("get", "pause", in: runtime).output, equals: "true\n")
            expect(try ctl("set", "time-pos", "1:01.5", in: runtime).status, equals: 0)
            expect(try ctl("seek", "-1", in: runtime).status, equals: 0)
            expect(try ctl("set", "volume", "35", in: runtime).status, equals: 0)
            expect(try ctl("get", "volume", in: runtime).output.hasPrefix("35"))
            expect(try ctl("get", "focus", in: runtime).output, equals: "left\n")
            expect(try ctl("tile", "right", "focus", "right", in: runtime).status == 0)
            expect(try ctl("get", "focus", in: runtime).output, equals: "right\n")
            expect(try ctl("play", in: runtime).status, equals: 0)
            expect(try ctl("get", "pause", in: runtime).output, equals: "false\n")

            let refused = try ctl("set", "duration", "5", in: runtime)
            expect(refused.status == 1 && refused.output.isEmpty)
            expect(refused.errors, equals: "quadrille: ctl: duration can only be read\n")
            let unknown = try ctl("seekk", "5", in: runtime)
            expect(unknown.status == 1 && unknown.errors.contains("did you mean \"seek\"?"), "\(unknown.errors)")

            let health = try ctl("health", "--nagios", in: runtime)
            expect(health.status, equals: 0)
            expect(health.output, equals: "QUADRILLE OK - no tile is ill | ill=0;;0;0 skipped=0;0;;0\n")
            expect(try ctl("quit", in: runtime).status, equals: 0)
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(access(socket, F_OK) != 0)
            let none = try ctl("pause", in: runtime)
            expect(none.status == 1 && none.errors == "quadrille: ctl: no wall of this user is running\n", "\(none)")
            let lost = try ctl("health", "--nagios", in: runtime)
            expect(lost.status, equals: 3)
            expect(lost.output, equals: "QUADRILLE UNKNOWN - no wall of this user is running\n")
        }

        /// Relative names begin where `ctl` runs, whatever the working folder of the wall is.
        @Test func filesAreNamedAsInTheShell() throws {
            let runtime = try Scratch.newFolder("runtime")
            let program = try play(runtime)
            let folder = URL(fileURLWithPath: try Scratch.newFolder("here")).standardizedFileURL.path
            try FileManager.default.copyItem(atPath: try clip(3).file(), toPath: "\(folder)/third film.mp4")
            let loaded = try ctl("tile", "right", "loadfile", "third film.mp4", in: runtime, folder: folder)
            expect(loaded.status, equals: 0, "\(loaded.errors)")
            expect(try ctl("get", "tiles/right/path", in: runtime).output, equals: "\(folder)/third film.mp4\n")
            expect(try ctl("screenshot-to-file", "shot.png", in: runtime, folder: folder).status, equals: 0)
            expect(access("\(folder)/shot.png", F_OK), equals: 0)
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// Width and height of a PNG.
        private func size(_ path: String) throws -> [Int] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        }

        /// New files of the pictures folder that the desktop's settings name, and one tile in the size of its film.
        @Test func screenshotsAreNamedByDateTimeAndTile() throws {
            let (runtime, home) = (try Scratch.newFolder("runtime"), try Scratch.newFolder("home"))
            try FileManager.default.createDirectory(
                atPath: "\(home)/.config", withIntermediateDirectories: true)
            try "XDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n".write(
                toFile: "\(home)/.config/user-dirs.dirs", atomically: true, encoding: .utf8)
            let film = try clip(1, frames: 150) { ($0.width, $0.height) = (640, 360) }.file()
            let tiles: [[String: Any]] = [["id": "left", "play": film], ["id": "right 2", "play": film]]
            let program = try Stage(640, 180).play(
                [try Stage.layout(tiles: tiles, [:])],
                environment: ["XDG_RUNTIME_DIR": runtime, "HOME": home, "XDG_CONFIG_HOME": "\(home)/.config"])
            expect(RealTime.wait(atMost: 10) { (try? ctl("get", "pid", in: runtime).status) == 0 })

            var files: Set<String> = []
            for command in [["screenshot"], ["screenshot"], ["tile", "right 2", "screenshot"]] {
                let answer = try Program.run(["ctl"] + command, environment: ["XDG_RUNTIME_DIR": runtime])
                let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: String]
                let file = try #require(object?["filename"], "\(answer)")
                expect(files.insert(file).inserted)
                let name = file.dropFirst("\(home)/Bilder/".count)
                expect(file.hasPrefix("\(home)/Bilder/") && name.first == "2", "\(file)")
                let isOfTile = command.count > 1
                expect(name.hasSuffix(isOfTile ? "Z-right 2.png" : "Z-left.png"), "\(file)")
                try expect(size(file), equals: isOfTile ? [640, 360] : [640, 180])
            }
            let shot = Scratch.path("left.png")
            expect(try ctl("tile", "left", "screenshot-to-file", shot, in: runtime).status, equals: 0)
            try expect(size(shot), equals: [640, 360])
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// With several walls, `ctl` lists them, and `--ipc` names one. A socket that a killed wall left is no wall.
        @Test func severalWallsAreListed() throws {
            let runtime = try Scratch.newFolder("runtime")
            let path = Scratch.path("second.sock")
            let (first, second) = (
                try play(runtime, ["title": "the first"]), try play(runtime, ["title": "the second"], ["--ipc", path])
            )
            expect(RealTime.wait(atMost: 10) { access(path, F_OK) == 0 })
            let listed = try ctl("pause", in: runtime)
            expect(listed.status, equals: 1)
            expect(listed.errors.contains("2 walls of this user are running"), "\(listed.errors)")
            for (program, title) in [(first, "the first"), (second, "the second")] {
                let line = "  --ipc \(runtime)/quadrille/\(program.child.pid)  \(title)\n"
                expect(listed.errors.contains(line), "\(listed.errors)")
            }
            expect(try ctl("--ipc", path, "get", "layout", in: runtime).output, equals: "the second\n")

            first.child.signal(SIGKILL)
            expect(first.child.wait(atMost: 5) != nil)
            expect(try ctl("get", "layout", in: runtime).output, equals: "the second\n")
            let gone = try ctl("--ipc", "\(runtime)/nothing", "pause", in: runtime)
            expect(gone.status == 1 && gone.errors.contains("No such file or directory"), "\(gone.errors)")
        }
    }
}
