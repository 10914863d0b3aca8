import Engine
import Expectations
import Foundation
import Testing
import Threads

@testable import Base
@testable import Commands
@testable import Control
@testable import Layout
@testable import Player

/// Keys that `keybind`, the layout and keys.conf bind, and commands that press keys.
extension RouterTests {
    @Test func aKeyInItsOwnCommandHasItsOwnMeaning() {
        expect(run("keybind", "m", "tile right keypress m"), equals: nil)
        expect(router.runBinding(of: key("m")))
        expect(mutes, equals: [false, true])
        // The same through another key.
        expect(run("keybind", "m", "tile left keypress F1"), equals: nil)
        expect(run("keybind", "F1", "keypress m"), equals: nil)
        expect(router.runBinding(of: key("m")))
        expect(mutes, equals: [true, true])
    }

    @Test func aKeysCommandMayBeForAGroup() {
        expect(run("keybind", "F5", "group main cycle-tile-mute"), equals: nil)
        expect(router.runBinding(of: key("F5")))
        expect(mutes, equals: [true, true])
    }

    @Test func aKeyThatPressesItselfTwiceFillsNoQueue() {
        expect(run("keybind", "b", "keypress b; keypress b"), equals: nil)
        expect(run("keypress", "b"), equals: nil)
        expect(work(), equals: 3)
        expect(program.notes.locked { $0.failures.isEmpty })
    }

    @Test func keysThatPressKeysPressABoundedNumber() {
        for number in 1...11 { run("keybind", "F\(number)", "keypress F\(number + 1); keypress F\(number + 1)") }
        run("keypress", "F1")
        // Without the limit, 2,047 keys would be pressed.
        expect(work(), equals: 101)
        let failures = program.notes.locked { $0.failures }
        expect(failures, equals: ["key F6: the commands of one key press more than 100 keys"])
        // The next press counts anew.
        run("keypress", "F1")
        expect(work(), equals: 101)
    }

    @Test func theLayoutsKeysFollowItAndKeybindWinsUntilThen() throws {
        func apply(_ keys: String) throws {
            let layout = try Self.layout(keys: keys)
            runner.change { wall, now in _ = wall.apply(layout, at: now) }
        }
        expect(!router.runBinding(of: key("KP1")))
        try apply(#"{"1": "focus right", "F5": "script-message ${focus} '${focus}'"}"#)
        // The keypad's key is bound to the digit's command.
        expect(router.runBinding(of: key("KP1")) && focus == .text("right"))
        expect(router.runBinding(of: key("F5")))
        expect(program.notes.locked { $0.messages }, equals: [["right", "right"]])
        run("keybind", "KP1", "focus left")
        expect(router.runBinding(of: key("KP1")) && focus == .text("left"))
        run("keybind", "1", "tile left set mute yes")
        expect(router.runBinding(of: key("1")) && mutes[0])
        // A binding by hand stays if the new layout gives its key the same command as before.
        try apply(#"{"1": "focus right"}"#)
        run("tile", "left", "set", "mute", "no")
        expect(router.runBinding(of: key("1")) && mutes[0])
        try apply(#"{"1": "focus left; focus right"}"#)
        expect(router.runBinding(of: key("1")) && focus == .text("right"))
        expect(!router.runBinding(of: key("F5")))
    }

    /// `keybind`, then the layout, then keys.conf, then the table.
    @Test func theUsersKeysAreTheLast() throws {
        let texts = ["KP1": "focus right", "F5": "focus right", "m": "keypress m; focus left"]
        let keys = Dictionary(uniqueKeysWithValues: try texts.map { (key($0), try KeyCommand($1)) })
        let router = CommandRouter(runner, program, userKeys: keys)
        expect(!router.runBinding(of: key("F5"), from: .ofWall) && !router.runBinding(of: key("1")))
        expect(router.runBinding(of: key("KP_END")) && focus == .text("right"))
        let layout = try Self.layout(keys: #"{"1": "focus left"}"#)
        runner.change { wall, now in _ = wall.apply(layout, at: now) }
        expect(router.runBinding(of: key("KP1")) && focus == .text("left"))
        expect(router.runBinding(of: key("F5")) && focus == .text("right"))
        router.run(ControlCommand("keybind", [.text("F5"), .text("focus left")], client: "x")) { _ in }
        expect(router.runBinding(of: key("F5"), from: .ofWall) && focus == .text("left"))
        guard case .success(.list(let list)) = router.property("input-bindings") else {
            Issue.record("no input-bindings")
            return
        }
        func bound(_ key: String) -> [String?] {
            list.filter { $0["key"] == .text(key) }.flatMap { [$0["cmd"]?.asText, $0["section"]?.asText] }
        }
        expect(bound("KP1") == ["focus right", "keys.conf"] && bound("1") == ["focus left", "layout"])
        expect(bound("F5") == ["focus left", "keybind"] && bound("Ctrl+LEFT") == ["alone seek -5", "default"])
        expect(bound("m"), equals: [texts["m"], "keys.conf"])
        // A key in its own command has the meaning of the table.
        expect(router.runBinding(of: key("m")))
        let pressed = program.notes.locked { $0.queue }
        expect(pressed.map(\.press) == [key("m")] && !router.runBinding(of: key("m"), within: pressed[0].chain))
    }

    /// The keys of doc/manual/control.md, with a locked key as its example.
    @Test func aKeyThatIsBoundWithoutShiftHoldsWithShift() throws {
        let layout = try Self.layout(
            keys: #"{"q": "ignore", "m": "focus right", "UP": "ignore", "Ctrl+UP": "ignore", "1": "focus right"}"#)
        runner.change { wall, now in _ = wall.apply(layout, at: now) }
        for name in ["q", "Q", "Shift+q", "Ctrl+Shift+UP"] {
            expect(router.runBinding(of: key(name)) && router.runBinding(of: key(name), from: .ofWall), "\(name)")
        }
        // The wall's own commands of these keys differ with Shift.
        for name in ["M", "Shift+UP", "Ctrl+q", "Alt+q", "Ctrl+Q"] {
            expect(!router.runBinding(of: key(name)), "\(name)")
        }
        // A key of the keypad stands for its digit.
        expect(router.runBinding(of: key("Shift+KP1")) && focus == .text("right"))
        expect(router.isBound(key("KP1"), from: .ofWall) && !router.isBound(key("Shift+KP1"), from: .all))
        run("keybind", "Q", "focus left")
        expect(router.runBinding(of: key("Q")) && focus == .text("left"))
        expect(router.runBinding(of: key("q")) && focus == .text("left"))
    }

    @Test func theUsersKeysHoldWithShiftToo() throws {
        let texts = ["z": "focus right", "M": "focus left", "q": "focus left", "Shift+F5": "focus left"]
        let keys = Dictionary(uniqueKeysWithValues: try texts.map { (key($0), try KeyCommand($1)) })
        let router = CommandRouter(runner, program, userKeys: keys)
        expect(router.runBinding(of: key("Z")) && focus == .text("right"))
        expect(!router.runBinding(of: key("Z"), from: .ofWall) && !router.runBinding(of: key("F5")))
        // Their key with Shift precedes the layout's key without.
        let layout = try Self.layout(keys: #"{"m": "ignore", "q": "ignore"}"#)
        runner.change { wall, now in _ = wall.apply(layout, at: now) }
        expect(router.runBinding(of: key("Q")) && focus == .text("right"))
        expect(router.runBinding(of: key("M")) && focus == .text("left"))
    }

    /// Commands that were those of keys alone.
    @Test func commandsOfKeys() {
        run("focus-number", "2")
        expect(focus, equals: .text("right"))
        run("cycle-tile-mute")
        expect(mutes, equals: [false, true])
        run("add-tile-volume", "-30")
        expect(router.property("tiles/right/volume"), equals: .success(.number(70)))
        expect(run("focus-number", "0") == .invalidParameter && run("magnify", "1000000000") == .invalidParameter)
        expect(run("blind-show", "a") == .commandError && run("keep-delay") == .commandError)
        expect(run("nudge-frames", "100000") == .invalidParameter && run("solo", "maybe") == .invalidParameter)
    }

    @Test func aHeldKeyRepeatsAmountsOnly() {
        run("keybind", "VOLUME_DOWN", "add volume -5")
        run("keybind", "F2", "tile left cycle mute")
        for isRepeated in [false, true, true] {
            for name in ["VOLUME_DOWN", "F2"] { expect(router.runBinding(of: key(name), isRepeated: isRepeated)) }
        }
        expect(
            runner.read { wall, now in WallReport(wall, at: now).value(at: "volume", of: nil) },
            equals: .success(.number(85))
        )
        expect(mutes[0])
    }
}
