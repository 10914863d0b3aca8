import Base
import Commands
import Expectations
import Foundation
import Testing

@testable import Desktop

/// Effects of the methods and properties of MPRIS on the wall.
@Suite struct PlayerInterfaceTests {
    private func state(
        _ motion: String = "playing", position: Double? = 4, hasNext: Bool = true
    ) -> PlayerState {
        var fields = [
            PropertyField("tile", .text("left")), PropertyField("place", .text("0")),
            PropertyField("path", .text("/films/a b.mp4")), PropertyField("title", .text("A")),
            PropertyField("state", .text(motion)), PropertyField("next", .flag(hasNext)),
        ]
        if let position {
            fields += [PropertyField("position", .number(position)), PropertyField("duration", .number(10))]
        }
        return PlayerState(track: NowPlaying(.object(fields)))
    }

    private func actions(_ method: String, _ arguments: [BusValue] = [], _ state: PlayerState) -> [PlayerAction]? {
        try? BusInterface.player.method(method)?.actions(arguments, state)
    }

    private func seek(_ seconds: Double) -> PlayerAction { .command("seek", [.number(seconds), .text("absolute")]) }
    private func pause(_ isOn: Bool) -> PlayerAction { .set("pause", .flag(isOn)) }

    @Test func methodsBecomeCommands() {
        let (playing, paused, live) = (state(), state("paused"), state(position: nil))
        let over = state("ended"), last = state(hasNext: false), empty = PlayerState()
        let track = BusValue.path(playing.track!.trackID)
        let cases: [(String, [BusValue], PlayerState, [PlayerAction])] = [
            ("Pause", [], playing, [pause(true)]), ("Play", [], paused, [pause(false)]),
            ("PlayPause", [], playing, [pause(true)]), ("PlayPause", [], paused, [pause(false)]),
            ("PlayPause", [], over, [.command("home"), pause(false)]),
            ("Play", [], over, [.command("home"), pause(false)]), ("Play", [], empty, []),
            ("Stop", [], playing, [pause(true), .stop, seek(0)]), ("Stop", [], live, [pause(true), .stop]),
            ("Next", [], playing, [.command("playlist-next")]), ("Next", [], last, []),
            ("Previous", [], playing, []), ("Pause", [], empty, []),
            ("Seek", [.integer(2_500_000)], playing, [seek(6.5)]), ("Seek", [.integer(-9_000_000)], playing, [seek(0)]),
            ("Seek", [.integer(.min)], playing, [seek(0)]),
            ("Seek", [.integer(7_000_000)], playing, [.command("playlist-next")]),
            ("Seek", [.integer(.max)], last, [seek(10)]), ("Seek", [.integer(1)], live, []),
            ("SetPosition", [track, .integer(1_000_000)], playing, [seek(1)]),
            ("SetPosition", [track, .integer(10_000_001)], playing, []),
            ("SetPosition", [track, .integer(-1)], playing, []),
            ("SetPosition", [.path("/other"), .integer(1_000_000)], playing, []),
            (
                "OpenUri", [.text("file:///films/b%20c.mp4")], empty,
                [.command("loadfile", [.text("/films/b c.mp4"), .text("replace")]), pause(false)]
            ),
        ]
        for (method, arguments, state, expected) in cases {
            expect(actions(method, arguments, state), equals: expected, "\(method) \(arguments)")
        }
        expect(actions("OpenUri", [.text("file://elsewhere/a.mp4")], empty), equals: nil)
    }

    @Test func propertiesBecomePropertiesOfTheWall() {
        let cases: [(String, BusValue, [PlayerAction])] = [
            ("Volume", .number(0.5), [.set("volume", .number(50))]),
            ("Volume", .number(-1), [.set("volume", .number(0))]),
            ("Volume", .number(9), [.set("volume", .number(100))]), ("Rate", .number(9), [.set("speed", .number(4))]),
            ("Rate", .number(0), [pause(true)]), ("Rate", .number(.nan), []),
            ("Volume", .number(.nan), []), ("Volume", .number(.infinity), []), ("Volume", .number(-.infinity), []),
            ("LoopStatus", .text("Track"), [.set("loop-file", .text("inf"))]),
            (
                "LoopStatus", .text("Playlist"),
                [.set("loop-file", .flag(false)), .set("loop-playlist", .text("inf"))]
            ),
            ("LoopStatus", .text("None"), [.set("loop-file", .flag(false)), .set("loop-playlist", .flag(false))]),
            ("LoopStatus", .text("no such loop"), []),
        ]
        for (name, value, expected) in cases {
            expect(BusInterface.player.property(name)?.set?(value, state()), equals: expected, "\(name) \(value)")
        }
    }

    @Test func theStatusIsThatOfTheFocusedTile() {
        let cases: [(PlayerState, PlayerState.Status)] = [
            (state(), .playing), (state("waiting"), .playing), (state("paused"), .paused), (state("ended"), .stopped),
            (PlayerState(), .stopped),
        ]
        for (state, status) in cases { expect(state.status, equals: status) }
        var stopped = state("paused")
        stopped.isStopped = true
        expect(stopped.status, equals: .stopped)
    }

    /// Programs compare the types exactly.
    @Test func everyPropertyHasItsDeclaredType() {
        for state in [state(), state("paused", position: nil), PlayerState()] {
            for property in BusInterface.all.flatMap(\.properties) {
                expect(property.get(state).signature, equals: property.signature, "\(property.name)")
            }
        }
        let types = Dictionary(uniqueKeysWithValues: state().metadata.map { ($0.name, $0.value.signature) })
        expect(types["mpris:trackid"] == "o" && types["mpris:length"] == "x" && types["xesam:title"] == "s")
    }

    @Test func theTrackIsAnObjectOfItsOwnForEachItemAndPlace() {
        func id(_ tile: String, _ place: String, _ path: String) -> String? {
            let fields = [("tile", tile), ("place", place), ("path", path), ("state", "playing")]
            return NowPlaying(.object(fields.map { PropertyField($0, .text($1)) }))?.trackID
        }
        let ids = [
            id("a b", "0", "/x"), id("a_b", "0", "/x"), id("é", "top0", "/x"), id("a b", "1", "/x"),
            id("a b", "0", "/y"),
        ]
        expect(Set(ids).count, equals: ids.count)
        for id in ids {
            let plain = id?.dropFirst().utf8.allSatisfy { "/_".utf8.contains($0) || isalnum(Int32($0)) != 0 }
            expect(plain == true && id?.hasPrefix("/quadrille/") == true, "\(id ?? "nil")")
        }
    }

    @Test func theTypesAreThoseOfTheDesktopFile() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../assets/desktop/quadrille.desktop")
        let text = try String(contentsOf: root.standardizedFileURL, encoding: .utf8)
        let types = text.split(separator: "\n").first { $0.hasPrefix("MimeType=") }?.dropFirst("MimeType=".count)
        let ofMedia = types?.split(separator: ";").map(String.init).filter { !$0.contains("quadrille") }
        expect(ofMedia, equals: BusInterface.mediaTypes)
    }

    @Test func pathsBecomeURLsAndBack() {
        let cases = [
            ("/films/a b.mp4", "file:///films/a%20b.mp4"), ("/é%?#", "file:///%C3%A9%25%3F%23"),
            ("/a-_.~", "file:///a-_.~"),
        ]
        for (path, url) in cases {
            expect(FileURL.url(of: path), equals: url)
            expect(FileURL.source(of: url), equals: path)
        }
        expect(FileURL.source(of: "file://localhost/a"), equals: "/a")
        for wrong in [
            "file://", "file://host/a", "file:///%", "file:///%4", "file:///%zz", "file:///%00", "file:///%FF",
        ] {
            expect(FileURL.source(of: wrong), equals: nil, "\(wrong)")
        }
        expect(FileURL.source(of: "https://example.org/a%20b"), equals: "https://example.org/a%20b")
    }
}
