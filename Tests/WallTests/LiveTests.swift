import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Live sources, each of another kind, made by the `ffmpeg` tool.
    @Suite(.tags(.timed)) struct Live {
        private static let frames = 240
        private static let rate = 30.0

        private func source(_ id: Int) throws -> String {
            try clip(id, frames: Self.frames) {
                ($0.width, $0.height, $0.container, $0.gop) = (320, 180, .ts, 15)
                $0.extra = ["-maxrate", "800k", "-bufsize", "100k"]
            }.file()
        }

        /// Sends a film repeatedly, in real time.
        private func send(_ film: String, _ target: [String]) throws -> Child {
            try Child(
                ["ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy"] + target)
        }

        /// Returns the delay from the sending of each frame to its display. The sender started at `began`.
        private func lags(_ film: Film, _ tile: Int, between first: Double, _ last: Double, since began: Double)
            -> [Double]
        {
            let length = Double(Self.frames) / Self.rate
            return film.runs(of: tile).compactMap { run in
                guard let number = run.mark?.number, run.first >= first, run.first < last else { return nil }
                let lag = run.first - began - Double(number) / Self.rate
                return lag - (lag / length).rounded(.down) * length
            }
        }

        private func middle(_ values: [Double]) -> Double {
            values.isEmpty ? .infinity : values.sorted()[values.count / 2]
        }

        static let kinds = ["udp", "tcp", "srt", "rtsp", "hls"]

        /// The film is sought, and the wall's process is stopped for four seconds.
        @Test func eachLiveSourceStaysNearItsEdge() throws {
            let folder = try Scratch.newFolder("live")
            let films = try (0..<5).map { try source(1 + $0) }
            let (udp, tcp, srt) = (try FreePort.udp(), try FreePort.tcp(), try FreePort.udp())
            let web = try WebServer(folder: folder)
            var began = Array(repeating: TestKit.RealTime.now, count: 5)
            let rtsp = try RTSPServer(films[3])
            let senders = [
                try send(films[0], ["-f", "mpegts", "udp://127.0.0.1:\(udp)?pkt_size=1316"]),
                try send(films[1], ["-f", "mpegts", "tcp://127.0.0.1:\(tcp)?listen=1"]),
                try send(films[2], ["-f", "mpegts", "srt://127.0.0.1:\(srt)?mode=listener"]),
                try send(
                    films[4],
                    ["-f", "hls", "-hls_time", "1", "-hls_list_size", "6", "-hls_flags", "delete_segments"]
                        + ["\(folder)/live.m3u8"]),
            ]
            defer { for sender in senders { sender.end() } }
            expect(TestKit.RealTime.wait(atMost: 15) { FileManager.default.fileExists(atPath: "\(folder)/live2.ts") })
            let control = try Scratch.newFolder("control") + "/socket"
            let urls = [
                "udp://127.0.0.1:\(udp)", "tcp://127.0.0.1:\(tcp)", "srt://127.0.0.1:\(srt)", rtsp.address,
                web.address(of: "live.m3u8"),
            ]
            let tiles = zip(Self.kinds, urls).map { ["id": $0, "play": $1] as [String: Any] }
            let stage = try Stage(960, 360)
            let program = try stage.play(
                tiles: tiles + [["id": "film", "play": try source(6)]],
                ["grid": ["columns": 3, "rows": 2], "pipelines": 6, "groups": ["main": ["loop": "together"]]],
                options: ["--for", "14", "--ipc", control])
            let camera = try Camera(
                stage.display, (0..<6).map { Tile(stage.whole.cell($0 % 3, $0 / 3, of: 3, by: 2)) })
            let start = TestKit.RealTime.now
            let client = try #require(ControlClient(control))
            TestKit.RealTime.pass(4.5 - (TestKit.RealTime.now - start))
            client.ask("seek", 3)
            let sought = TestKit.RealTime.now
            TestKit.RealTime.pass(1.5)
            program.child.signal(SIGSTOP)
            TestKit.RealTime.pass(4)
            program.child.signal(SIGCONT)
            let again = TestKit.RealTime.now
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let footage = camera.stop()
            // A sender that waits for its receiver starts when the receiver connects.
            for (tile, kind) in Self.kinds.enumerated() where kind == "tcp" || kind == "srt" {
                began[tile] = footage.firstFrame(in: tile).map { $0 - 1 } ?? start
            }
            for (tile, kind) in Self.kinds.enumerated() {
                let before = lags(footage, tile, between: sought - 1.5, sought, since: began[tile])
                let after = lags(footage, tile, between: sought + 0.3, sought + 1.3, since: began[tile])
                let late = lags(footage, tile, between: again + 2.5, again + 4, since: began[tile])
                try #require(
                    min(before.count, after.count, late.count) > 5,
                    "\(kind): \(before.count), \(after.count), \(late.count)")
                print("\(kind): \(middle(before)), after a seek \(middle(after)), after a stall \(middle(late))")
                expectInTime(middle(before), atMost: kind == "hls" ? 6 : 3, "\(kind)")
                expectInTime(abs(middle(after) - middle(before)), atMost: 0.2, "\(kind) was sought")
                expectInTime(abs(middle(late) - middle(before)), atMost: 1, "\(kind) after a stall")
            }
            expect(program.trace.events("trouble").isEmpty, "\(program.trace.events("trouble"))")
            let film = lags(footage, 5, between: sought - 1.5, sought, since: start)
            let moved = lags(footage, 5, between: sought + 0.3, sought + 1.3, since: start)
            let jump = (middle(film) - middle(moved) + 8).truncatingRemainder(dividingBy: 8)
            expect((2.5...3.5).contains(jump), "\(jump)")
        }

        /// Script that sends films one after the other on one connection, each in `seconds`.
        private static let changing = """
            import socket, sys, time
            out, seconds = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), float(sys.argv[2])
            begin = time.monotonic()
            for number, name in enumerate(sys.argv[3:]):
                data = open(name, "rb").read()
                for place in range(0, len(data), 1316):
                    time.sleep(max(0, begin + seconds * (number + place / len(data)) - time.monotonic()))
                    out.sendto(data[place:place + 1316], ("127.0.0.1", int(sys.argv[1])))
            """

        /// FFmpeg decodes no frames of a codec other than the one that it found at first.
        @Test func aStreamThatChangesItsCodecIsConnectedAgain() throws {
            let films = try [Witness.Codec.h264, .mpeg4].enumerated().map { index, codec in
                try clip(9 + index, frames: 120) {
                    ($0.width, $0.height, $0.container, $0.gop, $0.codec) = (320, 180, .ts, 15, codec)
                }.file()
            }
            let port = try FreePort.udp()
            let stage = try Stage(320, 180)
            let program = try stage.play(["udp://127.0.0.1:\(port)", "--for", "13"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(FreePort.waitUntilTaken(udp: port))
            let sender = try Child(
                ["python3", "-c", Self.changing, "\(port)", "4", films[0], films[1], films[1], films[1]])
            defer { sender.end() }
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let marks = camera.stop().runs(of: 0).compactMap { $0.mark?.clip }
            expect(marks.first == 9 && marks.count { $0 == 10 } > 60, "\(marks.count { $0 == 10 })")
            let troubles = program.trace.events("trouble")
            expect(troubles.map { $0.text("what") }, equals: ["the stream changed; connecting again"], "\(troubles)")
            let again = program.trace.events("picture").first { $0.time > troubles.first?.time ?? .infinity }
            expectInTime((again?.time ?? .infinity) - (troubles.first?.time ?? 0), atMost: 3, "a frame afterwards")
        }

        /// A decoder of H.264 makes frames of the packets of MPEG-2, which are broken.
        @Test func aStreamThatContinuesInMPEG2IsConnectedAgain() throws {
            let folder = try Scratch.newFolder("change"), port = try FreePort.udp()
            let kinds = [
                ("6", ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency"]),
                ("12", ["-vf", "negate", "-c:v", "mpeg2video", "-b:v", "4M"]),
            ]
            let films = try kinds.enumerated().map { index, kind in
                let film = "\(folder)/\(index).ts"
                try run(
                    [
                        "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25",
                        "-t",
                        kind.0, "-pix_fmt", "yuv420p", "-g", "25",
                    ] + kind.1 + ["-f", "mpegts", film])
                return film
            }
            let stage = try Stage(320, 180)
            let program = try stage.play(["udp://127.0.0.1:\(port)", "--for", "13"])
            expect(FreePort.waitUntilTaken(udp: port))
            let sender = try Child(["python3", "-c", Self.changing, "\(port)", "6", films[0], films[1]])
            defer { sender.end() }
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let troubles = program.trace.events("trouble")
            expect(troubles.map { $0.text("what") }, equals: ["the stream changed; connecting again"], "\(troubles)")
            let again = program.trace.events("picture").filter { $0.time > (troubles.first?.time ?? .infinity) + 2 }
            expect(again.count, above: 30, "\(again.count)")
        }

        /// Script that sends a JPEG as often as stated, to each client of a port.
        private static let motion = """
            import socketserver, sys, time
            data = open(sys.argv[2], "rb").read()
            class Camera(socketserver.StreamRequestHandler):
                def handle(self):
                    while self.rfile.readline().strip(): pass
                    self.wfile.write(b"HTTP/1.0 200 OK\\r\\nContent-Type: multipart/x-mixed-replace; boundary=b\\r\\n\\r\\n")
                    begin, count = time.monotonic(), 0
                    while True:
                        head = b"--b\\r\\nContent-Type: image/jpeg\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(data)
                        self.wfile.write(head + data + b"\\r\\n")
                        count += 1
                        time.sleep(max(0, begin + count / float(sys.argv[3]) - time.monotonic()))
            class Server(socketserver.ThreadingTCPServer):
                allow_reuse_address, daemon_threads = True, True
            Server(("127.0.0.1", int(sys.argv[1])), Camera).serve_forever()
            """

        /// The demuxer assumes 25 frames a second.
        @Test func slowMotionJPEGNeverSeemsToWait() throws {
            let image = try Scratch.newFolder("jpeg") + "/image.jpg"
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180", "-frames:v", "1",
                image,
            ])
            let ports = [try FreePort.tcp(), try FreePort.tcp()]
            let servers = try zip(ports, ["2", "5"]).map {
                try Child(["python3", "-c", Self.motion, "\($0)", image, $1])
            }
            defer { for server in servers { server.end() } }
            for port in ports { expect(FreePort.waitUntilTaken(tcp: port)) }
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: zip(["two", "five"], ports).map { ["id": $0, "play": "http://127.0.0.1:\($1)/video"] },
                ["grid": ["columns": 2, "rows": 1]], options: ["--for", "12"])
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let end = try #require(program.trace.events("end").first?.fields["tiles"] as? [String: [String: Any]])
            for (tile, rate) in [("two", 2.0), ("five", 5.0)] {
                expectInTime(
                    Double(end[tile]?["stalls"] as? Int ?? 99), .frames(lasting: 1 / rate), atMost: 0, "\(tile): stalls"
                )
                expect(end[tile]?["missed"] as? Int, equals: 0, "\(tile)")
                let times = program.trace.events("picture", tile: tile).map(\.time)
                let last = times.filter { $0 > (times.last ?? 0) - 5 }
                expectInTime(
                    abs(Double(last.count) - 5 * rate), .frames(lasting: 1 / rate), atMost: 2,
                    "\(tile): frames in the last five seconds")
            }
        }

        /// A stream without video, and two tiles that receive on one port: each tile reports its own trouble.
        @Test func whatCanNotBePlayedIsReportedPlainly() throws {
            let tone = try Scratch.newFolder("tone") + "/tone.ts"
            try run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine", "-t", "3", "-c:a", "aac", tone])
            let (sound, shared) = (try FreePort.udp(), try FreePort.udp())
            let senders = [
                try send(tone, ["-f", "mpegts", "udp://127.0.0.1:\(sound)?pkt_size=1316"]),
                try send(try source(11), ["-f", "mpegts", "udp://127.0.0.1:\(shared)?pkt_size=1316"]),
            ]
            defer { for sender in senders { sender.end() } }
            let tiles: [[String: Any]] = [
                ["id": "sound", "play": "udp://127.0.0.1:\(sound)"],
                ["id": "one", "play": "udp://127.0.0.1:\(shared)"],
                ["id": "other", "play": "udp://127.0.0.1:\(shared)", "offset": 1],
            ]
            let receivers = try Stage.layout(tiles: Array(tiles.dropFirst()))
            let words = "two tiles receive on the same port: one, other (udp \(shared))"
            for form in [[], ["--json"]] {
                let checked = try Program.run(["check"] + form + [receivers])
                expect(checked.status == 3 && checked.output.contains(words), "\(checked.output)")
            }
            let stage = try Stage(480, 180)
            let program = try stage.play(tiles: tiles, ["grid": ["columns": 3, "rows": 1]], options: ["--for", "8"])
            expect(program.child.wait(atMost: 15), equals: 0, "\(program.child.errors)")
            let troubles = program.trace.events("trouble")
            let silent = troubles.filter { $0.tile == "sound" }
            expect(silent.map { $0.text("kind") }, equals: ["unsupported"], "\(troubles)")
            expect(silent.first?.text("what")?.contains("no video"), equals: true)
            let late = troubles.filter { $0.tile != "sound" }
            expect(late.count == 1 && late[0].text("what")?.contains("receives on this port") == true, "\(late)")
        }

        /// The sender is stopped, and goes on.
        @Test(arguments: ["cpu", "gpu"]) func aStreamThatStopsIsDimmedUntilItGoesOn(canvas: String) throws {
            let port = try FreePort.udp()
            let sender = try Child(
                [
                    "ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i",
                    "color=c=0xC0C0C0:size=320x180:rate=25", "-c:v", "mpeg2video", "-g", "5", "-f", "mpegts",
                    "udp://127.0.0.1:\(port)?pkt_size=1316",
                ])
            defer { sender.end() }
            let stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [["id": "live", "play": "udp://127.0.0.1:\(port)"]], ["stale-after": 1.5],
                options: ["--canvas", canvas, "--for", "40"])
            defer { program.child.end() }
            /// Returns the green value of a pixel at the lower left, where no text is shown; -1 if there is no photo.
            func brightness() -> Int { (try? Photo(stage.display).colour(60, 150).green) ?? -1 }
            func waits(_ seconds: Double, until isSo: () -> Bool) -> Bool {
                TestKit.RealTime.wait(atMost: seconds) { isSo() }
            }
            expect(waits(10) { brightness() > 170 }, "\(brightness()) \(program.child.errors)")
            sender.signal(SIGSTOP)
            expect(waits(8) { program.trace.events("stale").count == 1 }, "\(program.trace.text)")
            expect(waits(2) { (40...100).contains(brightness()) }, "\(brightness())")
            sender.signal(SIGCONT)
            expect(waits(8) { program.trace.events("recovered").count == 1 }, "\(program.trace.text)")
            expect(waits(1) { brightness() > 170 }, "\(brightness())")
            let (stale, back) = (program.trace.events("stale"), program.trace.events("recovered"))
            expect(stale.first?.number("seconds").map { (1.4...2.5).contains($0) }, equals: true, "\(stale)")
            expect(back.first?.text("was") == "away" && back.first?.tile == "live", "\(back)")
            expect(program.trace.events("trouble").isEmpty, "\(program.child.errors)")
        }

        /// Two senders end and start again, with timestamps from zero.
        @Test func aSenderThatComesBackIsShownAgain() throws {
            let (udp, tcp) = (try FreePort.udp(), try FreePort.tcp())
            let films = [try source(7), try source(8)]
            let targets = ["udp://127.0.0.1:\(udp)?pkt_size=1316", "tcp://127.0.0.1:\(tcp)?listen=1"]
            let first = try zip(films, targets).map { try send($0, ["-f", "mpegts", $1]) }
            expect(FreePort.waitUntilTaken(tcp: tcp))
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [
                    ["id": "udp", "play": "udp://127.0.0.1:\(udp)"], ["id": "tcp", "play": "tcp://127.0.0.1:\(tcp)"],
                ], ["grid": ["columns": 2, "rows": 1]], options: ["--for", "14"])
            let camera = try Camera(stage.display, (0..<2).map { Tile(stage.whole.cell($0, 0, of: 2, by: 1)) })
            expect(TestKit.RealTime.wait(atMost: 6) { camera.latest(0) != nil && camera.latest(1) != nil })
            TestKit.RealTime.pass(4)
            for sender in first { sender.signal(SIGKILL) }
            TestKit.RealTime.pass(2)
            let gone = TestKit.RealTime.now
            let second = try zip(films, targets).map { try send($0, ["-f", "mpegts", $1]) }
            defer { for sender in first + second { sender.end() } }
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let footage = camera.stop()
            for tile in 0..<2 {
                // The last frame stays while the sender is away.
                let still = footage.runs(of: tile).filter { $0.first > gone - 0.9 && $0.first < gone }
                expect(still.isEmpty, "\(still)")
                let late = footage.runs(of: tile).filter { $0.first > gone + 4.5 && $0.mark != nil }
                expect(late.count, above: 20, "\(tile): \(late.count)")
                let lag = lags(footage, tile, between: gone + 4.5, gone + 7, since: gone)
                expectInTime(middle(lag), atMost: tile == 0 ? 2.5 : 5, "\(tile)")
            }
            let troubles = program.trace.events("trouble")
            expect(troubles.allSatisfy { $0.text("tile") == "tcp" && $0.text("kind") == "unreachable" }, "\(troubles)")
            expect(program.child.errors.contains("the stream has ended"))
        }
    }
}
