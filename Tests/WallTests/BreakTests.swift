import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Breaks between items, seen from outside.
    @Suite(.tags(.timed)) struct Breaks {
        private func interrupted(_ entry: [String: Any]) throws -> [String: Any] {
            ["breaks": [entry.merging(["name": "ad", "play": try clip(9, frames: 30).file()]) { $1 }]]
        }

        @Test(.tags(.large)) func onFourTilesWithFourPipelinesNothingIsMissing() throws {
            let stage = try Stage(640, 360)
            let tiles = try (0..<4).map { place -> [String: Any] in
                [
                    "id": "t\(place)", "cell": [place % 2, place / 2],
                    "play": [
                        try clip(2 * place + 1, frames: 60 + 15 * place).file(),
                        try clip(2 * place + 2, frames: 45).file(),
                    ],
                ]
            }
            let program = try stage.play(
                tiles: tiles, try interrupted(["every": 3]), options: ["--for", "14", "--pipelines", "4"],
                counting: .decoders)
            let camera = try stage.camera(
                stage.quadrants[0], stage.quadrants[1], stage.quadrants[2], stage.quadrants[3])
            expect(program.child.wait(atMost: 30), equals: 0)
            let film = camera.stop()
            for place in 0..<4 {
                let runs = film.show.runs(of: place).filter { $0.mark != nil }
                let lengths = [2 * place + 1: 60 + 15 * place, 2 * place + 2: 45, 9: 30]
                var order: [Int] = []
                for (run, following) in zip(runs, runs.dropFirst()) {
                    let (one, next) = (run.mark!, following.mark!)
                    if one.clip == next.clip, next.number > one.number {
                        // A frame may have been shown while the camera itself was late.
                        let isSeen = next.number == one.number + 1 || following.first - run.last > blink
                        expect(isSeen, "tile \(place): \(one), then \(next)")
                        continue
                    }
                    let isSeam = one.number == lengths[one.clip]! - 1 && next.number == 0
                    expect(isSeam || following.first - run.last > blink, "tile \(place): \(one), then \(next)")
                    order.append(next.clip)
                }
                expect(order.count { $0 == 9 }, atLeast: 2, "tile \(place): \(order)")
                expect(!zip(order, order.dropFirst()).contains { $0 == 9 && $1 == 9 }, "tile \(place): \(order)")
                // Without the breaks, the order is that of the sequence.
                let rest = order.filter { $0 != 9 }
                expect(!zip(rest, rest.dropFirst()).contains { $0 == $1 }, "tile \(place): \(order)")
            }
            try expect(#require(program.decoders).most, atMost: 4)
            let dropped = program.trace.events("end").first?.number("missed")
            expect(dropped, equals: 0)
        }

        @Test func byCommandAndByTheClock() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-03-10 11:59:57", "Europe/Berlin")
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(
                options(path) + [
                    try Stage.layout(
                        tiles: [["id": "stage", "play": try clip(1, frames: 30).file()]],
                        try interrupted(["at": ["12:00"]]))
                ], clock: clock)
            let client = try #require(ControlClient(path))
            func states() -> [String] { program.trace.events("break").compactMap { $0.text("state") } }
            expect(RealTime.wait(atMost: 8) { states() == ["started", "ended"] })
            let began = try #require(program.trace.events("break").first).time
            expect((2.5...4.6).contains(began), "\(began)")
            expect(client.error("break", "ad"), equals: "success")
            expect(RealTime.wait(atMost: 5) { states() == ["started", "ended", "started", "ended"] })
            expect(client.error("break", "add") != "success" && client.error("break", "none") != "success")
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        private func options(_ path: String) -> [String] { ["--ipc", path] }
    }
}
