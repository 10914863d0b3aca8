import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Signals other than those in `Ending`, and the memory of a wall.
    @Suite struct FromOutside {
        private func film() throws -> String { try clip(1) { ($0.width, $0.height) = (320, 180) }.file() }

        @Test func aTerminalThatGoesAwayEndsItUnlessItIsToStay() throws {
            let stage = try Stage(320, 180), other = try Stage(320, 180)
            let program = try stage.play([try film(), "--for", "60"])
            let staying = try Child(
                ["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\"", try #require(Program.path), try film(), "--no-audio"],
                environment: other.display.environment)
            let camera = try stage.camera(Tile(stage.whole)), second = try other.camera(Tile(Area(0, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 5))
            second.stop()
            let asked = RealTime.now
            program.child.signal(SIGHUP)
            staying.signal(SIGHUP)
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            expect(RealTime.now - asked, below: 1.5)
            camera.stop()
            expect(program.trace.events("end").count == 1 && program.trace.wrong.isEmpty)
            expect(staying.wait(atMost: 0.5), equals: nil)
            staying.signal(SIGTERM)
            expect(staying.wait(atMost: 5), equals: 0, "\(staying.errors)")
        }

        @Test(arguments: [(SIGHUP, SIGHUP), (SIGINT, SIGTERM)])
        func aSecondSignalEndsItAtOnce(_ first: Int32, _ second: Int32) throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try film(), "--for", "60"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            camera.stop()
            // If the display hangs, the end takes long.
            kill(stage.display.process, SIGSTOP)
            defer { kill(stage.display.process, SIGCONT) }
            RealTime.pass(0.1)
            program.child.signal(first)
            RealTime.pass(0.05)
            let asked = RealTime.now
            program.child.signal(second)
            let status = program.child.wait(atMost: 1.5)
            expect(status, equals: 128 + second)
            expectInTime(RealTime.now - asked, atMost: 0.3, "from the second signal to the end")
            if status == nil { program.child.signal(SIGKILL) }
        }

        @Test func whatIsHeldIsBoundedByTheLayoutsMemory() throws {
            let film = try clip(1, frames: 120) {
                ($0.width, $0.height, $0.look) = (1920, 1080, .flat(Colour(60, 90, 120)))
                $0.rate = Rate(60)
            }.file()
            let sizes = [16, 256]
            let displays = try sizes.map { _ in try Display(width: 1920, height: 1080) }
            let walls = try zip(sizes, displays).map { memory, display in
                let layout = try Stage.layout(tiles: [["play": film]], ["memory": memory])
                return try Program(
                    ["--size", "1920x1080", "--position", "0,0", "--borderless", "--paused", "--for", "60", layout],
                    on: display)
            }
            // The buffers are full once memory has not grown for a while.
            var held = walls.map(\.memory)
            var since = RealTime.now
            let isStill = RealTime.wait(atMost: 15) {
                let now = walls.map(\.memory)
                if now != held || walls.contains(where: { $0.trace.events("picture").isEmpty }) {
                    (held, since) = (now, RealTime.now)
                }
                return RealTime.now - since > 0.7
            }
            expect(isStill)
            let mebibytes = held.map { Double($0) / 1_048_576 }
            print("resident with memory 16 and 256: \(mebibytes) MiB")
            // The wall buffers half a second at 60 frames a second, 3 MiB each, or as many frames as fit into 16 MiB.
            expect(mebibytes[1] - mebibytes[0], above: 55)
            // Memory stays the same while the wall plays.
            try Keys(displays[0]).press("space")
            var most = 0
            RealTime.wait(atMost: 2) {
                most = max(most, walls[0].memory)
                return false
            }
            print("at most while it plays: \(Double(most) / 1_048_576) MiB")
            expect(Double(most) / 1_048_576, below: mebibytes[0] + 24)
            for wall in walls {
                wall.child.signal(SIGTERM)
                expect(wall.child.wait(atMost: 5), equals: 0, "\(wall.child.errors)")
            }
        }
    }
}
