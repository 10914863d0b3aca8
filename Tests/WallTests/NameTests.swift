import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Names of sources in all output of the program.
    @Suite struct Names {
        private static let secrets = ["s3cr3t", "p%40ss", "joe", "t0ken"]

        private func address(_ server: WebServer, _ name: String) -> String {
            "http://joe:s3cr3t%40p%40ss@127.0.0.1:\(server.port)/\(name)?key=t0ken&x=/s3cr3t"
        }

        private func expectNoSecrets(_ text: String, _ what: String) {
            for secret in Self.secrets { expect(!text.contains(secret), "\(what): \(text)") }
        }

        @Test func secretsAreReportedNowhere() throws {
            let server = try WebServer(["good.mp4": .init(try clip(1).file(), .ranges)])
            let (good, bad) = (address(server, "good.mp4"), address(server, "bad.mp4"))
            let shown = "http://127.0.0.1:\(server.port)/bad.mp4?…"
            let stage = try Stage(320, 180)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(["--ipc", path, "--verbose", good, bad])
            let client = try #require(ControlClient(path))
            expect(RealTime.wait(atMost: 5) { !program.trace.events("trouble").isEmpty })
            expect(RealTime.wait(atMost: 5) { !program.trace.events("item-end").isEmpty })
            expect(client.get("path") as? String == good && client.get("filename") as? String == "good.mp4")
            expect("\(client.get("playlist") ?? "")".contains("s3cr3t"))
            expect(client.get("tiles/tile2/path") as? String, equals: bad)
            for property in ["tiles", "wall", "health", "tiles/tile2", "media-title", "layout"] {
                expectNoSecrets("\(client.get(property) ?? "nothing")", property)
            }
            expect("\(client.get("tiles") ?? "")".contains(":\(server.port)/good.mp4?"))
            expect(client.error("loadfile", address(server, "other.mp4")), equals: "success")
            var reported = ""
            while !reported.contains("/other.mp4?…"), let trouble = client.waitForEvent("trouble") {
                reported += "\(trouble)"
            }
            expect(reported.contains("/other.mp4?…"))
            expectNoSecrets("\(reported) \(client.events)", "events")
            client.error("quit")
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(program.child.errors.contains(shown))
            expectNoSecrets(program.child.errors, "standard error")
            expect(program.trace.events("trouble").contains { $0.text("source") == shown })
            expectNoSecrets("\(program.trace.events)", "trace")
        }

        @Test func neitherFilmsNorChecksTellSecrets() throws {
            let server = try WebServer(["good.mp4": .init(try clip(1, frames: 20).file(), .ranges)])
            let (good, bad) = (address(server, "good.mp4"), address(server, "bad.mp4"))
            let layout = try Stage.layout(
                tiles: [["play": [good, bad]], ["play": ["src": good, "audio": ["src": bad]], "poster": bad]],
                ["audio": ["bed": bad]])
            for (arguments, status) in [
                (["check", layout], 3), (["check", "--json", layout], 3), (["check", good], 0),
                (["snapshot", layout, "--size", "64x36", "-o", Scratch.path("names.png")], 0),
                (["render", layout, "--size", "64x36", "--for", "1", "-o", Scratch.path("names.mp4")], 0),
                (["snapshot", bad, "-o", Scratch.path("bad.png")], 1),
            ] as [([String], Int32)] {
                let result = try Program.run(arguments)
                expect(result.status, equals: status, "\(arguments): \(result.errors)")
                expect((result.output + result.errors).contains(":\(server.port)/"), "\(arguments)")
                expectNoSecrets(result.output + result.errors, "\(arguments)")
            }
        }

        @Test func mistakesTellNoSecrets() throws {
            let url = "https://joe:s3cr3t@cam.example/x?key=t0ken"
            let layout = try Stage.layout(tiles: [["play": "a", "fit": url, url: 1]], ["audio": ["focus": url]])
            for arguments in [
                ["check", layout], ["check", "--json", layout], [layout], [url + ".json"], [url + ".json", "a.json"],
                ["--at", url, "a.mp4"], ["--\(url)", "a.mp4"], ["-\(url)"], ["--focus", url, "a.mp4"],
                ["--trace-events", url, "a.mp4"], ["htps" + url.dropFirst(5)], ["render", "a.mp4", "-o", url],
            ] {
                let result = try Program.run(arguments)
                expect(result.status == 2 && result.errors.contains("cam.example"), "\(arguments): \(result.errors)")
                expectNoSecrets(result.output + result.errors, "\(arguments)")
            }
        }

        // MARK: terminals

        /// Characters of each kind that a terminal obeys, and an ordinary one.
        private static let hostile = "a\u{1B}]0;b\u{7}\u{9B}2J\u{7F}\r\u{85}\u{2028}\u{202E}\u{2066}\u{FEFF}\u{E0041}é"

        private func expectPrintable(_ text: String, _ what: String) {
            for scalar in text.unicodeScalars where scalar != "\n" {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    Issue.record("U+\(String(scalar.value, radix: 16)) in \(what): \(text.debugDescription)")
                    return
                default: break
                }
            }
        }

        @Test func nothingThatATerminalObeysIsReported() throws {
            let folder = try Scratch.newFolder("terminal")
            let name = Self.hostile
            let film = "\(folder)/\(name).mp4", text = "\(folder)/\(name)-text.mp4"
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", try clip(1, frames: 20) { $0.sound = .aac }.file(), "-c",
                "copy", "-metadata", "title=\(name)", "-metadata:s:a", "language=\u{1B}[2", film,
            ])
            try "no film".write(toFile: text, atomically: false, encoding: .utf8)
            let broken = try Stage.layout(tiles: [["play": "a", name: 1, "fit": name]], [name: [:]])
            let layout = try Stage.layout(
                tiles: [
                    ["id": name, "play": [film, text]],
                    ["play": ["src": film, "audio": ["track": name]], "label": name],
                ], ["title": name])
            let named = "\(folder)/\(name).json"
            try FileManager.default.copyItem(atPath: broken, toPath: named)
            for arguments in [
                ["check", layout], ["check", "--json", layout], ["check", broken], ["check", "--json", named], [named],
                ["check", name], ["play", "--help", "--\(name)"], ["--\(name)=1", "--help"], ["-\(name)"],
                ["--size", name, "x"], ["--focus", name, film], ["\(name).json"], ["\(name)\n.json"],
                ["render", layout, "-o", "\(folder)/\(name)"], ["render", layout, "-o", "\(folder)/\(name)/x.mp4"],
                ["render", layout, "--size", "64x36", "--for", "0.2", "-o", Scratch.path("terminal.mp4")],
                ["snapshot", layout, "--size", "64x36", "-o", Scratch.path("terminal.png")],
                ["snapshot", text, "-o", "\(name).png"],
                ["play", "--trace", "\(folder)/\(name)/x", film], ["--watch", "\(name)"],
                ["play", "--ipc", "\(folder)/\(name)/x", film],
            ] {
                let result = try Program.run(arguments, folder: folder)
                expect(result.status != nil, "\(arguments)")
                expect(!(result.output + result.errors).isEmpty, "\(arguments)")
                expectPrintable(result.output + result.errors, "\(arguments)")
                guard arguments.contains("--json") else { continue }
                let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
                expect("\(object ?? [:])".unicodeScalars.contains("\u{202E}"))
            }
        }

        @Test func aWallThatPlaysSaysNothingThatATerminalObeys() throws {
            let stage = try Stage(320, 180)
            let name = Self.hostile
            let text = Scratch.path("\(name).mp4")
            try "no film".write(toFile: text, atomically: false, encoding: .utf8)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(
                tiles: [["id": name, "play": try clip(1).file()], ["play": text]], ["pipelines": 1],
                options: ["--ipc", path, "--verbose", "--trace", "/dev/stdout"])
            let client = try #require(ControlClient(path))
            expect(client.error("layout-load", "/nowhere/\(name)"), equals: "loading failed")
            expect(client.error("layout-save", "/nowhere/\(name)"), equals: "error running command")
            expect(RealTime.wait(atMost: 5) { program.child.output.contains("trouble") })
            client.error("quit")
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(program.child.errors.contains("U+202E") && program.child.output.contains(#"\u202e"#))
            expectPrintable(program.child.errors + program.child.output, "a wall that plays")
            expect(Trace(text: program.child.output).wrong.isEmpty)
        }

        @Test func namesThatAreNoUTF8AreRefusedInUTF8() throws {
            let path = try #require(Program.path)
            let child = try Child(["sh", "-c", #"exec "$0" check "$(printf 'a\377\033[2J.mp4')""#, path])
            expect(child.wait(atMost: 5), equals: 2)
            expect(child.errors.contains("names must be UTF-8"))
            expectPrintable(child.errors, "no UTF-8")
        }
    }
}
