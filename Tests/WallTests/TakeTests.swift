import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Takes of a microphone while the wall plays, and their delay.
    ///
    /// The microphone is the monitor of an output, so it records what the wall plays, and a take has to match the song.
    @Suite struct Takes {
        private func sing(
            _ song: NoiseSong, _ server: SoundServer, _ stage: Stage, frames: Int = 600, _ rest: [String: Any] = [:]
        ) throws -> (Program, ControlClient, folder: String) {
            let folder = Scratch.path("music") + "/takes", ipc = try Scratch.newFolder("ipc") + "/wall"
            let program = try stage.play(
                tiles: [
                    [
                        "id": "song",
                        "play": ["src": try clip(1, frames: frames).file(), "audio": ["src": song.path]],
                    ]
                ], rest, options: ["--takes", folder, "--ipc", ipc], sound: server)
            let client = try #require(ControlClient(ipc))
            // A null sink plays its first two seconds at once. A stream that starts later records nothing of them.
            expect(RealTime.wait(atMost: 8) { (client.number("time-pos") ?? 0) > 2.3 })
            return (program, client, folder)
        }

        private func quit(_ program: Program, _ client: ControlClient) {
            client.ask("quit")
            expect(program.child.wait(atMost: 8), equals: 0, "\(program.child.errors)")
        }

        @Test func aTakeIsTheSongOverPausesSeeksAndIterations() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), song = try NoiseSong(seconds: 20)
            let (program, client, folder) = try sing(song, server, stage)
            expect(client.error("record", "song"), equals: "success")
            expect(client.get("recording") as? String, equals: "song")
            RealTime.pass(1.5)
            client.ask("set_property", "pause", true)
            RealTime.pass(0.7)
            client.ask("set_property", "pause", false)
            RealTime.pass(1.5)
            client.ask("seek", 15, "absolute")
            RealTime.pass(2)
            client.ask("seek", 19, "absolute")
            RealTime.pass(2.5)
            client.ask("record", "none")
            expect(RealTime.wait(atMost: 3) { client.get("recording") as? String == "none" })
            quit(program, client)
            let takes = try RecordedTake.all(in: folder)
            expect(takes.count, equals: 4, "\(takes.map { ($0.name, $0.start, $0.seconds) })")
            for take in takes {
                for place in stride(from: 0.1, to: take.seconds - 0.3, by: 0.4) {
                    let part = take.samples[Int(place * 48_000)...]
                    let (lag, share) = song.lag(of: part, at: take.start + place)
                    // Near a seek or a pause, the sound fades and matches the song little.
                    if share > 0.6 { expect(abs(lag), below: 5, "\(take.name) at \(place): \(lag) ms") }
                }
                print(
                    "\(take.name): from \(take.start), \(take.seconds) s, \(song.lag(of: take.samples[9600...], at: take.start + 0.2))"
                )
            }
            expect(takes[3].start, below: 0.1)
            // The take does not contain the pause.
            expect(abs(takes[0].seconds - 3), below: 0.4)
            let reported = program.trace.events("take", tile: "song")
            expect(reported.map { $0.text("state")! }, equals: (0..<4).flatMap { _ in ["started", "ended"] })
            let lengths = reported.compactMap { $0.number("seconds") }
            expect(zip(lengths, takes).allSatisfy { abs($0 - $1.seconds) < 0.0001 })
        }

        @Test(.tags(.large)) func anotherKeyBeginsAnotherTakeWhereTheOneBeforeEnds() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), song = try NoiseSong(seconds: 20)
            let (program, client, folder) = try sing(song, server, stage)
            client.ask("record", "song")
            for key in [3, 0] {
                RealTime.pass(1.5)
                client.ask("set_property", "key", key)
            }
            RealTime.pass(1.5)
            client.ask("record", "none")
            expect(RealTime.wait(atMost: 3) { client.get("recording") as? String == "none" })
            quit(program, client)
            let takes = try RecordedTake.all(in: folder)
            expect(takes.map { $0.note["key"] as? Int }, equals: [0, 3, 0])
            for (take, next) in zip(takes, takes.dropFirst()) {
                expect(
                    abs(take.start + take.seconds - next.start), below: 0.0001,
                    "\(take.start), \(take.seconds), \(next.start)")
            }
            // The change is heard a little after the command.
            for (take, place) in [(takes[0], 0.3), (takes[2], 0.8)] {
                let (lag, share) = song.lag(of: take.samples[Int(place * 48_000)...], at: take.start + place)
                print("key \(take.note["key"]!): \(lag) ms, \(share)")
                expect(abs(lag) < 5 && share > 0.9)
            }
        }

        @Test func aTakeOfAWallThatIsKilledCanBePlayed() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), song = try NoiseSong(seconds: 20)
            let (program, client, folder) = try sing(song, server, stage)
            expect(client.error("keypress", "R"), equals: "success")
            RealTime.pass(3)
            kill(program.child.pid, SIGKILL)
            expect(program.child.wait(atMost: 3) != nil)
            let takes = try RecordedTake.all(in: folder), take = try #require(takes.first)
            expect(take.seconds > 2 && take.seconds < 3.2, "\(takes.map { ($0.name, $0.start, $0.seconds) })")
            let sungTo = try #require(take.note["song"] as? [String: Any])
            expect(sungTo["item"] as? Int, equals: 0)
            expect((sungTo["source"] as? String)?.isEmpty, equals: false)
            // The microphone is a monitor, which has the sound at once.
            let latency = try #require(take.note["latency"] as? Double)
            expect(latency >= 0 && latency < 0.05, "\(latency)")
        }

        @Test func aFullDiskStopsTheTakeAndNotTheWall() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), song = try NoiseSong(seconds: 20)
            let (program, client, folder) = try sing(song, server, stage)
            try run(["prlimit", "--pid", "\(program.child.pid)", "--fsize=200000"])
            expect(client.error("record", "song"), equals: "success")
            expect(client.waitForEvent("take", atMost: 3)?["state"] as? String, equals: "started")
            expect(client.waitForEvent("take", atMost: 10)?["state"] as? String, equals: "failed")
            expect(RealTime.wait(atMost: 3) { client.get("recording") as? String == "none" })
            let before = try #require(client.number("time-pos"))
            RealTime.pass(0.5)
            expect(client.number("time-pos") != before)
            expect(program.child.errors.contains("the recording has stopped"), "\(program.child.errors)")
            quit(program, client)
            let take = try RecordedTake.all(in: folder)[0]
            expect(take.seconds, above: 0.5)
            // The file's header has the same length.
            let spoken = try run([
                "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0",
                "\(folder)/\(take.name)",
            ])
            expect(
                Double(spoken.trimmingCharacters(in: .whitespacesAndNewlines)), equals: take.seconds * 48_000,
                "\(spoken)")
        }

        @Test func aTakeThatIsUsedLiesInItsSong() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), song = try NoiseSong(seconds: 20)
            let (first, client, folder) = try sing(song, server, stage)
            client.ask("seek", 4, "absolute")
            client.ask("record", "song")
            RealTime.pass(4)
            quit(first, client)
            let take = try #require(try RecordedTake.all(in: folder).first)
            let microphone = try Microphone(server)
            let ipc = try Scratch.newFolder("ipc") + "/wall"
            let second = try stage.play(
                tiles: [
                    [
                        "id": "song",
                        "play": [
                            "src": try clip(1, frames: 600).file(), "audio": ["src": "\(folder)/\(take.name)"],
                        ] as [String: Any],
                    ]
                ], options: ["--takes", folder, "--ipc", ipc, "--at", "\(take.start - 3)"], sound: server)
            let again = try #require(ControlClient(ipc))
            again.ask("record", "song")
            RealTime.pass(5)
            quit(second, again)
            microphone.stop()
            let copy = try #require(try RecordedTake.all(in: folder).last)
            let place = max(0, take.start - copy.start) + 0.8
            let (lag, share) = song.lag(of: copy.samples[Int(place * 48_000)...], at: copy.start + place)
            print("a take of a take: \(lag) ms, \(share)")
            expect(abs(lag) < 5 && share > 0.7, "\(lag) ms, \(share)")
            // Silence precedes the start of the take.
            expect(copy.samples[0..<4800].allSatisfy { abs($0) < 0.01 })
        }

        // MARK: frames beside it

        /// Starts another wall that plays a film with sound. The wall under test shows that wall's display and records
        /// its output.
        private func film(_ server: SoundServer) throws -> (Stage, Program) {
            let stage = try Stage(320, 180)
            let film = clip(1, frames: 600) {
                ($0.width, $0.height, $0.sound) = (320, 180, .aac)
                $0.bursts = Array(stride(from: 0, to: 600, by: 30))
            }
            return (stage, try stage.play([try film.file()], sound: server))
        }

        @Test(.tags(.large)) func whatIsLiveIsRecordedWithItsFrame() throws {
            let server = try SoundServer(), (shown, other) = try film(server)
            let folder = Scratch.path("live"), ipc = try Scratch.newFolder("ipc") + "/wall"
            // The wall is half as large as the display that it shows.
            let stage = try Stage(160, 90)
            let program = try stage.play(
                tiles: [["id": "live", "play": "x11grab://\(shown.display.name)?rate=60"]],
                ["audio": ["input": "wall.monitor"]], options: ["--takes", folder, "--ipc", ipc], sound: server)
            let client = try #require(ControlClient(ipc))
            expect(RealTime.wait(atMost: 8) { (client.number("tiles/live/presented") ?? 0) > 120 })
            expect(client.error("record", "live"), equals: "success")
            RealTime.pass(3)
            client.ask("set_property", "pause", true)
            RealTime.pass(0.7)
            client.ask("set_property", "pause", false)
            RealTime.pass(2.5)
            client.ask("record", "none")
            expect(RealTime.wait(atMost: 3) { client.get("recording") as? String == "none" })
            expect(client.error("take-use", "live") != "success")
            quit(program, client)
            kill(other.child.pid, SIGTERM)
            _ = other.child.wait(atMost: 5)
            let take = try #require(try RecordedTake.all(in: folder).first)
            try expect(RecordedTake.all(in: folder).count, equals: 1)
            let film = try Filmed("\(folder)/\(take.name.dropLast(4))mkv", width: 320, height: 180)
            expect(film.kinds, equals: ["h264", "flac"])
            expect(
                abs(film.seconds - take.seconds), below: 0.1, "\(film.seconds) s of frame, \(take.seconds) s of sound")
            expect(film.firsts.count, above: 120, "\(film.firsts.count) of the frames")
            let delays = delays(in: film)
            print("sound after frame in the recording: \(delays) s")
            expect(delays.count, atLeast: 4)
            expect(delays.allSatisfy { abs($0) < 0.1 })
        }

        /// Returns the delays of the bursts after their frames. Each burst is heard when its frame is seen. That frame
        /// lasts 33 ms and can be missing: the grab of a display skips frames, and a pause or the end can come between a
        /// burst and its frame. Its neighbours tell when it was due.
        private func delays(in film: Filmed) -> [Double] {
            let dues = film.firsts.flatMap { mark, time -> [Double] in
                let distances = (-3...3).filter { (distance: Int) in (mark.number + distance) % 30 == 0 }
                return distances.map { (distance: Int) -> Double in time + Double(distance) / 30 }
            }
            return film.bursts.compactMap { burst in dues.map { burst - $0 }.min { abs($0) < abs($1) } }.sorted()
        }

        /// The tile is muted, and the server's default microphone hears nothing.
        @Test(.tags(.timed)) func aCameraIsRecordedWithItsOwnSound() throws {
            let server = try SoundServer(), stage = try Stage(320, 180), port = try FreePort.udp()
            let sent = try clip(3, frames: 600) {
                ($0.width, $0.height, $0.container, $0.sound, $0.gop) = (320, 180, .ts, .aac, 15)
                $0.bursts = Array(stride(from: 0, to: 600, by: 30))
            }.file()
            let sender = try Child([
                "ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", sent, "-c", "copy", "-f",
                "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316",
            ])
            defer { sender.end() }
            let folder = Scratch.path("camera"), ipc = try Scratch.newFolder("ipc") + "/wall"
            let program = try stage.play(
                tiles: [["id": "camera", "play": "udp://127.0.0.1:\(port)", "mute": true]],
                options: ["--takes", folder, "--ipc", ipc], sound: server)
            let client = try #require(ControlClient(ipc))
            expect(RealTime.wait(atMost: 8) { (client.number("tiles/camera/presented") ?? 0) > 30 })
            expect(client.error("record", "camera"), equals: "success")
            RealTime.pass(5)
            client.ask("record", "none")
            expect(RealTime.wait(atMost: 3) { client.get("recording") as? String == "none" })
            quit(program, client)
            let take = try #require(try RecordedTake.all(in: folder).first)
            let film = try Filmed("\(folder)/\(take.name.dropLast(4))mkv", width: 320, height: 180)
            let delays = delays(in: film)
            print("sound after frame in the recording: \(delays) s")
            expect(delays.count, atLeast: 3)
            expect(delays.allSatisfy { abs($0) < 0.06 }, "\(delays)")
            expect(take.note["input"] is NSNull)
        }

        @Test(.tags(.timed)) func theFilmOfAWallThatIsKilledCanBePlayed() throws {
            let server = try SoundServer(), (shown, other) = try film(server)
            let folder = Scratch.path("live"), ipc = try Scratch.newFolder("ipc") + "/wall"
            let stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [["id": "live", "play": "x11grab://\(shown.display.name)"]],
                options: ["--takes", folder, "--ipc", ipc], sound: server)
            let client = try #require(ControlClient(ipc))
            expect(RealTime.wait(atMost: 8) { (client.number("tiles/live/presented") ?? 0) > 60 })
            client.ask("record", "live")
            RealTime.pass(4)
            kill(program.child.pid, SIGKILL)
            expect(program.child.wait(atMost: 3) != nil)
            kill(other.child.pid, SIGTERM)
            _ = other.child.wait(atMost: 5)
            let take = try #require(try RecordedTake.all(in: folder).first)
            let film = try Filmed("\(folder)/\(take.name.dropLast(4))mkv", width: 320, height: 180)
            expect(film.seconds, above: take.seconds - 1.2, "\(film.seconds) s of frame, \(take.seconds) s of sound")
            expect(film.firsts.count, above: 30)
        }

        // MARK: hearing oneself

        @Test func whatAnOutputPlaysIsNotMonitoredUnasked() throws {
            let server = try SoundServer(), stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [["id": "film", "play": try clip(2).file()]], ["audio": ["monitor": true]],
                options: ["--for", "3"], sound: server)
            expect(program.child.wait(atMost: 8), equals: 0, "\(program.child.errors)")
            expect(program.child.errors.contains("set audio.input to a microphone"), "\(program.child.errors)")
        }

        @Test func whoSingsHearsTheMicrophoneAlsoAfterAStall() throws {
            let server = try SoundServer()
            _ = try server.addOutput("mic")
            let stage = try Stage(320, 180), song = try NoiseSong(seconds: 30)
            let (spoken, heard) = (try Microphone(server, output: "mic"), try Microphone(server))
            let ipc = try Scratch.newFolder("ipc") + "/wall"
            let program = try stage.play(
                tiles: [["id": "film", "play": try clip(2).file(), "mute": true]],
                ["audio": ["input": "mic.monitor", "monitor": true]], options: ["--ipc", ipc], sound: server)
            let client = try #require(ControlClient(ipc))
            func reported() -> Double { client.number("monitor-latency") ?? 0 }
            let player = try Child(["paplay", "--device=mic", song.path], environment: server.environment)
            /// Waits for a longer latency to be reported. Returns the latency, and the end of a second with it.
            func measure(whenMoreThan former: Double) -> (reported: Double, until: Double) {
                expect(RealTime.wait(atMost: 10) { reported() > former }, "told \(reported()) after \(former)")
                let now = reported()
                RealTime.pass(1)
                return (now, RealTime.now)
            }
            let calm = measure(whenMoreThan: 0)
            // Afterwards the microphone's sound of these 0.1 s arrives at once, and playback underruns.
            program.child.signal(SIGSTOP)
            RealTime.pass(0.1)
            program.child.signal(SIGCONT)
            let later = measure(whenMoreThan: calm.reported)
            player.end()
            quit(program, client)
            let there = heard.stop(), from = spoken.stop()
            for (reported, until) in [calm, later] {
                let late = try late(there, from, before: until)
                print("heard after \(late) ms, told \(reported * 1000) ms")
                // The reported latency is 4 to 10 ms more: the monitor of an output without a device already has the
                // buffered sound.
                expect(abs(late - reported * 1000), below: 20)
            }
            // The latency grows by 7 to 17 ms, or by 45 ms if other walls delay the program and its cushion has grown
            // before.
            expectInTime(later.reported - calm.reported, atMost: 0.07, "longer after the stall")
            // The latency is reported once, and again after an underrun has made the buffer larger.
            let events = program.trace.events("monitor").compactMap { $0.number("latency-ms") }
            expect(events.count >= 2 && zip(events, events.dropFirst()).allSatisfy { $0 < $1 }, "\(events)")
            expect(program.child.errors.contains("the microphone is heard with a delay of"))
        }

        /// Returns the delay of the monitored sound against the microphone's, in milliseconds, in the last second
        /// before `time`.
        private func late(_ heard: Recording, _ spoken: Recording, before time: Double) throws -> Double {
            let lag = Samples.lag(
                of: heard.between(time - 1, time).left.prefix(24_000), behind: spoken.left,
                at: Int((time - 1 - spoken.began) * 48_000), most: 9600)
            return Double(try #require(lag)) / 48
        }
    }
}
