import Expectations
import Foundation
import Heard
import TestKit
import Testing

@testable import Base
@testable import Media

/// Answers of real servers that lists and films lead to.
@Suite struct NestedServerTests {
    /// The certificate is self-signed, for another name.
    @Test func aServerThatProvesNothingIsNotPlayed() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", frames: 5, Folder.x264)
        try run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.file("key.pem"), "-out",
            folder.file("own.pem"), "-days", "2", "-subj", "/CN=other.example",
        ])
        let server = try Child(["python3", "-c", Self.secureServer, folder.path])
        var port = ""
        expect(
            TestKit.RealTime.wait(atMost: 10) {
                port = (try? String(contentsOfFile: folder.file("port"), encoding: .utf8)) ?? ""
                return port.hasSuffix("\n")
            })
        let trouble = failure(of: "https://127.0.0.1:\(port.dropLast())/film.mp4")
        expect(trouble?.kind == .unreachable && trouble!.what.contains("certificate"), "\(String(describing: trouble))")
        server.end()
    }

    private static let secureServer = """
        import http.server, os, ssl, sys
        os.chdir(sys.argv[1])
        server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("own.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        with open("port.new", "w") as file:
            file.write(f"{server.server_address[1]}\\n")
        os.rename("port.new", "port")
        server.serve_forever()
        """

    @Test func aListWhoseSegmentsAreNotThereSaysSo() throws {
        let folder = try Folder()
        try segments(folder)
        let names = (0..<8).flatMap { ["#EXTINF:1,", "gone\($0).ts"] }
        for ends in [true, false] {
            _ = try list(folder, "list.m3u8", names, ends: ends)
            let server = try WebServer(try pages(folder))
            let trouble = failure(of: server.address(of: "list.m3u8"), within: 9)
            expect(trouble?.kind == .refused && trouble!.what.contains("404"), "\(String(describing: trouble))")
            expect(server.connections, below: 60)
        }
    }

    @Test(arguments: ["file:///etc/hostname", "udp://127.0.0.1:9", "tcp://127.0.0.1:9"])
    func aRedirectToSomethingElseIsRefused(_ target: String) throws {
        let server = try WebServer(["film.ts": .init("", .redirecting(to: target))])
        let trouble = failure(of: server.address(of: "film.ts"))
        expect(trouble?.kind == .refused && trouble!.what.contains("redirected"), "\(String(describing: trouble))")
    }

    @Test func aRedirectToItselfIsCalledThat() throws {
        let server = try WebServer(["film.ts": .init("", .redirecting(to: "/film.ts"))])
        let trouble = failure(of: server.address(of: "film.ts"))
        expect(trouble?.what.contains("too many redirects"), equals: true, "\(String(describing: trouble))")
        expect(server.connections, below: 20)
    }

    @Test(arguments: ["file:///etc/hostname", "data:text/plain,0123456789abcdef"])
    func aKeyThatIsNoServersIsRefused(_ key: String) throws {
        let folder = try Folder()
        try segments(folder)
        let lines = ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(key)\"", "#EXTINF:1,", "part0.ts"]
        _ = try list(folder, "locked.m3u8", lines)
        let server = try WebServer(try pages(folder))
        let trouble = failure(of: server.address(of: "locked.m3u8"))
        expect(trouble?.kind == .refused && trouble!.what.contains("may not be"), "\(String(describing: trouble))")
    }

    /// The next range is requested as soon as the connection before it has ended.
    @Test func aFilmInPortionsIsPlayedWhole() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.ts", frames: 50, Folder.x264 + ["-g", "25"])
        let size = try #require(FileManager.default.contents(atPath: folder.file("film.ts"))).count
        let server = try WebServer(["film.ts": .init(folder.file("film.ts"), .portions(of: size / 10))])
        let began = TestKit.RealTime.now
        let (source, decoder) = try open(server.address(of: "film.ts"))
        try expect(play(source, decoder).shown.map(\.number), equals: Array(0..<50))
        expect(TestKit.RealTime.now - began, below: 4)
        expect(server.connections, above: 10)
    }

    @Test(
        arguments: [
            ("rtsp://a/b", "rtsp://a/b", nil), ("rtsp://a/b?tcp", "rtsp://a/b", "tcp"),
            ("rtsp://a/b?channel=1&udp", "rtsp://a/b?channel=1", "udp"), ("rtsp://a/b?x=tcp", "rtsp://a/b?x=tcp", nil),
        ] as [(String, String, String?)])
    func howRTSPComesIsReportedInItsQuery(_ name: String, _ url: String, _ transport: String?) {
        let address = RTSPAddress(name)
        expect(address.url == url && address.transport == transport)
    }

    /// The list exists, and its segments are missing or refused: from the first one on, or later.
    @Test func partsThatAServerDoesNotGiveOutAreReported() throws {
        let folder = try Folder()
        try segments(folder)
        let whole = try pages(folder)
        for (words, part) in [("(403)", WebServer.Page("", .refusing)), ("(404)", nil)] as [(String, WebServer.Page?)] {
            var none = whole, later = whole
            (none["part0.ts"], none["part1.ts"], later["part1.ts"]) = (part, part, part)
            let server = try WebServer(none)
            let trouble = failure(of: server.address(of: "list.m3u8"))
            expect(trouble?.kind == .refused && trouble!.what.contains("the server"), "\(String(describing: trouble))")
            expect(trouble?.what.contains(words), equals: true, "\(String(describing: trouble))")
            let half = try WebServer(later)
            let (source, decoder) = try open(half.address(of: "list.m3u8"))
            try expect(play(source, decoder).shown.count >= 25 && source.takeLack() == .refusedParts)
            let film = failure(of: half.address(of: words == "(404)" ? "gone.mp4" : "part1.ts"))
            expect(film?.kind == .refused && film!.what.contains(words), "\(String(describing: film))")
        }
    }

    /// A server that is gone is reported as unreachable, not as damage.
    @Test func aListWhoseServerIsGoneIsUnreachable() throws {
        let folder = try Folder()
        try segments(folder, frames: 250)
        var server: WebServer? = try WebServer(try pages(folder))
        let (source, decoder) = try open(server!.address(of: "list.m3u8"))
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        var count = 0
        do throws(SourceTrouble) {
            while case .frame = try reader.next() {
                count += 1
                if count == 1 { server = nil }
            }
            Issue.record("it came to its end after \(count) frames")
        } catch {
            expect(error.kind, equals: .unreachable, "\(error)")
        }
        _ = server
    }

    /// A reader holds a frame until it knows when the next one begins. A frame held through a silence is out of date.
    @Test func theFrameBeforeASilenceIsNotHandedOutAfterIt() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-c:v", "mpeg2video", "-g", "5", "-f", "mpegts", "a.ts",
        ])
        let port = try FreePort.udp()
        let sender = try Child([
            "ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", folder.file("a.ts"), "-c", "copy",
            "-f", "mpegts", "udp://127.0.0.1:\(port)?pkt_size=1316",
        ])
        defer { sender.end() }
        let (source, decoder) = try open("udp://127.0.0.1:\(port)")
        expect(source.facts.live != nil)
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        var arrivals: [Double] = []
        do throws(SourceTrouble) {
            while case .frame = try reader.next() {
                arrivals.append(TestKit.RealTime.now)
                if arrivals.count == 25 { sender.end() }
            }
            Issue.record("it came to its end after \(arrivals.count) frames")
        } catch {
            expect(error.kind, equals: .timeout, "\(error)")
        }
        let longest = zip(arrivals.dropFirst(), arrivals).map { $0 - $1 }.max() ?? 0
        expect(arrivals.count >= 25 && longest < 4, "\(arrivals.count) frames, \(longest) s")
    }

    /// The server takes one client.
    @Test func theSoundOfAFetchedStreamComesByTheConnectionOfItsFrames() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v", "mpeg2video",
            "-g", "5", "-c:a", "mp2", "-f", "mpegts", "a.ts",
        ])
        let address = "http://127.0.0.1:\(try FreePort.tcp())/a.ts"
        let sender = try Child([
            "ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", folder.file("a.ts"), "-c", "copy",
            "-f", "mpegts", "-listen", "1", address,
        ])
        defer { sender.end() }
        TestKit.RealTime.pass(1)
        let (source, decoder) = try open(address)
        expect(source.facts.live == .pulled)
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        for _ in 0..<50 { _ = try reader.next() }
        let sound = try SoundReader.open(
            SoundSource(address, origin: source.facts.origin, isPassedOn: true), deadline: Deadline())
        try sound.seek(to: 0)
        var blocks = 0
        for _ in 0..<20 { if case .block = try sound.next() { blocks += 1 } }
        expect(blocks, atLeast: 5)
        source.close()
        // No other connection is opened.
        #expect(throws: (any Error).self) {
            try SoundReader.open(
                SoundSource(address, origin: source.facts.origin, isPassedOn: true), deadline: Deadline())
        }
    }

    /// DASH: the segments of a manifest are missing, refused, or can't be located.
    @Test func aManifestWhosePartsAreMissingIsNotDamaged() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", frames: 50, Folder.x264 + ["-g", "25"])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "-f", "dash", "-seg_duration", "1", "film.mpd"])
        let text = try String(contentsOfFile: folder.file("film.mpd"), encoding: .utf8)
        let whole = try pages(folder)
        let good = try WebServer(whole)
        let (source, decoder) = try open(good.address(of: "film.mpd"))
        try expect(play(source, decoder).shown.count, equals: 50)
        func trouble(_ pages: [String: WebServer.Page], base: String? = nil) throws -> SourceTrouble? {
            let changed = base.map { text.replacing("<Period ", with: "<BaseURL>\($0)</BaseURL><Period ") } ?? text
            try changed.write(toFile: folder.file("film.mpd"), atomically: false, encoding: .utf8)
            let server = try WebServer(pages)
            return failure(of: server.address(of: "film.mpd"))
        }
        let segments = whole.filter { $0.key.hasPrefix("chunk") }
        let half = try WebServer(whole.filter { !$0.key.hasSuffix("00002.m4s") })
        let (torn, tornDecoder) = try open(half.address(of: "film.mpd"))
        try expect(play(torn, tornDecoder).shown.count, equals: 25)
        let lack = torn.takeLack(at: .seconds(1))
        expect(lack == .missingParts || lack == .refusedParts, "\(String(describing: lack))")
        expect(source.takeLack(at: .seconds(2)), equals: nil)
        // Since version 9 FFmpeg reports the server's answer.
        func expectTrouble(_ trouble: SourceTrouble?, toReport answer: String) {
            let isReported = trouble?.kind == .refused && trouble!.what.contains(answer)
            expect(trouble?.kind == .missing || isReported, "\(String(describing: trouble))")
        }
        expectTrouble(try trouble(whole.filter { !$0.key.hasPrefix("chunk") }), toReport: "(404)")
        expectTrouble(try trouble(whole.merging(segments.mapValues { $0.with(.refusing) }) { $1 }), toReport: "(403)")
        let elsewhere = try trouble(whole, base: "gone/")
        expect(elsewhere?.kind == .refused && elsewhere!.what.contains("(404)"), "\(String(describing: elsewhere))")
        let local = try trouble(whole, base: "file:///films/")
        expectTrouble(local, toReport: "file:")
    }

    @Test func listsOfOtherKindsAreNotPlayed() throws {
        let folder = try Folder()
        try segments(folder)
        for (name, text, words) in [
            ("own.ffconcat", "ffconcat version 1.0\nfile own.ffconcat\n", "\"play\""),
            ("good.ffconcat", "ffconcat version 1.0\nfile film.ts\n", "\"play\""),
            (
                "stream.sdp",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
                    + "a=rtpmap:96 H264/90000\n", "session"
            ),
        ] {
            try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
            let trouble = failure(of: folder.file(name))
            expect(trouble?.kind == .unsupported && trouble!.what.contains(words), "\(String(describing: trouble))")
        }
    }

    /// A source on another machine can't lead back to this one, by a list or a redirect.
    @Test func aSourceOfAnotherMachineDoesNotReachThisOne() throws {
        guard let own = addressOnTheNetwork() else { return }
        let folder = try Folder()
        try segments(folder)
        let inner = try WebServer(try pages(folder))
        _ = try list(folder, "leading.m3u8", ["#EXTINF:1,", inner.address(of: "part0.ts")])
        var outside = try pages(folder)
        outside["moved.ts"] = .init("", .redirecting(to: inner.address(of: "film.ts")))
        outside["here.ts"] = .init(folder.file("film.ts"), .ranges)
        let outer = try WebServer(outside, host: own)
        for name in ["leading.m3u8", "moved.ts"] {
            let trouble = failure(of: outer.address(of: name))
            expect(trouble?.kind, equals: .refused, "\(name): \(String(describing: trouble))")
        }
        expect(inner.connections, equals: 0)
        // A list on this machine may name this machine, and its own server may redirect to it.
        let here = try list(folder, "here.m3u8", ["#EXTINF:1,", inner.address(of: "part0.ts")])
        let home = try WebServer(["moved.ts": .init("", .redirecting(to: inner.address(of: "film.ts")))])
        for location in [here, home.address(of: "moved.ts"), outer.address(of: "here.ts")] {
            let (source, decoder) = try open(location)
            try expect(play(source, decoder).shown.count, atLeast: 25, "\(location)")
        }
    }

    /// An IPv4 address of this machine that is not its loopback; nil if it has none.
    private func addressOnTheNetwork() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let address = entry?.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
            let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            let bytes = withUnsafeBytes(of: number.s_addr) { Array($0) }
            if !NetworkAddress.staysHere(bytes) { return bytes.map(String.init).joined(separator: ".") }
        }
        return nil
    }
}
