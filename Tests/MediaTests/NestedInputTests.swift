import Foundation
import TestKit
import Testing

@testable import Media
@testable import WallCore

/// What lists lead to, by real files and servers.
@Suite struct NestedInputTests {
    /// A film in two segments of a second and its list.
    private func segments(_ folder: Folder) throws {
        _ = try folder.numbered("film.ts", pictures: 50, Folder.x264 + ["-g", "25"])
        try folder.ffmpeg([
            "-i", "film.ts", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0",
            "-hls_playlist_type", "vod", "-hls_segment_filename", "part%d.ts", "list.m3u8",
        ])
    }

    private func list(_ folder: Folder, _ name: String, _ lines: [String], ends: Bool = true) throws -> String {
        let head = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1"]
        let text = (head + lines + (ends ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n") + "\n"
        try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
        return folder.file(name)
    }

    private func failure(of location: String, within seconds: Double = 3) -> SourceTrouble? {
        let began = TestKit.Clock.now
        defer { #expect(TestKit.Clock.now - began < seconds, "\(location)") }
        do {
            let (source, decoder) = try open(location)
            let pictures = try play(source, decoder).shown.count
            Issue.record("\(location): \(pictures) pictures")
            return nil
        } catch {
            return error as? SourceTrouble
        }
    }

    private func pages(_ folder: Folder) throws -> [String: WebServer.Page] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, .init(folder.file($0), .ranges)) })
    }

    @Test func aGoodListPlaysFromDiskAndFromAServer() throws {
        let folder = try Folder()
        try segments(folder)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("list.m3u8"), server.address(of: "list.m3u8")] {
            let (source, decoder) = try open(location)
            #expect(try play(source, decoder).shown.map(\.number) == Array(0..<50), "\(location)")
        }
    }

    /// Their segments are pieces of MP4 with an initialization section of their own.
    /// Keys of other makers end in .key, and segments in nothing.
    @Test func partsAreOpenedHoweverTheirNamesEnd() throws {
        let folder = try Folder()
        try segments(folder)
        let key = "0123456789abcdef".utf8.map { String($0, radix: 16) }.joined()
        try "0123456789abcdef".write(toFile: folder.file("list.key"), atomically: false, encoding: .utf8)
        try run([
            "openssl", "enc", "-aes-128-cbc", "-K", key, "-iv", String(repeating: "0", count: 32), "-in",
            folder.file("part0.ts"), "-out", folder.file("part"),
        ])
        let list = try list(
            folder, "keyed.m3u8",
            ["#EXT-X-KEY:METHOD=AES-128,URI=\"list.key\",IV=0x00000000000000000000000000000000", "#EXTINF:1,", "part"])
        let (source, decoder) = try open(list)
        #expect(try play(source, decoder).shown.count >= 25)
    }

    @Test func aListOfPiecesPlays() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", pictures: 50, Folder.x264 + ["-g", "25"])
        try folder.ffmpeg([
            "-i", "film.mp4", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4",
            "-hls_playlist_type", "vod", "pieces.m3u8",
        ])
        let server = try WebServer(try pages(folder))
        for location in [folder.file("pieces.m3u8"), server.address(of: "pieces.m3u8")] {
            let (source, decoder) = try open(location)
            #expect(!source.facts.traits.isSeekable && source.facts.length == .seconds(2))
            #expect(try play(source, decoder).shown.map(\.number) == Array(0..<50), "\(location)")
            let (again, other) = try open(location)
            let (shown, _) = try play(again, other, from: .milliseconds(1200))
            #expect(shown.map(\.number) == Array(30..<50), "\(location)")
        }
    }

    @Test func ofAnAdaptiveStreamTheVariantThatFitsIsPlayed() throws {
        let folder = try Folder()
        var lines = ["#EXTM3U"]
        for (size, rate) in [("256x144", 200_000), ("64x36", 40_000), ("128x72", 90_000)] {
            _ = try folder.numbered("\(size).ts", pictures: 25, size: size, Folder.x264)
            _ = try list(folder, "\(size).m3u8", ["#EXTINF:1,", "\(size).ts"])
            lines += ["#EXT-X-STREAM-INF:BANDWIDTH=\(rate),RESOLUTION=\(size)", "\(size).m3u8"]
        }
        try lines.joined(separator: "\n").write(toFile: folder.file("all.m3u8"), atomically: false, encoding: .utf8)
        for (room, rate, width) in [
            (Size(64, 36), nil, 64), (Size(100, 60), nil, 128), (Size(900, 600), nil, 256),
            (Size(900, 600), 90_000, 128),
        ] as [(Size, Int?, Int)] {
            let variant = VariantChoice(room: room, maxBitrate: rate)
            let source = try Source.open(folder.file("all.m3u8"), variant: variant, deadline: Deadline())
            #expect(source.facts.storage.width == width, "\(room)")
            let (shown, _) = try play(source, try Decoder.open(for: source, threads: 1))
            #expect(shown.map(\.number) == Array(0..<25))
        }
    }

    /// A certificate that nobody has signed, for another name.
    @Test func aServerThatProvesNothingIsNotPlayed() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", pictures: 5, Folder.x264)
        try run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.file("key.pem"), "-out",
            folder.file("own.pem"), "-days", "2", "-subj", "/CN=other.example",
        ])
        let server = try Child(["python3", "-c", Self.secureServer, folder.path])
        var port = ""
        #expect(
            TestKit.Clock.wait(atMost: 10) {
                port = (try? String(contentsOfFile: folder.file("port"), encoding: .utf8)) ?? ""
                return port.hasSuffix("\n")
            })
        let trouble = failure(of: "https://127.0.0.1:\(port.dropLast())/film.mp4")
        #expect(
            trouble?.kind == .unreachable && trouble!.what.contains("certificate"), "\(String(describing: trouble))")
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

    @Test func aListThatNamesItselfEnds() throws {
        let folder = try Folder()
        let stream = "#EXT-X-STREAM-INF:BANDWIDTH=100000"
        for (name, lines) in [
            ("segment.m3u8", ["#EXTINF:1,", "segment.m3u8"]), ("variant.m3u8", [stream, "variant.m3u8"]),
            ("one.m3u8", [stream, "two.m3u8"]), ("two.m3u8", [stream, "one.m3u8"]),
        ] {
            _ = try list(folder, name, lines)
        }
        let server = try WebServer(try pages(folder))
        for name in ["segment.m3u8", "variant.m3u8", "one.m3u8"] {
            #expect(failure(of: folder.file(name)) != nil)
            #expect(failure(of: server.address(of: name)) != nil)
        }
        #expect(server.connections < 100, "\(server.connections)")
    }

    /// A million segments a second would be read for minutes.
    @Test func aListWithoutMeasureIsNotRead() throws {
        let folder = try Folder()
        let lines = String(repeating: "#EXTINF:1,\npart0.ts\n", count: 1_800_000)
        try ("#EXTM3U\n" + lines).write(toFile: folder.file("long.m3u8"), atomically: false, encoding: .utf8)
        let trouble = failure(of: folder.file("long.m3u8"))
        #expect(trouble?.kind == .unsupported && trouble!.what.contains("list"), "\(String(describing: trouble))")
    }

    /// Each takes kilobytes before anything of it is read.
    @Test func aListOfThousandsOfStreamsIsNotRead() throws {
        let folder = try Folder()
        try segments(folder)
        let streams = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nmany.m3u8\n", count: 600)
        try ("#EXTM3U\n" + streams).write(toFile: folder.file("many.m3u8"), atomically: false, encoding: .utf8)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("many.m3u8"), server.address(of: "many.m3u8")] {
            let trouble = failure(of: location)
            #expect(trouble?.kind == .unsupported && trouble!.what.contains("500 streams"), "\(trouble as Any)")
        }
        #expect(server.connections == 1)
    }

    /// And one that is longer than what a context holds at first is read whole, from servers without ranges, too.
    @Test func listsAreReadWhateverStandsBeforeThem() throws {
        let folder = try Folder()
        try segments(folder)
        let list = try String(contentsOfFile: folder.file("list.m3u8"), encoding: .utf8)
        let comments = String(repeating: "# \(String(repeating: "x", count: 98))\n", count: 1000)
        let texts = [
            "bom.m3u8": "\u{FEFF}" + list, "long.m3u8": list.replacing("#EXTM3U\n", with: "#EXTM3U\n" + comments),
        ]
        for (name, text) in texts {
            try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
        }
        let server = try WebServer(try pages(folder).mapValues { $0.with(.whole) })
        for name in texts.keys {
            for location in [folder.file(name), server.address(of: name)] {
                let (source, decoder) = try open(location)
                #expect(try play(source, decoder).shown.count >= 25, "\(location)")
            }
        }
    }

    /// Its lengths are zero: FFmpeg would read it again thousands of times a second.
    @Test func aListThatIsReadWithoutARestEnds() throws {
        let folder = try Folder()
        try segments(folder)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0,\npart0.ts\n"
        try text.write(toFile: folder.file("rush.m3u8"), atomically: false, encoding: .utf8)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("rush.m3u8"), server.address(of: "rush.m3u8")] {
            let began = TestKit.Clock.now
            let (source, decoder) = try open(location)
            #expect(try play(source, decoder).shown.count >= 25)
            #expect(TestKit.Clock.now - began < 8)
        }
        #expect(server.connections < 200, "\(server.connections)")
    }

    @Test func aListLeavesItsFolderByNoWay() throws {
        let folder = try Folder(), other = try Folder()
        try segments(other)
        try segments(folder)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.ts"), withDestinationPath: other.file("part0.ts"))
        try FileManager.default.createDirectory(atPath: folder.file("sub"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.file("part0.ts"), toPath: folder.file("sub/part0.ts"))
        for target in [other.file("part0.ts"), "file://\(other.file("part0.ts"))", "link.ts", "sub/../../x/part0.ts"] {
            let location = try list(folder, "leading.m3u8", ["#EXTINF:1,", target])
            let trouble = failure(of: location)
            #expect([.refused, .missing].contains(trouble?.kind), "\(target): \(String(describing: trouble))")
        }
        let below = try list(folder, "below.m3u8", ["#EXTINF:1,", "sub/part0.ts"])
        let (source, decoder) = try open(below)
        #expect(try play(source, decoder).shown.count == 25)
    }

    @Test(arguments: [
        "async:film.ts", "concat:film.ts|film.ts", "cache:film.ts", "pipe:0", "subfile,,start,0,end,9,,:film.ts",
    ])
    func protocolsOfFFmpegsOwnAreNotOpened(_ name: String) throws {
        let folder = try Folder()
        try segments(folder)
        let trouble = failure(of: try list(folder, "leading.m3u8", ["#EXTINF:1,", name]))
        #expect(trouble != nil)
        // As the layout's own word it is a file's name.
        #expect(failure(of: folder.file(name))?.kind == .missing)
    }

    /// Segments that are not there are said so, whatever the list says of its end.
    @Test func aListWhoseSegmentsAreNotThereSaysSo() throws {
        let folder = try Folder()
        try segments(folder)
        let names = (0..<8).flatMap { ["#EXTINF:1,", "gone\($0).ts"] }
        for ends in [true, false] {
            _ = try list(folder, "list.m3u8", names, ends: ends)
            let server = try WebServer(try pages(folder))
            let trouble = failure(of: server.address(of: "list.m3u8"), within: 9)
            #expect(trouble?.kind == .refused && trouble!.what.contains("404"), "\(String(describing: trouble))")
            #expect(server.connections < 60, "\(server.connections)")
        }
    }

    @Test(arguments: ["file:///etc/hostname", "udp://127.0.0.1:9", "tcp://127.0.0.1:9"])
    func aRedirectToSomethingElseIsRefused(_ target: String) throws {
        let server = try WebServer(["film.ts": .init("", .redirecting(to: target))])
        let trouble = failure(of: server.address(of: "film.ts"))
        #expect(trouble?.kind == .refused && trouble!.what.contains("redirected"), "\(String(describing: trouble))")
    }

    @Test func aRedirectToItselfIsCalledThat() throws {
        let server = try WebServer(["film.ts": .init("", .redirecting(to: "/film.ts"))])
        let trouble = failure(of: server.address(of: "film.ts"))
        #expect(trouble?.what.contains("redirected again and again") == true, "\(String(describing: trouble))")
        #expect(server.connections < 20, "\(server.connections)")
    }

    @Test(arguments: ["file:///etc/hostname", "data:text/plain,0123456789abcdef"])
    func aKeyThatIsNoServersIsRefused(_ key: String) throws {
        let folder = try Folder()
        try segments(folder)
        let lines = ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(key)\"", "#EXTINF:1,", "part0.ts"]
        _ = try list(folder, "locked.m3u8", lines)
        let server = try WebServer(try pages(folder))
        let trouble = failure(of: server.address(of: "locked.m3u8"))
        #expect(trouble?.kind == .refused && trouble!.what.contains("may not be"), "\(String(describing: trouble))")
    }

    /// What comes next is asked for at once where the connection before it ended.
    @Test func aFilmInPortionsIsPlayedWhole() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.ts", pictures: 50, Folder.x264 + ["-g", "25"])
        let size = try #require(FileManager.default.contents(atPath: folder.file("film.ts"))).count
        let server = try WebServer(["film.ts": .init(folder.file("film.ts"), .portions(of: size / 10))])
        let began = TestKit.Clock.now
        let (source, decoder) = try open(server.address(of: "film.ts"))
        #expect(try play(source, decoder).shown.map(\.number) == Array(0..<50))
        #expect(TestKit.Clock.now - began < 4)
        #expect(server.connections > 10)
    }

    @Test(
        arguments: [
            ("rtsp://a/b", "rtsp://a/b", nil), ("rtsp://a/b?tcp", "rtsp://a/b", "tcp"),
            ("rtsp://a/b?channel=1&udp", "rtsp://a/b?channel=1", "udp"), ("rtsp://a/b?x=tcp", "rtsp://a/b?x=tcp", nil),
        ] as [(String, String, String?)])
    func howRTSPComesIsSaidInItsQuery(_ name: String, _ url: String, _ transport: String?) {
        let address = RTSPAddress(name)
        #expect(address.url == url && address.transport == transport)
    }

    /// A list that is there, of segments that are not, or may not be had: from the first on, and later.
    @Test func partsThatAServerDoesNotGiveOutAreSaid() throws {
        let folder = try Folder()
        try segments(folder)
        let whole = try pages(folder)
        for (words, part) in [("(403)", WebServer.Page("", .refusing)), ("(404)", nil)] as [(String, WebServer.Page?)] {
            var none = whole, later = whole
            (none["part0.ts"], none["part1.ts"], later["part1.ts"]) = (part, part, part)
            let server = try WebServer(none)
            let trouble = failure(of: server.address(of: "list.m3u8"))
            #expect(trouble?.kind == .refused && trouble!.what.contains("the server"), "\(String(describing: trouble))")
            #expect(trouble?.what.contains(words) == true, "\(String(describing: trouble))")
            let half = try WebServer(later)
            let (source, decoder) = try open(half.address(of: "list.m3u8"))
            #expect(try play(source, decoder).shown.count >= 25 && source.takeLack() == .refusedParts)
            let film = failure(of: half.address(of: words == "(404)" ? "gone.mp4" : "part1.ts"))
            #expect(film?.kind == .refused && film!.what.contains(words), "\(String(describing: film))")
        }
    }

    /// DASH: what it names is not there, may not be had, or can't be told from it.
    @Test func aManifestWhosePartsAreMissingIsNotDamaged() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", pictures: 50, Folder.x264 + ["-g", "25"])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "-f", "dash", "-seg_duration", "1", "film.mpd"])
        let text = try String(contentsOfFile: folder.file("film.mpd"), encoding: .utf8)
        let whole = try pages(folder)
        let good = try WebServer(whole)
        let (source, decoder) = try open(good.address(of: "film.mpd"))
        #expect(try play(source, decoder).shown.count == 50)
        func trouble(_ pages: [String: WebServer.Page], base: String? = nil) throws -> SourceTrouble? {
            let changed = base.map { text.replacing("<Period ", with: "<BaseURL>\($0)</BaseURL><Period ") } ?? text
            try changed.write(toFile: folder.file("film.mpd"), atomically: false, encoding: .utf8)
            let server = try WebServer(pages)
            return failure(of: server.address(of: "film.mpd"))
        }
        let segments = whole.filter { $0.key.hasPrefix("chunk") }
        let half = try WebServer(whole.filter { !$0.key.hasSuffix("00002.m4s") })
        let (torn, tornDecoder) = try open(half.address(of: "film.mpd"))
        #expect(try play(torn, tornDecoder).shown.count == 25 && torn.takeLack(at: .seconds(1)) == .missingParts)
        #expect(source.takeLack(at: .seconds(2)) == nil)
        let without = try trouble(whole.filter { !$0.key.hasPrefix("chunk") })
        #expect(without?.kind == .missing, "\(String(describing: without))")
        let refused = try trouble(whole.merging(segments.mapValues { $0.with(.refusing) }) { $1 })
        #expect(refused?.kind == .missing, "\(String(describing: refused))")
        let elsewhere = try trouble(whole, base: "gone/")
        #expect(elsewhere?.kind == .refused && elsewhere!.what.contains("(404)"), "\(String(describing: elsewhere))")
        let local = try trouble(whole, base: "file:///films/")
        #expect(local?.kind == .missing, "\(String(describing: local))")
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
            #expect(trouble?.kind == .unsupported && trouble!.what.contains(words), "\(String(describing: trouble))")
        }
    }

    /// From another machine nothing leads back to this one, by a list or a redirect.
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
            #expect(trouble?.kind == .refused, "\(name): \(String(describing: trouble))")
        }
        #expect(inner.connections == 0)
        // A list on this machine may name it, and so may its own server redirect.
        let here = try list(folder, "here.m3u8", ["#EXTINF:1,", inner.address(of: "part0.ts")])
        let home = try WebServer(["moved.ts": .init("", .redirecting(to: inner.address(of: "film.ts")))])
        for location in [here, home.address(of: "moved.ts"), outer.address(of: "here.ts")] {
            let (source, decoder) = try open(location)
            #expect(try play(source, decoder).shown.count >= 25, "\(location)")
        }
    }

    /// An IPv4 address of this machine that is not its loopback; nil: it has none.
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
