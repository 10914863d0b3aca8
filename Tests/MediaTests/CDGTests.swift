import CFFmpeg
import Expectations
import Foundation
import Heard
import TestKit
import Testing

@testable import Base
@testable import Media

/// Songs with CD+G lyrics: beside their sound, or in a zip with it.
@Suite struct CDGTests {
    /// Bytes of red, green and blue.
    private func pixels(of codecFrame: CodecFrame) -> [UInt8] {
        expect(codecFrame.av.pointee.format, equals: AV_PIX_FMT_RGB24.rawValue)
        let (width, height) = (Int(codecFrame.av.pointee.width) * 3, Int(codecFrame.av.pointee.height))
        return (0..<height).flatMap { row in
            UnsafeBufferPointer(
                start: qd_plane(codecFrame.av, 0)! + row * Int(qd_stride(codecFrame.av, 0)), count: width)
        }
    }

    private func number(of frame: TimedCodecFrame) -> Int {
        Int(FrameRate(30, 1).nearest(to: frame.start))
    }

    @Test func everyFrameIsWhatADecodeFromTheBeginningShows() throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 20, tone: ("mp3", 20))
        let expected = try KaraokeDisc.frames(of: folder.file("song.cdg"))
        expect(expected.count == 601 && Set(expected).count > 590)
        let (source, decoder) = try open(folder.file("song.cdg"))
        expect(source.facts.frames.rate == FrameRate(30, 1) && source.facts.kind == .video)
        expect(source.facts.natural == Size(300, 216) && source.facts.codec == "cdgraphics")
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        var count = 0
        while case .frame(let frame) = try reader.next() {
            expect(frame.start, equals: FrameRate(30, 1).start(of: Int64(count)))
            let isDue = pixels(of: frame.codecFrame) == expected[min(count, 600)]
            expect(isDue, "frame \(count)")
            count += 1
        }
        expect(count, atLeast: 600)
        // Seeks at random, then backwards in small steps.
        var random = SeededNumbers(4)
        var times = (0..<60).map { _ in Time.milliseconds(Int64.random(in: 0..<20_000, using: &random)) }
        times += (0..<40).map { Time.seconds(15) - Time.milliseconds(Int64($0) * 33) }
        for time in times {
            let reader = FrameReader(source: source, decoder: decoder, from: time, until: nil)
            guard case .frame(let frame) = try reader.next() else {
                Issue.record("no frame at \(time)")
                continue
            }
            let number = number(of: frame)
            expect(frame.start <= time && frame.start + frame.length > time)
            let isDue = pixels(of: frame.codecFrame) == expected[min(number, 600)]
            expect(isDue, "at \(time.seconds) s")
        }
    }

    /// The last frame stays until the sound ends; no sound is cut.
    @Test(arguments: [("wav", 5.0), ("flac", 2.5), ("mp3", 4.2), ("ogg", 3.33), ("m4a", 6.0), ("opus", 4.0)])
    func aSongIsAsLongAsItsSound(_ ending: String, _ seconds: Double) throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 4, tone: (ending, seconds))
        let alone = try Folder()
        try FileManager.default.copyItem(atPath: folder.file("song.\(ending)"), toPath: alone.file("song.\(ending)"))
        let length = try #require(Source.open(alone.file("song.\(ending)"), deadline: Deadline()).facts.length)
        expect(abs(length.seconds - seconds), below: 0.06)
        for name in ["song.cdg", "song.\(ending)"] {
            let (source, decoder) = try open(folder.file(name))
            expect(source.facts.length == length && source.facts.soundTracks.count == 1)
            let last = FrameReader(source: source, decoder: decoder, from: length - .milliseconds(1), until: nil)
            guard case .frame(let frame) = try last.next() else { throw SourceTrouble(.damaged, "no frame") }
            expect(frame.start + frame.length, equals: length)
            guard case .end(let end) = try last.next() else { throw SourceTrouble(.damaged, "no end") }
            expect(end, equals: length)
        }
        try FileManager.default.removeItem(atPath: folder.file("song.\(ending)"))
        let (source, _) = try open(folder.file("song.cdg"))
        expect(source.facts.length == .seconds(4) && source.facts.soundTracks.isEmpty)
    }

    @Test(arguments: ["DEFLATED", "STORED"]) func aZipIsAsGoodAsItsFiles(_ packed: String) throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 3, tone: ("mp3", 3))
        let members = [
            (folder.file("song.mp3"), "Some Body/A Song.MP3"), (folder.file("song.cdg"), "Some Body/A Song.CDG"),
            (folder.file("song.cdg"), "__MACOSX/._A Song.CDG"),
        ]
        try KaraokeDisc.zip(folder.file("packed.ZIP"), of: members, packed: packed)
        let whole = try open(folder.file("song.cdg")), zipped = try open(folder.file("packed.ZIP"))
        expect(zipped.source.facts.length, equals: whole.source.facts.length)
        expect(zipped.source.facts.soundTracks, equals: whole.source.facts.soundTracks)
        for time in [Time.seconds(2), .milliseconds(700)] {
            let frames = try [whole, zipped].map { source, decoder -> [UInt8] in
                let reader = FrameReader(source: source, decoder: decoder, from: time, until: nil)
                guard case .frame(let frame) = try reader.next() else {
                    throw SourceTrouble(.damaged, "no frame")
                }
                return pixels(of: frame.codecFrame)
            }
            let areEqual = frames[0] == frames[1]
            expect(areEqual)
        }
        // The film's own sound, from its beginning and after a seek.
        for from in [0, 48_000] as [Int64] {
            let sounds = try ["song.mp3", "song.cdg", "packed.ZIP"].map { name in
                try readSound(
                    SoundReader.open(SoundSource(folder.file(name)), deadline: Deadline()), from: from)
            }
            let areEqual = sounds[1] == sounds[0] && sounds[2] == sounds[0]
            expect(sounds[0].left.count > 48_000 && areEqual)
        }
    }

    private func trouble(_ path: String) -> SourceTrouble? {
        do {
            _ = try open(path)
            return nil
        } catch { return error as? SourceTrouble }
    }

    @Test func whatIsOddIsSaid() throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 2, tone: ("mp3", 2))
        let (cdg, mp3) = (folder.file("song.cdg"), folder.file("song.mp3"))
        func zip(_ name: String, _ members: [(String, String)], packed: String = "DEFLATED") throws -> [UInt8] {
            try KaraokeDisc.zip(folder.file(name), of: members.map { (file: $0, name: $1) }, packed: packed)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
        }
        func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let whole = try zip("whole.zip", [(cdg, "a.cdg"), (mp3, "a.mp3")])
        _ = try zip("none.zip", [(mp3, "a.mp3")])
        _ = try zip("two.zip", [(cdg, "a.cdg"), (cdg, "b.cdg"), (mp3, "a.mp3")])
        _ = try zip("rare.zip", [(cdg, "a.cdg"), (mp3, "a.mp3")], packed: "LZMA")
        try write("cut.zip", whole.dropLast(30))
        var encrypted = whole
        for place in whole.indices.dropLast(46) where whole[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            encrypted[place + 8] |= 1
        }
        try write("encrypted.zip", encrypted)
        var broken = whole
        broken[200] ^= 0xFF
        try write("broken.zip", broken)
        try write("text.zip", "no zip at all, though it is called one".utf8)
        try write("empty.cdg", [])
        try write("text.cdg", String(repeating: "no words at all ", count: 99).utf8)
        try write("text.mp3", String(repeating: "no sound at all ", count: 99).utf8)
        for (name, kind, what) in [
            ("none.zip", .unsupported, "the zip has no CDG file; song.cdg and song.mp3 in it would be right"),
            (
                "two.zip", .unsupported,
                "the zip has 2 CDG files, such as a.cdg and b.cdg; a zip for each song would be right"
            ),
            (
                "rare.zip", .unsupported,
                "a.cdg in the zip: compression method 14 is not supported; deflate would be right"
            ),
            (
                "cut.zip", .damaged,
                "not a zip file, or truncated: the directory at its end is missing; a whole copy would be right"
            ),
            (
                "text.zip", .damaged,
                "not a zip file, or truncated: the directory at its end is missing; a whole copy would be right"
            ),
            (
                "encrypted.zip", .unsupported,
                "a.cdg in the zip: it is encrypted; a zip without a password would be right"
            ),
            ("broken.zip", .damaged, "a.cdg in the zip: it is damaged; a whole copy would be right"),
            ("empty.cdg", .damaged, "the file is empty"),
            ("text.cdg", .damaged, "it has no CDG instructions"),
            ("text.mp3", .damaged, "text.cdg beside it: it has no CDG instructions"),
            ("missing.cdg", .missing, "no such file"), ("missing.zip", .missing, "no such file"),
        ] as [(String, SourceTrouble.Kind, String)] {
            expect(trouble(folder.file(name)), equals: SourceTrouble(kind, what), "\(name)")
        }
        // A file that is cut off plays to its end, and its facts report that.
        try expect(open(cdg).source.facts.isCutOff, equals: false)
        try write("song.cdg", KaraokeDisc.bytes(seconds: 1).dropLast(7))
        try expect(open(mp3).source.facts.isCutOff)
        // Without a CDG the source is a sound.
        try FileManager.default.removeItem(atPath: cdg)
        try expect(Source.open(mp3, deadline: Deadline()).facts.kind, equals: .sound)
    }

    @Test func whateverAZipSaysNothingTraps() throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 0.2, tone: ("mp3", 0.2))
        let path = folder.file("song.zip")
        try KaraokeDisc.zip(path, of: [(folder.file("song.cdg"), "a.cdg"), (folder.file("song.mp3"), "a.mp3")])
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SeededNumbers(9)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...3, using: &random) {
                // Most of a zip is packed data: headers and the directory are hit as often.
                let isInside = Bool.random(using: &random)
                let place = Int.random(in: isInside ? 0..<bytes.count : bytes.count - 150..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            _ = trouble(path)
        }
    }

    @Test func aZipThatWouldFillTheMemoryIsRefused() throws {
        let folder = try Folder()
        try KaraokeDisc.song(in: folder.path, seconds: 1, tone: nil)
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                with z.open("a.cdg", "w", force_zip64=True) as f:
                    for _ in range(65):
                        f.write(bytes(1 << 20))
            """
        try run(["python3", "-c", script, folder.file("bomb.zip")])
        expect(
            trouble(folder.file("bomb.zip")), equals: SourceTrouble(.unsupported, "a.cdg in the zip: it exceeds 64 MiB")
        )
    }

    /// The border stays in place while the frame within is moved by less than a tile.
    @Test func aFineScrollMovesTheFrameToTheLeftAndUp() {
        func packet(_ instruction: UInt8, _ data: [UInt8]) -> [UInt8] {
            [9, instruction, 0, 0] + data + [UInt8](repeating: 0, count: 20 - data.count)
        }
        var screen = CDGScreen()
        // All colours are black but 1, which is white. One tile in the third row and column has it.
        let packets = [
            packet(1, [0, 0]), packet(30, [0, 0, 0x3F, 0x3F]),
            packet(6, [0, 1, 2, 2] + [UInt8](repeating: 0x3F, count: 12)), packet(20, [0, 3, 4]),
        ].flatMap { $0 }
        packets.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count, by: 24) {
                _ = screen.take(UnsafeRawBufferPointer(rebasing: bytes[place..<place + 24]))
            }
        }
        var frame = [UInt8](repeating: 7, count: CDGScreen.frameSize)
        screen.write(to: &frame)
        let white = (0..<300 * 216).filter { frame[$0 * 3] == 255 && frame[$0 * 3 + 2] == 255 }
        let expected = (24 - 4..<36 - 4).flatMap { y in (12 - 3..<18 - 3).map { y * 300 + $0 } }
        expect(white, equals: expected)
        expect(frame.allSatisfy { $0 == 0 || $0 == 255 })
    }
}
