import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// The format and the properties of the written file.
    @Suite struct Films {
        static func probe(_ file: String, _ entries: String) throws -> String {
            try run([
                "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", entries, "-of",
                "csv=p=0", file,
            ]).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        @Test(arguments: [("mp4", "h264"), ("mkv", "h264"), ("mov", "h264"), ("webm", "vp9"), ("gif", "gif")])
        func theEndingSaysWhatIsWritten(_ ending: String, _ codec: String) throws {
            let file = Scratch.path("film.\(ending)")
            try render([try clip(1, 30).file(), "--size", "320x180", "-o", file])
            try expect(Self.probe(file, "stream=codec_name,nb_read_frames"), equals: "\(codec),30")
            let footage = try Footage(file, width: 320, height: 180)
            let tile = Tile(Area(0, 0, 320, 180))
            for number in 0..<30 { expect(footage.read(tile, number), equals: .frame(Mark(clip: 1, number: number))) }
        }

        @Test func anMP4BeginsWithItsIndexAndSaysItsColours() throws {
            let file = Scratch.path("index.mp4")
            try render([try clip(1, 30).file(), "--size", "1280x720", "-o", file])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            let index = try #require(bytes.range(of: Data("moov".utf8)))
            let media = try #require(bytes.range(of: Data("mdat".utf8)))
            expect(index.lowerBound, below: media.lowerBound)
            try expect(Self.probe(file, "stream=color_range,color_space"), equals: "tv,bt709")
        }

        @Test(arguments: [("320x180", 24), ("1280x720", 24)])
        func coloursStayWhatTheyAre(_ size: String, _ rate: Int) throws {
            let colour = Colour(200, 60, 40)
            let still = try Witness(0).with { $0.look = .flat(colour) }.still()
            let file = Scratch.path("red.mkv")
            try render([still, "--for", "0.2", "--size", size, "--fps", "\(rate)", "-o", file])
            let sides = size.split(separator: "x").map { Int($0)! }
            let seen = try Footage(file, width: sides[0], height: sides[1]).colour(sides[0] / 2, sides[1] / 2, 0)
            expect(seen.distance(to: colour), atMost: 6, "\(seen)")
        }

        @Test func framesCanBeNumberedFiles() throws {
            let folder = try Scratch.newFolder("pictures")
            try render([try clip(1, 10).file(), "--size", "320x180", "-o", "\(folder)/%05d.png"])
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            expect(files, equals: (1...10).map { String(format: "%05d.png", $0) })
        }

        @Test(arguments: [
            (["--fps", "24000/1001"], "24000/1001", 24), (["--fps", "23.976"], "24000/1001", 24),
            (["--fps", "50"], "50/1", 50), ([], "25/1", 25),
        ])
        func theRateIsAsSaidOrThatOfTheFilms(_ options: [String], _ rate: String, _ count: Int) throws {
            let file = Scratch.path("rate.mkv")
            let source = try clip(1, 25) { $0.rate = Rate(25) }.file()
            try render([source, "--size", "320x180", "-o", file] + options)
            try expect(Self.probe(file, "stream=r_frame_rate,nb_read_frames"), equals: "\(rate),\(count)")
        }

        @Test func aRenderedItemIsAnOrdinaryFile() throws {
            let source = try clip(6, 60).file()
            let layout = try layout(
                tiles: [["play": ["segments": [["src": source, "in": 1, "out": 1.5], ["src": source, "out": 0.5]]]]],
                ["window": ["size": [320, 180]]])
            let file = Scratch.path("item.mp4")
            try render([layout, "-o", file])
            let footage = try Footage(file, width: 320, height: 180)
            try #require(footage.count == 30)
            for number in 0..<30 {
                let due = Mark(clip: 6, number: number < 15 ? 30 + number : number - 15)
                expect(footage.read(Tile(Area(0, 0, 320, 180)), number), equals: .frame(due))
            }
        }

        // MARK: what does not become a film

        @Test func whatWasInterruptedLeavesNothing() throws {
            let folder = try Scratch.newFolder("interrupted")
            let program = try Program(
                ["render", try clip(1, 60).file(), "--for", "600", "-o", "\(folder)/film.mp4"])
            expect(
                RealTime.wait(atMost: 20) { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count == 1 }
            )
            program.child.signal(SIGINT)
            expect(program.child.wait(atMost: 20), equals: 130)
            try expect(FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }

        @Test func aFullDiskIsAnErrorAndTheFormerFileStays() throws {
            let folder = try Scratch.newFolder("full")
            let file = "\(folder)/film.mp4"
            try "former".write(toFile: file, atomically: false, encoding: .utf8)
            let path = try #require(Program.path)
            let command = "ulimit -f 16; exec \"$0\" \"$@\""
            let child = try Child(
                ["bash", "-c", command, path, "render", try clip(1, 60).file(), "--for", "20", "-o", file])
            expect(child.wait(atMost: 60), equals: 5)
            expect(child.errors.contains("film.mp4"))
            try expect(FileManager.default.contentsOfDirectory(atPath: folder), equals: ["film.mp4"])
            try expect(String(contentsOfFile: file, encoding: .utf8), equals: "former")
        }

        @Test(arguments: [
            ([], "-o FILE"), (["-o", "film.avi"], ".mp4"), (["-o", "film.png"], "%05d"),
            (["-o", "a.mp4", "--fps", "0"], "--fps"), (["-o", "a.mp4", "--for", "0"], "--for"),
            (["-o", "a.mp4", "--for", "10", "--max-length", "5"], "--max-length"),
        ])
        func wrongUsageIsStatusTwo(_ options: [String], _ word: String) throws {
            let result = try Program.run(["render", try clip(1, 30).file()] + options)
            expect(result.status, equals: 2)
            expect(result.errors.contains(word), "\(result.errors)")
        }

        @Test func whatCannotBeMadeIsStatusOne() throws {
            let file = try clip(1, 60).file()
            for options in [
                ["-o", "/nowhere/a.mp4"], ["-o", Scratch.path("a.mp4"), "--max-length", "1"],
                ["-o", Scratch.path("a.mp4"), "--size", "321x181"], ["-o", Scratch.path("a.mp4"), "--preset", "quick"],
            ] {
                let result = try Program.run(["render", file] + options)
                expect(result.status, equals: 1, "\(options)")
                expect(!result.errors.isEmpty)
            }
            try expect(Program.run(["render", "/nowhere.mp4", "-o", Scratch.path("a.mp4")]).status, equals: 1)
        }
    }
}
