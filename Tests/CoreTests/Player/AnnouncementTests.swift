import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Names of songs, and the cards and lines that announce them.
@Suite struct AnnouncementTests {
    private func song(_ clip: String, _ title: String?, _ artist: String? = nil) -> Item {
        var item = Item(source: clip)
        item.content = .song(
            Item.Song(
                file: "/songs/\(clip).txt", segments: Item.Segments(Item.Segment(source: clip)),
                names: MediaNames(title: title, artist: artist)))
        return item
    }

    private func world(announces: Bool, loop: Loop = .forever) -> Simulation {
        var layout = Layout.of([["a", "b"]])
        layout.tiles[0].play = [song("a", "Waterloo", "ABBA"), song("b", "Yellow", "Coldplay")]
        (layout.tiles[0].announces, layout.tiles[0].loop) = (announces, loop)
        return Simulation(layout, clips: ["a": FakeClip(frames: 900), "b": FakeClip(frames: 900)])
    }

    private func shown(_ world: inout Simulation) -> (card: Card?, next: String?) {
        let marks = world.marked { _ in }.views[0].marks
        return (marks.performance.announcement, marks.performance.nextUp)
    }

    @Test func aCardAnnouncesASongAndALineTheNext() {
        var world = world(announces: true)
        world.run(for: .seconds(2))
        expect(shown(&world).card, equals: Card(.announcement, "Waterloo", "ABBA"))
        world.run(for: .seconds(4))
        expect(shown(&world).card == nil && shown(&world).next == nil)
        world.run(for: .seconds(16))
        expect(shown(&world).next, equals: "next: Coldplay \u{2013} Yellow")
        world.run(for: .seconds(10))
        expect(shown(&world).card?.name, equals: "Yellow")
    }

    @Test func withoutTheFieldNothingIsAnnouncedAndTheLastSongHasNoNext() {
        var silent = world(announces: false)
        silent.run(for: .seconds(2))
        expect(shown(&silent).card, equals: nil)
        var once = world(announces: true, loop: .iterations(1))
        once.run(for: .seconds(57))
        expect(shown(&once).next, equals: nil)
    }

    @Test func anItemThatCannotBePlayedIsNotAnnounced() {
        var layout = Layout.of([["a", "gone", "b"]])
        layout.tiles[0].play = [song("a", "Waterloo", "ABBA"), song("gone", "Gone"), song("b", "Yellow", "Coldplay")]
        layout.tiles[0].announces = true
        let sound = FakeClip(frames: 900, isSound: true)
        let gone = FakeClip(frames: 900, trouble: SourceTrouble(.missing, "no such file"))
        var world = Simulation(layout, clips: ["a": sound, "gone": gone, "b": sound])
        world.run(for: .seconds(22))
        expect(shown(&world).next, equals: "next: Coldplay \u{2013} Yellow")
    }

    @Test func marksOfAnnouncementsChangeWithoutAnEvent() throws {
        var world = world(announces: true)
        world.run(for: .seconds(2))
        var scene = world.wall.composeScene(at: world.now).scene
        let next = world.wall.mark(&scene, MarksVisibility().visibility(at: world.now).marks, at: world.now)
        expect(try #require(next) - world.now, atMost: .milliseconds(3200))
        world.command(.pause(.on, .group))
        scene = world.wall.composeScene(at: world.now).scene
        expect(world.wall.mark(&scene, MarksVisibility().visibility(at: world.now).marks, at: world.now), equals: nil)
    }

    @Test func aLineOfTheHostStaysUntilItIsRemoved() throws {
        var world = world(announces: true)
        world.run(for: .seconds(2))
        world.command(.nextUp("Anna: Dancing\nQueen"))
        world.run(for: .seconds(22))
        expect(shown(&world).next?.hasPrefix("next: Anna: Dancing"), equals: true)
        expect(try world.wall.property("next-up", at: world.now).get().asText?.hasPrefix("Anna"), equals: true)
        world.command(.nextUp(""))
        expect(shown(&world).next, equals: "next: Coldplay \u{2013} Yellow")
        expect(world.wall.property("next-up", at: world.now), equals: .success(.text("")))
    }

    @Test func aSongIsCalledByItsTitleAndItsArtist() throws {
        var world = world(announces: false)
        world.run(for: .seconds(1))
        func property(_ name: String) throws -> PropertyValue { try world.wall.property(name, at: world.now).get() }
        expect(try property("media-title"), equals: .text("Waterloo"))
        expect(try property("artist"), equals: .text("ABBA"))
        let now = try property("now-playing")
        expect([now["title"], now["artist"]], equals: [.text("Waterloo"), .text("ABBA")])
        guard case .list(let entries) = try property("playlist") else { throw CancellationError() }
        expect(entries.map { $0["title"] }, equals: [.text("Waterloo"), .text("Yellow")])
        expect(entries.map { $0["artist"] }, equals: [.text("ABBA"), .text("Coldplay")])
        expect(entries[0]["filename"], equals: .text("/songs/a.txt"))
        // The log has the names of an item that ended.
        world.command(.item(by: 1))
        world.run(for: .seconds(1))
        let ended = world.events.compactMap { event -> MediaNames? in
            if case .itemEnd(let item, _, _) = event.what { item.names } else { nil }
        }
        expect(ended, equals: [MediaNames(title: "Waterloo", artist: "ABBA")].compactMap { $0 })
    }

    /// A film has no names in the log, whatever its container is called, unless it has lyrics.
    @Test(arguments: [
        (FakeClip(frames: 60, isSound: true), false, true), (FakeClip(frames: 60), false, false),
        (FakeClip(frames: 60), true, true),
        (FakeClip(frames: 60, subtitles: [SubtitleTrack(codec: "lrc", file: "/a.lrc")]), false, true),
    ])
    func theLogNamesASongByItsFile(_ clip: FakeClip, _ hasLyrics: Bool, _ isNamed: Bool) throws {
        var clip = clip
        (clip.title, clip.artist) = ("Red", "Blue")
        var layout = Layout.of([["/a", "/b"]])
        if hasLyrics { layout.tiles[0].play[0].lyrics = .shown(LyricsLayout()) }
        var world = Simulation(layout, clips: ["/a": clip, "/b": FakeClip(frames: 60)])
        world.run(for: .seconds(1))
        expect(try world.wall.property("media-title", at: world.now).get(), equals: .text("Red"))
        world.run(for: .seconds(2))
        let ended = world.events.compactMap { event -> ItemRecord? in
            if case .itemEnd(let item, _, _) = event.what { item } else { nil }
        }
        expect(ended.map(\.names), equals: [isNamed ? MediaNames(title: "Red", artist: "Blue") : nil])
    }

    /// The file of lyrics that the layout names may name the song.
    @Test func theFileOfLyricsIsReadWithTheSong() {
        var item = Item(source: "/a.mp3"), lyrics = LyricsLayout()
        lyrics.source = .file("/words.lrc")
        item.lyrics = .shown(lyrics)
        for (item, file) in [(item, "/words.lrc"), (Item(source: "/a.mp3"), nil)] {
            let opening = OpenRequest(
                of: RunID(iteration: 0), in: Timeline(items: [item], loop: .forever), for: 0, .probe, since: .zero)
            var openRequests = OpenRequests()
            let size = Size(640, 360)
            guard let order = openRequests.start(opening, limit: .usual, tileSize: size, at: .zero) else {
                Issue.record("no order")
                return
            }
            expect(order.terms.lyrics, equals: file)
        }
    }

    @Test func aFileWithoutATitleIsAnnouncedByItsName() {
        var layout = Layout.of([["clips/one.mp4"]])
        layout.tiles[0].announces = true
        var world = Simulation(layout, clips: ["clips/one.mp4": FakeClip(frames: 300)])
        world.run(for: .seconds(1))
        expect(shown(&world).card, equals: Card(.announcement, "one", ""))
    }
}
