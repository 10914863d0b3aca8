import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import SimulatedWall

/// A layout's text, changes to it, and the expected text. In a text ⏎ is a line feed, ␍ a carriage return, ⇥ a tab.
struct PatchCase: Sendable, CustomTestStringConvertible {
    var before: String
    var changes: LayoutTextChanges
    var after: String
    var testDescription: String { before }

    init(_ before: String, _ after: String, _ change: (inout LayoutTextChanges) -> Void) {
        (self.before, self.after) = (before, after)
        changes = LayoutTextChanges()
        change(&changes)
    }
}

private func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
        switch scalar {
        case "⏎": [0x0A]
        case "␍": [0x0D]
        case "⇥": [0x09]
        default: Array(String(scalar).utf8)
        }
    }
}

private func layout(_ bytes: [UInt8]) throws -> Layout {
    let reading = LayoutReader.read(bytes, path: "wall.json")
    guard case .layout(let layout) = reading else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(reading)")
        throw CancellationError()
    }
    return layout
}

/// Returns a layout of one tile; `keys` follow "play".
private func tile(_ keys: String) -> String { "{\"tiles\": [{\"play\": \"a\"\(keys)}]}" }

private func mute(_ changes: inout LayoutTextChanges) { changes.tiles[0] = .init(isMuted: true) }
private func half(_ changes: inout LayoutTextChanges) { changes.volume = 50 }

private let tileCases: [PatchCase] = [
    // A value is replaced where it stands.
    PatchCase(tile(#", "mute": false , "fit": "cover""#), tile(#", "mute": true , "fit": "cover""#), mute),
    PatchCase(tile(#", "volume":⏎ 3⏎"#), tile(#", "volume":⏎ 100⏎"#)) { $0.tiles[0] = .init(volume: 100) },
    PatchCase(tile(#", "offset": "0:01.5""#), tile(#", "offset": -2.25"#)) {
        $0.tiles[0] = .init(offset: -.milliseconds(2250))
    },
    PatchCase(tile(#", "m\u0075te": false"#), tile(#", "m\u0075te": true"#), mute),
    PatchCase(tile(#", "x-a": {"mute": 1}, "mute": false"#), tile(#", "x-a": {"mute": 1}, "mute": true"#), mute),
    PatchCase(
        tile(#", "x-a": {"a": 1, "a": 2}, "mute": false"#), tile(#", "x-a": {"a": 1, "a": 2}, "mute": true"#), mute),
    // A value that the layout has already stays as it is written.
    PatchCase(
        tile(#", "offset": "0:01", "mute": true, "volume": 5e1"#),
        tile(#", "offset": "0:01", "mute": true, "volume": 5e1"#)
    ) {
        $0.tiles[0] = .init(offset: .seconds(1), isMuted: true, volume: 50)
    },
    PatchCase(tile(""), tile("")) { $0.tiles[0] = .init(offset: .zero, isMuted: false, volume: 100) },
    PatchCase(tile(""), tile("")) { ($0.focus, $0.volume) = ("tile1", 100) },
    // A missing key is added in the style of its object.
    PatchCase(tile(""), tile(#", "mute": true"#), mute),
    PatchCase(#"{"tiles":[{"play":"a"}]}"#, #"{"tiles":[{"play":"a","mute":true}]}"#, mute),
    PatchCase(tile(#" , "fit" : "cover" "#), tile(#" , "fit" : "cover" , "mute" : true "#), mute),
    PatchCase(
        tile(#" , "fit" : "cover" , "label":"" "#), tile(#" , "fit" : "cover" , "label":"" , "mute":true "#), mute),
    PatchCase(#"{"tiles": [{⏎⇥"play": "a"⏎}]}"#, #"{"tiles": [{⏎⇥"play": "a",⏎⇥"mute": true⏎}]}"#, mute),
    PatchCase(
        #"{"tiles": [␍⏎ {␍⏎  "id": "é",␍⏎␍⏎  "play": "a"␍⏎ }]}␍⏎"#,
        #"{"tiles": [␍⏎ {␍⏎  "id": "é",␍⏎␍⏎  "play": "a",␍⏎  "mute": true␍⏎ }]}␍⏎"#, mute),
    PatchCase(
        "{\"tiles\": [⏎  { \"id\"⏎ : \"a\"⏎  , \"play\":⏎    \"a\"⏎  }]}",
        "{\"tiles\": [⏎  { \"id\"⏎ : \"a\"⏎  , \"play\":⏎    \"a\"⏎  , \"mute\": true⏎  }]}", mute),
    PatchCase(
        #"{"tiles": [{ "id": "a", "fit": "cover",⏎    "play": "a" }]}"#,
        #"{"tiles": [{ "id": "a", "fit": "cover",⏎    "play": "a",⏎    "offset": 0.5,⏎    "volume": 7 }]}"#
    ) { $0.tiles[0] = .init(offset: .milliseconds(500), volume: 7) },
    // Tiles are identified by their position in the list.
    PatchCase(
        #"{"tiles": [{"play": "a", "volume": 1}, {"play": "b"}, {"volume": 2, "play": "c"}], "title": "t"}"#,
        #"{"tiles": [{"play": "a", "volume": 1}, {"play": "b", "volume": 8}, {"volume": 9, "play": "c", "mute": true}], "title": "t"}"#
    ) { $0.tiles = [2: .init(isMuted: true, volume: 9), 1: .init(volume: 8)] },
    // A value out of range is clamped.
    PatchCase(tile(#", "volume": 3"#), tile(#", "volume": 100, "offset": 100000000"#)) {
        $0.tiles[0] = .init(offset: .distantFuture, volume: 1000)
    },
]

private let soundCases: [PatchCase] = [
    PatchCase(
        #"{"audio": {"focus": "a", "volume": 5}, "tiles": [{"id": "a", "play": "a"}, {"play": "b"}]}"#,
        #"{"audio": {"focus": "tile2", "volume": 6}, "tiles": [{"id": "a", "play": "a"}, {"play": "b"}]}"#
    ) { ($0.focus, $0.volume) = ("tile2", 6) },
    PatchCase(
        #"{"tiles": [{"id": "a", "play": "a"}, {"id": "\"\\\u0001é\n", "play": "b"}], "audio": {"delay": 1}}"#,
        #"{"tiles": [{"id": "a", "play": "a"}, {"id": "\"\\\u0001é\n", "play": "b"}], "audio": {"delay": 1, "focus": "\"\\\u0001é\n"}}"#
    ) { $0.focus = "\"\\\u{1}é\n" },
    // The focus is the first tile if unspecified, and stays unspecified.
    PatchCase(
        #"{"audio": {"mode": "mix"}, "tiles": [{"id": "a", "play": "a"}]}"#,
        #"{"audio": {"mode": "mix"}, "tiles": [{"id": "a", "play": "a"}]}"#
    ) {
        $0.focus = "a"
    },
    // An empty object is filled.
    PatchCase(
        #"{"audio": {}, "tiles": [{"play": "a"}]}"#, #"{"audio": {"volume": 50}, "tiles": [{"play": "a"}]}"#, half),
    PatchCase(#"{"audio":{ },"tiles":[{"play":"a"}]}"#, #"{"audio":{ "volume":50 },"tiles":[{"play":"a"}]}"#, half),
    PatchCase(
        #"{⏎  "audio": {⏎  },⏎  "tiles": [{"play": "a"}]⏎}"#,
        #"{⏎  "audio": {⏎    "volume": 50⏎  },⏎  "tiles": [{"play": "a"}]⏎}"#, half),
    // A missing object is added before the tiles, in the style of the objects beside it.
    PatchCase(tile(""), #"{"audio": {"volume": 50}, "tiles": [{"play": "a"}]}"#, half),
    PatchCase(#"{"tiles":[{"play":"a"}]}"#, #"{"audio":{"volume":50},"tiles":[{"play":"a"}]}"#, half),
    PatchCase(
        #"{⏎  "title": "t",⏎⏎  "tiles": [⏎    {⏎      "play": "a"⏎    }⏎  ]⏎}⏎"#,
        #"{⏎  "title": "t",⏎⏎  "audio": { "volume": 50 },⏎  "tiles": [⏎    {⏎      "play": "a"⏎    }⏎  ]⏎}⏎"#, half),
    PatchCase(
        #"{␍⏎⇥"grid": {␍⏎⇥⇥"gap": 4␍⏎⇥},␍⏎⇥"tiles": [ { "play": "a" } ]␍⏎}"#,
        #"{␍⏎⇥"grid": {␍⏎⇥⇥"gap": 4␍⏎⇥},␍⏎⇥"audio": {␍⏎⇥⇥"volume": 50␍⏎⇥},␍⏎⇥"tiles": [ { "play": "a" } ]␍⏎}"#, half),
    PatchCase(
        #"{⏎ "tiles": [{"play": "a"}, {"play": "b"}]⏎}"#,
        #"{⏎ "audio": {"focus": "tile2", "volume": 50},⏎ "tiles": [{"play": "a"}, {"play": "b"}]⏎}"#
    ) { ($0.focus, $0.volume) = ("tile2", 50) },
]

@Test(arguments: tileCases + soundCases)
func aPatchChangesWhatItSaysAndNoOtherByte(_ example: PatchCase) throws {
    let after = try LayoutPatch.patched(bytes(example.before), with: example.changes)
    expect(String(decoding: after, as: UTF8.self), equals: String(decoding: bytes(example.after), as: UTF8.self))
    expect(after, equals: bytes(example.after))
    _ = try layout(after)
}

@Test func whatIsNoLayoutOrHasNoSuchTileIsNotPatched() {
    var changes = LayoutTextChanges()
    changes.volume = 3
    func trouble(_ bytes: [UInt8]) -> LayoutPatchTrouble? {
        do throws(LayoutPatchTrouble) {
            _ = try LayoutPatch.patched(bytes, with: changes)
            return nil
        } catch { return error }
    }
    func mistake(_ bytes: [UInt8]) -> String? {
        if case .mistakes(let mistakes) = trouble(bytes) { mistakes.listed.first?.text } else { nil }
    }
    let right = bytes(tile(""))
    expect(trouble(right), equals: nil)
    expect(mistake([0xEF, 0xBB, 0xBF] + right)?.contains("byte order mark"), equals: true)
    expect(mistake(right.dropLast())?.contains("ends here"), equals: true)
    expect(mistake(bytes(tile(#", "mute": false, "mute": true"#)))?.contains("given twice"), equals: true)
    changes.tiles[1] = .init(volume: 3)
    expect(trouble(right), equals: .noTile(place: 1))
    changes.tiles = [:]
    changes.focus = "b"
    expect(trouble(right), equals: .noTileCalled("b"))
}

@Test(
    arguments: [
        (0, "0"), (705_600_000, "1"), (-352_800_000, "-0.5"), (70_560_000, "0.1"), (705_600, "0.001"),
        (-1, "-0.000000001"),
        (23_520_000, "0.033333333"), (705_600_000 * 86_400 + 1, "86400.000000001"),
        (70_560_000_000_000_000, "100000000"), (70_559_999_999_999_999, #""99999999.999999999""#),
        (-70_559_999_999_999_999, #""-99999999.999999999""#),
    ] as [(Int64, String)])
func aTimeIsWrittenAsTheShortestNumberThatIsReadAsIt(_ ticks: Int64, _ text: String) {
    expect(ObjectStyle.usual.string(of: Time(ticks: ticks).written), equals: text)
}

@Test func everyTimeIsReadAsItWasWritten() throws {
    var numbers = Seeded(state: 5)
    for _ in 0..<1000 {
        let most = Int64(1) << Int64(numbers.upTo(57)) + 1
        let offset = Time(ticks: Int64.random(in: -most...most, using: &numbers))
        var changes = LayoutTextChanges()
        changes.tiles[0] = .init(offset: offset)
        let after = try LayoutPatch.patched(bytes(tile("")), with: changes)
        let limit = Time.longestWritten
        try expect(layout(after).tiles[0].offset, equals: min(max(offset, -limit), limit))
    }
}

@Test(arguments: seeds(100))
func anyLayoutIsReadWithItsChangesAndNothingElse(_ seed: UInt64) throws {
    let writer = LayoutWriter(seed: seed)
    let before = writer.layout()
    var expected = try layout(before)
    for _ in 0..<4 {
        var changes = LayoutTextChanges()
        for place in expected.tiles.indices where writer.numbers.onceIn(2) {
            let count = Int64(writer.numbers.upTo(100) - 50)
            let change = TileChange(
                offset: writer.numbers.onceIn(2) ? Time(count, ofUnits: 1, over: 30) : nil,
                isMuted: writer.numbers.onceIn(2) ? writer.numbers.onceIn(2) : nil,
                volume: writer.numbers.onceIn(2) ? writer.numbers.upTo(101) : nil)
            changes.tiles[place] = change
            expected.tiles[place].offset = change.offset ?? expected.tiles[place].offset
            expected.tiles[place].isMuted = change.isMuted ?? expected.tiles[place].isMuted
            expected.tiles[place].volume = change.volume ?? expected.tiles[place].volume
        }
        if writer.numbers.onceIn(2) {
            expected.audio.focus = writer.numbers.upTo(expected.tiles.count)
            changes.focus = expected.tiles[expected.audio.focus].id
        }
        if writer.numbers.onceIn(2) {
            changes.volume = writer.numbers.upTo(101)
            expected.audio.volume = changes.volume!
        }
        let after = try LayoutPatch.patched(before, with: changes)
        try expect(layout(after), equals: expected)
        try expect(LayoutPatch.patched(after, with: changes), equals: after, "a second time changes nothing")
        try expect(
            isWithin(kept(of: before), after), "another byte is gone: \(String(decoding: before, as: UTF8.self))")
        expected = try layout(before)
    }
    try expect(LayoutPatch.patched(before, with: LayoutTextChanges()), equals: before)
}

/// Returns the bytes that no change may remove: all but the values that can be set.
private func kept(of bytes: [UInt8]) throws -> [UInt8] {
    let root = try JSONParser.parse(bytes)
    var values = ["focus", "volume"].compactMap { root["audio"]?[$0] }
    for tile in root["tiles"]!.elements { values += ["offset", "mute", "volume"].compactMap { tile[$0] } }
    return bytes.indices.filter { place in !values.contains { $0.range.contains(place) } }.map { bytes[$0] }
}

/// True if `few` is a subsequence of `many`.
private func isWithin(_ few: [UInt8], _ many: [UInt8]) -> Bool {
    var rest = few[...]
    for byte in many where byte == rest.first { rest.removeFirst() }
    return rest.isEmpty
}
