import Base
import CSDL2
import Commands
import Control
import Expectations
import Layout
import Testing

@testable import Screen

@Suite struct ControlTests {
    @Test func everyKeyOfTheTable() {
        let five = Time.seconds(5), one = Time.seconds(1)
        let cases: [(Key, Modifiers, Change?)] = [
            (.space, [], .property("pause", .cycle(isUp: true), .group)),
            (.space, .control, .property("pause", .cycle(isUp: true), .tileAlone)),
            (.sign("."), [], .step(by: 1, .group)), (.sign(","), [], .step(by: -1, .group)),
            (.sign("."), .control, .step(by: 1, .tileAlone)),
            (.named("LEFT"), [], .seek(.by(-five), .group)), (.named("RIGHT"), [], .seek(.by(five), .group)),
            (.named("LEFT"), .shift, .seek(.by(-one), .group)),
            (.named("RIGHT"), [.shift, .control], .seek(.by(one), .tileAlone)),
            (.named("HOME"), [], .home(.group)), (.named("HOME"), .control, .home(.tileAlone)),
            (.sign("["), [], .rate(.slower, .group)), (.sign("]"), [], .rate(.faster, .group)),
            (.sign("["), .shift, .property("speed", .multiply(0.5), .group)),
            (.sign("{"), [], .property("speed", .multiply(0.5), .group)),
            (.sign("}"), [], .property("speed", .multiply(2), .group)),
            (.sign("]"), [.shift, .control], .property("speed", .multiply(2), .tileAlone)),
            (.named("END"), [], .end(.group)), (.named("END"), .control, .end(.tileAlone)),
            (.letter("s"), .shift, .solo(.toggle)), (.letter("s"), [], .program(.screenshot(.wall, to: nil))),
            (.letter("s"), .control, .window(.saveLayout)), (.letter("s"), [.shift, .control], .window(.saveLayout)),
            (.sign("."), .alt, .stepOfAny(by: 1)), (.sign(","), .alt, .stepOfAny(by: -1)),
            (.sign("."), [.alt, .control], nil),
            (.letter("q"), .alt, nil),
            (.named("UP"), .control, .volume(.by(5), .tile)), (.named("DOWN"), .control, .volume(.by(-5), .tile)),
            (.plus, .control, .property("audio-delay", .add(0.01), .group)),
            (.plus, [.control, .shift], .property("audio-delay", .add(0.01), .group)),
            (.sign("-"), .control, .property("audio-delay", .add(-0.01), .group)),
            (.plus, [], .magnify(.steps(1), at: nil)),
            (.sign("-"), [], .magnify(.steps(-1), at: nil)), (.digit(0), [], .magnify(.all, at: nil)),
            (.backspace, [], .property("speed", .set(.text("1")), .group)),
            (.sign("]"), .control, .rate(.faster, .tileAlone)),
            (.digit(1), [], .focus(.number(1))), (.digit(9), .shift, .focus(.number(9))),
            (.tab, [], .property("focus", .cycle(isUp: true), .group)),
            (.tab, .shift, .property("focus", .cycle(isUp: false), .group)),
            (.letter("m"), [], .mute(.toggle, .tile)),
            (.letter("m"), .shift, .property("mute", .cycle(isUp: true), .group)),
            (.named("UP"), [], .property("volume", .add(5), .group)),
            (.named("DOWN"), [], .property("volume", .add(-5), .group)),
            (.letter("a"), [], .property("aid", .cycle(isUp: true), .group)), (.letter("n"), [], .item(by: 1)),
            (.letter("p"), [], .item(by: -1)),
            (.letter("z"), [], .zoom(.toggle)), (.escape, [], .program(.escape)),
            (.letter("f"), [], .property("fullscreen", .cycle(isUp: true), .group)),
            (.named("F11"), [], .property("fullscreen", .cycle(isUp: true), .group)),
            (.letter("w"), [], .window(.pictureInPicture)), (.letter("i"), [], .window(.info)),
            (.letter("h"), [], .window(.help)), (.sign("?"), [], .window(.help)),
            (.letter("q"), [], .window(.quit(0))), (.letter("c"), .control, .window(.quit(0))),
            (.letter("c"), [], .compare(.toggle)), (.letter("m"), .control, nil),
            (.letter("x"), [], .compare(.changeSides)), (.letter("v"), [], .compare(.mode(by: 1))),
            (.letter("v"), .shift, .compare(.mode(by: -1))), (.letter("r"), [], .compare(.turnLine)),
            (.letter("g"), [], .compare(.gainDoubled)), (.letter("g"), .shift, .compare(.gainHalved)),
            (.letter("t"), [], .nudgeByFrame(1)), (.letter("t"), .shift, .nudgeByFrame(-1)),
            (.letter("t"), .control, .nudge(by: .milliseconds(1))),
            (.letter("t"), [.control, .shift], .nudge(by: .milliseconds(-1))), (.letter("e"), [], nil),
            (.tab, .other, nil), (.space, .other, nil),
            (KeyPress(name: "KP9")!.key, [], .focus(.number(9))),
            (KeyPress(name: "KP_PGUP")!.key, [], .focus(.number(9))),
            (KeyPress(name: "KP_ADD")!.key, .control, .property("audio-delay", .add(0.01), .group)),
            (KeyPress(name: "F5")!.key, [], .retry(.all)), (KeyPress(name: "F6")!.key, [], nil), (.sign(";"), [], nil),
        ]
        for (key, modifiers, expected) in cases {
            expect(
                KeyTable.wall.change(for: key, modifiers, isRepeated: false), equals: expected, "\(key) \(modifiers)")
        }
    }

    @Test func aHeldKeyRepeatsAmountsAndNotSwitches() {
        expect(
            KeyTable.wall.change(for: .named("RIGHT"), [], isRepeated: true), equals: .seek(.by(.seconds(5)), .group))
        expect(KeyTable.wall.change(for: .sign("."), [], isRepeated: true), equals: .step(by: 1, .group))
        expect(
            KeyTable.wall.change(for: .named("UP"), [], isRepeated: true), equals: .property("volume", .add(5), .group))
        for key in [Key.space, .letter("f"), .letter("m"), .letter("z"), .letter("q"), .named("HOME")] {
            expect(KeyTable.wall.change(for: key, [], isRepeated: true), equals: nil)
        }
    }

    @Test func aKioskOnlyTakesItsEnd() {
        var controls = Controls(input: .none)
        let inputs: [InputEvent] = [
            .keyDown(.letter("q"), [], .first), .keyDown(.letter("c"), .control, .first),
            .pointerDown(Point(1, 1), .left, clicks: 1), .pointerUp(Point(1, 1), .left, clicks: 1),
            .touchDown(finger: 1, Point(1, 1), milliseconds: 0), .touchUp(finger: 1, Point(1, 1), milliseconds: 1),
        ]
        for input in inputs {
            let commands = controls.changes(for: input)
            expect(commands.isEmpty)
        }
        let closed = controls.changes(for: .window(.closeRequested))
        let lost = controls.changes(for: .displayIsGone)
        expect(closed == [.window(.quit(0))] && lost.isEmpty)
    }

    private func commands(_ events: [InputEvent]) -> [Change] {
        var controls = Controls(input: .all)
        return events.flatMap { controls.changes(for: $0) }
    }

    @Test func pointerAndFingers() {
        let a = Point(100, 100), near = Point(104, 103), right = Point(120, 103), far = Point(60, 90)
        let down = Point(101, 130)
        let cases: [(String, [InputEvent], [Change])] = [
            (
                "click", [.pointerDown(a, .left, clicks: 1), .pointerMoved(near), .pointerUp(near, .left, clicks: 1)],
                [.click(near)]
            ),
            (
                "double click",
                [
                    .pointerDown(a, .left, clicks: 1), .pointerUp(a, .left, clicks: 1),
                    .pointerDown(a, .left, clicks: 2), .pointerUp(a, .left, clicks: 2),
                ], [.click(a), .doubleClick(a)]
            ),
            ("other buttons", [.pointerDown(a, .right, clicks: 1), .pointerUp(a, .right, clicks: 1)], []),
            ("hover", [.pointerMoved(a), .pointerMoved(far)], []),
            (
                "scrub",
                [
                    .pointerDown(a, .left, clicks: 1), .pointerMoved(right), .pointerMoved(far),
                    .pointerUp(far, .left, clicks: 1),
                ],
                [
                    .scrub(.began(at: a)), .scrub(.moved(by: 20, down: 3)), .scrub(.moved(by: -40, down: -10)),
                    .scrub(.ended),
                ]
            ),
            (
                "drag down",
                [
                    .pointerDown(a, .left, clicks: 1), .pointerMoved(down), .pointerMoved(right),
                    .pointerUp(right, .left, clicks: 1),
                ],
                [
                    .scrub(.began(at: a, .upright)), .scrub(.moved(by: 1, down: 30)),
                    .scrub(.moved(by: 20, down: 3)), .scrub(.ended),
                ]
            ),
            (
                "lost while scrubbing",
                [
                    .pointerDown(a, .left, clicks: 1), .pointerMoved(right), .window(.focusLost), .pointerMoved(far),
                    .pointerUp(far, .left, clicks: 1),
                ],
                [.scrub(.began(at: a)), .scrub(.moved(by: 20, down: 3)), .scrub(.ended)]
            ),
            ("tap", [.touchDown(finger: 1, a, milliseconds: 0), .touchUp(finger: 1, a, milliseconds: 90)], [.tap(a)]),
            (
                "double tap",
                [
                    .touchDown(finger: 1, a, milliseconds: 0), .touchUp(finger: 1, a, milliseconds: 90),
                    .touchDown(finger: 2, near, milliseconds: 200), .touchUp(finger: 2, near, milliseconds: 290),
                ],
                [.tap(a), .doubleTap(near)]
            ),
            (
                "two slow taps",
                [
                    .touchDown(finger: 1, a, milliseconds: 0), .touchUp(finger: 1, a, milliseconds: 90),
                    .touchDown(finger: 1, a, milliseconds: 700), .touchUp(finger: 1, a, milliseconds: 800),
                ],
                [.tap(a), .tap(a)]
            ),
            (
                "two fingers",
                [
                    .touchDown(finger: 1, a, milliseconds: 0), .touchDown(finger: 2, far, milliseconds: 9),
                    .touchMoved(finger: 1, right), .touchUp(finger: 1, right, milliseconds: 50),
                    .touchUp(finger: 2, far, milliseconds: 60),
                ],
                [
                    .magnify(.scale(3769.squareRoot() / 1700.squareRoot()), at: Point(90, 96)),
                    .magnify(.move(10, 1), at: Point(90, 96)),
                ]
            ),
            (
                "wheel", [.pointerMoved(far), .wheel(0, 1), .wheel(1, 0), .wheel(0, -2)],
                [.magnify(.steps(1), at: far), .magnify(.steps(-2), at: far)]
            ),
            ("a wheel without a pointer", [.wheel(0, 1)], []),
            (
                "right drag",
                [
                    .pointerDown(a, .right, clicks: 1), .pointerMoved(right), .pointerMoved(far),
                    .pointerUp(far, .right, clicks: 1), .pointerMoved(a),
                ],
                [.magnify(.move(20, 3), at: a), .magnify(.move(-60, -13), at: a)]
            ),
            (
                "a second finger ends a scrub",
                [
                    .touchDown(finger: 1, a, milliseconds: 0), .touchMoved(finger: 1, right),
                    .touchDown(finger: 2, far, milliseconds: 9), .touchMoved(finger: 1, far),
                    .touchUp(finger: 2, far, milliseconds: 50), .touchUp(finger: 1, far, milliseconds: 60),
                ],
                [
                    .scrub(.began(at: a)), .scrub(.moved(by: 20, down: 3)), .scrub(.ended),
                    .magnify(.move(-30, -6), at: Point(60, 90)),
                ]
            ),
        ]
        for (what, events, expected) in cases { expect(commands(events), equals: expected, "\(what)") }
    }
}

@Suite struct EventReaderTests {
    private func reader() -> EventReader { EventReader(window: 7, pixelSize: Size(1000, 500), wakeType: 40_000) }

    private func key(_ symbol: Int, _ code: SDL_Scancode, _ modifiers: UInt32 = 0, repeats: UInt8 = 0) -> SDL_Event {
        var event = SDL_Event()
        event.key.type = SDL_KEYDOWN.rawValue
        event.key.windowID = 7
        event.key.repeat = repeats
        event.key.keysym = SDL_Keysym(scancode: code, sym: Int32(symbol), mod: UInt16(modifiers), unused: 0)
        return event
    }
    private func text(_ sign: Character) -> SDL_Event {
        var event = SDL_Event()
        event.text.type = SDL_TEXTINPUT.rawValue
        event.text.windowID = 7
        withUnsafeMutableBytes(of: &event.text.text) { $0.copyBytes(from: String(sign).utf8) }
        return event
    }
    private func press(_ name: String) -> Key { KeyPress(name: name)!.key }

    /// Every name that SDL has for a key, and the event of that key.
    @Test func everyKeyIsKnownByTheNameThatSDLHasForIt() {
        var count = 0
        for number in 4..<UInt32(SDL_NUM_SCANCODES.rawValue) {
            let code = SDL_Scancode(rawValue: number)
            let name = String(cString: SDL_GetScancodeName(code))
            if name.isEmpty { continue }
            count += 1
            guard let known = KeyPress(name: name)?.key else {
                Issue.record("no key is called \(name)")
                continue
            }
            // The keyboard's layout decides which sign a character key types.
            if name.count == 1 { continue }
            var reader = reader()
            let sign = Int(symbol(code))
            let read = reader.read(key(sign, code, KMOD_NUM.rawValue))
            expect(read, equals: .keyDown(known, [], .first), "\(name)")
        }
        expect(count, above: 220)
    }

    /// The symbol that SDL uses for a key that types no sign.
    private func symbol(_ code: SDL_Scancode) -> Int32 {
        Int32(bitPattern: code.rawValue | UInt32(SDLK_SCANCODE_MASK))
    }

    @Test func theSignOfAKeyThatSaysMoreSaysWhichKeyItWas() {
        var reader = reader()
        _ = reader.read(key(Int(SDLK_KP_PERIOD.rawValue), SDL_SCANCODE_KP_PERIOD, KMOD_NUM.rawValue))
        let typed = reader.read(text(","))
        expect(typed, equals: .typed(.sign(","), by: press("KP_DEC"), .first))
        _ = reader.read(key(Int(SDLK_KP_PLUS.rawValue), SDL_SCANCODE_KP_PLUS, KMOD_NUM.rawValue))
        let again = reader.read(text("+"))
        expect(again, equals: nil)
    }

    @Test func keys() {
        let cases: [(SDL_Event, InputEvent?)] = [
            (key(0x20, SDL_SCANCODE_SPACE), .keyDown(.space, [], .first)),
            (key(0x20, SDL_SCANCODE_SPACE, repeats: 1), .keyDown(.space, [], .repeated)),
            (key(109, SDL_SCANCODE_M, KMOD_LSHIFT.rawValue), .keyDown(.letter("m"), .shift, .first)),
            (key(99, SDL_SCANCODE_C, KMOD_RCTRL.rawValue), .keyDown(.letter("c"), .control, .first)),
            // On a French keyboard the key 1 types &.
            (key(38, SDL_SCANCODE_1), .keyDown(.digit(1), [], .first)),
            (key(0, SDL_SCANCODE_KP_9, KMOD_NUM.rawValue), .keyDown(press("KP9"), [], .first)),
            (key(Int(SDLK_KP_9.rawValue), SDL_SCANCODE_KP_9), .keyDown(press("KP_PGUP"), [], .first)),
            (key(46, SDL_SCANCODE_PERIOD), nil),
            (text("."), .typed(.sign("."), by: nil, .first)),
            (text("["), .typed(.sign("["), by: nil, .first)), (text("{"), .typed(.sign("{"), by: nil, .first)),
            (text("ä"), .typed(.sign("ä"), by: nil, .first)), (text(";"), .typed(.sign(";"), by: nil, .first)),
            (key(Int(SDLK_END.rawValue), SDL_SCANCODE_END), .keyDown(.named("END"), [], .first)),
            // A plus is typed with Shift on one keyboard, by its own key on another, and on the keypad.
            (
                key(0x3D, SDL_SCANCODE_EQUALS, KMOD_LCTRL.rawValue | KMOD_LSHIFT.rawValue),
                .keyDown(.plus, [.control, .shift], .first)
            ),
            (key(0x2B, SDL_SCANCODE_RIGHTBRACKET, KMOD_LCTRL.rawValue), .keyDown(.plus, .control, .first)),
            (
                key(0x3D, SDL_SCANCODE_EQUALS, KMOD_LALT.rawValue | KMOD_LSHIFT.rawValue),
                .keyDown(.plus, [.alt, .shift], .first)
            ),
            (
                key(109, SDL_SCANCODE_M, KMOD_LALT.rawValue | KMOD_RSHIFT.rawValue),
                .keyDown(.letter("m"), [.alt, .shift], .first)
            ),
            (
                key(Int(SDLK_KP_PLUS.rawValue), SDL_SCANCODE_KP_PLUS, KMOD_LCTRL.rawValue),
                .keyDown(press("KP_ADD"), .control, .first)
            ),
            (key(0x2D, SDL_SCANCODE_MINUS, KMOD_LCTRL.rawValue), .keyDown(.sign("-"), .control, .first)),
            (key(0x3D, SDL_SCANCODE_EQUALS), nil), (text("="), .typed(.sign("="), by: nil, .first)),
            (text("?"), .typed(.sign("?"), by: nil, .first)),
            (text("x"), nil), (text("1"), nil), (text(" "), nil),
            (key(46, SDL_SCANCODE_PERIOD, KMOD_LCTRL.rawValue), .keyDown(.sign("."), .control, .first)),
            (key(Int(SDLK_F11.rawValue), SDL_SCANCODE_F11), .keyDown(.named("F11"), [], .first)),
            (key(Int(SDLK_F5.rawValue), SDL_SCANCODE_F5), .keyDown(press("F5"), [], .first)),
            (key(Int(SDLK_DELETE.rawValue), SDL_SCANCODE_DELETE), .keyDown(press("DEL"), [], .first)),
            // SDL sends no text for a letter that the system's language lacks.
            (key(0xE4, SDL_SCANCODE_APOSTROPHE), .keyDown(.sign("ä"), [], .first)),
            // The key's meaning in the layout counts, not its place.
            (key(Int(SDLK_ESCAPE.rawValue), SDL_SCANCODE_CAPSLOCK), .keyDown(.escape, [], .first)),
            (
                key(Int(SDLK_LCTRL.rawValue), SDL_SCANCODE_LCTRL, KMOD_LCTRL.rawValue),
                .keyDown(press("Left Ctrl"), [], .first)
            ),
        ]
        for (event, expected) in cases {
            var reader = reader()
            let read = reader.read(event)
            expect(read, equals: expected)
        }
    }

    @Test func aHeldSignRepeats() {
        var reader = reader()
        _ = reader.read(key(46, SDL_SCANCODE_PERIOD, repeats: 1))
        let read = reader.read(text("."))
        expect(read, equals: .typed(.sign("."), by: nil, .repeated))
    }

    @Test func aSignThatWasAKeyAlreadyIsNotReadAgain() {
        for modifier in [KMOD_LCTRL, KMOD_LALT] {
            var reader = reader()
            _ = reader.read(key(46, SDL_SCANCODE_PERIOD, modifier.rawValue))
            let again = reader.read(text("."))
            expect(again, equals: nil)
            _ = reader.read(key(46, SDL_SCANCODE_PERIOD))
            let next = reader.read(text("."))
            expect(next, equals: .typed(.sign("."), by: nil, .first))
        }
    }

    /// A sign that needs Shift on this keyboard is bound by its name, as others are.
    @Test func withAltAndShiftASignIsAKey() {
        var reader = reader()
        let first = reader.read(key(46, SDL_SCANCODE_PERIOD, KMOD_LALT.rawValue | KMOD_LSHIFT.rawValue))
        expect(first, equals: .keyDown(.sign("."), [.alt, .shift], .first))
        let typed = reader.read(text(">"))
        expect(typed, equals: .keyDown(.sign(">"), [.alt, .shift], .first))
        // On a German keyboard AltGr with the key 7 types a brace.
        _ = reader.read(key(55, SDL_SCANCODE_7, KMOD_RALT.rawValue))
        let brace = reader.read(text("{"))
        expect(brace, equals: .typed(.sign("{"), by: .digit(7), .first))
    }

    @Test func placesAreInPixels() {
        var reader = reader()
        reader.pixelsPerUnit = (2, 2)
        var event = SDL_Event()
        event.motion.type = SDL_MOUSEMOTION.rawValue
        event.motion.windowID = 7
        (event.motion.x, event.motion.y) = (10, 20)
        let moved = reader.read(event)
        expect(moved, equals: .pointerMoved(Point(20, 40)))
        event.motion.windowID = 8
        let elsewhere = reader.read(event)
        expect(elsewhere, equals: nil)
        event = SDL_Event()
        event.tfinger.type = SDL_FINGERDOWN.rawValue
        (event.tfinger.fingerId, event.tfinger.x, event.tfinger.y, event.tfinger.timestamp) = (3, 0.5, 0.5, 12)
        let touched = reader.read(event)
        expect(touched, equals: .touchDown(finger: 3, Point(500, 250), milliseconds: 12))
        event = SDL_Event()
        event.type = 40_000
        let woken = reader.read(event)
        expect(woken, equals: .wake)
    }
}
