import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Proof of play: a line for each item, with the frames presented.
    @Suite struct PlayLogs {
        private struct Line {
            let fields: [String: Any]

            func text(_ key: String) -> String { fields[key] as? String ?? "" }
            func number(_ key: String) -> Double { (fields[key] as? NSNumber)?.doubleValue ?? -1 }
        }

        private func files(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        }

        private func text(_ folder: String) -> String {
            files(folder).map { (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? "" }.joined()
        }

        /// Returns the lines of all files in the folder, and the number of torn ones.
        private func lines(_ folder: String) -> (whole: [Line], torn: Int) {
            let text = text(folder).split(separator: "\n")
            let whole = text.compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]).map(Line.init)
            }
            return (whole, text.count - whole.count)
        }

        @Test(.tags(.timed)) func eachItemThatEndsIsALineWithWhatWasPresented() throws {
            let stage = try Stage(640, 180)
            let folder = Scratch.path("log")
            let (one, two, three) = (
                try clip(1).file(), try clip(2, frames: 30).file(), try clip(3, frames: 45).file()
            )
            let program = try stage.play(
                tiles: [
                    ["id": "loop", "play": one, "rect": [0, 0, 0.5, 1]],
                    ["id": "list", "play": [two, "/nowhere.mp4", three], "rect": [0.5, 0, 0.5, 1]],
                ], options: ["--log", folder, "--for", "9"])
            let camera = try stage.camera(Tile(stage.whole.cell(0, 0, of: 2, by: 1)))
            expect(program.child.wait(atMost: 20), equals: 0)
            let (lines, torn) = lines(folder)
            expect(torn == 0 && Set(lines.map { $0.text("uuid") }).count == lines.count)
            let ends = program.trace.events("item-end")
            expect(lines.count == ends.count && lines.count >= 10)
            for (line, end) in zip(lines, ends) {
                expect(line.text("tile") == end.tile && line.text("source") == end.text("source"))
                let path = URL(fileURLWithPath: line.text("source")).resolvingSymlinksInPath().path
                expect(line.text("file"), equals: path)
                expect(line.number("presented"), equals: end.number("presented"))
                expect(line.number("missed") == end.number("missed") && line.number("item") == end.number("item"))
            }
            let looped = lines.filter { $0.text("tile") == "loop" }
            expect(
                looped.map { $0.text("began") },
                equals: ["start", "loop", "loop", "loop", "loop"].prefix(looped.count).map { $0 })
            expect(looped.dropLast().allSatisfy { $0.text("ended") == "eof" && abs($0.number("seconds") - 2) < 0.1 })
            expect(looped.last?.text("ended"), equals: "stopped")
            // The camera may fail to see a frame, and never sees more than were presented.
            let seen = camera.stop().show.runs(of: 0).count { $0.mark != nil }
            let presented = Int(looped.reduce(0) { $0 + $1.number("presented") })
            expect((presented - 3...presented).contains(seen), "\(seen) seen, \(presented) logged")
            let listed = lines.filter { $0.text("tile") == "list" }
            // A source that can't be played was never on the screen.
            let (gone, played) = (
                listed.filter { $0.text("source") == "/nowhere.mp4" },
                listed.filter { $0.text("source") != "/nowhere.mp4" }
            )
            expect(!gone.isEmpty && gone.allSatisfy { $0.text("ended") == "error" && $0.number("presented") == 0 })
            expect(
                played.dropLast().allSatisfy { $0.text("ended") == "eof" && $0.number("presented") > 25 }, "\(played)")
            expect(played.map { $0.number("item") }.prefix(4), equals: [0, 2, 0, 2])
            let form = #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$"#
            expect(lines.allSatisfy { $0.text("time").range(of: form, options: .regularExpression) != nil })
            expect(
                files(folder).allSatisfy { $0.hasSuffix(".jsonl") && lines[0].text("time").hasPrefix($0.prefix(10)) })
        }

        /// A logo, a film whose server goes away, and one that is whole.
        @Test(.tags(.timed)) func theSummaryTellsWholeFromCutOff() throws {
            let stage = try Stage(640, 180)
            let folder = Scratch.path("log")
            let film = try clip(1, frames: 120) { $0.container = .mp4 }.file()
            let cut = Scratch.path("cut.mp4")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", film, "-c", "copy", "-movflags", "+faststart", cut,
            ])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: cut))
            try bytes.prefix(bytes.count * 3 / 4).write(to: URL(fileURLWithPath: cut))
            let logo = try clip(3).still(7)
            let program = try stage.play(
                tiles: [
                    ["id": "list", "play": [cut, film], "rect": [0, 0, 0.5, 1]],
                    ["id": "logo", "play": ["src": logo, "duration": 1], "rect": [0.5, 0, 0.5, 1]],
                ], options: ["--log", folder, "--for", "10"])
            expect(program.child.wait(atMost: 25), equals: 0)
            let json = try JSONSerialization.jsonObject(
                with: Data(try Program.run(["log", "--json", folder]).output.utf8))
            let rows = try #require(json as? [[String: Any]])
            func row(_ source: String) throws -> [String: Any] {
                // The log has real paths.
                let path = URL(fileURLWithPath: source).resolvingSymlinksInPath().path
                return try #require(rows.first { $0["source"] as? String == path }, "\(path): \(rows)")
            }
            try expect(row(cut)["whole"] as? Int == 0 && (row(cut)["share"] as? Double ?? 1) < 0.9, "\(rows)")
            try expect(row(film)["whole"] as? Int, equals: 1, "\(rows)")
            try expect(row(logo)["plays"] as? Int, equals: 1, "\(rows)")
        }

        @Test(.tags(.timed)) func afterTenKillsAllLinesAreWhole() throws {
            let stage = try Stage(320, 180)
            let folder = try Scratch.newFolder("log")
            let film = try clip(1, frames: 3).file()
            var random = SeededNumbers(5)
            for _ in 0..<10 {
                let program = try stage.play(["--log", folder, film, film, film])
                RealTime.pass(Double.random(in: 0.6...1.6, using: &random))
                kill(program.child.pid, SIGKILL)
                _ = program.child.wait(atMost: 5)
                let text = text(folder)
                expect(lines(folder).torn == 0 && (text.isEmpty || text.hasSuffix("\n")))
            }
            expect(lines(folder).whole.count, above: 50)
        }

        /// Also with a clock that was a year ahead at boot. A file is removed only if there are thirty newer ones.
        @Test(arguments: ["2026", "2027"]) func aTornTailIsCutOffAndOldFilesGo(_ year: String) throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("\(year)-05-10 12:00:00", "Europe/Berlin")
            let folder = try Scratch.newFolder("log")
            let former = #"{"tile":"a","source":"b"}"# + "\n"
            let april = (1...28).map { $0 < 10 ? "2026-04-0\($0).jsonl" : "2026-04-\($0).jsonl" }
            for name in april { try former.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
            let made = [
                "2026-05-10.jsonl": former + #"{"tile":"a","sou"#, "2026-05-09.jsonl": former + "{",
                "2026-02-09.jsonl": former,
                "2026-02-10.jsonl": former,
                "notes.jsonl": "x", "2026-02-30.jsonl": "x", "2020-01-01.txt": "x",
            ]
            for (name, text) in made { try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
            let program = try stage.play(
                ["--log", folder, "--for", "1.5", try clip(1, frames: 15).file()], clock: clock)
            expect(program.child.wait(atMost: 10), equals: 0)
            var expected = ["2020-01-01.txt"]
            if year == "2026" { expected.append("2026-02-10.jsonl") }
            expected.append("2026-02-30.jsonl")
            expected += april
            expected += ["2026-05-09.jsonl", "2026-05-10.jsonl"]
            if year != "2026" { expected.append("2027-05-10.jsonl") }
            expected.append("notes.jsonl")
            expect(files(folder), equals: expected)
            try expect(String(contentsOfFile: "\(folder)/2026-05-09.jsonl", encoding: .utf8), equals: former)
            let today = try String(contentsOfFile: "\(folder)/2026-05-10.jsonl", encoding: .utf8)
            expect(today.hasPrefix(former + (year == "2026" ? "{\"uuid\"" : "")) && !today.contains("sou{"))
        }

        @Test(.tags(.timed)) func aNewDayHasAFileOfItsOwn() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-05-10 23:59:58", "Europe/Berlin")
            let folder = Scratch.path("log")
            let program = try stage.play(
                ["--log", folder, "--for", "4", try clip(1, frames: 15).file()], clock: clock)
            expect(program.child.wait(atMost: 10), equals: 0)
            expect(files(folder), equals: ["2026-05-10.jsonl", "2026-05-11.jsonl"])
            for name in files(folder) {
                let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
                expect(
                    lines.count >= 2 && lines.allSatisfy { $0.contains("\"time\":\"\(name.prefix(10))T") }, "\(lines)")
            }
        }

        /// Another folder gets the name, as when a disk is unplugged and plugged in again.
        @Test func aFolderThatIsAnotherIsWrittenTo() throws {
            let stage = try Stage(320, 180)
            let folder = Scratch.path("log"), before = Scratch.path("before")
            let program = try stage.play(["--log", folder, "--for", "5", try clip(1, frames: 15).file()])
            expect(RealTime.wait(atMost: 4) { lines(folder).whole.count >= 2 })
            expect(rename(folder, before), equals: 0)
            RealTime.pass(0.7)
            expect(mkdir(folder, 0o755), equals: 0)
            expect(program.child.wait(atMost: 10), equals: 5)
            expect(lines(folder).whole.count >= 2 && lines(folder).torn == 0)
            expect(lines(folder).whole.last?.text("ended"), equals: "stopped")
        }

        @Test func whatDoesNotComeToTheDiskIsReported() throws {
            let stage = try Stage(320, 180)
            let environment = stage.display.environment.merging(
                ["LD_PRELOAD": try Preload.library("no-sync")]) { $1 }
            let child = try Child(
                [
                    try #require(Program.path), "--no-audio", "--log", Scratch.path("log"), "--for", "7",
                    try clip(1, frames: 15).file(),
                ], environment: environment)
            expect(child.wait(atMost: 12), equals: 5, "\(child.errors)")
            expect(child.errors.components(separatedBy: "Input/output error").count, equals: 2, "\(child.errors)")
        }

        @Test(.tags(.timed)) func aFullDiskIsReportedAndTheWallPlaysOn() throws {
            let stage = try Stage(320, 180)
            let folder = Scratch.path("log")
            let child = try Child(
                [
                    "sh", "-c", "ulimit -f 1; exec \"$@\"", "sh", try #require(Program.path), "--no-audio", "--log",
                    folder,
                    "--for", "5", try clip(1, frames: 3).file(),
                ], environment: stage.display.environment)
            let camera = try stage.camera(Tile(stage.whole))
            expect(child.wait(atMost: 12), equals: 5, "\(child.errors)")
            expect(child.errors.contains("--log") && child.errors.contains("not logged"), "\(child.errors)")
            let lines = lines(folder)
            expect(lines.torn == 0 && lines.whole.count >= 1 && text(folder).hasSuffix("\n"))
            expect(camera.stop().show.runs(of: 0).count { $0.mark != nil }, above: 100)
        }

        @Test func sumsAreByDayTileAndItem() throws {
            let folder = try Scratch.newFolder("log")
            func line(_ tile: String, _ item: Int, _ source: String, _ presented: Int, _ ended: String) -> String {
                "{\"uuid\":\"u\",\"time\":\"t\",\"tile\":\"\(tile)\",\"item\":\(item),\"source\":\"\(source)\","
                    + "\"seconds\":1.5,\"presented\":\(presented),\"missed\":1,\"late\":2,\"began\":\"next\",\"ended\":\"\(ended)\"}\n"
            }
            try
                (line("b", 1, "x, y.mp4", 40, "eof") + line("a", 0, "z.mp4", 30, "eof")
                + line("a", 0, "z.mp4", 7, "stopped"))
                .write(toFile: "\(folder)/2026-05-10.jsonl", atomically: false, encoding: .utf8)
            try (line("a", 0, "z.mp4", 5, "error") + "{\"tile\":").write(
                toFile: "\(folder)/2026-05-11.jsonl", atomically: false, encoding: .utf8)
            let csv = try Program.run(["log", "--csv", folder])
            expect(csv.status, equals: 0)
            expect(
                csv.output,
                equals: """
                    day,tile,source,plays,whole,share,seconds,frames,presented,missed,late
                    2026-05-10,a,z.mp4,2,0,0.9487,3.000,39,37,2,4
                    2026-05-10,b,"x, y.mp4",1,0,0.9756,1.500,41,40,1,2
                    2026-05-11,a,z.mp4,1,0,0.8333,1.500,6,5,1,2

                    """)
            let places = try Program.run(["log", "--by", "item", "--csv", folder])
            expect(places.output.hasPrefix("day,tile,item,source,plays,"), "\(places.output)")
            expect(places.output.contains("\n2026-05-10,b,1,\"x, y.mp4\",1,0,"), "\(places.output)")
            try expect(Program.run(["log", "--by", "tile", folder]).status, equals: 2)
            expect(csv.errors.contains("no lines of a log: 1"))
            let table = try Program.run(["log", folder])
            let rows = table.output.split(separator: "\n").map { $0.split(separator: " ") }
            expect(rows.count == 4 && rows[1].last == "4" && rows[3].first == "2026-05-11")
            let json = try JSONSerialization.jsonObject(
                with: Data(try Program.run(["log", "--json", folder]).output.utf8))
            let objects = try #require(json as? [[String: Any]])
            expect(objects.map { $0["presented"] as? Int }, equals: [37, 40, 5])
            let nothing = try Program.run(["log", try Scratch.newFolder("empty")])
            expect(nothing.status == 1 && nothing.errors.contains("no log"))
            try expect(Program.run(["log"]).status, equals: 2)
            try expect(Program.run(["--log-days", "3", "a.mp4"]).status, equals: 2)
            let file = try Scratch.file("file", "x")
            let found = try Program.run(["--no-audio", "--log", file, try clip(1).file()])
            expect(found.status == 2 && found.errors.contains("--log"))
        }
    }
}
