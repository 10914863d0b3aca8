import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Notifications to a service manager, and its watchdog.
    @Suite struct Services {
        private static let watchdog = 1.5

        /// Returns the longest time without a sign of life, in seconds.
        private func longestSilence(_ manager: ServiceManager) -> Double {
            let times = manager.times(of: "WATCHDOG=1")
            return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity
        }

        @Test func theServiceIsReadyWithItsFramesAndGivesSignsOfLife() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let stage = try Stage(320, 180)
            let program = try stage.play(["--for", "5", try clip(1).file()], service: manager)
            let camera = try stage.camera(Tile(stage.whole))
            expect(program.child.wait(atMost: 12), equals: 0)
            let first = try #require(camera.stop().show.runs(of: 0).first { $0.mark != nil }).first
            let ready = manager.times(of: "READY=1")
            expect(ready.count == 1 && (first - 0.1...first + 1.1).contains(ready[0]))
            expect(manager.times(of: "STATUS=playing").count, equals: 1)
            expect(longestSilence(manager), below: Self.watchdog)
            expect(manager.messages.last?.lines, equals: ["STOPPING=1"])
        }

        @Test func aTileThatCannotBeShownHoldsItUpForTenSecondsAndIsNamed() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [["id": "good", "play": try clip(1).file()], ["id": "gone", "play": "/nowhere.mp4"]],
                options: ["--wait"], service: manager)
            expect(RealTime.wait(atMost: 14) { !manager.times(of: "READY=1").isEmpty })
            let waited = try #require(manager.times(of: "READY=1").first) - program.child.began
            expect((9.5...12).contains(waited), "\(waited)")
            expect(manager.latestStatus, equals: "ill: gone (no such file)")
            // Trouble that a restart would not fix does not stop the signs of life.
            expect(longestSilence(manager), below: Self.watchdog)
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// The status and `health` agree, and the last frame stays where visitors see no errors.
        @Test func aTileWhoseFolderWasEmptiedIsIllAndShowsItsLastFrame() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let (stage, folder) = (try Stage(320, 180), try Scratch.newFolder("spots"))
            let ipc = try Scratch.newFolder("ipc") + "/wall"
            try FileManager.default.copyItem(atPath: try clip(1).file(), toPath: "\(folder)/a.mp4")
            let program = try stage.play(
                tiles: [["id": "spots", "poster": "auto", "play": "\(folder)/"]], ["window": ["input": "none"]],
                options: ["--wait", "--ipc", ipc], service: manager)
            expect(RealTime.wait(atMost: 8) { manager.latestStatus == "playing" })
            let client = try #require(ControlClient(ipc))
            try FileManager.default.removeItem(atPath: "\(folder)/a.mp4")
            expect(
                RealTime.wait(atMost: 15) { manager.latestStatus == "ill: spots (there are no media in this folder)" })
            expect((client.get("health") as? [String: Any])?["healthy"] as? Bool, equals: false)
            let camera = try stage.camera(Tile(stage.whole))
            RealTime.pass(0.3)
            let runs = camera.stop().show.runs(of: 0)
            expect(!runs.isEmpty && runs.allSatisfy { $0.mark != nil }, "\(runs)")
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func whereNothingIsDueTheAnswersSuffice() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let stage = try Stage(320, 180)
            let program = try stage.play(["--paused", "--for", "8", try clip(1).file()], service: manager)
            expect(program.child.wait(atMost: 15), equals: 0)
            expect(manager.times(of: "WATCHDOG=1").count >= 12 && longestSilence(manager) < Self.watchdog)
        }

        /// Expects the signs of life to end within an interval, and to come again.
        private func expectSilence(
            _ manager: ServiceManager, while change: (_ isBroken: Bool) -> Void,
            _ sourceLocation: SourceLocation = #_sourceLocation
        ) {
            expect(
                RealTime.wait(atMost: 8) { manager.times(of: "WATCHDOG=1").count > 2 }, sourceLocation: sourceLocation)
            let broken = RealTime.now
            change(true)
            RealTime.pass(3 * Self.watchdog)
            let mended = RealTime.now
            let late = manager.times(of: "WATCHDOG=1").filter { $0 > broken + Self.watchdog }
            expect(late.isEmpty, "\(late.map { $0 - broken })", sourceLocation: sourceLocation)
            change(false)
            let isBack = RealTime.wait(atMost: 5) { (manager.times(of: "WATCHDOG=1").last ?? 0) > mended }
            expect(isBack, sourceLocation: sourceLocation)
        }

        @Test func anXServerThatStandsStillIsNoSignOfLife() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let stage = try Stage(320, 180)
            let program = try stage.play([try clip(1).file()], service: manager)
            expectSilence(manager) { kill(stage.display.process, $0 ? SIGSTOP : SIGCONT) }
            expect(manager.messages.contains { $0.lines.contains("STATUS=the display or the wall does not answer") })
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func anXServerThatStandsStillIsIll() throws {
            let stage = try Stage(320, 180), ipc = try Scratch.newFolder("ipc") + "/wall"
            let program = try stage.play([try clip(1).file(), "--ipc", ipc])
            expect(RealTime.wait(atMost: 5) { FileManager.default.fileExists(atPath: ipc) })
            let client = try #require(ControlClient(ipc))
            expect(RealTime.wait(atMost: 5) { client.number("tiles/tile1/presented") ?? 0 > 10 })
            func isHealthy() -> Bool? { (client.get("health") as? [String: Any])?["healthy"] as? Bool }
            expect(isHealthy(), equals: true)
            let frozen = RealTime.now
            kill(stage.display.process, SIGSTOP)
            expect(RealTime.wait(atMost: 10) { isHealthy() == false })
            let noticed = RealTime.now - frozen
            kill(stage.display.process, SIGCONT)
            expect((4.9...6.5).contains(noticed), "\(noticed)")
            expect(RealTime.wait(atMost: 5) { isHealthy() == true })
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aConductorThatStandsStillIsNoSignOfLife() throws {
            let manager = try ServiceManager(watchdog: Self.watchdog)
            defer { manager.end() }
            let (stage, stuck) = (try Stage(320, 180), try StuckThread("conductor"))
            let program = try stage.play([try clip(1).file()], service: manager, stuck: stuck)
            expectSilence(manager) { stuck.set($0) }
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }
    }
}
