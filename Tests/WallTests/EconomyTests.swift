import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Resources that a wall uses while nothing changes, counted from outside.
    @Suite struct Economy {
        @Test(.tags(.exact)) func aPlayingWallAsksForNoLargeMemory() throws {
            let stage = try Stage()
            let program = try stage.play(
                try (1...4).map { try clip($0).file() } + ["--for", "10"], counting: .allocations)
            let allocations = try #require(program.allocations)
            RealTime.pass(5)
            let before = allocations.count
            // The frames' buffers were allocated at the start.
            expect(before, atLeast: 4)
            RealTime.pass(4)
            let asked = allocations.count - before
            expect(program.child.wait(atMost: 10), equals: 0)
            let end = try #require(program.trace.events("end").first)
            let frames = end.number("presented") ?? 0
            print(
                "allocations of more than a page: \(before) in the first 5 s, \(asked) in the next 4, \(frames) frames"
            )
            expect(frames, above: 1000)
            // Some 480 frames were shown meanwhile.
            expect(asked, atMost: 6)
        }

        /// Nothing is decoded and no buffer is returned, as at night. Only a timeout shows which memory and which
        /// decoders are not needed.
        ///
        /// How much memory four films need depends on the machine's load. The wall shows a still before the films and
        /// after them, so the test measures which part of that memory goes back.
        @Test func whatAWallThatStandsStillDoesNotNeedGoesBack() throws {
            let stage = try Stage(1280, 720)
            let films = try (1...4).map { number in
                try Witness(number).with { ($0.width, $0.height, $0.frames) = (1280, 720, 60) }.file()
            }
            func layout(_ name: String, _ items: [String]) throws -> String {
                try Scratch.file(name, "{\"tiles\":[\(items.map { "{\"play\":\"\($0)\"}" }.joined(separator: ","))]}")
            }
            let still = try layout("still.json", [try Witness(5).still()]), moving = try layout("moving.json", films)
            let socket = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play([still, "--no-audio", "--ipc", socket])
            let client = try #require(ControlClient(socket))
            func shown() -> Int { Set(program.trace.events("picture").compactMap(\.tile)).count }
            expect(RealTime.wait(atMost: 10) { shown() == 1 })
            let before = program.anonymousMemory
            expect(client.error("layout-load", moving), equals: "success")
            expect(RealTime.wait(atMost: 10) { shown() >= 4 })
            var playing = 0
            RealTime.wait(atMost: 5) {
                playing = max(playing, program.anonymousMemory)
                return false
            }
            // The conductor has nothing to do from then on.
            client.ask("set_property", "pause", true)
            RealTime.pass(8)
            let paused = program.anonymousMemory
            playing = max(playing, paused)
            expect(client.error("layout-load", still), equals: "success")
            func kept() -> Double { Double(program.anonymousMemory - before) / Double(playing - before) }
            RealTime.wait(atMost: 18) { kept() < 0.25 }
            let left = kept()
            print(
                "memory: \(before >> 20) MiB with a still, \(playing >> 20) playing, \(paused >> 20) paused,",
                "\(program.anonymousMemory >> 20) with the still again, \(left) of the films' kept")
            expect(left, below: 0.25, "part of the films' memory that was kept")
            expect(client.error("quit"), equals: "success")
            expect(program.child.wait(atMost: 10), equals: 0)
        }

        /// libass would keep its measurements of each letter in each size.
        @Test func textsOfManyLettersLeaveNoMemory() throws {
            let stage = try Stage(1280, 720)
            let heap = try HeapInUse()
            let socket = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let still = try Witness(1).still()
            let program = try stage.play(
                ["--no-audio", "--ipc", socket, try Stage.layout(tiles: [["play": still]], ["title": "letters"])],
                heap: heap)
            let client = try #require(ControlClient(socket))
            let keys = Keys(stage.display)
            var windows: [String] = []
            expect(RealTime.wait(atMost: 10) { !((try? keys.windows("letters")) ?? []).isEmpty })
            windows = try keys.windows("letters")
            let window = try #require(windows.first)
            func look(_ height: Int) throws -> Int {
                try keys.resize(window, 1280, height)
                RealTime.pass(0.3)
                for text in Self.texts {
                    client.ask("show-text", text, 1000)
                    RealTime.pass(0.06)
                }
                // Drawn texts are kept until the window's size changes.
                try keys.resize(window, 640, 360)
                RealTime.pass(1.5)
                return heap.bytes
            }
            _ = try look(700)
            let before = try look(700)
            let heights = [380, 440, 500, 560, 620]
            let after = try heights.map(look)
            let growth = after.last! - before
            print("heap in use: \(before >> 10) KiB, then with \(heights.count) sizes more \(after.map { $0 >> 10 })")
            expect(growth, below: 700_000)
            expect(client.error("quit"), equals: "success")
            expect(program.child.wait(atMost: 10), equals: 0)
        }

        /// Texts of letters that any system's fonts have. No two texts are equal.
        private static let texts: [String] = {
            let blocks: [ClosedRange<UInt32>] = [
                0x100...0x24F, 0x391...0x3A1, 0x3B1...0x3C9, 0x400...0x482, 0x48A...0x52F, 0x2190...0x22FF,
                0x2500...0x27BF,
            ]
            let letters = blocks.joined().compactMap { Unicode.Scalar($0).map(Character.init) }
            return stride(from: 0, to: letters.count, by: 40).map { String(letters[$0..<min($0 + 40, letters.count)]) }
        }()
    }
}
