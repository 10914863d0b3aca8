import CFFmpeg
import Expectations
import Foundation
import TestKit
import Testing

@testable import Base
@testable import Media
@testable import Opened

@Suite struct SourceTests {
    private func trouble(_ path: String) -> SourceTrouble? {
        do {
            let (source, decoder) = try open(path)
            _ = try FrameReader(source: source, decoder: decoder, from: .zero, until: nil).next()
            return nil
        } catch { return error as? SourceTrouble }
    }

    @Test func whatCannotBePlayedSaysWhy() throws {
        let folder = try Folder()
        _ = try folder.numbered("good.mp4", frames: 10, Folder.longGroup)
        try Data().write(to: URL(fileURLWithPath: folder.file("empty.mp4")))
        let text = String(repeating: "This is no film. ", count: 500)
        try text.write(toFile: folder.file("text.mp4"), atomically: true, encoding: .utf8)
        try text.write(toFile: folder.file("text.mkv"), atomically: true, encoding: .utf8)
        try text.write(toFile: folder.file("text.txt"), atomically: true, encoding: .utf8)
        let good = try Data(contentsOf: URL(fileURLWithPath: folder.file("good.mp4")))
        try good.prefix(good.count / 2).write(to: URL(fileURLWithPath: folder.file("cut.mp4")))
        mkfifo(folder.file("fifo.mp4"), 0o600)
        let cases: [(String, SourceTrouble.Kind)] = [
            ("missing.mp4", .missing), ("empty.mp4", .damaged), ("text.mp4", .unsupported), ("text.mkv", .unsupported),
            ("text.txt", .unsupported), ("cut.mp4", .damaged), ("fifo.mp4", .unreadable), ("", .unreadable),
            ("good.mp4/inside", .missing),
        ]
        for (name, kind) in cases {
            let trouble = trouble(folder.file(name))
            expect(trouble?.kind, equals: kind, "\(name): \(trouble?.what ?? "plays")")
        }
        expect(trouble(folder.file("text.mp4"))?.what, equals: "not a media file")
        expect(trouble("/dev/null")?.kind, equals: .unreadable)
        expect(trouble("nonsense://there")?.kind, equals: .unsupported)
        expect(trouble("http://127.0.0.1:9/film.mp4")?.kind, equals: .unreachable)
    }

    @Test func aStreamOfJPEGsIsAFilmAndOneJPEGAStill() throws {
        let folder = try Folder()
        for name in ["a.mjpeg", "A.MJPG"] {
            try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-f", "mjpeg", name])
            let (source, decoder) = try open(folder.file(name))
            expect(source.facts.kind, equals: .video, "\(name)")
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            var count = 0
            while case .frame = try reader.next() { count += 1 }
            expect(count, equals: 20, "\(name)")
        }
        try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "-f", "mjpeg", "a.jpeg"])
        try expect(open(folder.file("a.jpeg")).0.facts.kind, equals: .still)
    }

    @Test func anUnknownCodecIsNamed() throws {
        let folder = try Folder()
        let path = try folder.numbered("a.avi", frames: 3, ["-c:v", "mpeg4", "-vtag", "FMP4"])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        while let tag = bytes.range(of: Data("FMP4".utf8)) { bytes.replaceSubrange(tag, with: Data("QZQZ".utf8)) }
        try bytes.write(to: URL(fileURLWithPath: path))
        expect(trouble(path), equals: SourceTrouble(.unsupported, "no decoder for its video: QZQZ"))
    }

    @Test func aFileThatMayNotBeReadIsUnreadable() throws {
        let folder = try Folder()
        let path = try folder.numbered("closed.mp4", frames: 2, Folder.longGroup)
        chmod(folder.path, 0o755)
        expect(trouble(path), equals: nil)
        chmod(path, 0)
        try expect(asNobody { trouble(path)?.kind }, equals: .unreadable)
    }

    /// Runs `body` without root's rights, if the tests have them. Changes the rights of this thread alone.
    private func asNobody<Result>(_ body: () -> Result) throws -> Result {
        guard geteuid() == 0 else { return body() }
        // The C library's setresuid changes all threads; the system call changes only the calling one.
        typealias Call = @convention(c) (Int, UInt32, UInt32, UInt32) -> Int
        let call = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: Call.self)
        let nobody: uid_t = 65534
        #if arch(x86_64)
            let setresuid = 117
        #else
            let setresuid = 147
        #endif
        try #require(call(setresuid, nobody, nobody, 0) == 0)
        defer { precondition(call(setresuid, 0, 0, 0) == 0, "root's rights are lost") }
        return body()
    }

    @Test func aCancelledDeadlineEndsAnOpen() throws {
        let deadline = Deadline()
        deadline.cancel()
        #expect {
            try Source.open("http://127.0.0.1:9/film.mp4", deadline: deadline)
        } throws: {
            ($0 as? SourceTrouble)?.kind == .timeout
        }
    }

    @Test func cancellingADeadlineEndsAnOpenThatWaits() throws {
        let silence = try SilentServer()
        let deadline = Deadline()
        let began = TestKit.RealTime.now
        Thread.detachNewThread {
            TestKit.RealTime.pass(0.2)
            deadline.cancel()
        }
        #expect {
            try Source.open("http://127.0.0.1:\(silence.port)/film.mp4", deadline: deadline)
        } throws: {
            ($0 as? SourceTrouble)?.kind == .timeout
        }
        expect((0.15...1.5).contains(TestKit.RealTime.now - began))
    }

    @Test func aTruncatedFileIsPlayedAsFarAsItGoes() throws {
        let folder = try Folder()
        let noise = ["-vf", "noise=alls=60"]
        let arguments = Folder.x264 + ["-g", "10"] + noise
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "color=gray:s=64x36:r=25", "-frames:v", "50"] + arguments + ["whole.mkv"])
        try folder.ffmpeg(["-i", "whole.mkv", "-c", "copy", "-movflags", "+faststart", "whole.mp4"])
        try folder.ffmpeg(["-i", "whole.mkv", "-c:v", "mpeg4", "-q:v", "2", "whole.avi"])
        for name in ["mkv", "mp4", "avi"] {
            let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole." + name)))
            let path = folder.file("cut." + name)
            try whole.prefix(whole.count * 6 / 10).write(to: URL(fileURLWithPath: path))
            let (source, decoder) = try open(path)
            expect(source.facts.isCutOff, "\(name)")
            try expect(!Source.open(folder.file("whole." + name), deadline: Deadline()).facts.isCutOff)
            let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
            var count = 0
            while case .frame = try reader.next() { count += 1 }
            expect((15...40).contains(count), "\(name): \(count)")
        }
    }

    @Test func factsAreReadFromTheContainer() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=red:s=72x58:r=25", "-f", "lavfi", "-i", "sine=r=44100",
            "-f", "lavfi", "-i", "sine=r=48000",
            "-map", "0", "-map", "1", "-map", "2", "-t", "1", "-c:v", "libx264", "-vf", "setsar=16/9", "-c:a", "aac",
            "-metadata", "title=Red", "-metadata", "artist=Blue", "-metadata", "album=Green",
            "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=eng",
            "film.mp4",
        ])
        let facts = try Source.open(folder.file("film.mp4"), deadline: Deadline()).facts
        expect(facts.kind, equals: .video)
        expect(facts.storage, equals: Size(72, 58))
        expect(facts.natural, equals: Size(128, 58))
        expect(facts.length, equals: .seconds(1))
        expect(facts.codec, equals: "h264")
        expect(facts.names.title, equals: "Red")
        expect([facts.names.artist, facts.names.album], equals: ["Blue", "Green"])
        expect(facts.soundTracks.map(\.language), equals: ["deu", "eng"])
        expect(facts.soundTracks.map(\.rate), equals: [44100, 48000])
        expect(facts.soundTracks.map(\.codec), equals: ["aac", "aac"])
        expect(facts.place == .file && facts.isSeekable && facts.live == nil)
    }

    @Test func anLRCFileNamesASongThatDoesNotNameItself() throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "plain.wav"])
        try folder.ffmpeg(["-i", "plain.wav", "-c:a", "flac", "-metadata", "title=Red", "titled.flac"])
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=red:s=72x58:r=25:d=1", "-c:v", "libx264", "-metadata", "artist=Blue",
            "film.mp4",
        ])
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        for name in ["plain", "titled", "film"] {
            try write("\(name).lrc", "[ti:\(name) song]\n[ar:Somebody]\n[00:00.10]la\n")
        }
        try write("other.LRC", "[ti:Other]\n")
        func names(_ file: String, lyrics: String? = nil) throws -> [String?] {
            let terms = OpenTerms(folder.file(file), lyrics: lyrics.map(folder.file))
            let facts = try Source.open(terms, deadline: Deadline()).facts
            return [facts.names.title, facts.names.artist]
        }
        try expect(names("plain.wav"), equals: ["plain song", "Somebody"])
        try expect(names("titled.flac"), equals: ["Red", "Somebody"])
        try expect(names("film.mp4"), equals: ["film song", "Blue"])
        // A file that the layout names goes before the one beside the song, if it is LRC.
        try expect(names("plain.wav", lyrics: "other.LRC"), equals: ["Other", nil])
        try expect(names("plain.wav", lyrics: "song.txt"), equals: ["plain song", "Somebody"])
    }

    @Test func theBitRateOfAVideoIsTheOneThatItsContainerStates() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=128x72:r=30:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v", "libx264",
            "-c:a", "aac", "film.mp4",
        ])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "film.mkv"])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "-metadata:s:v", "BPS=123456", "counted.mkv"])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "-an", "alone.mkv"])
        try folder.ffmpeg(["-i", "film.mp4", "-c", "copy", "-vn", "sound.mp4"])
        func rate(_ name: String) throws -> Int? {
            try Source.open(folder.file(name), deadline: Deadline()).facts.bitRate
        }
        // The file of the video alone is a little larger than its frames.
        let stated = try #require(try rate("film.mp4")), alone = try #require(try rate("alone.mkv"))
        expect((1...1.2).contains(Double(alone) / Double(stated)), "\(stated), \(alone)")
        try expect(rate("counted.mkv"), equals: 123_456)
        try expect(rate("film.mkv"), equals: nil)
        try expect(rate("sound.mp4"), equals: nil)
    }

    @Test(arguments: ["mp4", "mkv", "mov", "avi"]) func keyFramesAreWhereTheIndexSays(_ kind: String) throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=128x72:r=30", "-t", "4", "-c:v", "libx264", "-g", "36", "-bf", "3",
            "-sc_threshold", "0", "-pix_fmt", "yuv420p", "keys.\(kind)",
        ])
        let source = try Source.open(folder.file("keys.\(kind)"), deadline: Deadline())
        let keys = try #require(source.facts.keyFrames)
        expect(keys, equals: (0..<4).map { Time($0 * 36, ofUnits: 1, over: 30) }, "\(keys.map(\.seconds))")
    }

    static let heads = [
        ["-bf", "0"], ["-bf", "3"], ["-bf", "3", "-r", "30000/1001"], ["-bf", "2", "-c:v", "libx265"],
        ["-bf", "2", "-output_ts_offset", "1.3"], ["-bf", "3", "-movflags", "+frag_keyframe+empty_moov"],
        ["-bf", "3", "-use_editlist", "0"], ["-bf", "3", "-vf", "setsar=4/3"],
        ["-bf", "3", "-vf", "trim=start_frame=3"],
        ["-bf", "0", "-vf", "select='not(eq(mod(n,7),3))'", "-fps_mode", "vfr"],
    ]

    /// A film that is opened by its head alone has the same facts and frames as one whose streams were probed.
    @Test(arguments: heads) func theHeadOfAFilmSuffices(_ options: [String]) throws {
        let folder = try Folder()
        try folder.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=128x72:r=30:d=2", "-f", "lavfi", "-i", "sine=d=2", "-pix_fmt",
                "yuv420p",
                "-c:v", "libx264", "-x265-params", "log-level=none", "-g", "20",
            ] + options + ["film.mp4"])
        func look(_ probing: Source.Probing) throws -> (SourceFacts, [Time], Time) {
            let source = try Source.open(folder.file("film.mp4"), probing: probing, deadline: Deadline())
            let reader = FrameReader(
                source: source, decoder: try Decoder(for: source, threads: 1), from: .milliseconds(700), until: nil
            )
            var facts = source.facts
            (facts.frames.pixelFormat, facts.bitRate) = (nil, nil)
            // The head may lack these; each decoded frame brings its own.
            (facts.frames.fields, facts.frames.colorimetry) = (nil, nil)
            var starts: [Time] = []
            while true {
                switch try reader.next() {
                case .frame(let frame): starts.append(frame.start)
                case .end(let end): return (facts, starts, end)
                case .abandoned: preconditionFailure("nobody gave it up")
                }
            }
        }
        let (whole, head) = (try look(.toTheEnd), try look(.headSuffices))
        expect(head.0, equals: whole.0)
        expect(head.1, equals: whole.1)
        expect(head.2, equals: whole.2)
    }

    @Test func aCoverMakesNoFilm() throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", "cover.png"])
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=1", "-i", "cover.png", "-map", "0", "-map", "1", "-c:a", "libmp3lame",
            "-c:v", "copy", "-disposition:v", "attached_pic", "song.mp3",
        ])
        let facts = try Source.open(folder.file("song.mp3"), deadline: Deadline()).facts
        expect(facts.kind, equals: .sound)
        expect(facts.natural.isEmpty)
        expect(abs((facts.length ?? .zero).seconds - 1), below: 0.1)
    }

    @Test(arguments: ["a.png", "a.jpg", "a.bmp", "a.tiff", "a.webp", "100%.png", "with %03d in it.jpg", "a:b*[c]?.png"])
    func anImageIsAStill(_ name: String) throws {
        let folder = try Folder()
        let plain = "plain." + name.split(separator: ".").last!
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "color=red:s=31x17,format=rgb24", "-frames:v", "1", "-update", "1", plain])
        try FileManager.default.moveItem(atPath: folder.file(plain), toPath: folder.file(name))
        let source = try Source.open(folder.file(name), deadline: Deadline())
        expect(source.facts.kind, equals: .still)
        expect(source.facts.length, equals: nil)
        try expect(StillImage.load(source) { $0.natural }, equals: Size(31, 17))
        try expect(StillImage.load(source) { $0.natural }, equals: Size(31, 17))
    }

    /// A camera may still be writing the image. FFmpeg fills the missing part of a JPEG. Some cameras send more bytes
    /// after its end.
    @Test func anImageOfAServerIsShownWholeOrNotAtAll() throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=320x180", "-frames:v", "1", "-update", "1", "whole.jpg"])
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole.jpg")))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.file("cut.jpg")))
        try (whole + Data("\r\n".utf8)).write(to: URL(fileURLWithPath: folder.file("longer.jpg")))
        let server = try WebServer(folder: folder.path)
        func size(_ location: String) throws -> Size {
            let source = try Source.open(location, deadline: Deadline())
            return try StillImage.load(source) { $0.natural }
        }
        for location in [folder.file("cut.jpg"), server.address(of: "whole.jpg"), server.address(of: "longer.jpg")] {
            try expect(size(location), equals: Size(320, 180), "\(location)")
        }
        #expect {
            try size(server.address(of: "cut.jpg"))
        } throws: {
            ($0 as? SourceTrouble)?.what == "a part of the image is missing or damaged"
        }
    }

    /// FFmpeg decodes animated WebP since version 9.
    @Test func aWebPThatMovesIsAFilmOrUnsupported() throws {
        let folder = try Folder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", "libwebp_anim", "a.webp"])
        if avcodec_find_decoder_by_name("webp_anim") == nil {
            expect(trouble(folder.file("a.webp"))?.kind, equals: .unsupported)
        } else {
            let source = try Source.open(folder.file("a.webp"), deadline: Deadline())
            expect(source.facts.kind == .video && source.facts.natural == Size(64, 48))
        }
    }

    @Test func pathsWithColonsAreNoProtocols() throws {
        let folder = try Folder()
        let path = try folder.numbered("a.mp4", frames: 2, Folder.longGroup)
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("http:x.mp4"))
        try expect(Source.open(folder.file("http:x.mp4"), deadline: Deadline()).facts.kind, equals: .video)
        try expect(Source.open("file://" + folder.file("http:x.mp4"), deadline: Deadline()).facts.kind, equals: .video)
    }
}
