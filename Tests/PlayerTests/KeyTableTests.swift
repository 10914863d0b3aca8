import Expectations
import Foundation
import Testing

@testable import Base
@testable import Commands

@Suite struct KeyTableTests {
    @Test func theReadmeHasItWhole() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let rows = (["| input | does |", "|---|---|"] + KeyTable.wall.lines.map(\.row)).joined(separator: "\n")
        expect(readme.contains("\n\(rows)\n\n"), "the table of keys is to be:\n\(rows)")
    }

    @Test func keysHaveNames() {
        let cases: [(String, KeyPress?)] = [
            ("END", KeyPress(.end, [])), ("Ctrl+END", KeyPress(.end, .control)), ("{", KeyPress(.leftBrace, [])),
            ("}", KeyPress(.rightBrace, [])), ("S", KeyPress(.letter("s"), .shift)),
            ("Ctrl++", KeyPress(.plus, .control)), ("+", KeyPress(.plus, [])), ("Ctrl+-", KeyPress(.minus, .control)),
            ("Ctrl+UP", KeyPress(.up, .control)), ("ENTER", KeyPress(.enter, [])), ("Ctrl+", nil), ("Hyper++", nil),
            ("", nil),
        ]
        for (name, press) in cases { expect(KeyPress(name: name), equals: press, "\(name)") }
    }

    @Test(arguments: [KeyTable.wall, .blind]) func noKeyAsksForTwoThings(_ table: KeyTable) {
        let bindings = table.bindings.values.flatMap(\.self)
        for binding in bindings {
            let rivals = bindings.filter {
                $0.key == binding.key && ($0.shift == binding.shift || $0.shift == .either || binding.shift == .either)
            }
            expect(rivals.count, equals: 1, "\(binding.key) \(binding.shift)")
        }
    }
}
