import Base
import Expectations
import Layout
import Testing

@Test(
    arguments: (MistakeCase.all(in: syntaxTable) + MistakeCase.all(in: mistakesTable)
        + MistakeCase.all(in: comparisonMistakesTable)))
func aMistakeIsReportedAtItsPlace(_ example: MistakeCase) {
    guard case .mistakes(let mistakes) = LayoutReader.read(Array(example.text.utf8), path: "wall.json") else {
        Issue.record("taken for right: \(example.text)")
        return
    }
    expect(mistakes.lines(path: "wall.json"), equals: example.lines.map { "wall.json:" + $0 })
}

@Test func theTablesAreRead() {
    expect(MistakeCase.all(in: syntaxTable).count, atLeast: 40)
    expect(MistakeCase.all(in: mistakesTable).count, atLeast: 150)
    expect(MistakeCase.all(in: mistakesTable).contains { $0.lines.count >= 5 })
}

struct MistakeCase: Sendable, CustomTestStringConvertible {
    var text: String
    var lines: [String] = []
    var testDescription: String { text }

    static func all(in table: String) -> [MistakeCase] {
        var cases: [MistakeCase] = []
        for line in table.split(separator: "\n") {
            if line.hasPrefix("    ") {
                cases[cases.count - 1].lines.append(String(line.dropFirst(4)))
            } else {
                cases.append(MistakeCase(text: plain(line)))
            }
        }
        return cases
    }

    private static func plain(_ line: Substring) -> String {
        var text = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar {
            case "∅": continue
            case "⏎": text.append("\n")
            case "␍": text.append("\r")
            case "⇥": text.append("\t")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

@Test(
    arguments: [
        ([0xFF, 0xFE, 0x7B, 0x00], "1:1"),
        ([0x7B, 0x0A, 0x20, 0x22, 0x61, 0xFF, 0x22, 0x7D], "2:4"),
        ([0x7B, 0x22, 0xC3, 0xA9, 0xC3, 0x22, 0x7D], "1:4"),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2"),
        ([0x22, 0xC0, 0xAF, 0x22], "1:2"),
        ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2"),
        ([0x22, 0xE2, 0x82], "1:2"),
        ([0x5B, 0x80], "1:2"),
    ] as [([UInt8], String)])
func whatIsNoUTF8IsReportedWhereItBegins(_ bytes: [UInt8], _ place: String) {
    let reading = LayoutReader.read(bytes, path: "-")
    guard case .mistakes(let mistakes) = reading else {
        Issue.record("taken for right")
        return
    }
    let line = "-:\(place): JSON: not UTF-8 from here on; save the file as UTF-8"
    expect(mistakes.lines(path: "-"), equals: [line])
}

@Test(arguments: [
    String(repeating: "[", count: 100_000),
    String(repeating: "{\"x-a\":", count: 100_000),
    "{\"tiles\":[{\"play\":\"a\"}],\"x-a\":" + String(repeating: "[", count: 100_000)
        + String(repeating: "]", count: 100_000) + "}",
    "{\"tiles\":[{\"play\":\"a\"}],\"memory\":" + String(repeating: "9", count: 1_000_000) + "}",
    "{\"tiles\":[{\"play\":\"a\"}],\"memory\":1e" + String(repeating: "9", count: 1_000_000) + "}",
    "{\"" + String(repeating: "k", count: 1_000_000) + "\":1,\"tiles\":[{\"play\":\"a\"}]}",
    "{\"tiles\":[{\"play\":\"" + String(repeating: "\\", count: 1_000_001) + "\"}]}",
])
func hostileFilesAreAnsweredAtOnce(_ text: String) {
    let bytes = Array(text.utf8)
    var reading: ParsedLayout?
    let took = ContinuousClock().measure { reading = LayoutReader.read(bytes, path: "wall.json") }
    guard case .mistakes(let mistakes) = reading else {
        Issue.record("taken for right")
        return
    }
    expect(mistakes.count, equals: 1)
    expect(mistakes.listed.allSatisfy { $0.text.utf8.count < 400 && $0.place.utf8.count < 100 })
    expect(took, below: .seconds(2))
}

private func mistakes(_ text: String) -> Mistakes? {
    if case .mistakes(let mistakes) = LayoutReader.read(Array(text.utf8), path: "wall.json") { mistakes } else { nil }
}

private func keys(_ count: Int) -> String { (0..<count).map { "\"pipelin\($0)\": 1,\n" }.joined() }

@Test(arguments: [("unknown keys", 100_000), ("empty tiles", 10_000), ("one key", 10_000), ("no tiles", 10_000)])
func ofVeryManyMistakesTheFirstAreReported(_ what: String, _ count: Int) {
    func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
    let tiles = "\"tiles\": [{\"play\": \"a\"}]}"
    let text =
        switch what {
        case "unknown keys": "{\n" + keys(count) + tiles
        // The first key is right; the others repeat it.
        case "one key": "{\"memory\": 64,\n" + times(count, "\"memory\": 64,\n") + tiles
        case "empty tiles": "{\"tiles\": [\n" + times(count - 1, "{},\n") + "{}]}"
        default: "{\"tiles\": [\n" + times(count - 1, "\"a\",\n") + "5]}"
        }
    let lines = mistakes(text)?.lines(path: "wall.json") ?? []
    // One of the mistakes states that there is no place for so many tiles.
    let more = ["unknown keys": "99,900", "empty tiles": "9,901"][what] ?? "9,900"
    expect(lines.count == 101 && lines.last == "wall.json: and \(more) more", "\(lines.last ?? "")")
    expect(lines.allSatisfy { $0.utf8.count < 400 })
    expect(zip(2..., lines.dropLast()).allSatisfy { line, text in text.hasPrefix("wall.json:\(line):") })
}

/// Mistakes are found in an order other than that of the file.
@Test func theFirstMistakesOfTheFileAreReported() {
    let text =
        "{\"audio\": {\"focus\": 1},\n\"tiles\": [\n"
        + String(repeating: "{\"play\": \"a\", \"id\": \"a\"},\n", count: 500)
        + "{\"play\": 5}]}"
    let lines = mistakes(text)?.lines(path: "wall.json") ?? []
    expect(lines.first?.hasPrefix("wall.json:1:21: audio.focus: "), equals: true)
    // The first tile keeps the name; the others repeat it.
    expect(zip(4..., lines[1..<100]).allSatisfy { line, text in text.hasPrefix("wall.json:\(line):21: tiles[") })
    expect(lines.last, equals: "wall.json: and 401 more")
}

@Test(arguments: [
    (99, 99, nil), (100, 100, nil), (101, 101, "wall.json: and 1 more"), (1100, 101, "wall.json: and 1,000 more"),
])
func aHundredMistakesAreReportedAndThenANumber(_ count: Int, _ reported: Int, _ last: String?) {
    let lines = mistakes("{\n" + keys(count) + "\"tiles\": [{\"play\": \"a\"}]}")?.lines(path: "wall.json") ?? []
    expect(lines.count == reported && (last == nil || lines.last == last))
}

private func list(_ count: Int, of value: String) -> String {
    "[" + Array(repeating: value, count: count).joined(separator: ",") + "]"
}

private let longText = String(repeating: "a", count: 65_537)

// Not written into @Test: Swift 6.0 crashes on interpolated strings in a macro's arguments.
private let tooLong: [(text: String, line: String)] = [
    (
        "{\"tiles\": \(list(10_001, of: "{\"play\":\"a\",\"rect\":[0,0,1,1]}"))}",
        "1:11: tiles: a list of 10,001 is too long; at most 10,000 tiles would be right"
    ),
    (
        "{\"tiles\": [{\"play\": \(list(100_001, of: "\"a\""))}]}",
        "1:21: tiles[0].play: a list of 100,001 is too long; at most 100,000 items would be right"
    ),
    (
        "{\"tiles\": [{\"play\": {\"src\": \"a\", \"segments\": \(list(100_001, of: "{\"in\":1}"))}}]}",
        "1:46: tiles[0].play.segments: a list of 100,001 is too long; at most 100,000 segments would be right"
    ),
    (
        "{\"x-a\": \(list(1_500_000, of: "1")), \"tiles\": [{\"play\": \"a\"}]}",
        "1:3000006: JSON: too much from here on; 1,500,000 values are the most"
    ),
    (
        "{\"tiles\": [{\"play\": \"\(String(repeating: "a", count: 4097))\"}]}",
        "1:21: tiles[0].play: \"\(String(repeating: "a", count: 40))…\" is too long; at most 4,096 bytes of a file's name "
            + "would be right"
    ),
    (
        "{\"tiles\": [{\"play\": \"a\", \"label\": \"\(longText)\"}]}",
        "1:35: tiles[0].label: \"\(String(repeating: "a", count: 40))…\" is too long; a text of at most 65,536 bytes "
            + "would be right"
    ),
    (
        "{\"tiles\": [{\"play\": \"http://\(longText)\"}]}",
        "1:21: tiles[0].play: \"http://\(String(repeating: "a", count: 33))…\" is too long; a text of at most 65,536 "
            + "bytes would be right"
    ),
]

@Test(arguments: tooLong) func whatIsTooLongIsOneMistake(_ text: String, _ line: String) {
    expect(mistakes(text)?.lines(path: "wall.json"), equals: ["wall.json:" + line])
}

@Test func whatIsAsLongAsItMayBeIsRight() {
    for text in [
        "{\"tiles\": \(list(10_000, of: "{\"play\":\"a\",\"rect\":[0,0,1,1]}"))}",
        "{\"tiles\": [{\"play\": \"\(String(repeating: "a", count: 4096))\", \"label\": \"\(longText.dropLast())\"}]}",
        "{\"x-a\": \(list(1_499_994, of: "1")), \"tiles\": [{\"play\": \"a\"}]}",
    ] {
        expect(mistakes(text), equals: nil)
    }
}
