import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout

@Suite struct KeyNameTests {
    /// Output of mpv 0.35's --input-keylist, without mouse and gamepad.
    private static let mpv = """
        SPACE SHARP IDEOGRAPHIC_SPACE ENTER TAB BS DEL INS HOME END PGUP PGDWN ESC PRINT RIGHT LEFT DOWN UP F1 F2 F3 F4
        F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 KP0 KP1 KP2 KP3 KP4 KP5 KP6 KP7 KP8
        KP9 KP_DEL KP_DEC KP_INS KP_HOME KP_END KP_PGUP KP_PGDWN KP_RIGHT KP_BEGIN KP_LEFT KP_DOWN KP_UP KP_ENTER KP_ADD
        KP_SUBTRACT KP_MULTIPLY KP_DIVIDE POWER MENU PLAY PAUSE PLAYPAUSE STOP FORWARD REWIND NEXT PREV VOLUME_UP
        VOLUME_DOWN MUTE HOMEPAGE WWW MAIL FAVORITES SEARCH SLEEP CANCEL RECORD CHANNEL_UP CHANNEL_DOWN PLAYONLY
        PAUSEONLY GO_BACK GO_FORWARD TOOLS ZOOMIN ZOOMOUT
        """

    @Test func everyKeyIsKnownByTheNameThatMpvHasForIt() {
        for name in Self.mpv.split(whereSeparator: \.isWhitespace).map(String.init) {
            expect(KeyPress(name: name) != nil, "\(name)")
            expect(KeyPress(name: name.lowercased()), equals: KeyPress(name: name), "\(name)")
        }
    }

    @Test func oneKeyHasManyNames() {
        let alike: [[String]] = [
            ["PGUP", "PageUp", "Page Up", "PAGE_UP"], ["KP1", "Keypad 1", "KP_1", "kp1"], ["ESC", "Escape"],
            ["DEL", "Delete"], ["ENTER", "Return"], ["BS", "Backspace"], ["NEXT", "AudioNext"],
            ["PLAY", "PLAYPAUSE", "AudioPlay"], ["MUTE", "AudioMute"], ["VOLUME_UP", "VolumeUp"],
            ["KP_ADD", "Keypad +"], ["KP_ENTER", "Keypad Enter"], ["SHARP", "#"], ["SPACE", " "],
            ["HOMEPAGE", "AC Home"], ["Ctrl+KP_ADD", "ctrl+Keypad +", "Control+KP_PLUS"],
            ["Meta+a", "Super+a", "GUI+a"],
            ["M", "Shift+m"], ["{", "Shift+{"],
        ]
        for names in alike {
            let presses = Set(names.map { KeyPress(name: $0) })
            expect(presses.count == 1 && !presses.contains(nil), "\(names)")
        }
        let unlike = [
            "KP1", "1", "KP_END", "END", "KP_ENTER", "ENTER", "PAUSE", "PLAY", "F1", "F11", "m", "M", "Alt+m",
        ]
        expect(Set(unlike.map { KeyPress(name: $0) }).count, equals: unlike.count)
    }

    @Test func whatAKeyIsCalledIsItsName() {
        for row in KeyNames.rows {
            let press = KeyPress(row.key, .control)
            expect(KeyPress(name: press.name), equals: press, "\(press.name)")
        }
        for name in ["1", "a", "Shift+a", "Ctrl+.", ";", "?", "Ctrl+Alt+Shift+Meta+F5"] {
            expect(KeyPress(name: name)?.name, equals: name)
        }
        expect(KeyNames.rows.flatMap(\.codes).count, equals: Set(KeyNames.rows.flatMap(\.codes)).count)
    }

    @Test func aKeyOfTheKeypadStandsForAnother() {
        func readings(_ name: String) -> [String] { KeyPress(name: name)!.readings.map(\.name) }
        expect(readings("Ctrl+KP_END"), equals: ["Ctrl+KP_END", "Ctrl+KP1", "Ctrl+1"])
        expect(readings("KP_ENTER") == ["KP_ENTER", "ENTER"] && readings("F5") == ["F5"])
    }

    @Test func aWrongNameGetsTheNearest() {
        let cases = [
            ("F25", "no key is called \"F25\"; did you mean \"F2\"?"),
            ("PGDOWN", "no key is called \"PGDOWN\"; did you mean \"PGDWN\"?"),
            ("Ctrl+Shift+ENTR", "no key is called \"Ctrl+Shift+ENTR\"; did you mean \"Ctrl+Shift+ENTER\"?"),
            ("Crtl+a", "no key is called \"Crtl+a\"; did you mean \"Ctrl+a\"?"),
            ("AudioNxt", "no key is called \"AudioNxt\"; did you mean \"AudioNext\"?"),
            (
                "MBTN_LEFT",
                "no key is called \"MBTN_LEFT\"; mpv's and SDL's names would be right, as F5, KP1, PGUP, Ctrl+a, AudioNext"
            ),
        ]
        for (name, complaint) in cases {
            expect(KeyPress(name: name), equals: nil)
            expect(KeyPress.complaint(about: name), equals: complaint)
        }
    }

    @Test func aKeysCommandIsReadBeforeItIsPressed() throws {
        for text in [
            "focus left", "tile left alone frame-step; show-text \"a b\"", "no-osd add volume 5", "keypress F1",
            "add volume ${volume}", "script-message a b", "playlist_next",
        ] {
            #expect(throws: Never.self) { try KeyCommand(text) }
        }
        let wrong = [
            ("fokus left", "no command is called \"fokus\"; did you mean \"focus\"?"),
            ("seek", "seek: target is missing; usage: seek TARGET [FLAGS] [LEGACY]"),
            ("add volume x", "add: value must be a number; usage: add NAME [VALUE]"),
            ("tile left", "usage: tile ID [alone] COMMAND ..."), ("", "a command's name is missing"),
            ("tile left tile right pause", "usage: tile ID [alone] COMMAND ..."),
            ("keypress F25", "no key is called \"F25\""), ("break a b", "break: there are 2 arguments"),
            ("quit \"", "a quote does not end"),
        ]
        for (text, detail) in wrong {
            do {
                _ = try KeyCommand(text)
                Issue.record("taken for right: \(text)")
            } catch { expect(error.detail?.hasPrefix(detail), equals: true, "\(text): \(error)") }
        }
        let repeating = [
            ("add volume 5", true), ("tile a alone seek 5", true), ("break ad", false), ("add volume 5; quit", false),
            ("repeatable break ad", true), ("nonrepeatable add volume 5", false),
        ]
        for (text, repeats) in repeating { try expect(KeyCommand(text).repeats, equals: repeats, "\(text)") }
    }
}

/// Keys in a layout.
@Suite struct LayoutKeysTests {
    private func read(_ keys: String, _ more: String = "") -> ParsedLayout {
        let tiles = "\"tiles\": [{\"id\": \"left\", \"play\": \"a\"}, {\"id\": \"right\", \"play\": \"b\"}]"
        let text =
            "{\(more)\"breaks\": [{\"name\": \"ad\", \"play\": \"c\"}], \"keys\": \(keys), \(tiles)}"
        return LayoutReader.read(Array(text.utf8), path: "wall.json")
    }

    private func mistakes(_ keys: String) -> [String] {
        guard case .mistakes(let mistakes) = read(keys) else { return [] }
        return mistakes.lines(path: "wall.json")
    }

    @Test func aLayoutsKeysAreCommandsByKey() throws {
        let reading = read(
            """
            {"F1": "break ad", "KP1": "focus left", "Ctrl+PGUP": "tile right alone seek -5; show-text x", "x-note": "?"}
            """)
        guard case .layout(let layout) = reading else {
            Issue.record("\(reading)")
            return
        }
        func text(_ key: String) -> String? { layout.keys[KeyPress(name: key)!]?.text }
        expect(layout.keys.count, equals: 3)
        expect(text("F1") == "break ad" && text("Keypad 1") == "focus left" && text("ctrl+pageup") != nil)
    }

    @Test func mistakesInALayoutsKeysAreReportedAtTheirPlaces() {
        let cases = [
            (#"{"F25": "quit"}"#, #"1:52: keys.F25: no key is called "F25"; did you mean "F2"?"#),
            (
                #"{"F1": "brake ad"}"#,
                #"1:58: keys.F1: "brake ad" is wrong here; no command is called "brake"; did you mean "break"?"#
            ),
            (#"{"F1": "focus lefft"}"#, #"1:58: keys.F1: no tile is called "lefft"; did you mean "left"?"#),
            (#"{"F1": "tile rigth pause"}"#, nil),
            (#"{"F1": "break add"}"#, #"1:58: keys.F1: no break is called "add"; did you mean "ad"?"#),
            (#"{"F1": 3}"#, #"1:58: keys.F1: 3 is wrong here; a command, such as "focus left", would be right"#),
            (
                #"{"ESC": "quit", "Escape": "ignore"}"#,
                #"1:67: keys.Escape: another name of the key "ESC"; one of them would be right"#
            ),
            (
                "3",
                #"1:51: keys: 3 is wrong here; an object of commands by key, such as {"F1": "focus left"}, would be right"#
            ),
        ]
        for (keys, expected) in cases {
            let lines = mistakes(keys)
            expect(lines.count, equals: 1, "\(keys): \(lines)")
            if let expected { expect(lines.first, equals: "wall.json:" + expected) }
        }
        // Two names of one key may have the same command. A command may name a tile of another layout.
        expect(mistakes(#"{"PLAY": "cycle pause", "PLAYPAUSE": "cycle pause"}"#).isEmpty)
        expect(mistakes(#"{"F1": "layout-load b.json; focus other"}"#).isEmpty)
    }
}
