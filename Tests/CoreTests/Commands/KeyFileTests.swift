import Expectations
import Testing

@testable import Base
@testable import Commands

/// The user's own keys, as in ~/.config/quadrille/keys.conf.
@Suite struct KeyFileTests {
    private func texts(_ file: KeyFile) -> [String: String] {
        Dictionary(uniqueKeysWithValues: file.keys.map { ($0.key.name, $0.value.text) })
    }

    private func mistakes(_ text: String) -> [String] {
        KeyFile(Array(text.utf8)).mistakes?.lines(path: "keys.conf") ?? []
    }

    @Test func aLineIsAKeyAndItsCommands() {
        let file = KeyFile(
            Array(
                """
                \u{FEFF}# my keys

                F1 break ad
                \tCtrl+PGUP   tile left seek -60; show-text "back  there"\t
                q ignore\r
                PageDown alone speed-up # slower
                SHARP cycle-info
                PLAY cycle pause
                PLAYPAUSE cycle pause
                """.utf8))
        expect(file.mistakes, equals: nil)
        expect(
            texts(file),
            equals: [
                "F1": "break ad", "Ctrl+PGUP": "tile left seek -60; show-text \"back  there\"", "q": "ignore",
                "PGDWN": "alone speed-up # slower", "SHARP": "cycle-info", "PLAY": "cycle pause",
            ])
        expect(KeyFile([]).keys.isEmpty && KeyFile(Array("\n \n#\n".utf8)).keys.isEmpty)
    }

    @Test func mistakesAreReportedAtTheirPlaces() {
        let cases = [
            ("F25 quit", #"1:1: F25: no key is called "F25"; did you mean "F2"?"#),
            (
                "# keys\n  F1  brake ad",
                #"2:7: F1: "brake ad" is wrong here; no command is called "brake"; did you mean "break"?"#
            ),
            ("F1", #"1:1: F1: a command, such as "focus left", is missing"#),
            ("\u{E4} # none", #"1:1: ä: a command, such as "focus left", is missing"#),
            (
                "F1 seek",
                #"1:4: F1: "seek" is wrong here; seek: target is missing; usage: seek TARGET [FLAGS] [LEGACY] "#
                    + "(by seconds; absolute, relative-percent, ...)"
            ),
            ("F1 alone", #"1:4: F1: "alone" is wrong here; usage: alone COMMAND ..."#),
            ("F1 alone alone end", #"1:4: F1: "alone alone end" is wrong here; usage: alone COMMAND ..."#),
            ("q end\nq home", #"2:1: q: the key "q" of line 1; one of them would be right"#),
            (
                "ESC end\n Escape home",
                #"2:2: Escape: another name of the key "ESC" of line 1; one of them would be right"#
            ),
        ]
        for (text, expected) in cases { expect(mistakes(text), equals: ["keys.conf:" + expected], "\(text)") }
    }

    @Test func aWrongLineLeavesTheOthers() {
        let file = KeyFile(Array("F1 qit\nF2 quit\nF2 end\nF3 home\n".utf8))
        expect(texts(file), equals: ["F2": "quit", "F3": "home"])
        expect(file.mistakes?.count, equals: 2)
        let many = KeyFile(Array(String(repeating: "F25 quit\n", count: 300).utf8))
        expect(many.mistakes?.count == 300 && many.mistakes?.listed.count == Mistakes.most)
    }

    @Test func anyBytesAreRead() {
        for bytes in [[0xFF, 0x20, 0xFE], [0xEF, 0xBB], [0, 0, 0x0A, 0], [0x61, 0x20, 0x22]] as [[UInt8]] {
            expect(KeyFile(bytes).keys.isEmpty, "\(bytes)")
        }
    }
}
