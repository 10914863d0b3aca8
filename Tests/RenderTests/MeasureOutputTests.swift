import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests.Measuring {
    /// Files and messages of `measure` beside the figures, and its exit status.
    @Suite struct Outputs {
        private typealias Measuring = RenderTests.Measuring

        private func contents(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder)
        }

        @Test func aNameWithACommaStandsInQuotes() throws {
            let folder = try Scratch.newFolder("comma")
            try FileManager.default.copyItem(atPath: try Measuring.pattern(), toPath: "\(folder)/a, \"b\".mkv")
            let result = try Program.run(["measure", "a, \"b\".mkv", "a, \"b\".mkv", "-o", "m.csv"], folder: folder)
            expect(result.status, equals: 0, "\(result.errors)")
            let text = try String(contentsOfFile: "\(folder)/m.csv", encoding: .utf8)
            expect(text.contains("\n\"a, \"\"b\"\".mkv\",0,0.000000,inf,inf,inf,inf,1.000000\n"))
        }

        @Test func secretsOfURLsAreWrittenNowhere() throws {
            let film = try Measuring.pattern(), folder = try Scratch.newFolder("secrets")
            let server = try WebServer(["film.mkv?key=t0ken": .init(film, .ranges), "film.mkv": .init(film, .ranges)])
            let url = "http://joe:s3cr3t@127.0.0.1:\(server.port)/film.mkv?key=t0ken"
            let files = ["m.html", "m.csv", "m.json"]
            let result = try Program.run(["measure", film, url] + files.flatMap { ["-o", $0] }, folder: folder)
            try #require(result.status == 0, "\(result.errors)")
            let texts = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            for text in texts + [result.output, result.errors] {
                expect(!text.contains("s3cr3t") && !text.contains("t0ken") && !text.contains("joe"))
            }
            expect(texts.allSatisfy { $0.contains("127.0.0.1:\(server.port)/film.mkv?…") })
        }

        @Test func whatIsMissingOfAFilmIsReported() throws {
            let film = try Measuring.pattern(frames: 75), options = ["-c:v", "libx264", "-g", "25", "-hls_time", "1"]
            let list = try Measuring.ffmpeg(
                ["-i", film] + options + ["-hls_list_size", "0", "-f", "hls"], "list.m3u8")
            try FileManager.default.removeItem(atPath: list.replacingOccurrences(of: ".m3u8", with: "1.ts"))
            let result = try Program.run(["measure", list, film])
            expect(result.status == 0 && result.errors.contains("list.m3u8: parts of it are missing"), "\(result)")
        }

        // MARK: mistakes

        @Test func mistakesAreReportedPlainly() throws {
            let folder = try Scratch.newFolder("mistakes")
            try FileManager.default.copyItem(atPath: try Measuring.pattern(), toPath: "\(folder)/a.mkv")
            let sound = ["-f", "lavfi", "-i", "sine=d=0.2"], image = ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.04"]
            try FileManager.default.moveItem(atPath: try Measuring.ffmpeg(sound, "s.wav"), toPath: "\(folder)/s.wav")
            try FileManager.default.moveItem(atPath: try Measuring.ffmpeg(image, "i.png"), toPath: "\(folder)/i.png")
            try "no film at all, and long enough to be looked at".write(
                toFile: "\(folder)/t.mp4", atomically: true, encoding: .utf8)
            let cases: [([String], Int32, String)] = [
                ([], 2, "a reference and what to measure beside it are missing"),
                (["a.mkv"], 2, "what to measure beside a.mkv is missing: the first film is the reference"),
                (["a.mkv", "wall.json"], 2, "one layout or any number of media, not both: wall.json is a layout"),
                (["a.json"], 2, "what to measure beside a.json is missing: the first film is the reference"),
                (["a.mkv", "none.mkv"], 1, "none.mkv: no such file (missing)"),
                (["none.mkv", "a.mkv"], 1, "none.mkv: no such file (missing)"),
                (["a.mkv", "s.wav"], 1, "s.wav: there is no video in it (unsupported)"),
                (["i.png", "a.mkv"], 1, "i.png: it is an image, and a.mkv a film; films alone"),
                (["a.mkv", "t.mp4"], 1, "t.mp4: "),
                (["a.mkv", "a.mkv", "--offset", "9"], 1, "a.mkv: none of its frames overlaps the reference in time"),
                (["a.mkv", "a.mkv", "--at", "9"], 1, "--at 9.000: the reference is over by then"),
                (["a.mkv", "a.mkv", "--offset", "x"], 2, "--offset x: seconds, or 1:23.5"),
                (
                    ["a.mkv", "a.mkv", "--offset=1", "--offset=1"], 2,
                    "--offset is given 2 times for 1 clip after the reference"
                ),
                (
                    ["a.mkv", "a.mkv", "a.mkv", "--offset=1"], 2,
                    "--offset is given 1 time for 2 clips after the reference; one for each would be right"
                ),
                (["a.mkv", "a.mkv", "--for", "0"], 2, "--for 0: a time above 0"),
                (["a.mkv", "a.mkv", "-o", "m.txt"], 2, "-o m.txt: the extension chooses the format"),
                (["a.mkv", "a.mkv", "-o", "no/m.csv"], 1, "-o no/m.csv: there is no folder no"),
                (["a.mkv", "a.mkv", "--ofset", "1"], 2, "unknown option --ofset; did you mean --offset?"),
                (["a.mkv", "a.mkv", "-o", "m.csv", "-o", "m.csv"], 2, "-o m.csv: another -o names the same file"),
            ]
            let before = try contents(folder).sorted()
            for (arguments, status, words) in cases {
                let output = arguments.contains("-o") ? [] : ["-o", "m.html"]
                let result = try Program.run(["measure"] + arguments + output, folder: folder)
                expect(result.status, equals: status, "\(arguments): \(result.errors)")
                expect(result.errors.hasPrefix("quadrille: \(words)"), "\(arguments): \(result.errors)")
                try expect(contents(folder).sorted(), equals: before, "\(arguments)")
            }
        }

        @Test func aFilmThatIsMeasuredIsNeverWrittenOver() throws {
            let folder = try Scratch.newFolder("over")
            let film = try Measuring.pattern()
            try FileManager.default.copyItem(atPath: film, toPath: "\(folder)/a.csv")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/b.csv", withDestinationPath: "a.csv")
            for file in ["a.csv", "b.csv"] {
                let result = try Program.run(["measure", film, "a.csv", "-o", file], folder: folder)
                expect(result.status == 2 && result.errors.contains("this file is played, and would be lost"))
            }
            expect(FileManager.default.contentsEqual(atPath: film, andPath: "\(folder)/a.csv"))
        }

        @Test func vmafIsMeasuredOrItIsReportedThatItIsNotThere() throws {
            let film = try Measuring.pattern()
            let result = try Program.run(["measure", film, film, "--vmaf"])
            let isInstalled = dlopen("libvmaf.so.3", RTLD_NOW) != nil || dlopen("libvmaf.so.1", RTLD_NOW) != nil
            if isInstalled {
                expect(result.status == 0 && result.output.contains("vmaf"))
            } else {
                expect(result.status == 1 && result.errors.contains("libvmaf is not installed: "), "\(result.errors)")
            }
        }

        @Test func whatCannotBeWrittenIsStatusFive() throws {
            let film = try Measuring.pattern(), folder = try Scratch.newFolder("full")
            let child = try Child(
                [
                    "bash", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", try #require(Program.path), "measure", film, film,
                    "-o", "\(folder)/m.json",
                ])
            expect(child.wait(atMost: 30), equals: 5)
            expect(child.errors.contains("quadrille: -o \(folder)/m.json: File too large"), "\(child.errors)")
            try expect(contents(folder).isEmpty)
        }

        @Test func aFilmThatIsCutOffOrBrokenIsMeasuredAndReported() throws {
            let film = try Measuring.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=2", "-vf", "noise=alls=30:allf=t", "-c:v", "libx264"]
                    + ["-pix_fmt", "yuv420p", "-g", "10", "-movflags", "+faststart"], "film.mp4")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: film))
            func spoiled(_ name: String, _ change: (inout Data) -> Void) throws -> String {
                let path = Scratch.path(name)
                var copy = bytes
                change(&copy)
                try copy.write(to: URL(fileURLWithPath: path))
                return path
            }
            let cut = try spoiled("cut.mp4") { $0 = $0.prefix(bytes.count * 6 / 10) }
            let short = try Measuring.measured([film, cut])
            expect(short.errors.contains("\(cut): it is truncated"), "\(short.errors)")
            expect(short.errors.contains("of 50 frames of the reference have no counterpart"))
            expect(short.rows[0].first??.psnr[0] == .infinity && short.rows[0].last == .some(nil))
            // Damages several whole frames: decoders may conceal a damaged slice without reporting it.
            let broken = try spoiled("broken.mp4") { copy in
                for place in bytes.count / 2..<bytes.count * 3 / 4 { copy[place] ^= 0x5A }
            }
            let reported = try Measuring.measured([film, broken]).errors
            let isReported = reported.contains(" of its frames can't be decoded completely")
            expect(reported.contains("\(broken): ") && isReported, "\(reported)")
        }

        // MARK: signals

        @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]) func aSignalLeavesNoFile(
            _ signal: Int32, _ status: Int32
        ) throws {
            let folder = try Scratch.newFolder("signal")
            let film = try Measuring.ffmpeg(
                ["-f", "lavfi", "-i", "color=gray:s=1280x720:r=25:d=60", "-c:v", "mpeg4"], "long.mkv")
            let program = try Program(["measure", film, film, "-o", "m.html", "-o", "m.csv"], folder: folder)
            expect(program.child.wait(atMost: 0.4), equals: nil)
            program.child.signal(signal)
            expect(program.child.wait(atMost: 5), equals: status, "\(program.child.errors)")
            try expect(contents(folder).isEmpty && program.child.output.isEmpty)
        }

        @Test func aFileThatIsHeldEndsByASignalToo() throws {
            let path = Scratch.path("held.mkv"), folder = try Scratch.newFolder("held")
            let film = try Measuring.pattern()
            let held = try HeldFile(copyOf: film, at: path)
            defer { withExtendedLifetime(held) {} }
            let program = try Program(["measure", film, path, "-o", "m.csv"], folder: folder)
            expect(program.child.wait(atMost: 0.7), equals: nil)
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 143)
            try expect(contents(folder).isEmpty)
        }
    }
}
