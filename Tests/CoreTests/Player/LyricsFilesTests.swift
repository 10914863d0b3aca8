import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Lyrics
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Files that lyrics are read from, and what happens when they change.
@Suite struct LyricsFilesTests {
    @Test func whatIsReadFromAFileThatChangedIsReadAgain() throws {
        var layout = Layout.of([["/f/a.mp4"], ["/f/b.mp4"]])
        layout.tiles[0].play[0].lyrics = .shown(LyricsLayout())
        var other = LyricsLayout()
        other.source = .file("/f/words.lrc")
        layout.tiles[1].play[0].lyrics = .shown(other)
        let clip = FakeClip(frames: 300)
        var world = Simulation(layout, clips: ["/f/a.mp4": clip, "/f/b.mp4": clip])
        world.run(for: .milliseconds(500))
        func versions() -> [Int] {
            world.wall.composeScene(at: world.now).scene.views.compactMap { $0.lyrics?.version }
        }
        expect(
            world.wall.files,
            equals: [
                "/f/a.mp4", "/f/a.ass", "/f/a.ASS", "/f/a.lrc", "/f/a.LRC", "/f/a.srt", "/f/a.SRT", "/f/a.vtt",
                "/f/a.VTT", "/f/b.mp4", "/f/words.lrc",
            ])
        expect(versions(), equals: [0, 0])
        world.act { wall, now in wall.fileChanged("/f/a.srt", at: now) }
        expect(versions(), equals: [1, 0])
        world.act { wall, now in wall.fileChanged("/f/words.lrc", at: now) }
        world.act { wall, now in wall.fileChanged("/f/words.lrc", at: now) }
        world.act { wall, now in wall.fileChanged("/f/else.lrc", at: now) }
        expect(versions(), equals: [1, 2])
    }

    /// A wall without input shows no cards.
    @Test func theWordsOfASongWithoutFramesStandOnTheBackground() {
        var layout = Layout.of([["/f/sung.ogg"], ["/f/heard.ogg"]])
        layout.tiles[0].play[0].lyrics = .shown(LyricsLayout())
        layout.window.input = .none
        let clip = FakeClip(frames: 300, isSound: true)
        var world = Simulation(layout, clips: ["/f/sung.ogg": clip, "/f/heard.ogg": clip])
        world.run(for: .milliseconds(500))
        let views = world.wall.composeScene(at: world.now).scene.views
        expect(views.map(\.content.isBlank), equals: [true])
        expect(views.first?.lyrics?.source, equals: LyricsSource.auto(of: "/f/sung.ogg"))
        layout.onScreenErrors = true
        world.apply(layout)
        let cards = world.wall.composeScene(at: world.now).scene.views
        expect(cards.map(\.content.isBlank), equals: [false, false])
    }
}

extension View.Content {
    fileprivate var isBlank: Bool { if case .blank = self { true } else { false } }
}
