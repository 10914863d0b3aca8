import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Faults around a playing wall: its display, its time, its standard streams.
    @Suite struct Faults {
        private func film() throws -> String { try clip(1) { ($0.width, $0.height) = (320, 180) }.file() }

        private func plays(_ program: Program, atMost limit: Double = 6) -> Bool {
            RealTime.wait(atMost: limit) { program.trace.events("picture").count > 5 }
        }

        @Test(arguments: [SIGKILL, SIGTERM]) func aDisplayThatGoesAwayIsStatusFour(_ signal: Int32) throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try film()])
            expect(plays(program))
            let gone = RealTime.now
            kill(stage.display.process, signal)
            expect(program.child.wait(atMost: 5), equals: 4, "\(program.child.errors)")
            expect(RealTime.now - gone, below: 2)
            expect(program.child.errors, equals: "quadrille: the display has gone away\n")
            expect(program.trace.events("end").count == 1 && program.trace.wrong.isEmpty)
        }

        @Test(.enabled(if: access("/usr/bin/weston", X_OK) == 0, "needs weston"), arguments: [SIGKILL, SIGSTOP])
        func aCompositorIsMissedLikeADisplay(_ signal: Int32) throws {
            let stage = try Stage(640, 360)
            let folder = try Scratch.newFolder("wayland")
            let compositor = try Child(
                ["weston", "--backend=x11-backend.so", "--use-pixman", "--socket=wall", "--idle-time=0"],
                environment: stage.display.environment.merging(["XDG_RUNTIME_DIR": folder]) { $1 })
            defer { compositor.signal(SIGKILL) }
            expect(RealTime.wait(atMost: 10) { access("\(folder)/wall", F_OK) == 0 })
            let trace = Scratch.path("wayland.jsonl")
            let child = try Child(
                [try #require(Program.path), try film(), "--no-audio", "--trace", trace, "--trace-events", "all"],
                environment: [
                    "DISPLAY": nil, "SDL_VIDEODRIVER": "wayland", "WAYLAND_DISPLAY": "wall", "XDG_RUNTIME_DIR": folder,
                ])
            func events(_ name: String) throws -> Int {
                Trace(text: try String(contentsOfFile: trace, encoding: .utf8)).events(name).count
            }
            expect(RealTime.wait(atMost: 10) { (try? events("picture")) ?? 0 > 5 }, "\(child.errors)")
            compositor.signal(signal)
            RealTime.pass(0.3)
            if signal == SIGSTOP { child.signal(SIGTERM) }
            expect(child.wait(atMost: 3), equals: (signal == SIGSTOP ? 0 : 4), "\(child.errors)")
            try expect(events("end"), equals: 1)
        }

        enum Moment: CaseIterable { case starting, playing }
        enum Way: CaseIterable { case signal, command }

        @Test(arguments: Moment.allCases, Way.allCases)
        func aDisplayThatStandsStillDoesNotHoldUpTheEnd(_ moment: Moment, _ way: Way) throws {
            let stage = try Stage(320, 180)
            defer { kill(stage.display.process, SIGCONT) }
            if moment == .starting { kill(stage.display.process, SIGSTOP) }
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(["--ipc", path, try film()])
            switch moment {
            case .starting: expect(RealTime.wait(atMost: 6) { !program.trace.events("lease").isEmpty })
            case .playing:
                expect(plays(program))
                kill(stage.display.process, SIGSTOP)
            }
            RealTime.pass(0.5)
            expect(program.child.wait(atMost: 0), equals: nil)
            let asked = RealTime.now
            switch way {
            case .signal: program.child.signal(SIGTERM)
            case .command: try expect(#require(ControlClient(path)).error("quit", 7), equals: "success")
            }
            expect(program.child.wait(atMost: 6), equals: (way == .signal ? 0 : 7), "\(program.child.errors)")
            expect(RealTime.now - asked, below: 3)
            expect(program.trace.events("end").count == 1 && program.trace.wrong.isEmpty)
        }

        @Test func aDisplayThatStandsStillDoesNotMakeTheWallPlayLonger() throws {
            let stage = try Stage(320, 180)
            defer { kill(stage.display.process, SIGCONT) }
            let program = try stage.play(["--for", "3", try film()])
            expect(plays(program))
            kill(stage.display.process, SIGSTOP)
            expect(program.child.wait(atMost: 6), equals: 0, "\(program.child.errors)")
            expect(program.trace.events("end").count, equals: 1)
        }

        /// The process stops, as on a machine that sleeps or in a debugger.
        @Test func afterAStopItGoesOnWhereTheClockIs() throws {
            let server = try SoundServer()
            let stage = try Stage(320, 180)
            let film = clip(4) { ($0.width, $0.height, $0.sound) = (320, 180, .aac) }
            let program = try stage.play([try film.file()], sound: server)
            expect(plays(program))
            let microphone = try Microphone(server)
            defer { microphone.stop() }
            RealTime.pass(2)
            program.child.signal(SIGSTOP)
            let stop = 12.0, began = program.child.began
            let stopped = RealTime.now - began
            RealTime.pass(stop)
            let back = RealTime.now
            program.child.signal(SIGCONT)
            RealTime.pass(3)
            let recording = microphone.recording
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)

            let frames = program.trace.events("picture")
            func place(_ frame: Trace.Event) -> Double { frame.number("pass")! * 2 + frame.number("pts")! }
            func isInStep(_ frame: Trace.Event) -> Bool {
                abs(frame.time - frame.number("due")!) < 0.1
                    && abs(
                        (frame.number("due")! - place(frame)) - (frames[0].number("due")! - place(frames[0])))
                        < 0.001
            }
            let after = frames.filter { $0.time > stopped + stop - 0.1 }
            let resumed = after[0].time
            let soon = after.filter { $0.time < resumed + 1 }, later = after.filter { $0.time >= resumed + 1 }
            print("after the stop \(soon.count) frames in a second, \(soon.count { !isInStep($0) }) of them late")
            // The frames of one second, and the one that was due when the process stopped.
            expect(soon.count, atMost: 33)
            expect(later.count > 40 && later.allSatisfy(isInStep))
            let dropped = try #require(program.trace.events("end").first?.number("missed"))
            expect((stop * 30 - 30...stop * 30 + 45).contains(dropped), "\(dropped)")
            // The loudest fifth of a second: beside other walls the start may be held up.
            let before = stride(from: back - stop - 1.2, to: back - stop - 0.3, by: 0.1).map {
                recording.between($0, $0 + 0.2).amplitude(of: film.tone)
            }.max()!
            let louder = stride(from: back, to: back + 2.5, by: 0.1).map {
                recording.between($0, $0 + 0.2).amplitude(of: film.tone)
            }
            expect(louder.max()! < before * 1.3 && louder.suffix(8).min()! > before * 0.7, "\(before), \(louder)")
        }

        @Test func streamsThatAreClosedAtTheStartTakeNoFilesPlace() throws {
            let stage = try Stage(320, 180)
            let path = Scratch.path("closed.jsonl")
            // The message about the missing film would be written into any file that got the number of standard error.
            let child = try Child(
                [
                    "sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", try #require(Program.path), try film(),
                    "/nowhere.mp4",
                    "--no-audio", "--trace", path,
                ], environment: stage.display.environment)
            var trace: Trace { Trace(text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "") }
            expect(RealTime.wait(atMost: 6) { !trace.events("clock").isEmpty })
            RealTime.pass(0.5)
            child.signal(SIGTERM)
            expect(child.wait(atMost: 3), equals: 0)
            expect(trace.wrong.isEmpty && trace.events("end").count == 1)
        }

        @Test func aStreamThatNobodyReadsDoesNotEndTheWall() throws {
            let stage = try Stage(320, 180)
            let status = Scratch.path("status")
            let child = try Child(
                [
                    "sh", "-c",
                    "s=$1; shift; { \"$0\" \"$@\"; echo $? >\"$s\"; } 2>&1 | true; while [ ! -s \"$s\" ]; do sleep 0.1; done",
                    try #require(Program.path), status, try film(), "/nowhere.mp4", "--no-audio", "--verbose", "--for",
                    "1.5",
                ], environment: stage.display.environment)
            expect(child.wait(atMost: 10), equals: 0)
            try expect(String(contentsOfFile: status, encoding: .utf8), equals: "0\n")
            // The output is lost.
            let answer = try run([
                "bash", "-c", "\"$0\" --help | true; echo ${PIPESTATUS[0]}", try #require(Program.path),
            ])
            expect(["0\n", "5\n"].contains(answer))
            try expect(
                run(["sh", "-c", "\"$0\" --version >&- 2>/dev/null || echo $?", try #require(Program.path)]),
                equals: "5\n")
        }
    }
}
