import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// A wall with decoders that are slowed from outside, then fast again.
    @Suite(.tags(.timed)) struct Degrading {
        private static let clips = (1...4).map { id in
            Witness(id).with { ($0.width, $0.height, $0.frames, $0.bFrames) = (320, 180, 300, 3) }
        }

        private struct Step: Equatable {
            var tile: String
            var step: Int
        }

        private func steps(_ trace: Trace) -> [Step] {
            trace.events("give-way").map { Step(tile: $0.tile ?? "", step: Int($0.number("step") ?? -1)) }
        }

        @Test(.tags(.large)) func anOverloadedWallGivesWayInOrderAndComesBack() throws {
            let stage = try Stage(640, 360)
            let slow = try SlowDecoder()
            let program = try stage.play(try Self.clips.map { try $0.file() }, slowed: slow)
            let camera = try Camera(stage.display, stage.quadrants)
            expect(camera.waitUntilReadable(atMost: 6))
            camera.stop()
            expect(steps(program.trace).isEmpty)

            // A frame lasts 33 ms.
            slow.slowness = 0.042
            let hasDegraded = RealTime.wait(atMost: 20) { steps(program.trace).contains { $0.tile == "tile1" } }
            expect(hasDegraded)
            let others = steps(program.trace).prefix { $0.tile != "tile1" }
            for tile in ["tile2", "tile3", "tile4"] {
                expect(others.filter { $0.tile == tile }.map(\.step), equals: [1, 2, 3], "\(tile)")
            }
            // The clock went on: the frame on screen is the due one, or a little older.
            let due = program.trace.events("picture", tile: "tile2").suffix(10)
            expect(!due.isEmpty)
            for frame in due { expect(frame.time - (frame.number("due") ?? 0), below: 0.5) }

            slow.slowness = 0
            let cameBack = RealTime.wait(atMost: 45) {
                steps(program.trace).last { $0.tile == "tile1" }?.step == 0
            }
            expect(cameBack)
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let names = Set(program.trace.events("give-way").compactMap { $0.text("what") })
            expect(names.isSubset(of: ["nothing", "loop filter", "frames nobody refers to", "every second frame"]))
        }

        @Test(.tags(.large)) func aPauseAndStepsShowOneInstantWhateverWasLeftOut() throws {
            let stage = try Stage(640, 360)
            let slow = try SlowDecoder()
            let clips = Self.clips.prefix(3).map { clip in clip.with { ($0.gop, $0.frames) = (12, 600) } }
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(
                ["--quality", "auto", "--ipc", path] + clips.map { try $0.file() }, slowed: slow)
            let client = try #require(ControlClient(path))
            slow.slowness = 0.042
            let hasDegraded = RealTime.wait(atMost: 12) {
                steps(program.trace).contains { $0.tile == "tile3" && $0.step == 3 }
            }
            expect(hasDegraded)
            expect(client.error("set_property", "pause", true), equals: "success")
            let tiles = Array(stage.quadrants.prefix(3))
            func numbers() -> [Int?] {
                guard let photo = try? Photo(stage.display) else { return [] }
                return tiles.map { if case .frame(let mark) = photo.read($0) { mark.number } else { nil } }
            }
            func due() -> Int { Int(((client.number("time-pos") ?? -1) + 0.0005) * 30) }
            let settled = RealTime.wait(atMost: 4) { numbers() == Array(repeating: due(), count: 3) }
            expect(settled, "\(numbers()), \(due()) is due")
            var last = due()
            for _ in 0..<4 {
                _ = client.ask("frame-step")
                let stepped = RealTime.wait(atMost: 4) { numbers() == [last + 1, last + 1, last + 1] }
                expect(stepped, "\(numbers()) after \(last)")
                last += 1
            }
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aTileWhoseFramesDoNotComeTurnsASpinner() throws {
            let stage = try Stage(320, 180)
            let slow = try SlowDecoder()
            let program = try stage.play([try Self.clips[0].file()], slowed: slow)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            camera.stop()

            /// Returns photos of the screen and their times, by the frame shown.
            func album(seconds: Double) throws -> [Reading: [(time: Double, photo: Photo)]] {
                var album: [Reading: [(time: Double, photo: Photo)]] = [:]
                let end = RealTime.now + seconds
                while RealTime.now < end {
                    let photo = try Photo(stage.display)
                    album[photo.read(Tile(stage.whole)), default: []].append((RealTime.now, photo))
                    RealTime.pass(0.01)
                }
                return album
            }
            func looks(_ photos: [(time: Double, photo: Photo)]) -> Int { Set(photos.map(\.photo)).count }

            try expect(album(seconds: 1).values.allSatisfy { looks($0) == 1 })
            slow.slowness = 2
            let waiting = try #require(try album(seconds: 6).values.max { looks($0) < looks($1) })
            expect(looks(waiting), atLeast: 8)
            let came = try #require(waiting.first { $0.photo != waiting[0].photo })
            expect(came.time - waiting[0].time > 0.2 && came.time - waiting[0].time < 0.6)

            slow.slowness = 0
            RealTime.pass(4)
            try expect(album(seconds: 1).values.allSatisfy { looks($0) == 1 })
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let end = try #require(program.trace.events("end").first)
            let tiles = try #require(end.fields["tiles"] as? [String: [String: Any]])
            expect(tiles["tile1"]?["stalls"] as? Int ?? 0, atLeast: 1)
        }

        @Test func anExactWallNeverGivesWay() throws {
            let stage = try Stage(320, 180)
            let slow = try SlowDecoder()
            let program = try stage.play(
                ["--quality", "exact", "--for", "5", try Self.clips[0].file()], slowed: slow)
            slow.slowness = 0.042
            expect(program.child.wait(atMost: 12), equals: 0)
            expect(steps(program.trace).isEmpty)
            expect(program.trace.events("end").first?.number("missed") ?? 0, above: 0)
        }
    }
}
