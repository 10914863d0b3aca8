import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import SimulatedWall

/// A source in a layout of /home/walls/north, and the same source after the layout was saved in another folder.
struct MoveCase: Sendable, CustomTestStringConvertible {
    var source: String
    var folder: String
    var moved: String
    var testDescription: String { "\(source) in \(folder)" }

    init(_ source: String, in folder: String, _ moved: String) {
        (self.source, self.folder, self.moved) = (source, folder, moved)
    }
}

private let cases = [
    MoveCase("a.mp4", in: "/home/walls", "north/a.mp4"),
    MoveCase("a.mp4", in: "/home/walls/south", "../north/a.mp4"),
    MoveCase("a.mp4", in: "/home/walls/north/old", "../a.mp4"),
    MoveCase("a.mp4", in: "/home/walls/north/", "a.mp4"),
    MoveCase("a.mp4", in: "/srv", "/home/walls/north/a.mp4"),
    MoveCase("a.mp4", in: "/", "/home/walls/north/a.mp4"),
    MoveCase("../a.mp4", in: "/home/walls/south", "../a.mp4"),
    MoveCase("../../../../a.mp4", in: "/home", "/a.mp4"),
    MoveCase("./../.././a.mp4", in: "/home/walls/south", "../../a.mp4"),
    MoveCase("old/a.mp4", in: "/home/walls/north/old", "a.mp4"),
    MoveCase("old/link/../a.mp4", in: "/home/walls/north/old", "link/../a.mp4"),
    MoveCase("clips/", in: "/home/walls", "north/clips/"),
    MoveCase(".", in: "/home/walls/north/old", ".."),
    MoveCase("old", in: "/home/walls/north/old", "."),
    MoveCase("./https://h/a", in: "/home/walls/north/old", "../https:/h/a"),
    MoveCase("old/c:x//y", in: "/home/walls/north/old", "c:x/y"),
    MoveCase("rtsp:a", in: "/home/walls", "north/rtsp:a"),
    MoveCase("auto", in: "/home/walls", "north/auto"),
    MoveCase("old/auto", in: "/home/walls/north/old", "./auto"),
    MoveCase("e\u{301}/a", in: "/home/walls/north/\u{E9}", "../e\u{301}/a"),
    MoveCase("/abs/a.mp4", in: "/home", "/abs/a.mp4"),
    MoveCase("https://h/a.mp4", in: "/home", "https://h/a.mp4"),
]

private func moved(_ text: String, to folder: String) throws -> String {
    let bytes = try LayoutPatch.moved(Array(text.utf8), fromFolder: "/home/walls/north", toFolder: folder)
    return String(decoding: bytes, as: UTF8.self)
}

@Test(arguments: cases)
func aSourceIsNamedFromTheNewFolder(_ example: MoveCase) throws {
    func text(_ source: String) -> String { "{\"tiles\": [{\"play\": \"\(source)\"}]}" }
    let after = try moved(text(example.source), to: example.folder)
    expect(after.utf8.elementsEqual(text(example.moved).utf8), "\(after)")
}

@Test func everySourceOfALayoutIsMovedAndNothingElse() throws {
    let before = #"""
        { "title": "a", "x-source": "a", "audio": {"bed" : {"src":"bed.ogg"}},
          "schedule": [{"show": "night.json"}, {"display": "off"}],
          "tiles": [ { "id": "a", "label": "a", "poster": "auto", "play": "a" },
            {"poster":"p.png","play":[ "b" , {"src": "\u0063", "segments": [{"src": "d"}, {}], "audio": "de"},
              {"src": "e", "audio": {"track": "de", "src": "f"}}]}, {"play": {"src": "g/"}}] }
        """#
    let after = #"""
        { "title": "a", "x-source": "a", "audio": {"bed" : {"src":"north/bed.ogg"}},
          "schedule": [{"show": "north/night.json"}, {"display": "off"}],
          "tiles": [ { "id": "a", "label": "a", "poster": "auto", "play": "north/a" },
            {"poster":"north/p.png","play":[ "north/b" , {"src": "north/c", "segments": [{"src": "north/d"}, {}], "audio": "de"},
              {"src": "north/e", "audio": {"track": "de", "src": "north/f"}}]}, {"play": {"src": "north/g/"}}] }
        """#
    try expect(moved(before, to: "/home/walls"), equals: after)
    try expect(moved(before, to: "/home/walls/north"), equals: before)
    try expect(
        moved(#"{"audio": {"bed": "a"}, "tiles": [{"play": "/a"}]}"#, to: "/srv"),
        equals: #"{"audio": {"bed": "/home/walls/north/a"}, "tiles": [{"play": "/a"}]}"#)
    #expect(throws: LayoutPatchTrouble.self) { try moved("{}", to: "/srv") }
}

@Test(arguments: seeds(100))
func anyLayoutPlaysTheSameFromAnyFolder(_ seed: UInt64) throws {
    let writer = LayoutWriter(seed: seed)
    let bytes = writer.layout()
    let folders = ["/", "/home/walls", "/home/walls/north", "/home/walls/north/walls/north", "/srv/é"]
    for (from, to) in folders.flatMap({ from in folders.map { (from, $0) } }) {
        let after = try LayoutPatch.moved(bytes, fromFolder: from, toFolder: to)
        try expect(played(after, in: to), equals: played(bytes, in: from), "from \(from) to \(to)")
        if from == to { expect(after, equals: bytes) }
    }
}

/// Reads a layout and writes its sources in one form.
private func played(_ bytes: [UInt8], in folder: String) throws -> Layout {
    let reading = LayoutReader.read(bytes, path: folder == "/" ? "/wall.json" : folder + "/wall.json")
    guard case .layout(var layout) = reading else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(reading)")
        throw CancellationError()
    }
    if let source = layout.audio.bed?.source { layout.audio.bed?.source = plain(source) }
    for tile in layout.tiles.indices where layout.tiles[tile].compare == nil {
        layout.tiles[tile].play = layout.tiles[tile].play.map { item in
            var item = item
            for segment in item.segments.indices {
                item.segments[segment].source = plain(item.segments[segment].source)
            }
            if case .other(var sound) = item.audio {
                sound.source = sound.source.map(plain)
                item.audio = .other(sound)
            }
            return item
        }
    }
    return layout
}

/// Returns the path without `.`, `..` and empty names. A folder's slash at the end stays.
private func plain(_ source: String) -> String {
    if SourceName.isURL(source) { return source }
    expect(source.hasPrefix("/"))
    var parts: [Substring] = []
    for part in source.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/") + (source.hasSuffix("/") && !parts.isEmpty ? "/" : "")
}
