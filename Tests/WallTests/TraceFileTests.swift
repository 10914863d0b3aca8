import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The file of a trace: its size, its rotation, and files that it must not replace.
    @Suite struct TraceFile {
        private func film() throws -> String { try clip(1) { ($0.width, $0.height) = (320, 180) }.file() }

        private func play(_ media: String, _ stage: Stage, _ options: String...) throws -> Child {
            try Child(
                [try #require(Program.path), media, "--no-audio", "--trace-events", "all"] + options,
                environment: stage.display.environment)
        }

        private func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        @Test func pastItsLimitItGoesOnInANewFile() throws {
            let stage = try Stage(320, 180)
            // Thirty lines a second, each of 40 kB.
            let layout = try Stage.layout(tiles: [["id": String(repeating: "x", count: 40_000), "play": try film()]])
            let trace = Scratch.path("large.jsonl")
            let child = try play(layout, stage, "--trace", trace, "--trace-max", "1", "--for", "4")
            expect(child.wait(atMost: 15), equals: 0, "\(child.errors)")
            let (old, new) = (read(trace + ".1"), read(trace))
            expect((900_000...1 << 20).contains(old.utf8.count) && new.utf8.count <= 1 << 20)
            let traces = [Trace(text: old), Trace(text: new)]
            expect(traces.allSatisfy { $0.wrong.isEmpty } && old.hasSuffix("\n") && new.hasSuffix("\n"))
            let due = traces.flatMap { $0.events("picture") }.map { $0.number("due")! }
            expect(due.count, above: 20)
            expect(zip(due, due.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 0.2 })
            expect(traces[1].events("end").count, equals: 1)
        }

        @Test func theTwoRunsBeforeAreKept() throws {
            let stage = try Stage(320, 180)
            let trace = Scratch.path("runs.jsonl"), film = try film()
            for run in 1...4 {
                let layout = try Stage.layout(tiles: [["id": "run\(run)", "play": film]])
                let child = try Child(
                    [try #require(Program.path), layout, "--no-audio", "--trace", trace, "--for", "0.3"],
                    environment: stage.display.environment)
                expect(child.wait(atMost: 15), equals: 0, "\(child.errors)")
            }
            for (name, run) in [(trace, 4), (trace + ".1", 3), (trace + ".2", 2)] {
                let text = read(name)
                expect(
                    text.contains("\"tiles\":[\"run\(run)\"]") && Trace(text: text).events("end").count == 1, "\(name)")
            }
            expect(access(trace + ".3", F_OK) != 0)
            // Only the last run is summarized, even if its first line is not the one that marks its start.
            let presented = try #require(Trace(text: read(trace)).events("end").first?.number("presented"))
            let (status, output, errors) = try Program.run(["check", "--trace", trace, film])
            expect(status == 0 && output.contains(" \(Int(presented)) frames presented"), "\(output)\(errors)")
        }

        /// The file has the name to which a former trace would be renamed.
        @Test(arguments: [".1", ".2"]) func whatStandsUnderTheNameOfAFormerTraceStaysAsItIs(_ ending: String) throws {
            let trace = Scratch.path("named.jsonl")
            try "a diary".write(toFile: trace + ending, atomically: false, encoding: .utf8)
            try "{}\n".write(toFile: trace, atomically: false, encoding: .utf8)
            let (status, _, errors) = try Program.run(["--trace", trace, "--no-audio", try film()])
            expect(status == 2 && errors.contains(trace + ending), "\(errors)")
            expect(read(trace + ending) == "a diary" && read(trace) == "{}\n")
        }

        /// Each line is read once, also after the trace has gone on in a new file, as in a soak of an hour.
        @Test func aTraceIsReadOnWhereItGoesOnInANewFile() throws {
            let stage = try Stage(320, 180)
            // The trace fills less than two files.
            let layout = try Stage.layout(tiles: [["id": String(repeating: "x", count: 8_000), "play": try film()]])
            let program = try Program(["--trace-max", "1", "--for", "5", layout], on: stage.display)
            var mark = Program.TraceMark()
            var parts: [Trace] = []
            while program.child.wait(atMost: 1) == nil { parts.append(program.trace(from: &mark)) }
            parts.append(program.trace(from: &mark))
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            let (old, new) = (read(program.tracePath + ".1"), read(program.tracePath))
            expect(old.utf8.count > 900_000 && new.hasSuffix("\n"))
            expect(parts.map(\.text).joined(), equals: old + new)
            expect(parts.allSatisfy { $0.wrong.isEmpty })
            expect(parts.flatMap { $0.events("end") }.count, equals: 1)
        }

        /// The file may be a segment of a playlist.
        @Test func whatIsNoTraceStaysAsItIs() throws {
            let path = Scratch.path("part0.ts")
            for text in ["G\u{0}\u{1}", "a diary"] {
                try text.write(toFile: path, atomically: false, encoding: .utf8)
                let (status, _, errors) = try Program.run(["--trace", path, "--no-audio", try film()])
                expect(status == 2 && errors.contains("not a trace") && errors.contains(path), "\(errors)")
                expect(read(path), equals: text)
            }
        }

        @Test(arguments: ["moved", "deleted", "replaced"]) func aTraceFileThatGoesAwayIsMadeAnew(_ fate: String) throws
        {
            let stage = try Stage(320, 180)
            let trace = Scratch.path("anew.jsonl"), old = trace + ".old"
            let child = try play(try film(), stage, "--trace", trace, "--for", "5")
            expect(RealTime.wait(atMost: 5) { Trace(text: read(trace)).events("picture").count > 10 })
            if fate == "deleted" { unlink(trace) } else { rename(trace, old) }
            if fate == "replaced" {
                expect(FileManager.default.createFile(atPath: trace, contents: Data()))
            }
            let gone = RealTime.now - child.began
            expect(child.wait(atMost: 10), equals: 0, "\(child.errors)")
            let new = Trace(text: read(trace))
            expect(new.wrong.isEmpty && new.events("end").count == 1)
            let first = try #require(new.events("picture").first)
            expect(first.time, below: gone + 1.5)
            guard fate != "deleted" else { return }
            let before = Trace(text: read(old))
            let due = (before.events("picture") + new.events("picture")).map { $0.number("due")! }
            expect(before.wrong.isEmpty && zip(due, due.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 0.2 })
        }

        /// The file may be a film that is played.
        @Test(arguments: ["file", "link"]) func whatElseStandsInItsPlaceIsLeftAlone(_ kind: String) throws {
            let stage = try Stage(320, 180)
            let trace = Scratch.path("kept.jsonl"), old = trace + ".old", media = Scratch.path("kept.mp4")
            try FileManager.default.copyItem(atPath: try film(), toPath: media)
            let child = try play(media, stage, "--trace", trace, "--for", "4")
            expect(RealTime.wait(atMost: 5) { Trace(text: read(trace)).events("picture").count > 10 })
            rename(trace, old)
            if kind == "link" { symlink(media, trace) } else { link(media, trace) }
            expect(child.wait(atMost: 10), equals: 0, "\(child.errors)")
            expect(FileManager.default.contentsEqual(atPath: media, andPath: try film()))
            let whole = Trace(text: read(old))
            expect(whole.wrong.isEmpty && whole.events("end").count == 1)
        }

        @Test func whatIsReadIsNotWritten() throws {
            let folder = try Scratch.newFolder("read")
            func copy(_ source: String, _ name: String) throws {
                try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
            }
            try copy(try film(), "film.mp4")
            try copy(try film(), "sound.mp4")
            try copy(try film(), "bed.mp4")
            try copy(try clip(1).still(0), "poster.png")
            link("\(folder)/film.mp4", "\(folder)/hard.mp4")
            symlink("film.mp4", "\(folder)/soft.mp4")
            link("\(folder)/poster.png", "\(folder)/00001.png")
            link("\(folder)/bed.mp4", "\(folder)/other.1")
            try #"""
            {"tiles": [{"play": ["/nowhere.mp4", {"src": "film.mp4", "audio": {"src": "sound.mp4"}}],
              "poster": "poster.png"}], "audio": {"bed": "bed.mp4"}}
            """#.write(toFile: "\(folder)/wall.json", atomically: false, encoding: .utf8)
            func files() throws -> [String: Data] {
                try Dictionary(
                    uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder).map {
                        ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
                    })
            }
            let before = try files()
            let names = [
                "film.mp4", "./film.mp4", "hard.mp4", "soft.mp4", "sound.mp4", "bed.mp4", "poster.png", "wall.json",
            ]
            let traces = (names + ["other"]).map { ["--trace", $0] }
            let outputs = [
                ["render", "-o", "film.mp4"], ["render", "-o", "soft.mp4"], ["render", "-o", "bed.mp4"],
                ["render", "-o", "%05d.png"], ["snapshot", "-o", "poster.png"],
            ]
            for options in traces + outputs {
                let result = try Program.run(options + ["wall.json"], folder: folder)
                expect(result.status, equals: 2, "\(options)")
                expect(result.errors.contains("another name would be right"), "\(options): \(result.errors)")
            }
            try expect(files(), equals: before)
        }
    }
}
