import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The installed program and the files that come with it.
    @Suite struct Installing {
        private static let root =
            URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path

        @Test func whatIsInstalledUnderADestinationPlaysFromThere() throws {
            let place = try Scratch.newFolder("package")
            try run([
                "make", "-C", Self.root, "--no-print-directory", "install", "BINARY=\(try #require(Program.path))",
                "PREFIX=/usr", "DESTDIR=\(place)",
            ])
            let files = try FileManager.default.subpathsOfDirectory(atPath: place).filter { $0.contains(".") }
            expect(files.allSatisfy { $0.hasPrefix("usr/") })
            let binary = "\(place)/usr/bin/quadrille"
            expect(access(binary, X_OK), equals: 0)
            let shared = "\(place)/usr/share/quadrille/layouts"
            let layouts = try FileManager.default.contentsOfDirectory(atPath: shared).filter {
                $0.hasSuffix(".json") && $0 != "layout.schema.json"
            }
            expect(layouts.count, equals: 7)
            // The check runs in another folder, so the files that the layouts name must be installed.
            let checks = try layouts.map {
                try Child([binary, "check", "\(shared)/\($0)"], environment: ["DISPLAY": nil], folder: place)
            }
            for (layout, check) in zip(layouts, checks) {
                expect([0, 3].contains(check.wait(atMost: 60)), "\(layout): \(check.output)\(check.errors)")
                expect(!check.output.contains("no such file"), "\(layout): \(check.output)")
            }
            let frame = Scratch.path("demo.png")
            try run([binary, "snapshot", "\(shared)/demo.json", "--at", "1", "-o", frame])
            let entry = try String(contentsOfFile: "\(place)/usr/share/applications/quadrille.desktop", encoding: .utf8)
            for line in ["[Desktop Entry]", "Exec=quadrille", "Icon=quadrille"] { expect(entry.contains(line)) }
            expect(!entry.contains("NoDisplay"))
            // `make deb` checks their content by the tools of freedesktop.org.
            for file in [
                "metainfo/example.quadrille.quadrille.metainfo.xml", "mime/packages/quadrille.xml",
                "icons/hicolor/scalable/apps/quadrille.svg", "icons/hicolor/16x16/apps/quadrille.png",
                "icons/hicolor/256x256/apps/quadrille.png",
            ] {
                expect(access("\(place)/usr/share/\(file)", R_OK), equals: 0, "\(file)")
            }
            expect(access("\(place)/usr/share/doc/quadrille/LICENSE", R_OK), equals: 0)
            for page in ManualPage.paths.dropFirst() {
                let installed = page.replacingOccurrences(of: "doc/", with: "\(place)/usr/share/doc/quadrille/")
                expect(access(installed, R_OK), equals: 0, "\(installed)")
            }
            expect(access("\(place)/usr/share/doc/quadrille/compare.png", R_OK), equals: 0)
            for file in [
                "man/man1/quadrille.1", "man/man1/quadrille-render.1", "man/man5/quadrille-layout.5",
                "man/man7/quadrille-ipc.7", "bash-completion/completions/quadrille", "zsh/site-functions/_quadrille",
                "fish/vendor_completions.d/quadrille.fish",
            ] {
                expect(access("\(place)/usr/share/\(file)", R_OK), equals: 0, "\(file)")
            }
            for unit in ["user/quadrille.service", "system/quadrille@.service"] {
                let text = try String(contentsOfFile: "\(place)/usr/lib/systemd/\(unit)", encoding: .utf8)
                for line in [
                    "Type=notify", "ExecStart=/usr/bin/quadrille --wait --watch ", "WatchdogSec=30",
                    "Restart=on-failure",
                ] {
                    expect(text.contains("\n\(line)"), "\(unit): \(line)")
                }
                expect(!text.contains("@BINDIR@"))
            }
        }

        private static let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            for path in sys.argv[2:]:
                for error in validator.iter_errors(json.load(open(path))):
                    print(path, error.json_path, error.message)
            """

        @Test func theLayoutsFulfilTheSchemaByAnotherValidator() throws {
            let python = try Python.with([("jsonschema", "jsonschema>=4.18")])
            let folder = "\(Self.root)/layouts"
            let schema = "\(folder)/layout.schema.json"
            let layouts = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".json") && $0 != "layout.schema.json" }.map { "\(folder)/\($0)" }
            expect(layouts.count, equals: 7)
            let reported = try run([python, "-c", Self.script, schema] + layouts)
            expect(reported.isEmpty, "\(reported)")

            // The schema rejects what the program rejects, and accepts what the program accepts.
            let film = try clip(1).file()
            let right: [String] = [
                #"{ "tiles": [ { "play": "FILM", "x-note": 1 } ] }"#,
                #"{ "tiles": [ { "play": ["FILM", { "src": "FILM", "in": 0.5, "out": "0:01", "rate": 2, "repeat": 2 }] } ] }"#,
                #"{ "tiles": [ { "rect": [0, 0, 0.5, 1], "play": "FILM", "offset": -1, "loop": 3, "fit": "cover" } ] }"#,
                #"{ "pipelines": "auto", "overflow": { "rotate": 5 }, "memory": 16, "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "schedule": [{ "days": "mon-fri,sun", "to": "24:00", "display": "off" }], "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "audio": { "bed": { "src": "FILM", "volume": 10 }, "delay": -40 }, "tiles": [ { "play": "FILM" } ] }"#,
            ]
            let wrong: [String] = [
                #"{ "tiles": [] }"#, #"{ "tiles": [ { "play": "FILM", "lop": true } ] }"#,
                #"{ "tiles": [ { "play": "FILM", "fit": "fill" } ] }"#,
                #"{ "pipelines": 0, "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "tiles": [ { "play": { "src": "FILM", "rate": 5 } } ] }"#,
                #"{ "tiles": [ { "play": { "src": "FILM", "turn": 45 } } ] }"#,
                #"{ "window": { "size": [1280] }, "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "window": { "background": "red" }, "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "tiles": [ { "id": "a" } ] }"#, #"{ "tiles": [ { "play": "gopher://127.0.0.1/a" } ] }"#,
                #"{ "tiles": [ { "play": ["FILM", { "src": "pulse://mic?a=1" }] } ] }"#,
                #"{ "schedule": [{ "from": "25:00", "show": "b" }], "tiles": [ { "play": "FILM" } ] }"#,
                #"{ "schedule": [{ "from": "02:00" }], "tiles": [ { "play": "FILM" } ] }"#,
            ]
            let files = try (right + wrong).map {
                try Scratch.file("layout.json", $0.replacingOccurrences(of: "FILM", with: film))
            }
            let programs = try files.map { try Program(["check", $0]) }
            let faults = try run([python, "-c", Self.script, schema] + files)
            for (place, file) in files.enumerated() {
                let text = (right + wrong)[place], isRight = place < right.count
                expect((programs[place].child.wait(atMost: 20) != 2), equals: isRight, "the program: \(text)")
                expect(!faults.contains("\(file) "), equals: isRight, "the schema: \(text)")
            }
        }
    }
}
