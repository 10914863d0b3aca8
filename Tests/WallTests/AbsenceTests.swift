import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// No sound server, or one that hangs or is killed.
    @Suite(.tags(.timed)) struct Absence {
        private func start(_ arguments: [String], _ environment: [String: String?]) throws -> Child {
            // Without XDG_RUNTIME_DIR, Wayland's library writes a line of its own.
            let nothing: [String: String?] = [
                "DISPLAY": nil, "WAYLAND_DISPLAY": nil, "SDL_VIDEODRIVER": nil, "XDG_RUNTIME_DIR": Scratch.folder,
            ]
            return try Child([try #require(Program.path)] + arguments, environment: nothing.merging(environment) { $1 })
        }

        private func singer(_ id: Int) throws -> String {
            try clip(id) { ($0.width, $0.height, $0.sound) = (320, 180, .aac) }.file()
        }

        /// Returns the time until the tone is heard (or silent) at the server's output; nil if it exceeds the limit.
        private func wait(
            for tone: Double, above level: Double = 0.1, _ microphone: Microphone, atMost limit: Double
        ) -> Double? {
            let asked = RealTime.now
            let isThere = RealTime.wait(atMost: limit) {
                microphone.recording.between(RealTime.now - 0.2, RealTime.now).amplitude(of: tone) > level
            }
            return isThere ? RealTime.now - asked : nil
        }

        @Test(.tags(.exact)) func aSoundServerThatHangsHoldsUpNeitherFramesNorTheEnd() throws {
            let server = try SoundServer()
            defer { try? server.signal(SIGCONT) }
            let microphone = try Microphone(server)
            defer { microphone.stop() }
            let stage = try Stage(320, 180), other = try Stage(320, 180)
            let program = try stage.play([try singer(4), "--for", "60"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(wait(for: Witness.tone(of: 4), microphone, atMost: 5) != nil)

            try server.signal(SIGSTOP)
            let stopped = RealTime.now
            // Another wall starts while the sound server hangs, plays, and ends.
            let late = try other.play([try singer(5), "--for", "60"], sound: server)
            let second = try other.camera(Tile(other.whole))
            expect(second.waitUntilReadable(atMost: 4))
            RealTime.pass(max(0, stopped + 1.5 - RealTime.now))
            let asked = RealTime.now
            late.child.signal(SIGTERM)
            expect(late.child.wait(atMost: 5), equals: 0, "\(late.child.errors)")
            print("ended beside a server that hangs after \(RealTime.now - asked) s")
            expect(RealTime.now - asked, below: 1.5)
            expect(late.child.errors.isEmpty, "\(late.child.errors)")
            let seen = Succession(second.stop().show.runs(of: 0), looping: 5, 60, blink: blink)
            expect(seen.steps > 25 && seen.missing.isEmpty, "\(seen.missing)")

            try server.signal(SIGCONT)
            let back = wait(for: Witness.tone(of: 4), microphone, atMost: 5)
            print("heard again \(back ?? .infinity) s after the server went on")
            expect((back ?? .infinity), below: 3)

            try server.signal(SIGSTOP)
            let last = RealTime.now
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            print("ended with its own server hanging after \(RealTime.now - last) s")
            expect(RealTime.now - last, below: 1.5)
            let kept = Succession(camera.stop().show.runs(of: 0), looping: 4, 60, blink: blink)
            expect(kept.steps > 40 && kept.missing.isEmpty, "\(kept.missing)")
        }

        @Test(.tags(.exact)) func aSoundServerThatIsKilledOrWasNeverThereCostsNoFrame() throws {
            let server = try SoundServer()
            let stage = try Stage(320, 180), other = try Stage(320, 180)
            let program = try stage.play([try singer(4), "--for", "60"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            let microphone = try Microphone(server)
            expect(wait(for: Witness.tone(of: 4), microphone, atMost: 5) != nil)
            microphone.stop()
            let nowhere = try start(
                [try singer(5), "--size", "320x180", "--position", "0,0", "--borderless", "--for", "3"],
                other.display.environment.merging(["PULSE_SERVER": "unix:/nowhere"]) { $1 })
            let second = try other.camera(Tile(other.whole))

            try server.die()
            RealTime.pass(0.5)
            let next = try SoundServer(in: server.home)
            let again = try Microphone(next)
            defer { again.stop() }
            let back = wait(for: Witness.tone(of: 4), again, atMost: 5)
            print("heard at the next server \(back ?? .infinity) s after it came")
            expect((back ?? .infinity), below: 3)
            expect(program.child.end(), equals: 0)
            expect(program.child.errors.split(separator: "\n").count, equals: 1, "\(program.child.errors)")
            expect(program.child.errors.contains("no sound"))
            let kept = Succession(camera.stop().show.runs(of: 0), looping: 4, 60, blink: blink)
            expect(kept.steps > 40 && kept.missing.isEmpty, "\(kept.missing)")

            expect(nowhere.wait(atMost: 10), equals: 0, "\(nowhere.errors)")
            let lines = nowhere.errors.split(separator: "\n")
            expect(lines.count == 1 && nowhere.errors.contains("no sound"), "\(nowhere.errors)")
            let seen = Succession(second.stop().show.runs(of: 0), looping: 5, 60, blink: blink)
            expect(seen.steps > 45 && seen.missing.isEmpty, "\(seen.missing)")
        }
    }
}
