import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// A folder as a source: its media by their names, while files come and go.
    @Suite struct Folders {
        /// Returns the clips in the order in which they were seen. Reports frames that are missing or out of order.
        private func order(_ film: Film, _ lengths: [Int: Int]) -> [Int] {
            let runs = film.runs(of: 0).filter { $0.mark != nil }
            var order = runs.first.map { [$0.mark!.clip] } ?? []
            for (run, following) in zip(runs, runs.dropFirst()) {
                let (one, next) = (run.mark!, following.mark!)
                if one.clip == next.clip, next.number == one.number + 1 { continue }
                let isSeam = one.number == lengths[one.clip]! - 1 && next.number == 0
                if isSeam { order.append(next.clip) }
                // The camera may have been late.
                let isSeen = isSeam || following.first - run.last > blink
                if one.clip == next.clip, next.number > one.number {
                    expectInTime(
                        isSeen ? 0 : Double(next.number - one.number - 1), .frames, atMost: 0, "left out after \(one)")
                } else {
                    expect(isSeen, "\(one), then \(next)")
                }
            }
            return order
        }

        @Test(.tags(.timed)) func whatComesAndGoesIsFollowedAndWhatIsCopiedWaits() throws {
            let folder = try Scratch.newFolder("spots")
            let lengths = [1: 30, 2: 45, 3: 120]
            func film(_ number: Int) throws -> URL {
                URL(fileURLWithPath: try clip(number, frames: lengths[number]!).file())
            }
            let place = { (name: String) in URL(fileURLWithPath: "\(folder)/\(name)") }
            let files = FileManager.default
            try files.copyItem(at: film(2), to: place("2.mp4"))
            try files.copyItem(at: film(1), to: place("1.mp4"))
            try files.copyItem(at: film(3), to: place(".hidden.mp4"))
            try files.createDirectory(at: place("0.mp4"), withIntermediateDirectories: false)
            try Data("no medium".utf8).write(to: place("0.txt"))
            let stage = try Stage(320, 180)
            let program = try stage.play(tiles: [["id": "t", "play": folder + "/"]])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            for id in [2, 1] { expect(shows(id, camera, within: 5)) }
            // The file is copied in two parts, with a pause between them.
            let whole = try Data(contentsOf: film(3))
            try whole.prefix(whole.count / 2).write(to: place("3.mp4"))
            RealTime.pass(1.2)
            let copied = try FileHandle(forWritingTo: place("3.mp4"))
            try copied.seekToEnd()
            try copied.write(contentsOf: whole.suffix(whole.count - whole.count / 2))
            try copied.close()
            for id in [3, 1, 2] { expect(shows(id, camera, within: 12)) }
            // The watch reports it within four seconds; the clip would begin again after five and a half.
            try files.removeItem(at: place("1.mp4"))
            for id in [3, 2, 3, 2] { expect(shows(id, camera, within: 8)) }
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let order = order(camera.stop().show, lengths)
            expect(order.prefix(3), equals: [1, 2, 1], "\(order)")
            let third = try #require(order.firstIndex(of: 3))
            expect(order[..<third].elementsEqual((0..<third).map { $0 % 2 + 1 }), "\(order)")
            // From then on all three clips play, and at the end two of them.
            expect(order[third...].prefix(4).elementsEqual([3, 1, 2, 3]), "\(order)")
            expect(order.suffix(3).allSatisfy { $0 != 1 }, "\(order)")
            expect(program.trace.events("trouble").isEmpty)
            let dropped = try #require(program.trace.events("end").first?.number("missed"))
            expectInTime(dropped, .frames, atMost: 0, "missed")
        }

        private func shows(_ id: Int, _ camera: Camera, within limit: Double) -> Bool {
            RealTime.wait(atMost: limit) {
                if case .frame(let mark) = camera.latest() { mark.clip == id } else { false }
            }
        }

        /// The watch sees the folder within two seconds of the start of the copy, and reports it two seconds later.
        @Test(.tags(.timed)) func aFilmIsPlayedWhoseCopyingEndsShortlyBeforeItsFolderIsRead() throws {
            let folder = try Scratch.newFolder("copied")
            let place = { (name: String) in URL(fileURLWithPath: "\(folder)/\(name)") }
            try FileManager.default.copyItem(atPath: try clip(1, frames: 30).file(), toPath: place("1.mp4").path)
            let stage = try Stage(320, 180)
            let program = try stage.play(tiles: [["id": "t", "play": folder]])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            let whole = try Data(contentsOf: URL(fileURLWithPath: try clip(2, frames: 30).file()))
            try whole.prefix(whole.count / 2).write(to: place("2.mp4"))
            let copied = try FileHandle(forWritingTo: place("2.mp4"))
            try copied.seekToEnd()
            RealTime.pass(1.9)
            try copied.write(contentsOf: whole.suffix(whole.count - whole.count / 2))
            try copied.close()
            expect(shows(2, camera, within: 9))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(program.trace.events("trouble").isEmpty)
        }

        @Test func aFolderThatComesLaterIsPlayed() throws {
            let (folder, stick) = (Scratch.path("mounted"), try Scratch.newFolder("stick"))
            try FileManager.default.copyItem(atPath: try clip(1, frames: 30).file(), toPath: "\(stick)/1.mp4")
            let stage = try Stage(320, 180)
            let program = try stage.play(tiles: [["id": "t", "play": folder]], options: ["--wait"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(RealTime.wait(atMost: 5) { !program.trace.events("trouble").isEmpty })
            expect(rename(stick, folder), equals: 0)
            expect(shows(1, camera, within: 8))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aFolderThatTheSystemDoesNotOpenForAWhileIsReadAgain() throws {
            let (folder, stick) = (Scratch.path("mounted"), try Scratch.newFolder("stick"))
            try FileManager.default.copyItem(atPath: try clip(2, frames: 30).file(), toPath: "\(stick)/2.mp4")
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 12:00:00", "Europe/Berlin")
            let layout = try Stage.layout(tiles: [["play": [try clip(1).file(), folder]]])
            let program = try stage.play([layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            try run(["prlimit", "--pid", "\(program.child.pid)", "--nofile=3:"])
            expect(rename(stick, folder), equals: 0)
            RealTime.pass(6)
            expect(!shows(2, camera, within: 0.1))
            try run(["prlimit", "--pid", "\(program.child.pid)", "--nofile=1024:"])
            try clock.set("2026-07-01 12:02:00")
            expect(shows(2, camera, within: 8))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// Songs come from Windows, where Clip.MP4 is clip.mp4.
        @Test func aSongWhoseFilmComesInOtherCasesIsPlayed() throws {
            let folder = try Scratch.newFolder("songs")
            try "#TITLE:t\n#ARTIST:a\n#MP3:Clip.MP4\n#VIDEO:Clip.MP4\n#BPM:120\n: 0 4 0 La\nE\n".write(
                toFile: "\(folder)/song.txt", atomically: false, encoding: .utf8)
            let stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [["play": ["src": folder, "lyrics": false] as [String: Any]]], options: ["--wait"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(RealTime.wait(atMost: 5) { program.child.errors.contains("Clip.MP4 is not there") })
            RealTime.pass(1)
            try FileManager.default.copyItem(atPath: try clip(1).file(), toPath: "\(folder)/clip.mp4")
            expect(shows(1, camera, within: 10))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aFolderWithoutMediaIsNamed() throws {
            let folder = try Scratch.newFolder("empty")
            let found = try Program.run(["check", folder])
            expect(found.status == 2 || found.status == 1, "\(found.status ?? -1)")
            expect((found.errors + found.output).contains(folder), "\(found.errors)\(found.output)")
        }
    }
}
