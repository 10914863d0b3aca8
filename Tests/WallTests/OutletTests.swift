import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Changes in the sound server while a wall plays.
    @Suite struct Outlets {
        private func control(_ server: SoundServer, _ command: String...) throws -> String {
            try run(["pactl"] + command, environment: server.environment)
        }

        /// Starts a wall that plays one tone, and returns once the tone is heard.
        private func singing(_ server: SoundServer, _ stage: Stage) throws -> (Program, tone: Double) {
            let tone = clip(4) { $0.sound = .aac }
            let program = try stage.play([try tone.file()], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            camera.stop()
            return (program, tone.tone)
        }

        /// Returns the time from `asked` until the tone is heard at this output; nil if it exceeds the limit.
        private func wait(
            for tone: Double, _ microphone: Microphone, since asked: Double = RealTime.now, atMost limit: Double
        ) -> Double? {
            let isThere = RealTime.wait(atMost: limit) {
                microphone.recording.between(RealTime.now - 0.3, RealTime.now).amplitude(of: tone) > 0.1
            }
            return isThere ? RealTime.now - asked : nil
        }

        @Test(.enabled(if: SoundServer.kind == .pulseAudio, "PipeWire has no such module"))
        func whenTheOutputIsTakenAwayTheSoundGoesOnAtAnother() throws {
            let server = try SoundServer()
            _ = try control(server, "load-module", "module-rescue-streams")
            let stick = try control(server, "load-module", "module-null-sink", "sink_name=stick", "rate=48000")
            _ = try control(server, "set-default-sink", "stick")
            let stage = try Stage(320, 180)
            let before = try Microphone(server, output: "stick")
            defer { _ = before.stop() }
            let (program, tone) = try singing(server, stage)
            expect(wait(for: tone, before, atMost: 3) != nil)
            let after = try Microphone(server)
            defer { _ = after.stop() }
            let asked = RealTime.now
            _ = try control(server, "unload-module", stick.trimmingCharacters(in: .whitespacesAndNewlines))
            let late = wait(for: tone, after, since: asked, atMost: 4)
            print("unplugged: heard elsewhere after \(late ?? .infinity) s")
            expect((late ?? .infinity), below: 3)
            expect(program.child.end(), equals: 0)
        }

        @Test func whenTheDefaultOutputChangesTheSoundGoesThere() throws {
            let server = try SoundServer()
            _ = try control(server, "load-module", "module-null-sink", "sink_name=other", "rate=48000")
            let stage = try Stage(320, 180)
            let microphone = try Microphone(server, output: "other")
            defer { _ = microphone.stop() }
            _ = try control(server, "set-default-sink", "wall")
            let (program, tone) = try singing(server, stage)
            let asked = RealTime.now
            _ = try control(server, "set-default-sink", "other")
            let late = wait(for: tone, microphone, since: asked, atMost: 4)
            print("default output changed: heard there after \(late ?? .infinity) s")
            expect((late ?? .infinity), below: 3)
            expect(program.child.end(), equals: 0)
        }

        @Test(.enabled(if: SoundServer.kind == .pulseAudio, "PipeWire has no such module"))
        func aCallPausesTheSoundAndLetsItGoOn() throws {
            let server = try SoundServer()
            _ = try control(
                server, "load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=video")
            let stage = try Stage(320, 180)
            let microphone = try Microphone(server)
            defer { _ = microphone.stop() }
            let (program, tone) = try singing(server, stage)
            expect(wait(for: tone, microphone, atMost: 3) != nil)
            let call = try Child(
                ["pacat", "--property=media.role=phone", "/dev/zero"], environment: server.environment)
            let isQuiet = RealTime.wait(atMost: 3) {
                microphone.recording.between(RealTime.now - 0.3, RealTime.now).amplitude(of: tone) < 0.001
            }
            expect(isQuiet)
            let still = RealTime.now
            RealTime.pass(1)
            expect(microphone.recording.between(still, still + 0.9).amplitude(of: tone), below: 0.001)
            call.end()
            let late = wait(for: tone, microphone, atMost: 3)
            print("the call is over: heard again after \(late ?? .infinity) s")
            expect(late != nil)
            expect(program.child.end(), equals: 0)
        }

        @Test func withoutAudioNoConnectionIsOpened() throws {
            let server = try SoundServer()
            let stage = try Stage(320, 180)
            let tone = try clip(4) { $0.sound = .aac }.file()
            func clients(_ options: String...) throws -> Int {
                let program = try stage.play([tone] + options, sound: server)
                let camera = try stage.camera(Tile(stage.whole))
                expect(camera.waitUntilReadable(atMost: 4))
                RealTime.pass(1)
                let list = try control(server, "list", "short", "clients")
                camera.stop()
                program.child.end()
                return list.split(separator: "\n").count { $0.contains("quadrille") || $0.contains("Quadrille") }
            }
            try expect(clients(), equals: 1)
            try expect(clients("--no-audio"), equals: 0)
        }
    }
}
