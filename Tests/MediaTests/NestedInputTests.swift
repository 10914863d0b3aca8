import Expectations
import Foundation
import TestKit
import Testing

@testable import Base
@testable import Media
@testable import Opened

/// Sources that lists lead to, by real files and servers.
@Suite struct NestedInputTests {
    @Test func aGoodListPlaysFromDiskAndFromAServer() throws {
        let folder = try Folder()
        try segments(folder)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("list.m3u8"), server.address(of: "list.m3u8")] {
            let (source, decoder) = try open(location)
            try expect(play(source, decoder).shown.map(\.number), equals: Array(0..<50), "\(location)")
        }
    }

    /// A key's name ends in .key, as other programs write it, and a segment's name has no ending.
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
        try expect(play(source, decoder).shown.count, atLeast: 25)
    }

    @Test func aListOfSegmentsPlays() throws {
        let folder = try Folder()
        _ = try folder.numbered("film.mp4", frames: 50, Folder.x264 + ["-g", "25"])
        try folder.ffmpeg([
            "-i", "film.mp4", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4",
            "-hls_playlist_type", "vod", "pieces.m3u8",
        ])
        let server = try WebServer(try pages(folder))
        for location in [folder.file("pieces.m3u8"), server.address(of: "pieces.m3u8")] {
            let (source, decoder) = try open(location)
            expect(!source.facts.isSeekable && source.facts.length == .seconds(2))
            try expect(play(source, decoder).shown.map(\.number), equals: Array(0..<50), "\(location)")
            let (again, other) = try open(location)
            let (shown, _) = try play(again, other, from: .milliseconds(1200))
            expect(shown.map(\.number), equals: Array(30..<50), "\(location)")
        }
    }

    @Test func ofAnAdaptiveStreamTheVariantThatFitsIsPlayed() throws {
        let folder = try Folder()
        var lines = ["#EXTM3U"]
        for (size, rate) in [("256x144", 200_000), ("64x36", 40_000), ("128x72", 90_000)] {
            _ = try folder.numbered("\(size).ts", frames: 25, size: size, Folder.x264)
            _ = try list(folder, "\(size).m3u8", ["#EXTINF:1,", "\(size).ts"])
            lines += ["#EXT-X-STREAM-INF:BANDWIDTH=\(rate),RESOLUTION=\(size)", "\(size).m3u8"]
        }
        try lines.joined(separator: "\n").write(toFile: folder.file("all.m3u8"), atomically: false, encoding: .utf8)
        for (tileSize, rate, width) in [
            (Size(64, 36), nil, 64), (Size(100, 60), nil, 128), (Size(900, 600), nil, 256),
            (Size(900, 600), 90_000, 128),
        ] as [(Size, Int?, Int)] {
            let variant = VariantChoice(tileSize: tileSize, fetching: FetchSettings(maxBitrate: rate))
            let source = try Source.open(OpenTerms(folder.file("all.m3u8"), variant: variant), deadline: Deadline())
            expect(source.facts.storage.width, equals: width, "\(tileSize)")
            let (shown, _) = try play(source, try Decoder(for: source, threads: 1))
            expect(shown.map(\.number), equals: Array(0..<25))
        }
    }

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
            expect(failure(of: folder.file(name)) != nil)
            expect(failure(of: server.address(of: name)) != nil)
        }
        expect(server.connections, below: 100)
    }

    /// A list of a million segments a second would be read for minutes.
    @Test func aListWithoutMeasureIsNotRead() throws {
        let folder = try Folder()
        let lines = String(repeating: "#EXTINF:1,\npart0.ts\n", count: 1_800_000)
        try ("#EXTM3U\n" + lines).write(toFile: folder.file("long.m3u8"), atomically: false, encoding: .utf8)
        let trouble = failure(of: folder.file("long.m3u8"))
        expect(trouble?.kind == .unsupported && trouble!.what.contains("list"), "\(String(describing: trouble))")
    }

    /// Each stream takes kilobytes before anything of it is read.
    @Test func aListOfThousandsOfStreamsIsNotRead() throws {
        let folder = try Folder()
        try segments(folder)
        let streams = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nmany.m3u8\n", count: 600)
        try ("#EXTM3U\n" + streams).write(toFile: folder.file("many.m3u8"), atomically: false, encoding: .utf8)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("many.m3u8"), server.address(of: "many.m3u8")] {
            let trouble = failure(of: location)
            expect(trouble?.kind == .unsupported && trouble!.what.contains("500 streams"), "\(trouble as Any)")
        }
        expect(server.connections, equals: 1)
    }

    /// A list may begin with a byte order mark. A list longer than FFmpeg's first buffer is read whole, also from
    /// servers without ranges.
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
                try expect(play(source, decoder).shown.count, atLeast: 25, "\(location)")
            }
        }
    }

    /// The list's durations are zero: FFmpeg would read it again thousands of times a second.
    @Test func aListThatIsReadWithoutARestEnds() throws {
        let folder = try Folder()
        try segments(folder)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0,\npart0.ts\n"
        try text.write(toFile: folder.file("rush.m3u8"), atomically: false, encoding: .utf8)
        let server = try WebServer(try pages(folder))
        for location in [folder.file("rush.m3u8"), server.address(of: "rush.m3u8")] {
            let began = TestKit.RealTime.now
            let (source, decoder) = try open(location)
            try expect(play(source, decoder).shown.count, atLeast: 25)
            expect(TestKit.RealTime.now - began, below: 8)
        }
        expect(server.connections, below: 200)
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
            expect([.refused, .missing].contains(trouble?.kind), "\(target): \(String(describing: trouble))")
        }
        let below = try list(folder, "below.m3u8", ["#EXTINF:1,", "sub/part0.ts"])
        let (source, decoder) = try open(below)
        try expect(play(source, decoder).shown.count, equals: 25)
    }

    @Test(arguments: [
        "async:film.ts", "concat:film.ts|film.ts", "cache:film.ts", "pipe:0", "subfile,,start,0,end,9,,:film.ts",
    ])
    func protocolsOfFFmpegsOwnAreNotOpened(_ name: String) throws {
        let folder = try Folder()
        try segments(folder)
        let trouble = failure(of: try list(folder, "leading.m3u8", ["#EXTINF:1,", name]))
        expect(trouble != nil)
        // In a layout the same text is a file's name.
        expect(failure(of: folder.file(name))?.kind, equals: .missing)
    }

}
