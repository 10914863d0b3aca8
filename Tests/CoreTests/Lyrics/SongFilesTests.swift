import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Lyrics

/// Alignment of the files of a song in the song's time.
struct SongFilesTests {
    private func parts(
        _ files: [Song.File], gap: Double = 0, sound: Double? = 100, video: Double? = 80, start: Double? = nil,
        end: Double? = nil
    ) -> SongFiles {
        var song = Song()
        song.videoGap = Time(seconds: gap)
        (song.start, song.end) = (start.map { Time(seconds: $0) }, end.map { Time(seconds: $0) })
        let paths = Dictionary(uniqueKeysWithValues: files.map { ($0, "/s/\($0.rawValue)") })
        return SongFiles(
            path: "/s/song.txt", song: song, files: paths, soundLength: sound.map { Time(seconds: $0) },
            videoLength: video.map { Time(seconds: $0) })
    }

    private func described(_ parts: SongFiles, _ item: Item = Item(source: "/s/song.txt"))
        -> [String]
    {
        (parts.item(item).map { Array($0.segments) } ?? []).map { segment in
            let end = segment.end.map { " to \($0.seconds.plain)" } ?? ""
            let length = segment.duration.map { " for \($0.seconds.plain)" } ?? ""
            let from = segment.duration == nil ? " from \(segment.start.seconds.plain)" : ""
            return "\(segment.source)\(from)\(end)\(length) at \(segment.songStart?.seconds.plain ?? "-")"
        }
    }

    @Test("The frame's time is the song's plus VIDEOGAP; an image stands before it and after it")
    func gaps() {
        let all: [Song.File] = [.audio, .video, .cover, .background]
        expect(described(parts(all, gap: 5)), equals: ["/s/video from 5 at 0", "/s/background for 25 at 75"])
        expect(
            described(parts(all, gap: -4)),
            equals: [
                "/s/background for 4 at 0", "/s/video from 0 at 4", "/s/background for 16 at 84",
            ])
        expect(
            described(parts(all, gap: -4, sound: 60)),
            equals: ["/s/background for 4 at 0", "/s/video from 0 to 56 at 4"])
        expect(described(parts(all, gap: 90)), equals: ["/s/background for 100 at 0"])
    }

    @Test("An instrumental of its own is the other choice of its sound, in time with its words")
    func instrumental() throws {
        var song = Song()
        (song.title, song.artist) = ("Waterloo", "ABBA")
        let files = SongFiles(
            path: "/s/song.txt", song: song, files: [.audio: "/s/song.mp3"], soundLength: .seconds(100),
            videoLength: nil, instrumental: SongFiles.Instrumental(path: "/s/inst.mp3", offset: .seconds(2)))
        let item = try #require(files.item(Item(source: "/s/song.txt")))
        expect(item.names, equals: MediaNames(title: "Waterloo", artist: "ABBA"))
        expect(item.audio.stems.map(\.name), equals: ["song", "instrumental"])
        expect(item.audio.stems.map(\.isMuted), equals: [false, true])
        expect(item.audio.stems.map(\.offset), equals: [.zero, .seconds(2)])
        expect([0, 1, 2].map { item.audio.alternative(to: $0) }, equals: [1, 0, nil])
        let vocals = SongFiles(
            path: "/s/song.txt", song: song, files: [.vocals: "/s/v.mp3", .instrumental: "/s/i.mp3"],
            soundLength: .seconds(100), videoLength: nil,
            instrumental: SongFiles.Instrumental(path: "/s/inst.mp3", offset: .zero))
        expect(vocals.item(Item(source: "/s/song.txt"))?.audio.stems.map(\.name), equals: ["vocals", "instrumental"])
    }

    @Test("A video that ends a little before its sound is not followed by an image")
    func aLittleBeyond() {
        expect(described(parts([.audio, .video, .cover], sound: 80.3)), equals: ["/s/video from 0 at 0"])
        expect(described(parts([.audio, .video, .cover], sound: 81)).count, equals: 2)
    }

    @Test("START and END cut it, and so do in and out, in the song's time")
    func cuts() {
        expect(
            described(parts([.audio, .video], gap: 2, start: 10, end: 50)), equals: ["/s/video from 12 to 52 at 10"])
        var item = Item(source: "/s/song.txt")
        (item.segments[0].start, item.segments[0].end) = (.seconds(20), .seconds(30))
        expect(
            described(parts([.audio, .video], gap: 2, start: 10, end: 50), item),
            equals: ["/s/video from 22 to 32 at 20"])
    }

    @Test("A song that would end before it begins lasts no time, at the end of its file, as of a film")
    func emptyCuts() {
        func cut(_ parts: SongFiles, from start: Int64 = 0, to end: Int64? = nil) -> [String] {
            var item = Item(source: "/s/song.txt")
            (item.segments[0].start, item.segments[0].end) = (Time.seconds(start), end.map { Time.seconds($0) })
            return described(parts, item)
        }
        let all = parts([.audio, .video, .cover], gap: 2, start: 10, end: 50)
        let nothing = ["/s/audio from 100 to 100 at 100"]
        expect(cut(all, from: 50) == nothing && cut(all, from: 60) == nothing)
        expect(cut(all, to: 10) == nothing && cut(all, to: 5) == nothing)
        expect(cut(all, from: 60, to: 70), equals: ["/s/video from 62 to 72 at 60"])
        expect(cut(all, from: 120), equals: ["/s/audio from 120 to 120 at 120"])
        expect(cut(parts([.video], gap: 2, sound: nil, end: 50), from: 60), equals: ["/s/video from 80 to 80 at 78"])
        expect(cut(parts([.audio], sound: nil, end: 50), from: 60), equals: ["/s/audio from 60 to 60 at 60"])
    }

    @Test("A video that is the only sound begins when it begins, where no image can stand before it")
    func videoAlone() {
        expect(described(parts([.video], gap: -2, sound: nil)), equals: ["/s/video from 0 to 80 at 2"])
        expect(described(parts([.video], gap: -2, sound: nil, start: 1)), equals: ["/s/video from 0 to 80 at 2"])
        expect(described(parts([.video], gap: -2, sound: nil, start: 3)), equals: ["/s/video from 1 to 80 at 3"])
        expect(
            described(parts([.video, .cover], gap: -2, sound: nil)),
            equals: [
                "/s/cover for 2 at 0", "/s/video from 0 to 80 at 2",
            ])
    }

    @Test("Each of its pieces goes at the rate of the one piece that named it")
    func rates() throws {
        var item = Item(source: "/s/song.txt")
        item.segments[0].rate = Rate(0.5)
        let three = parts([.audio, .video, .cover], gap: -4)
        for files in [three, parts([.audio]), parts([.audio], start: 200)] {
            let segments = try #require(files.item(item)).segments
            expect(segments.allSatisfy { $0.rate == Rate(0.5) }, "\(segments)")
        }
        expect(three.item(item)?.segments.count, equals: 3)
    }

    @Test("A song of a version that is not known is not played")
    func refused() {
        var song = Song()
        song.refusal = "version \"2.0.0\" is not known; 1 would be right"
        let parts = SongFiles(
            path: "/s/song.txt", song: song, files: [.audio: "/s/audio"], soundLength: .seconds(9), videoLength: nil)
        expect(parts.item(Item(source: "/s/song.txt")), equals: nil)
    }

    @Test("A song is played wherever a layout names it: in a tile, and beside another that it is compared with")
    func everywhere() {
        let item = Item(source: "song.txt"), other = Item(source: "b.mp4")
        var tile = TileLayout(id: "a", place: .pixels(Rect(0, 0, 1, 1)), play: [item, other])
        let played = tile
        (tile.id, tile.play) = ("b", [])
        tile.compare = ComparisonLayout(
            members: [.tile("a"), .source([other, item], offset: .seconds(1)), .source([item], offset: .zero)])
        var layout = Layout(title: "", tiles: [played, tile])
        let song = Item(source: "song.ogg")
        layout.expandSongs { source, _ in source == "song.txt" ? song : nil }
        expect(layout.tiles[0].play, equals: [song, other])
        expect(
            layout.tiles[1].compare?.members,
            equals: [
                .tile("a"), .source([other, song], offset: .seconds(1)), .source([song], offset: .zero),
            ])
    }

    @Test("Without frames the sound alone plays; without anything there is no song")
    func little() {
        expect(described(parts([.audio], video: nil)), equals: ["/s/audio from 0 to 100 at 0"])
        expect(described(parts([.audio, .cover], video: nil)), equals: ["/s/cover for 100 at 0"])
        expect(described(parts([.video], sound: nil)), equals: ["/s/video from 0 to 80 at 0"])
        expect(parts([.cover], sound: nil).item(Item(source: "a")), equals: nil)
    }

    @Test("Its sound is the song's, in stems where it has both; what the layout says stays")
    func sounds() throws {
        let item = Item(source: "/s/song.txt")
        let plain = try #require(parts([.audio, .video]).item(item))
        expect(plain.audio.sources, equals: ["/s/audio"])
        let stems = try #require(parts([.audio, .vocals, .instrumental]).item(item))
        expect(stems.audio.stems.map(\.name), equals: ["vocals", "instrumental"])
        var silent = item
        silent.audio = .silent
        expect(parts([.audio]).item(silent)?.audio, equals: .silent)
        var left = ItemAudio.OtherSound()
        left.channel = .left
        var half = item
        half.audio = .other(left)
        let kept = try #require(parts([.audio]).item(half))
        guard case .other(let other) = kept.audio else { return expect(Bool(false)) }
        expect(other.channel == .left && other.source == "/s/audio")
        // Half of each of both stems.
        let halves = try #require(parts([.audio, .vocals, .instrumental]).item(half))
        guard case .stems(let both) = halves.audio else { return expect(Bool(false)) }
        expect(both.files.map(\.name) == ["vocals", "instrumental"] && both.channel == .left)
    }

    @Test("What only the files' lengths tell is odd: words and a video that nobody hears or sees, half a pair of stems")
    func remarks() {
        func reported(_ files: SongFiles) -> [String] {
            files.remarks.map { "\($0.place.dropFirst()): \($0.text.prefix(30))" }
        }
        expect(reported(parts([.audio, .video])), equals: [])
        expect(reported(parts([.audio, .video], gap: -100)), equals: ["VIDEOGAP: the video would begin at 100.0"])
        expect(reported(parts([.audio, .video], gap: 80)), equals: ["VIDEOGAP: its video is over before the s"])
        expect(reported(parts([.audio], start: 100)), equals: ["START: after the end of the sound at "])
        expect(reported(parts([.audio, .vocals])), equals: ["VOCALS: ignored as a stem without #INS"])
        var song = Song()
        song.lyrics = Lyrics([
            .init([.init("a", .seconds(1), .seconds(2))]), .init([.init("b", .seconds(9), .seconds(12))]),
        ])
        (song.fileHeaders[.audio], song.places["MP3"]) = ("MP3", TextPosition(line: 3, column: 6))
        let files = SongFiles(
            path: "/s/song.txt", song: song, files: [.audio: "a"], soundLength: .seconds(10), videoLength: nil)
        expect(files.remarks.map(\.position), equals: [TextPosition(line: 3, column: 6)])
        expect(
            files.remarks.first?.text.hasPrefix("the song ends at 10.0 s, but 1 line of lyrics ends later"),
            equals: true)
    }

    @Test("Its words are its own unless others are wanted, or none")
    func words() throws {
        var item = Item(source: "/s/song.txt")
        guard case .shown(let own) = parts([.audio]).item(item)?.lyrics else { return expect(Bool(false)) }
        expect(own.source, equals: .file("/s/song.txt"))
        item.lyrics = .none
        expect(parts([.audio]).item(item)?.lyrics, equals: ItemLyrics.none)
        var big = LyricsLayout()
        big.size = 12
        item.lyrics = .shown(big)
        guard case .shown(let shown) = parts([.audio]).item(item)?.lyrics else { return expect(Bool(false)) }
        expect(shown.source == .file("/s/song.txt") && shown.size == 12)
    }
}
