import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout

/// Reads a text that must be right.
private func read(_ text: String, path: String = "wall.json") -> Layout? {
    switch LayoutReader.read(Array(text.utf8), path: path) {
    case .layout(let layout): return layout
    case .mistakes(let mistakes):
        for line in mistakes.lines(path: path) { Issue.record("\(line)") }
        return nil
    }
}

/// Returns a layout with one tile "a", after `change`.
private func oneTile(_ change: (inout Layout) -> Void = { _ in }) -> Layout {
    let tile = TileLayout(id: "tile1", place: cell(0, 0), play: [Item(source: "a")])
    var layout = Layout(title: "wall.json", tiles: [tile])
    change(&layout)
    return layout
}

private func cell(_ column: Int, _ row: Int, _ columns: Int = 1, _ rows: Int = 1) -> TileLayout.Place {
    .cell(column: column, row: row, columns: columns, rows: rows)
}

struct GoodCase: Sendable, CustomTestStringConvertible {
    var text: String
    var change: @Sendable (inout Layout) -> Void
    var testDescription: String { text }

    init(_ text: String, _ change: @escaping @Sendable (inout Layout) -> Void) {
        (self.text, self.change) = (text, change)
    }
}

private let wallCases: [GoodCase] = [
    GoodCase(#""title": "Lobby""#) { $0.title = "Lobby" },
    GoodCase(#""$schema": 1, "x-note": [{"breaks": 1}]"#) { _ in },
    GoodCase(#""window": {}"#) { _ in },
    GoodCase(#""window": {"size": [16, 16384]}"#) { $0.window.size = Size(16, 16384) },
    GoodCase(#""window": {"size": [1e3, 6.40e2]}"#) { $0.window.size = Size(1000, 640) },
    GoodCase(#""window": {"position": [-5, 0], "display": 1}"#) {
        $0.window.position = Point(-5, 0)
        $0.window.display = 1
    },
    GoodCase(#""window": {"fullscreen": true}"#) { $0.window.fullscreen = .on },
    GoodCase(#""window": {"fullscreen": false}"#) { _ in },
    GoodCase(#""window": {"fullscreen": "while-playing"}"#) { $0.window.fullscreen = .whilePlaying },
    GoodCase(##""window": {"borderless": true, "background": "#1aB2c3", "input": "none"}"##) {
        $0.window.isBorderless = true
        $0.window.background = Color(red: 0x1A, green: 0xB2, blue: 0xC3)
        $0.window.input = .none
    },
    GoodCase(#""pipelines": 64"#) { $0.pipelines = .count(64) },
    GoodCase(#""pipelines": "auto""#) { $0.pipelines = .auto },
    GoodCase(#""overflow": "rotate""#) { _ in },
    GoodCase(#""overflow": {"rotate": 0.5}"#) { $0.overflow = .rotate(every: .milliseconds(500)) },
    GoodCase(#""overflow": {"rotate": "1:30"}"#) { $0.overflow = .rotate(every: .seconds(90)) },
    GoodCase(#""overflow": "first""#) { $0.overflow = .first },
    GoodCase(#""overflow": "largest""#) { $0.overflow = .largest },
    GoodCase(#""quality": "exact", "memory": 65536, "hidden": "pause""#) {
        $0.quality = .exact
        $0.memoryMiB = 65536
        $0.hidden = .pause
    },
    GoodCase(#""stale-after": "0:30", "frozen-after": 1.5"#) {
        $0.staleAfter = .after(.seconds(30))
        $0.frozenAfter = .after(.milliseconds(1500))
    },
    GoodCase(#""stale-after": false, "frozen-after": false"#) { $0.staleAfter = .never },
    GoodCase(#""grid": {"columns": 3, "gap": 4, "margin": 8}"#) {
        $0.grid.columns = 3
        $0.grid.gap = 4
        $0.grid.margin = 8
    },
    GoodCase(#""groups": {"b": {"loop": "together", "until": "shortest"}}"#) {
        var b = GroupLayout(name: "b")
        (b.loop, b.until) = (.together, .shortest)
        $0.groups.append(b)
    },
    GoodCase(#""groups": {"b": {}, "main": {"loop": "together"}, "x-note": 1}"#) {
        $0.groups[0].loop = .together
        $0.groups.insert(GroupLayout(name: "b"), at: 0)
    },
    GoodCase(#""audio": {"mode": "mix", "focus": "tile1", "volume": 0, "delay": -1000}"#) {
        $0.audio.mode = .mix
        $0.audio.volume = 0
        $0.audio.delayMilliseconds = -1000
        $0.audio.statesDelay = true
    },
    GoodCase(#""audio": {"input": "alsa_input.usb", "monitor": true}"#) {
        $0.audio.input = "alsa_input.usb"
        $0.audio.monitorsInput = true
    },
    GoodCase(#""breaks": [{"play": "b", "once": true, "first": "zoom tile1", "then": "zoom none; set volume 5"}]"#) {
        var entry = BreakLayout(name: "break1", play: [Item(source: "b")])
        entry.isOnce = true
        entry.first = try? KeyCommand("zoom tile1")
        entry.then = try? KeyCommand("zoom none; set volume 5")
        $0.breaks = [entry]
    },
    GoodCase(#""audio": {"bed": "music.ogg"}"#) { $0.audio.bed = AudioLayout.Bed(source: "music.ogg") },
    GoodCase(#""audio": {"bed": {"src": "http://x/y", "volume": 60, "clock": "wall"}}"#) {
        $0.audio.bed = AudioLayout.Bed(source: "http://x/y")
        $0.audio.bed?.volume = 60
        $0.audio.bed?.clock = .wall
    },
]

@Test(arguments: wallCases)
func theWallsKeysAreRead(_ example: GoodCase) {
    expect(read("{\(example.text), \"tiles\": [{\"play\": \"a\"}]}"), equals: oneTile(example.change))
}

private let tileCases: [GoodCase] = [
    GoodCase(#""x-a": 1"#) { _ in },
    GoodCase(#""id": "é 1""#) { $0.tiles[0].id = "é 1" },
    GoodCase(#""rect": [0.5, 0, 0.75, 1]"#) { $0.tiles[0].place = .fractions(Fractions(0.5, 0, 0.75, 1)) },
    GoodCase(#""rect": [0, 0, 1, 1]"#) { $0.tiles[0].place = .fractions(.all) },
    GoodCase(#""rect": [-10, 2000, 640, 1]"#) { $0.tiles[0].place = .pixels(Rect(-10, 2000, 640, 1)) },
    GoodCase(#""group": "b""#) {
        $0.tiles[0].group = "b"
        $0.groups.append(GroupLayout(name: "b"))
    },
    GoodCase(#""offset": -1.5"#) { $0.tiles[0].offset = .milliseconds(-1500) },
    GoodCase(#""offset": "-0:01.5""#) { $0.tiles[0].offset = .milliseconds(-1500) },
    GoodCase(#""loop": true"#) { _ in },
    GoodCase(#""loop": false"#) { $0.tiles[0].loop = .iterations(1) },
    GoodCase(#""loop": 3"#) { $0.tiles[0].loop = .iterations(3) },
    GoodCase(#""fit": "cover""#) { $0.tiles[0].fit = .cover },
    GoodCase(#""flip": "v""#) { $0.tiles[0].decoding.flip = .vertical },
    GoodCase(#""poster": "auto""#) { _ in },
    GoodCase(#""poster": "a.png""#) { $0.tiles[0].poster = "a.png" },
    GoodCase(#""balance": -0.25"#) { $0.tiles[0].balance = -0.25 },
    GoodCase(#""balance": 1"#) { $0.tiles[0].balance = 1 },
    GoodCase(#""mute": true, "volume": 0"#) { ($0.tiles[0].isMuted, $0.tiles[0].volume) = (true, 0) },
    GoodCase(#""label": "Before""#) { $0.tiles[0].label = "Before" },
    GoodCase(#""label": """#) { _ in },
    GoodCase(#""pip": true"#) { _ in },
    GoodCase(#""pip": false"#) { $0.tiles[0].pip = .denied },
    GoodCase(#""pip": "auto""#) { $0.tiles[0].pip = .automatic },
    GoodCase(#""on-error": "hold""#) { $0.tiles[0].onError = .hold },
    GoodCase(#""stale-after": 2, "frozen-after": false"#) {
        $0.tiles[0].staleAfter = .after(.seconds(2))
        $0.tiles[0].frozenAfter = TimeLimit.never
    },
]

@Test(arguments: tileCases)
func aTilesKeysAreRead(_ example: GoodCase) {
    expect(read("{\"tiles\": [{\(example.text), \"play\": \"a\"}]}"), equals: oneTile(example.change))
}

private let itemCases: [GoodCase] = [
    GoodCase(#""in": 1.5, "out": "0:09""#) {
        $0.tiles[0].play[0].segments[0].start = .milliseconds(1500)
        $0.tiles[0].play[0].segments[0].end = .seconds(9)
    },
    GoodCase(#""in": 0"#) { _ in },
    GoodCase(#""rate": 0.25, "repeat": 1000000"#) {
        $0.tiles[0].play[0].rate = .slowest
        $0.tiles[0].play[0].rounds = 1_000_000
    },
    GoodCase(#""label": "The first""#) { $0.tiles[0].play[0].look.label = "The first" },
    GoodCase(#""duration": 2"#) { $0.tiles[0].play[0].duration = .seconds(2) },
    GoodCase(#""audio": 2"#) { $0.tiles[0].play[0].audio = .track(2) },
    GoodCase(#""audio": "de""#) { $0.tiles[0].play[0].audio = .language("de") },
    GoodCase(#""audio": false"#) { $0.tiles[0].play[0].audio = .silent },
    GoodCase(#""audio": {}"#) { $0.tiles[0].play[0].audio = .other(ItemAudio.OtherSound()) },
    GoodCase(#""audio": {"src": "s.wav", "track": 2, "channel": "left", "offset": -0.5, "volume": 7}"#) {
        var sound = ItemAudio.OtherSound()
        (sound.source, sound.track, sound.channel) = ("s.wav", .number(2), .left)
        (sound.offset, sound.volume) = (.milliseconds(-500), 7)
        $0.tiles[0].play[0].audio = .other(sound)
    },
    GoodCase(
        #""audio": {"stems": [{"name": "v", "src": "v.ogg", "volume": 7, "mute": true}, {"src": "b.ogg", "offset": 1}]}"#
    ) {
        var stems = ItemAudio.Stems([ItemAudio.Stem("v", "v.ogg"), ItemAudio.Stem("stem2", "b.ogg")])
        (stems.files[0].volume, stems.files[0].isMuted, stems.files[1].offset) = (7, true, .seconds(1))
        $0.tiles[0].play[0].audio = .stems(stems)
    },
    GoodCase(#""audio": {"stems": [{"src": "v.ogg"}], "channel": "right", "offset": -0.5, "volume": 50}, "key": -12"#) {
        var stems = ItemAudio.Stems([ItemAudio.Stem("stem1", "v.ogg")])
        (stems.channel, stems.offset, stems.volume) = (.right, -.milliseconds(500), 50)
        ($0.tiles[0].play[0].audio, $0.tiles[0].play[0].key) = (.stems(stems), -12)
    },
    GoodCase(#""audio": {"track": "de"}"#) {
        var sound = ItemAudio.OtherSound()
        sound.track = .language("de")
        $0.tiles[0].play[0].audio = .other(sound)
    },
    GoodCase(#""crop": [0.25, 0, 0.75, 0.5], "turn": 270, "flip": "h""#) {
        $0.tiles[0].play[0].crop = .fractions(Fractions(0.25, 0, 0.75, 0.5))
        $0.tiles[0].play[0].decoding.turn = .threeQuarters
        $0.tiles[0].play[0].decoding.flip = .horizontal
    },
    GoodCase(#""deinterlace": true"#) { $0.tiles[0].play[0].decoding.deinterlacing = .all },
    GoodCase(#""deinterlace": false"#) { $0.tiles[0].play[0].decoding.deinterlacing = .off },
    GoodCase(#""tone-mapping": {"curve": "clip", "target-nits": 100}"#) {
        var toneMapping = StatedToneMapping()
        (toneMapping.curve, toneMapping.targetNits) = (.clip, 100)
        $0.tiles[0].play[0].decoding.toneMapping = toneMapping
    },
    GoodCase(#""max-bitrate": 2500000, "ahead": "1:00""#) {
        $0.tiles[0].play[0].fetching.maxBitrate = 2_500_000
        $0.tiles[0].play[0].fetching.ahead = .seconds(60)
    },
    GoodCase(#""segments": [{"in": 1, "out": 2, "rate": 2}, {"src": "b"}]"#) {
        var first = Item.Segment(source: "a")
        (first.start, first.end, first.rate) = (.seconds(1), .seconds(2), Rate(2))
        $0.tiles[0].play[0].segments = Item.Segments(first, [Item.Segment(source: "b")])
    },
]

@Test(arguments: itemCases)
func anItemsKeysAreRead(_ example: GoodCase) {
    expect(read("{\"tiles\": [{\"play\": {\"src\": \"a\", \(example.text)}}]}"), equals: oneTile(example.change))
}

@Test func aSequenceHoldsSourcesAndItems() {
    let layout = read(#"{"tiles": [{"play": ["a", {"src": "b"}, {"segments": [{"src": "c"}]}]}]}"#)
    expect(layout?.tiles[0].play.map { $0.segments.map(\.source) }, equals: [["a"], ["b"], ["c"]])
}

@Test(arguments: [
    ("wall.json", "a.mp4", "a.mp4"), ("-", "a.mp4", "a.mp4"), ("dir/wall.json", "a.mp4", "dir/a.mp4"),
    ("/srv/wall.json", "../a.mp4", "/srv/../a.mp4"), ("/wall.json", "a.mp4", "/a.mp4"), ("./wall.json", "a", "./a"),
    ("dir/wall.json", "/abs/a.mp4", "/abs/a.mp4"), ("dir/wall.json", "http://x/a", "http://x/a"),
    ("dir/wall.json", "rtsp://x/a", "rtsp://x/a"), ("dir/wall.json", "file:///a", "file:///a"),
    ("dir/wall.json", "take:2.mp4", "dir/take:2.mp4"), ("wall.json", "take:2.mp4", "./take:2.mp4"),
    ("dir/wall.json", "HTTPS://H/A", "https://H/A"), ("dir/wall.json", "File:///A", "file:///A"),
    ("dir/wall.json", "gopher:a", "dir/gopher:a"), ("wall.json", "data:,a", "./data:,a"),
    ("dir/wall.json", "://a", "dir/://a"), ("dir/wall.json", "1a://b", "dir/1a://b"),
])
func sourcesAreRelativeToTheLayout(_ path: String, _ source: String, _ ready: String) {
    let layout = read("{\"tiles\": [{\"play\": \"\(source)\"}]}", path: path)
    expect(layout?.tiles[0].play[0].segments[0].source, equals: ready)
}

@Test(arguments: [("wall.json", "wall.json"), ("/a/b/wall.json", "wall.json"), ("-", "Quadrille")])
func theFilesNameIsTheTitle(_ path: String, _ title: String) {
    expect(read(#"{"tiles": [{"play": "a"}]}"#, path: path)?.title, equals: title)
}

@Test(
    arguments: [
        ([nil], ["tile1"]), ([nil, nil, nil], ["tile1", "tile2", "tile3"]), (["a", nil], ["a", "tile2"]),
        (["tile2", nil], ["tile2", "tile3"]), (["tile2", nil, nil], ["tile2", "tile3", "tile4"]),
        ([nil, "tile1"], ["tile2", "tile1"]),
    ] as [([String?], [String])])
func tilesWithoutANameAreNumbered(_ reported: [String?], _ names: [String]) {
    let tiles = reported.map { id in "{\"play\": \"a\"" + (id.map { ", \"id\": \"\($0)\"" } ?? "") + "}" }
    expect(read("{\"tiles\": [\(tiles.joined(separator: ","))]}")?.tiles.map(\.id), equals: names)
}

@Test func theFocusIsATilesPlace() {
    expect(
        read(#"{"audio": {"focus": "b"}, "tiles": [{"play": "a"}, {"id": "b", "play": "a"}]}"#)?.audio.focus, equals: 1)
}

@Test(arguments: [
    (1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2), (6, 3, 2), (7, 3, 3), (9, 3, 3), (10, 4, 3), (17, 5, 4),
])
func theGridGrowsWithTheTiles(_ tiles: Int, _ columns: Int, _ rows: Int) {
    let text = "{\"tiles\": [" + Array(repeating: "{\"play\": \"a\"}", count: tiles).joined(separator: ",") + "]}"
    let layout = read(text)
    expect(layout?.grid.columns, equals: columns)
    expect(layout?.grid.rows, equals: rows)
    expect(layout?.tiles.last?.place, equals: cell((tiles - 1) % columns, (tiles - 1) / columns))
    expect(Layout.ofMedia(Array(repeating: "a", count: tiles)).tiles.map(\.place), equals: layout?.tiles.map(\.place))
}

@Test(
    arguments: [
        (#"{"rows": 1}"#, ["", "", ""], [cell(0, 0), cell(1, 0), cell(2, 0)]),
        (#"{"columns": 1}"#, ["", "", ""], [cell(0, 0), cell(0, 1), cell(0, 2)]),
        (#"{"columns": 2}"#, [#""cell": [1, 0]"#, "", ""], [cell(1, 0), cell(0, 0), cell(0, 1)]),
        (#"{"columns": 2}"#, ["", #""cell": [0, 0]"#, ""], [cell(1, 0), cell(0, 0), cell(0, 1)]),
        (
            #"{"columns": 3}"#, [#""span": [2, 2]"#, "", "", ""],
            [cell(0, 0, 2, 2), cell(2, 0), cell(2, 1), cell(0, 2)]
        ),
        (#"{"columns": 2}"#, ["", #""span": [2, 1]"#, ""], [cell(0, 0), cell(0, 1, 2, 1), cell(1, 0)]),
        (
            #"{"columns": 2}"#, [#""cell": [0, 0], "span": [2, 1]"#, #""cell": [1, 0]"#],
            [cell(0, 0, 2, 1), cell(1, 0)]
        ),
        (#"{"columns": 1, "rows": 1}"#, ["", #""rect": [0, 0, 1, 1]"#], [cell(0, 0), .fractions(.all)]),
    ] as [(String, [String], [TileLayout.Place])])
func tilesTakeTheFirstFreeCell(_ grid: String, _ tiles: [String], _ places: [TileLayout.Place]) {
    let list = tiles.map { "{\"play\": \"a\"" + ($0.isEmpty ? "" : ", " + $0) + "}" }.joined(separator: ",")
    let layout = read("{\"grid\": \(grid), \"tiles\": [\(list)]}")
    expect(layout?.tiles.map(\.place), equals: places)
}

@Test func aGridOfUnsaidRowsGrowsForSpans() {
    let layout = read(#"{"tiles": [{"play": "a", "span": [2, 2]}, {"play": "a"}, {"play": "a"}]}"#)
    expect(layout?.grid.rows, equals: 3)
}

@Test func mediaWithoutALayoutAreTiledAndLooped() {
    let layout = Layout.ofMedia(["dir/a.mp4", "http://x/b", "c:d.mp4"])
    expect(layout.title, equals: "Quadrille")
    expect(layout.tiles.map(\.id), equals: ["tile1", "tile2", "tile3"])
    expect(layout.tiles.map { $0.play[0].segments[0].source }, equals: ["dir/a.mp4", "http://x/b", "./c:d.mp4"])
    expect(layout.tiles.allSatisfy { $0.loop == .forever && $0.group == "main" })
    expect(layout.audio.focus, equals: 0)
    expect(Layout.ofMedia(["dir/a.mp4"]).title, equals: "a.mp4")
}
