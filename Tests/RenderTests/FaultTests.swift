import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Requests to end while something does not answer, and the files left behind.
    @Suite struct Faults {
        private func film() throws -> String { try clip(1, 60).file() }

        private func contents(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder)
        }

        @Test(arguments: [
            ["render", "--for", "2", "-o", "a.mp4"], ["render", "-o", "-"], ["snapshot", "-o", "a.png"], ["check"],
        ])
        func aSignalEndsItWhileAFileIsHeld(_ command: [String]) throws {
            let path = Scratch.path("held.mp4"), folder = try Scratch.newFolder("held")
            let held = try HeldFile(copyOf: try film(), at: path)
            defer { withExtendedLifetime(held) {} }
            let program = try Program(command + [path], folder: folder)
            expect(program.child.wait(atMost: 0.7), equals: nil)
            let asked = RealTime.now
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 128 + SIGTERM)
            expect(RealTime.now - asked, below: 2)
            try expect(contents(folder).isEmpty && program.child.output.isEmpty)
        }

        @Test(arguments: [["check"], ["render", "-o", "a.mp4"]]) func aFileThatIsHeldIsGivenUp(_ command: [String])
            throws
        {
            let path = Scratch.path("held.mp4"), folder = try Scratch.newFolder("held")
            let held = try HeldFile(copyOf: try film(), at: path)
            let began = RealTime.now
            let result = try Program.run(command + [path], folder: folder)
            withExtendedLifetime(held) {}
            expect(result.status, equals: 1)
            expect((9...14).contains(RealTime.now - began))
            try expect(contents(folder).isEmpty)
            if command == ["check"] {
                expect(result.output.contains("no answer in time (timeout)"), "\(result.output)")
            }
        }

        @Test(arguments: ["film.mp4", "%05d.png", "film.gif"]) func twoSignalsLeaveNothingThatIsHalf(_ name: String)
            throws
        {
            for pause in [0.0, 0.002, 0.01] {
                let folder = try Scratch.newFolder("twice")
                let program = try Program(["render", try film(), "--for", "600", "-o", "\(folder)/\(name)"])
                expect(RealTime.wait(atMost: 20) { (try? contents(folder).isEmpty) == false })
                program.child.signal(SIGINT)
                RealTime.pass(pause)
                program.child.signal(SIGTERM)
                let status = program.child.wait(atMost: 3)
                expect(status == 128 + SIGTERM || status == 128 + SIGINT)
                let left = try contents(folder)
                expect(left.allSatisfy { $0.hasSuffix(".png") }, "\(left)")
            }
        }

        @Test func aReaderThatStandsStillDoesNotHoldUpTheEnd() throws {
            let pipe = Pipe()
            let child = try Child(
                [try #require(Program.path), "render", try film(), "--size", "64x64", "--for", "600", "-o", "-"],
                output: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
            var waiting: Int32 = 0
            // Wait until the pipe is full.
            expect(
                RealTime.wait(atMost: 60) {
                    let before = waiting
                    RealTime.pass(0.3)
                    _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting)
                    return waiting == before && waiting > 4096
                })
            let asked = RealTime.now
            child.signal(SIGTERM)
            expect(child.wait(atMost: 6), equals: 128 + SIGTERM)
            expect(RealTime.now - asked, below: 2)
        }

        private func ffmpeg(_ arguments: [String], _ name: String) throws -> String {
            let path = Scratch.path(name)
            try run(["ffmpeg", "-nostdin", "-v", "quiet", "-y"] + arguments + [path], atMost: 60)
            return path
        }

        @Test func aHundredThousandPacketsWithoutAKeyFrameCostTheirTileOnly() throws {
            let long = try ffmpeg(
                ["-f", "lavfi", "-i", "color=gray:s=16x16:r=25", "-frames:v", "100001", "-c:v", "mpeg4", "-g", "600"],
                "long.mkv")
            let keyless = try ffmpeg(["-i", long, "-c", "copy", "-bsf:v", "noise=drop=key"], "keyless.mkv")
            let layout = try layout(
                tiles: [["play": try film()], ["play": keyless]], ["window": ["size": [640, 180]]])
            let file = Scratch.path("beside.mkv")
            let errors = try render([layout, "--for", "2", "-o", file], atMost: 60)
            expect(errors.contains("keyless.mkv: none of its frames could be decoded"), "\(errors)")
            let footage = try Footage(file, width: 640, height: 180)
            for number in 0..<60 {
                let seen = footage.read(Tile(Area(0, 0, 320, 180)), number)
                expect(seen, equals: .frame(Mark(clip: 1, number: number)))
            }
        }

        @Test func stampsThatJumpAreReportedOnceAndAllFramesShown() throws {
            let film = try clip(1, 30) { $0.container = .ts }.file()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: film))
            let path = Scratch.path("two.ts"), file = Scratch.path("two.mkv")
            try (bytes + bytes).write(to: URL(fileURLWithPath: path))
            let errors = try render([path, "--size", "320x180", "--for", "6", "-o", file])
            expect(errors.components(separatedBy: "two.ts: its timestamps jump").count, equals: 2, "\(errors)")
            let footage = try Footage(file, width: 320, height: 180)
            for number in 0..<180 {
                let due = Mark(clip: 1, number: number % 30)
                expect(footage.read(Tile(Area(0, 0, 320, 180)), number), equals: .frame(due), "\(number)")
            }
        }

        @Test func withoutAFrameNothingIsWritten() throws {
            let result = try Program.run(["render", "/nowhere.mp4", "--for", "1", "-o", "-"])
            expect(result.status == 1 && result.output.isEmpty)
        }

        @Test func framesThatDoNotFitLeaveNoHalf() throws {
            let folder = try Scratch.newFolder("full")
            let child = try Child([
                "bash", "-c", "ulimit -f 4; exec \"$0\" \"$@\"", try #require(Program.path), "render", try film(), "-o",
                "\(folder)/%03d.png",
            ])
            expect(child.wait(atMost: 20), equals: 5, "\(child.errors)")
            try expect(contents(folder).isEmpty)
        }
    }
}
