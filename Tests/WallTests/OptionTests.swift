import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Every option of `play` once, with its effect seen. Walls are small and run side by side.
    @Suite struct Options {
        private static let red = Colour(200, 40, 40)

        private func film(_ id: Int, frames: Int = 60, sound: Witness.SoundCodec = .none) throws -> String {
            try clip(id, frames: frames) {
                ($0.width, $0.height, $0.gop, $0.sound) = (320, 180, 15, sound)
            }.file()
        }

        private func flat() throws -> String {
            try clip(0, frames: 30) { ($0.look, $0.width, $0.height) = (.flat(Self.red), 320, 180) }.file()
        }

        /// A wall with these options that is checked while it runs, and again after its end.
        private struct Trial {
            var arguments: [String]
            var status: Int32 = 0
            var sees: ((Display) -> Bool)?
            var ended: (Program) -> Bool = { _ in true }
        }

        private func edges(_ area: Area) -> (Display) -> Bool {
            { display in (try? Photo(display))?.isFilled(area, with: Self.red) ?? false }
        }

        private func number(_ clip: Int, _ number: Int) -> (Display) -> Bool {
            { display in
                (try? Photo(display))?.read(Tile(Area(0, 0, 320, 180))) == .frame(Mark(clip: clip, number: number))
            }
        }

        /// Runs all trials at once, each on a display of its own.
        private func tryAll(_ trials: [Trial]) throws {
            let window = ["--size", "320x180", "--position", "0,0", "--borderless", "--for", "2"]
            let displays = try trials.map { _ in try Display(width: 320, height: 180) }
            let running = try zip(trials, displays).map { trial, display in
                (trial, display, try Program(window + trial.arguments, on: display))
            }
            for (trial, display, program) in running {
                guard let sees = trial.sees else { continue }
                expect(RealTime.wait(atMost: 6) { sees(display) }, "\(trial.arguments): not seen")
                expect(program.child.exitStatus, equals: nil, "\(trial.arguments): it has ended by then")
            }
            for (trial, _, program) in running {
                let status = program.child.wait(atMost: 10)
                expect(status, equals: trial.status, "\(trial.arguments): \(program.child.errors)")
                expect(trial.ended(program), "\(trial.arguments): \(program.child.errors)")
                expect(program.trace.wrong.isEmpty)
            }
        }

        private func end(_ program: Program, _ key: String) -> Double {
            program.trace.events("end").first?.number(key) ?? -1
        }

        @Test func windowOptionsTakeEffect() throws {
            let filling = try Stage.layout(
                tiles: [["play": try flat()]],
                ["window": ["fullscreen": true, "size": [160, 90], "position": [0, 0]]])
            try tryAll([
                Trial(
                    arguments: [
                        "--size", "160x90", "--position", "40,30", "--display", "0", "--borderless", try flat(),
                    ],
                    sees: edges(Area(40, 30, 160, 90))),
                Trial(
                    arguments: ["--fullscreen", "--size=80x44", try flat()], sees: edges(Area(0, 0, 320, 180))),
                Trial(
                    arguments: ["--windowed", "--size", "160x90", filling], sees: edges(Area(0, 0, 160, 90))),
                Trial(
                    arguments: ["--canvas", "cpu", try flat()],
                    ended: { $0.trace.events("start").first?.text("canvas") == "cpu" }),
            ])
        }

        @Test func timeOptionsTakeEffect() throws {
            let one = try film(1), two = try film(2, frames: 20), three = try film(5, frames: 40)
            let short = try film(3, frames: 20)
            try tryAll([
                Trial(
                    arguments: ["--at", "0:01", "--paused", one], sees: number(1, 30),
                    ended: { end($0, "presented") == 1 }),
                Trial(
                    arguments: ["--rate", "0.5", one],
                    ended: {
                        (20...31).contains(end($0, "presented"))
                            && $0.trace.events("clock").last?.number("rate") == 0.5
                    }),
                Trial(
                    arguments: ["--no-loop", short], sees: number(3, 19),
                    ended: { end($0, "presented") == 20 && $0.trace.events("seam").isEmpty }),
                Trial(
                    arguments: ["--together", three, two],
                    // The shorter film waits for the longer: one seam in two seconds, not two.
                    ended: { $0.trace.events("seam", tile: "tile2").count == 1 }),
                Trial(
                    arguments: ["--for", "1", one],
                    ended: { (0.9...1.9).contains($0.trace.events("end").first?.time ?? 0) }),
            ])
        }

        @Test func reportingOptionsTakeEffect() throws {
            let one = try film(1), two = try film(2), missing = Scratch.path("missing.mp4"), log = Scratch.path("log")
            let shots = Scratch.path("shots")
            try tryAll([
                Trial(
                    arguments: ["--pipelines", "1", "--verbose", one, two],
                    ended: { end($0, "max-open") == 1 && $0.child.errors.contains("takes its seat") }),
                Trial(
                    arguments: ["--quality", "exact", one],
                    ended: { end($0, "presented") > 30 && $0.trace.events("give-way").isEmpty }),
                Trial(
                    arguments: ["--trace-events", "start,end", one],
                    ended: { Set($0.trace.events.map(\.name)) == ["start", "end"] }),
                Trial(arguments: ["--wait", missing], ended: { $0.child.errors.contains("missing.mp4") }),
                Trial(arguments: ["--quiet", missing, one], ended: { $0.child.errors.isEmpty }),
                Trial(
                    arguments: ["--trace", "\(Scratch.folder)/nowhere/trace.jsonl", one], status: 2,
                    ended: { $0.child.errors.contains("--trace") }),
                Trial(
                    arguments: ["--log", log, "--log-days", "1", one],
                    ended: { _ in (try? FileManager.default.contentsOfDirectory(atPath: log))?.count == 1 }),
                Trial(
                    arguments: ["--log-days", "0", "--log", log, one], status: 2,
                    ended: { $0.child.errors.contains("--log-days 0") }),
                Trial(
                    arguments: ["--trace-max", "0", one], status: 2,
                    ended: { $0.child.errors.contains("--trace-max 0") }),
                Trial(
                    arguments: ["--takes", "", one], status: 2,
                    ended: { $0.child.errors.contains("--takes needs") }),
                Trial(
                    arguments: ["--screenshots", "", one], status: 2,
                    ended: { $0.child.errors.contains("--screenshots needs") }),
                Trial(
                    arguments: ["--screenshots", "\(shots)/new", one],
                    sees: { display in
                        // The wall has the keyboard once its window is there.
                        try? Keys(display).press("s")
                        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(shots)/new")) ?? []
                        return files.contains { $0.hasSuffix("-tile1.png") }
                    }),
            ])
            try expect(Program.run(["--version"]).output.hasPrefix("quadrille "))
        }

        @Test func soundOptionsTakeEffect() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            // Each wall plays a tone of its own, so that all can be measured at once.
            let walls = try [
                [try film(1, sound: .aac), try film(2, sound: .aac), "--focus", "tile2"],
                [try film(4, sound: .aac), "--mute"],
                [try film(6, sound: .aac), "--volume", "60"],
                [try film(8, sound: .aac), "--no-audio"],
                [try film(3, sound: .aac), try film(5, sound: .aac), "--audio-mode", "mix", "--audio-delay=-50"],
            ].map { try Program($0, on: try Display(width: 320, height: 180), sound: server) }
            func isHeard(_ id: Int) -> Bool {
                microphone.recording.between(RealTime.now - 0.3, RealTime.now).amplitude(of: Witness.tone(of: id))
                    > 0.02
            }
            let isLoud = RealTime.wait(atMost: 6) {
                [2, 3, 5, 6].allSatisfy(isHeard) && walls.allSatisfy { $0.trace.events("picture").count > 10 }
            }
            expect(isLoud)
            RealTime.pass(0.7)
            let heard = microphone.recording.between(RealTime.now - 0.5, RealTime.now)
            func level(_ id: Int) -> Double { heard.amplitude(of: Witness.tone(of: id)) }
            print(
                "levels: focus \(level(2)), others \(level(1)), mute \(level(4)), volume 60 \(level(6)), no \(level(8))"
            )
            for silent in [1, 4, 8] { expect(level(silent), below: 0.005, "clip \(silent)") }
            // The scale of the volume is cubic.
            expect(abs(level(6) / level(2) / 0.216 - 1), below: 0.1)
            for wall in walls { wall.child.signal(SIGTERM) }
            for wall in walls { expect(wall.child.wait(atMost: 8), equals: 0, "\(wall.child.errors)") }
            microphone.stop()
        }

        @Test func remoteControlOptionsTakeEffect() throws {
            let display = try Display(width: 320, height: 180)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            for options in [["--idle", "--ipc", path], ["--idle", "--input-ipc-server", path]] {
                let wall = try Program(options, on: display)
                let client = try #require(ControlClient(path))
                expect(client.get("idle-active") as? Bool, equals: true)
                client.error("quit")
                expect(wall.child.wait(atMost: 5), equals: 0, "\(wall.child.errors)")
            }
            let bus = try MessageBus()
            let absent = try Program(["--idle", "--no-mpris", "--ipc", path], on: display, bus: bus)
            let client = try #require(ControlClient(path))
            // The first wall that is listed has the name without a number.
            let listed = try Program(["--idle"], on: display, bus: bus)
            expect(RealTime.wait(atMost: 5) { bus.players == ["quadrille"] })
            try bus.call("org.mpris.MediaPlayer2.Quit")
            expect(listed.child.wait(atMost: 5), equals: 0, "\(listed.child.errors)")
            client.error("quit")
            expect(absent.child.wait(atMost: 5), equals: 0, "\(absent.child.errors)")
            let file = Scratch.path("saved.json")
            let saved = try Program.run(["--save", file, try film(1)])
            expect(saved.status == 0 && access(file, F_OK) == 0, "\(saved.errors)")
            let nothing = try Program.run(["--watch", try film(1)])
            expect(nothing.status == 2 && nothing.errors.contains("--watch"))
        }

        /// Alternating rows of two instants form combs: neighbouring rows differ where something moves.
        @Test func interlacedFilmsAreShownWithoutCombs() throws {
            let film = Scratch.path("interlaced.mp4")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "testsrc2=s=320x180:r=50,format=yuv420p,tinterlace=interleave_top", "-frames:v", "25", "-c:v",
                "libx264",
                "-preset", "veryfast", "-qp", "4", "-flags", "+ilme+ildct", "-x264-params", "tff=1", film,
            ])
            func combs(_ options: [String]) throws -> Int {
                let stage = try Stage(320, 180)
                let program = try stage.play([film, "--paused", "--at", "0.4"] + options)
                defer { program.child.end() }
                expect(
                    RealTime.wait(atMost: 10) { !program.trace.events("picture").isEmpty }, "\(program.child.errors)")
                let photo = try Photo(stage.display)
                return (0..<179).reduce(0) { sum, y in
                    sum + (0..<320).reduce(0) { $0 + abs(photo.colour($1, y).green - photo.colour($1, y + 1).green) }
                }
            }
            let (without, with) = (try combs([]), try combs(["--deinterlace"]))
            expect(with > 0 && Double(with) < Double(without) * 0.95, "\(without) \(with)")
        }

        @Test func hdrIsShownAsTheOptionStates() throws {
            let hdr = CanvasColours.HDR(curve: .pq, sample: (100, 128, 128)), film = try hdr.film("option")
            func colour(_ options: [String]) throws -> Colour {
                let stage = try Stage(320, 180)
                let program = try stage.play([film, "--paused"] + options)
                defer { program.child.end() }
                expect(
                    RealTime.wait(atMost: 10) { !program.trace.events("picture").isEmpty }, "\(program.child.errors)")
                return try Photo(stage.display).mean(Area(140, 70, 40, 40))
            }
            try expect(colour([]).distance(to: hdr.colour), atMost: 3)
            try expect(colour(["--tone-mapping", "bt2390"]).distance(to: hdr.colour), atMost: 3)
            try expect(colour(["--tone-mapping", "off"]).distance(to: Colour(98, 98, 98)), atMost: 3)
        }

        /// Checks the options of `--help`, so that a new option must be tested too.
        @Test func thereIsNoOptionThatIsNotTried() throws {
            let help = try Program.run(["play", "--help"]).output
            let offered = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
                .map { $0.dropFirst(4).prefix { $0 != " " } }
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            expect(offered.count, above: 20)
            for option in offered { expect(source.contains("\"--\(option)"), "--\(option)") }
        }
    }
}
