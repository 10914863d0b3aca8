import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Lyrics
@testable import Opened
@testable import Player
@testable import SimulatedWall

/// Subtitles that a tile shows over its film: which there are, which are chosen, and their time.
@Suite struct SubtitlesTests {
    private let clips = [
        "/film.mkv": FakeClip(
            frames: 600,
            subtitles: [
                SubtitleTrack(language: "eng", title: "Forced", codec: "subrip"),
                SubtitleTrack(language: "fre", codec: "hdmv_pgs_subtitle", kind: .images),
                SubtitleTrack(codec: "srt", file: "/film.srt"),
            ]), "/plain.mp4": FakeClip(frames: 600),
    ]

    private func world(_ change: (inout Layout) -> Void = { _ in }) -> Simulation {
        var layout = Layout.of([["/film.mkv"], ["/plain.mp4"]])
        change(&layout)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        return world
    }

    private func source(_ world: inout Simulation, _ place: Int = 0) -> LyricsSource? {
        world.wall.composeScene(at: world.now).scene.views[place].lyrics?.source
    }

    private func sid(_ world: Simulation) -> PropertyValue? { try? world.wall.property("sid", at: world.now).get() }

    @Test func subtitlesAreOffAndAKeyGoesThroughThemAndOffAgain() {
        var world = world()
        expect(source(&world) == nil && sid(world) == .flag(false))
        let seen: [LyricsSource?] = [
            .track(1, of: "/film.mkv"), .track(2, of: "/film.mkv"), .file("/film.srt"), nil, .track(1, of: "/film.mkv"),
        ]
        for (place, wanted) in seen.enumerated() {
            world.command(KeyTable.wall.change(for: .letter("j"), [], isRepeated: false)!)
            expect(source(&world), equals: wanted)
            expect(sid(world), equals: wanted == nil ? .flag(false) : .integer(place % 4 + 1))
        }
        world.command(KeyTable.wall.change(for: .letter("j"), .shift, isRepeated: false)!)
        world.command(KeyTable.wall.change(for: .letter("j"), .shift, isRepeated: false)!)
        expect(source(&world), equals: .file("/film.srt"))
        let now = world.now
        let notice = world.marked { $0.commanded(at: now) }.overlay.info.last
        expect(notice, equals: "subtitles 3 of 3: film.srt, srt")
    }

    @Test func subtitlesAreSetAsMpvDoes() {
        var world = world()
        func set(_ value: PropertyValue) {
            world.act { wall, now in _ = wall.set("sid", to: value, at: now) }
        }
        set(.integer(1))
        expect(source(&world), equals: .track(1, of: "/film.mkv"))
        set(.text("auto"))
        expect(source(&world) == .file("/film.srt") && sid(world) == .integer(3))
        set(.integer(9))
        expect(source(&world), equals: .file("/film.srt"))
        set(.text("no"))
        expect(source(&world), equals: nil)
        guard case .list(let tracks)? = try? world.wall.property("track-list", at: world.now).get() else {
            Issue.record("no tracks")
            return
        }
        let subtitles = tracks.filter { $0["type"] == .text("sub") }
        expect(subtitles.map { $0["external"] }, equals: [.flag(false), .flag(false), .flag(true)])
        expect(subtitles.first?["lang"] == .text("eng") && subtitles.first?["title"] == .text("Forced"))
        expect(subtitles.last?["external-filename"], equals: .text("/film.srt"))
    }

    @Test func aNumberThatAFilmDoesNotHaveIsRefusedWithTheirNumber() {
        var world = world()
        let cases: [(path: String, words: String)] = [
            ("sid", "there is no subtitle track 9; tile1 has 3 subtitle tracks"),
            ("tiles/tile2/sid", "there is no subtitle track 9; tile2 has none"),
        ]
        for (path, words) in cases {
            world.act { wall, now in
                let error = wall.changeProperty(path, .set(.integer(9)), of: nil, .group, at: now)
                expect(error == .propertyUnavailable && error?.detail == words, "\(path): \(error?.detail ?? "")")
            }
        }
        expect(source(&world) == nil && source(&world, 1) == nil)
    }

    @Test func anAddedFileBelongsToItsFilmAndIsSaved() throws {
        var world = world { $0.tiles[0].play.append(Item(source: "/plain.mp4")) }
        world.command(.subtitles(.add("/more.ass", .kept)))
        expect(source(&world), equals: nil)
        world.command(.subtitles(.add("/other.vtt", .shown)))
        expect(source(&world) == .file("/other.vtt") && sid(world) == .integer(5))
        let text = #"{"tiles": [{"play": ["/film.mkv", "/plain.mp4"]}, {"play": "/plain.mp4"}]}"#
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        expect(String(decoding: saved, as: UTF8.self).contains(#""subtitles": "/other.vtt""#), equals: true)
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        expect(source(&world), equals: nil)
        world.command(.item(by: -1))
        world.run(for: .seconds(1))
        expect(source(&world), equals: .file("/other.vtt"))
    }

    @Test func theTimeOfSubtitlesIsThatOfTheFilm() throws {
        var world = world {
            $0.tiles[0].subtitles = .number(1)
            $0.tiles[0].offset = .milliseconds(250)
        }
        /// Distance from the frame on the screen, in frames at the present rate.
        func apart() throws -> Double {
            let words = try #require(world.wall.composeScene(at: world.now).scene.views[0].lyrics).time.seconds
            return try words - #require(world.wall.property("time-pos", at: world.now).get().asNumber)
        }
        func expectThatItIsOfTheFrame() throws {
            let apart = try apart()
            expect((-0.001...0.07).contains(apart), "\(apart)")
        }
        try expectThatItIsOfTheFrame()
        world.command(.seek(.to(.seconds(7)), .group))
        world.run(for: .seconds(1))
        try expectThatItIsOfTheFrame()
        world.command(.rate(.to(Rate(2)), .group))
        world.run(for: .seconds(2))
        try expectThatItIsOfTheFrame()
        // The film begins again.
        world.run(for: .milliseconds(4500))
        try expectThatItIsOfTheFrame()
    }

    @Test func aTileThatComparesHasNone() {
        var compared = Layout.of([["/film.mkv"], ["/plain.mp4"]])
        compared.tiles.append(
            TileLayout(
                id: "ab", place: .fractions(.all),
                content: .comparison(ComparisonLayout(members: [.tile("tile1"), .tile("tile2")]))))
        var world = Simulation(compared, clips: clips)
        world.run(for: .seconds(1))
        world.command(.focus(.number(3)))
        let refusal = world.wall.apply(.subtitles(.next(by: 1)), at: world.now)
        expect(refusal?.detail, equals: "a tile that compares shows no subtitles")
    }

    @Test(arguments: [
        ("false", SubtitleChoice.off), ("true", .automatic), (#""auto""#, .automatic), (#""no""#, .off),
        ("2", .number(2)),
        (#""a.srt""#, .file("/w/a.srt")),
    ]) func aLayoutStatesThem(_ value: String, _ wanted: SubtitleChoice) {
        let text = #"{"tiles": [{"play": "a.mp4", "subtitles": \#(value)}]}"#
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "/w/wall.json") else {
            Issue.record("a mistake")
            return
        }
        expect(layout.tiles[0].subtitles, equals: wanted)
    }
}
