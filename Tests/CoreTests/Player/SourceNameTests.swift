import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

/// Names of sources as the program shows them.
@Test(arguments: [
    // Names that are no URL, and URLs without secrets.
    ("a.mp4", "a.mp4"), ("/films/a@b?c#d:e.mp4", "/films/a@b?c#d:e.mp4"), ("", ""), ("rtsp:a@b", "rtsp:a@b"),
    ("https://cam.example/x", "https://cam.example/x"), ("https://cam.example:8080", "https://cam.example:8080"),
    ("file:///films/a.mp4", "file:///films/a.mp4"), ("http://[::1]:80/a", "http://[::1]:80/a"),
    // Queries and fragments.
    ("https://cam.example/x?token=S", "https://cam.example/x?…"), ("http://h/x?", "http://h/x?"),
    ("srt://h:9000?mode=caller&passphrase=S", "srt://h:9000?…"), ("http://h/x#t=S?y", "http://h/x#…"),
    ("http://h/x;k=S", "http://h/x;…"), ("http://h/x&k=S", "http://h/x&…"), ("http://h/x%3Fk=S", "http://h/x%…"),
    ("http://h/x%26S", "http://h/x%…"), ("http://h/a%20b%3dc", "http://h/a%20b%3dc"),
    ("http://h/x?a=S#S", "http://h/x?…"), ("https://h?m=S@S", "https://h?…"),
    // Users and passwords.
    ("https://U:S@cam.example/x?a=S", "https://cam.example/x?…"), ("https://U@h/x", "https://h/x"),
    ("rtsp://U:S@h:554/a", "rtsp://h:554/a"), ("HTTP://U:S@h/a", "HTTP://h/a"), ("https://:S@h/x", "https://h/x"),
    ("http://U:S@[fe80::1%25eth0]:80/x?S", "http://[fe80::1%25eth0]:80/x?…"), ("https://U:S@h", "https://h"),
    ("rtsp://U:S%40S%2FS%3FS@h/a", "rtsp://h/a"), ("rtsp://U:S@S@h/a", "rtsp://h/a"),
    ("rtsp://U:S S'\"S@h/a", "rtsp://h/a"), ("ftp+x://U:S@h/a", "ftp+x://h/a"),
    // Characters that end a password elsewhere may be part of it.
    ("rtsp://U:S/S@h/a?S", "rtsp://h/a?…"), ("rtsp://U:S?S@h:80/a", "rtsp://h:80/a"), ("rtsp://U:S#S@h", "rtsp://h"),
    ("rtsp://U:S/S@S?@h/a", "rtsp://…"), ("rtsp://U:S@S/S@h/a", "rtsp://…"), ("rtsp://U:12/S@h/a", "rtsp://…"),
    ("rtsp://U:/S@h/a", "rtsp://…"), ("https://U:S@h/x?a=S@S", "https://…"), ("http://[::1]/S@S", "http://…"),
    ("https://U/S:S@h/x", "https://…"),
    // No password can stand there.
    ("https://h/@name/x", "https://h/@name/x"), ("https://h/@name/x?a=S@S", "https://h/@name/x?…"),
    // URLs that a typing mistake turns into a file's name.
    (" https://U:S@h/x?S", " https://h/x?…"), ("walls/ http://U:S@h/x", "walls/ http://h/x"),
    ("./concat:http://U:S@h/x", "./concat:http://h/x"), ("://U:S@h", "://h"),
    ("http://h/http://U:S@g/x", "http://…"), ("http://h/?u=http://U:S@g/x", "http://…"),
])
func aNameIsShownWithoutSecrets(_ name: String, _ shown: String) {
    expect(SourceName.withoutSecrets(name), equals: shown)
    expect(SourceName.withoutSecrets(shown), equals: shown)
    expect(!shown.contains("U") && !shown.contains("S") || !name.contains("://"))
}

@Test(arguments: [
    ("no URL in it", "no URL in it"), ("https://U:S@h/x?S and  rtsp://U:S@g", "https://h/x?… and  rtsp://g"),
    ("by \"htps://\"; did you mean \"https://\"? a file", "by \"htps://\"; did you mean \"https://\"? a file"),
    ("tile1: https://h/x?…: no answer", "tile1: https://h/x?…: no answer"),
    ("tile1: http://…: no", "tile1: http://…: no"),
])
func aTextIsShownWithoutSecrets(_ text: String, _ shown: String) {
    expect(SourceName.withoutSecrets(in: text), equals: shown)
}

@Test(arguments: [
    ("films/a.mp4", "a.mp4"), ("a?b.mp4", "a?b.mp4"), ("/films/", "/films/"), ("https://U:S@h/x.mp4?S", "x.mp4"),
    ("https://U:S@h/x.mp4#S", "x.mp4"), ("rtsp://U:S@cam.example", "cam.example"),
    ("rtsp://cam.example/?S", "rtsp://cam.example/"), ("rtsp://U:S@S/S@h/a", "…"), ("https://h/a?S=/b", "a"),
])
func theLastPartOfANameHasNoSecrets(_ name: String, _ last: String) {
    expect(SourceName.fileName(of: name), equals: last)
}

@Test(arguments: [
    ("a", "dir/a"), ("", nil), ("a\0", nil), ("HTTP://h/a", "http://h/a"), ("gopher://h/a", nil),
    ("v4l2:///dev/video0?rate=30", "v4l2:///dev/video0?rate=30"), ("v4l2://video0", nil), ("pulse://mic?a", nil),
    ("pulse://", "pulse://"),
    ("gopher:h", "dir/gopher:h"),
])
func namesFromOutsideAreLikeThoseOfALayout(_ name: String, _ ready: String?) {
    expect(SourceName.resolved(name, besideLayout: "dir/wall.json"), equals: ready)
}

@Test func theTitleOfOneURLHasNoSecrets() {
    expect(Layout.ofMedia(["https://user:secret@h/x.mp4?secret"]).title, equals: "x.mp4")
}

/// Texts that leave a wall: events, cards, the panels of `i`, properties.
@Suite struct NamesThatLeaveTheWall {
    private static let good = "https://user:secret@h/good.mp4?token=secret"
    private static let bad = "https://user:secret@h/bad.mp4?token=secret"

    private func played() -> Simulation {
        let clips = [
            Self.good: FakeClip(frames: 30),
            Self.bad: FakeClip(frames: 30, trouble: SourceTrouble(.refused, "from \(Self.bad) comes no")),
        ]
        var world = Simulation(.of([[Self.good, Self.good], [Self.bad, Self.good]]), clips: clips)
        world.run(for: .seconds(3))
        return world
    }

    @Test func eventsTellNoSecrets() {
        let reported = played().events.map { "\($0)" }.joined()
        expect(reported.contains("https://h/good.mp4?…") && reported.contains("itemEnd"))
        expect(reported.contains("https://h/bad.mp4?…") && reported.contains("from https://h/bad.mp4?… comes no"))
        expect(!reported.contains("secret") && !reported.contains("user"))
    }

    @Test func tilesShowNoSecrets() {
        var world = Simulation(
            .of([[Self.good], [Self.bad, Self.bad + "2"]]),
            clips: [
                Self.good: FakeClip(frames: 30, opensIn: .seconds(5)),
                Self.bad: FakeClip(frames: 30, trouble: SourceTrouble(.refused, "no")),
                Self.bad + "2": FakeClip(frames: 30, trouble: SourceTrouble(.refused, "no")),
            ])
        world.run(for: .seconds(1))
        var reported = ""
        world.act { wall, now in
            var visibility = MarksVisibility()
            visibility.toggleInfo()
            var (scene, _) = wall.composeScene(at: now)
            _ = wall.mark(&scene, visibility.visibility(at: now).marks, at: now)
            for view in scene.views {
                reported += "\(view.content) \(view.marks.info)\n"
                if case .card(let card) = view.content { reported += "\(card)\n" }
            }
        }
        for card in [
            Card(.placeholder, "good.mp4", "opening"), Card(.trouble, "bad.mp4", "no"),
        ] {
            expect(reported.contains("\(card)"), "\(reported)")
        }
        expect(!reported.contains("secret") && !reported.contains("user"), "\(reported)")
    }

    @Test func onlyPathAndPlaylistAreWhole() throws {
        let (wall, now) = (played().wall, Time.seconds(103))
        for name in Wall.properties.names where !["path", "playlist"].contains(name) {
            guard case .success(let value) = wall.property(name, at: now) else { continue }
            expect(!"\(value)".contains("secret"), "\(name)")
        }
        try expect("\(wall.property("tiles", at: now).get())".contains("https://h/good.mp4?…"))
        try expect(wall.property("path", at: now).get(), equals: .text(Self.good))
        try expect("\(wall.property("playlist", at: now).get())".contains(Self.good))
        expect(wall.layoutText.contains(Self.good))
    }
}
