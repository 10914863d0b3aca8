import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite struct Usage {
        static let wrong: [[String]] = [
            [], ["--nonsense", "a.mp4"], ["--pipelines", "0", "a.mp4"], ["--size", "12", "a.mp4"],
            ["--audio-delay", "1001", "a.mp4"], ["--audio-delay", "a.mp4"], ["--audio-mode", "all", "a.mp4"],
            ["--volume", "101", "a.mp4"], ["missing-layout.json"], ["a.json", "b.mp4"], ["render", "a.mp4"],
            ["snapshot", "a.mp4"], ["render", "a.mp4"], ["gopher://h/a"], ["a.mp4", "htp://h/a"], ["check", "fd://0"],
            ["snapshot", "-o", "a.png", "pulse://mic?a=1"], ["version", "a.mp4"], ["help", "chek"], ["chek", "a.mp4"],
        ]

        @Test(arguments: wrong) func wrongUsageIsStatusTwo(_ arguments: [String]) throws {
            let result = try Program.run(arguments, folder: try Scratch.newFolder("usage"))
            expect(result.status, equals: 2)
            expect(!result.errors.isEmpty)
            expect(result.output.isEmpty)
        }

        @Test func aSchemeThatIsNotOpenedIsReportedWithTheNearest() throws {
            let result = try Program.run(["a.mp4", "htps://joe:secret@h/x?a=b"])
            let reported = "quadrille: htps://h/x?…: \"htps://\" is not supported; did you mean \"https://\"? a file"
            expect(result.status == 2 && result.errors.hasPrefix(reported), "\(result.errors)")
        }

        static let meant: [([String], String)] = [
            (["chek", "a.json"], "quadrille: chek: no file and no subcommand has this name; did you mean check?\n"),
            (["check", "--jsn", "a.mp4"], "quadrille: unknown option --jsn; did you mean --json?\n"),
            (["snapshot", "a.mp4", "-o", "a.jpg"], "quadrille: -o a.jpg: a snapshot is one frame; a name that ends"),
            (
                ["--trace-events", "nosuch", "a.mp4"],
                "quadrille: --trace-events nosuch: no such event; there are start, "
            ),
            (
                ["--trace-events", "seem", "a.mp4"],
                "quadrille: --trace-events seem: no such event; did you mean seam? There are "
            ),
            (["ctl"], "quadrille: ctl needs a command, such as pause, get NAME or set NAME VALUE\n"),
            (["ctl", "get"], "quadrille: get takes the name of one property\n"),
            (["ctl", "set", "pause"], "quadrille: set takes the name of a property and a value\n"),
            (
                ["render", "a.mp4", "--together", "-o", "a.avi"],
                "quadrille: -o a.avi: the extension chooses the format; "
            ),
        ]

        @Test(arguments: meant) func aMistakeNamesWhatWasMeantAndWhereMoreIsReported(
            _ arguments: [String], _ reported: String
        ) throws {
            let result = try Program.run(arguments, folder: try Scratch.newFolder("meant"))
            let subcommand = ["check", "render", "snapshot", "ctl"].contains(arguments[0]) ? "\(arguments[0]) " : ""
            expect(result.status == 2 && result.errors.hasPrefix(reported), "\(result.errors)")
            expect(result.errors.hasSuffix("\nsee quadrille \(subcommand)--help\n"), "\(result.errors)")
        }

        @Test func aFileOfASubcommandsKindOfNameIsPlayed() throws {
            let folder = try Scratch.newFolder("named")
            try FileManager.default.copyItem(atPath: try clip(1).file(), toPath: "\(folder)/chek")
            let result = try Program.run(["chek", "--for", "1", "--no-audio"], folder: folder)
            expect(result.status == 1 && result.errors.contains("no display"), "\(result.errors)")
        }

        @Test(arguments: [
            ["--help"], ["--version"], ["check", "--help"], ["play", "--help"], ["-h"], ["render", "-h"], ["help"],
            ["help", "snapshot"], ["version"],
        ])
        func helpIsStatusZero(_ arguments: [String]) throws {
            let result = try Program.run(arguments)
            expect(result.status, equals: 0)
            expect(!result.output.isEmpty)
        }

        /// Output that can't be written makes the program fail.
        @Test(arguments: [["--help"], ["--version"], ["check"], ["check", "--json"]])
        func anAnswerThatIsLostIsAFailure(_ arguments: [String]) throws {
            let path = try #require(Program.path)
            let media = arguments[0] == "check" ? [try clip(1).file()] : []
            let child = try Child([path] + arguments + media, output: .file("/dev/full"))
            expect(child.wait(atMost: 10), equals: 5)
            expect(child.errors, equals: "quadrille: standard output: No space left on device\n")
        }

        @Test func aTraceThatCannotBeWrittenIsReportedOnceAndTheWallPlaysOn() throws {
            let stage = try Stage(320, 180)
            let path = try #require(Program.path)
            let film = try clip(1).file()
            let traces = ["--trace /dev/full", "--trace '\(Scratch.path("short.jsonl"))'"]
            for (limit, trace) in zip(["ulimit -f unlimited", "ulimit -f 8"], traces) {
                let child = try Child(
                    ["sh", "-c", "\(limit) && exec \(path) '\(film)' --no-audio --for 2 --trace-events all \(trace)"],
                    environment: stage.display.environment)
                expect(child.wait(atMost: 10), equals: 5)
                let lines = child.errors.split(separator: "\n")
                expect(lines.count == 1 && lines[0].hasPrefix("quadrille: the trace ends here: "), "\(child.errors)")
            }
            let short = try String(contentsOfFile: String(traces[1].split(separator: "'")[1]), encoding: .utf8)
            expect(Trace(text: short).wrong.isEmpty && short.hasSuffix("\n"))
        }

        @Test func withoutADisplayItCannotRun() throws {
            let result = try Program.run([try clip(1).file(), "--for", "1", "--no-audio"])
            expect(result.status, equals: 1)
            expect(!result.errors.isEmpty)
        }

        @Test func allMistakesOfALayoutAreReportedWithTheirPlaces() throws {
            let text = """
                {
                  "tile": [],
                  "pipelines": 0,
                  "tiles": [ { "play": "a.mp4", "fit": "fill" } ]
                }
                """
            let path = try Scratch.file("wrong.json", text)
            let result = try Program.run([path])
            expect(result.status, equals: 2)
            let lines = result.errors.split(separator: "\n").map(String.init)
            expect(lines.count { $0.hasPrefix("\(path):") }, equals: 3)
            for place in ["2:3", "3:16", "4:40"] {
                expect(lines.contains { $0.hasPrefix("\(path):\(place): ") }, "\(place)")
            }
            expect(result.errors.contains("tiles"))
        }

        private func layout(mistakes count: Int) throws -> String {
            let keys = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",\n")
            return try Scratch.file("many.json", "{\"tiles\":[{\"play\":\"a\"}],\n\(keys)}")
        }

        private func expectFew(_ errors: String, _ path: String, more: String, _ what: String) {
            let lines = errors.split(separator: "\n")
            expect(lines.count, equals: 101, "\(what): \(lines.count)")
            expect(lines.last, equals: "\(path): and \(more) more", "\(what): \(lines.last ?? "")")
            expect(lines.first?.hasPrefix("\(path):2:1: k0: "), equals: true)
        }

        @Test(arguments: [["play"], ["check", "--json"], ["render", "-o", "x.mp4"]])
        func aMillionMistakesAreReportedInAHundredLines(_ arguments: [String]) throws {
            let path = try layout(mistakes: 1_000_000)
            let program = try Program(arguments + [path])
            var memory = 0
            let hasEnded = RealTime.wait(atMost: 60) {
                memory = max(memory, program.memory)
                return program.child.exitStatus != nil
            }
            expect(hasEnded && program.child.exitStatus == 2)
            expectFew(program.child.errors, path, more: "999,900", "\(arguments)")
            expect(memory, below: 500 << 20)
            guard arguments.contains("--json") else { return }
            let json = try JSONSerialization.jsonObject(with: Data(program.child.output.utf8)) as? [String: Any]
            expect((json?["mistakes"] as? [Any])?.count == 100 && json?["more"] as? Int == 999_900)
        }

        @Test func manyMistakesOfALayoutThatIsLoadedAreReportedInAHundredLines() throws {
            let stage = try Stage(320, 180)
            let (path, socket) = (
                try layout(mistakes: 50_000), "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            )
            let program = try stage.play(["--ipc", socket, try clip(1).file()])
            let client = try #require(ControlClient(socket))
            expect(client.error("layout-load", path), equals: "loading failed")
            expect(client.waitForEvent("reload")?["mistakes"] as? Int, equals: 50_000)
            expect(client.error("quit"), equals: "success")
            expect(program.child.wait(atMost: 10), equals: 0)
            expectFew(program.child.errors, path, more: "49,900", "layout-load")
        }

        @Test func aLayoutIsReadFromStandardInputToo() throws {
            let binary = try #require(Program.path)
            func read(_ command: [String], _ text: String) throws -> Child {
                let path = try Scratch.file("standard-input", text)
                let child = try Child(
                    [binary] + command, environment: ["DISPLAY": nil, "WAYLAND_DISPLAY": nil], input: .file(path))
                child.wait(atMost: 20)
                return child
            }
            let wrong = try read(["-"], "{ \"tiles\": [],\n  \"pipelines\": 0 }")
            expect(wrong.exitStatus, equals: 2)
            expect(wrong.errors.contains("-:2:16: pipelines: "), "\(wrong.errors)")
            let frame = Scratch.path("read.png")
            let layout = "{ \"tiles\": [{ \"play\": \"\(try clip(3).file())\" }] }"
            let right = try read(["snapshot", "-", "--size", "320x180", "-o", frame], layout)
            expect(right.exitStatus, equals: 0, "\(right.errors)")
            let seen = try Footage(frame, width: 320, height: 180).read(Tile(Area(0, 0, 320, 180)), 0)
            expect(seen, equals: .frame(Mark(clip: 3, number: 0)))
        }

        static let layouts = ["demo", "compare", "kiosk", "karaoke", "sequence", "spotlight", "background"]

        @Test(arguments: layouts) func theLayoutsThatComeWithItAreRight(_ name: String) throws {
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path
            let result = try Program.run(["check", "\(root)/layouts/\(name).json"])
            expect(result.status == 0 || result.status == 3, "\(result.errors)")
        }
    }
}
