import Expectations
import Foundation
import Testing

@testable import Base
@testable import Commands
@testable import Player

@Suite struct KeyTableTests {
    @Test func theManualHasItWhole() throws {
        let page = try ManualPage("doc/manual/getting-started.md")
        let rows = (["| input | does |", "|---|---|"] + KeyTable.wall.lines.map(\.row)).joined(separator: "\n")
        expect(page.text.contains("\n\(rows)\n\n"), "\(page.path): the table of keys is to be:\n\(rows)")
    }

    @Test func keysHaveNames() {
        let cases: [(String, KeyPress?)] = [
            ("END", KeyPress(.named("END"), [])), ("Ctrl+END", KeyPress(.named("END"), .control)),
            ("{", KeyPress(.sign("{"), [])),
            ("}", KeyPress(.sign("}"), [])), ("S", KeyPress(.letter("s"), .shift)),
            ("Ctrl++", KeyPress(.plus, .control)), ("+", KeyPress(.plus, [])),
            ("Ctrl+-", KeyPress(.sign("-"), .control)),
            ("Ctrl+UP", KeyPress(.named("UP"), .control)), ("ENTER", KeyPress(.enter, [])), ("Ctrl+", nil),
            ("Hyper++", nil),
            ("", nil),
        ]
        for (name, press) in cases { expect(KeyPress(name: name), equals: press, "\(name)") }
    }

    @Test(arguments: [KeyTable.wall, .blind, .byEye]) func noKeyAsksForTwoThings(_ table: KeyTable) {
        for binding in table.bindings {
            expect(table.bindings.filter { $0.press == binding.press }.count, equals: 1, "\(binding.press.name)")
        }
    }

    /// A key that has another command with Shift alone may have one with Alt, which Alt and Shift send, too.
    @Test func shiftMakesNoDifferenceUnlessARowHasIt() throws {
        let table = KeyTable([
            KeyRow("x", "a", ["LEFT": "seek -5", "Shift+LEFT": "seek -1", "Alt+LEFT": "add balance -0.1"]),
            KeyRow("x", "a", ["Alt+RIGHT": "frame-step", "Alt+Shift+RIGHT": "frame-back-step"]),
        ])
        let left = Change.property("balance", .add(-0.1), .group)
        let cases: [(Key, Modifiers, Change?)] = [
            (.named("LEFT"), [.alt], left), (.named("LEFT"), [.alt, .shift], left),
            (.named("LEFT"), [.control, .shift], nil),
            (.named("LEFT"), [.shift], .seek(.by(-.seconds(1)), .group)),
            (.named("RIGHT"), [.alt], .step(by: 1, .group)),
            (.named("RIGHT"), [.alt, .shift], .step(by: -1, .group)), (.named("RIGHT"), [.shift], nil),
        ]
        for (key, modifiers, command) in cases {
            expect(table.change(for: key, modifiers, isRepeated: false), equals: command, "\(key) \(modifiers)")
        }
    }

    /// `keybind`, a layout's `keys` and keys.conf take the texts of the tables.
    @Test(arguments: [KeyTable.wall, .blind, .byEye]) func everyKeyHasATextCommand(_ table: KeyTable) throws {
        for (press, text) in table.commands {
            expect(KeyPress(name: press.name), equals: press)
            try expect(KeyCommand(text).change != nil, "\(press.name): \(text)")
        }
        expect(table.commands[KeyPress(.letter("c"), .control)], equals: "quit")
    }

    @Test func theHelpListsWhatTheUserHasBound() throws {
        var bound: [KeyPress: KeyCommand] = [:]
        for (name, text) in [(".", "seek 1"), ("q", "ignore"), ("3", "focus left"), ("Shift+LEFT", "seek -60")] {
            bound[KeyPress(name: name)!] = try KeyCommand(text)
        }
        let lines = KeyTable.wall.lines(with: bound)
        func descriptions(_ keys: String) -> [String] { lines.filter { $0.keys == keys }.map(\.description) }
        /// The help of a row of the table, by its keycaps.
        func helps(_ keys: String) -> [String] { KeyTable.wall.lines.filter { $0.keys == keys }.map(\.description) }
        expect(
            descriptions("q") == ["ignore"] && descriptions(".") == ["seek 1"] && descriptions("3") == ["focus left"])
        for (shown, row) in [
            (",", ".  ,"), ("1 \u{2026} 9", "1 \u{2026} 9"), ("\u{2190}  \u{2192}", "\u{2190}  \u{2192}"),
        ] {
            expect(helps(row).count, equals: 1, "\(row)")
            expect(descriptions(shown), equals: helps(row))
        }
        expect(descriptions("Shift+LEFT"), equals: ["seek -60"])
        expect(lines.count, equals: KeyTable.wall.lines.count + 3)
        expect(KeyTable.wall.lines(with: [:]), equals: KeyTable.wall.lines)
        for number in 1...24 { bound[KeyPress(name: "F\(number)")!] = try KeyCommand("quit") }
        expect(KeyTable.wall.lines(with: bound).last, equals: KeyLine("\u{2026}", "12 more"))
    }
}
