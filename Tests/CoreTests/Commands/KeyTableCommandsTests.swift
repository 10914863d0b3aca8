import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Player

/// Every key of every table with its command. The lists were written down when the tables still held the commands.
@Suite struct KeyTableCommandsTests {
    struct Case: Sendable {
        let key: Key
        let modifiers: [Modifiers]
        let command: Change
        let held: Held

        enum Held { case repeats, once }

        init(_ key: Key, _ modifiers: [Modifiers], _ command: Change, _ held: Held) {
            (self.key, self.modifiers, self.command, self.held) = (key, modifiers, command, held)
        }
    }

    private static let keys: [Key] =
        KeyNames.rows.map(\.key) + (0...9).map { .digit($0) } + "abcdefghijklmnopqrstuvwxyz".map { .letter($0) }
        + ".,[]{}+-?;()".map { Key(typed: $0)! }
    private static let modifiers = (0..<16).map { Modifiers(rawValue: $0) }

    /// Keys of the keypad stand for others, which `KeyNameTests` checks.
    private func check(_ table: KeyTable, _ cases: [Case]) {
        var expected: [KeyPress: Case] = [:]
        for entry in cases { for held in entry.modifiers { expected[KeyPress(entry.key, held)] = entry } }
        for key in Self.keys where key.plain == nil || expected[KeyPress(key, [])] != nil {
            for modifiers in Self.modifiers {
                let entry = expected[KeyPress(key, modifiers)]
                let name = KeyPress(key, modifiers).name
                let first = table.change(for: key, modifiers, isRepeated: false)
                let repeated = table.change(for: key, modifiers, isRepeated: true)
                expect(first, equals: entry?.command, "\(name)")
                expect(repeated, equals: entry?.held == .repeats ? entry?.command : nil, "\(name) held")
            }
        }
    }

    @Test func onAWall() { check(.wall, Self.time + Self.view) }
    @Test func inABlindTest() { check(.blind, Self.blind) }
    @Test func inATestByEye() { check(.byEye, Self.byEye) }

    private static let time: [Case] = [
        Case(.space, [[], .shift], .property("pause", .cycle(isUp: true), .group), .once),
        Case(.space, [.control, [.control, .shift]], .property("pause", .cycle(isUp: true), .tileAlone), .once),
        Case(.sign("."), [[], .shift], .step(by: 1, .group), .repeats),
        Case(.sign("."), [.control, [.control, .shift]], .step(by: 1, .tileAlone), .repeats),
        Case(.sign("."), [.alt, [.alt, .shift]], .stepOfAny(by: 1), .repeats),
        Case(.sign(","), [[], .shift], .step(by: -1, .group), .repeats),
        Case(.sign(","), [.control, [.control, .shift]], .step(by: -1, .tileAlone), .repeats),
        Case(.sign(","), [.alt, [.alt, .shift]], .stepOfAny(by: -1), .repeats),
        Case(.named("LEFT"), [[]], .seek(.by(-.seconds(5)), .group), .repeats),
        Case(.named("LEFT"), [.control], .seek(.by(-.seconds(5)), .tileAlone), .repeats),
        Case(.named("LEFT"), [.shift], .seek(.by(-.seconds(1)), .group), .repeats),
        Case(.named("LEFT"), [[.control, .shift]], .seek(.by(-.seconds(1)), .tileAlone), .repeats),
        Case(.named("RIGHT"), [[]], .seek(.by(.seconds(5)), .group), .repeats),
        Case(.named("RIGHT"), [.control], .seek(.by(.seconds(5)), .tileAlone), .repeats),
        Case(.named("RIGHT"), [.shift], .seek(.by(.seconds(1)), .group), .repeats),
        Case(.named("RIGHT"), [[.control, .shift]], .seek(.by(.seconds(1)), .tileAlone), .repeats),
        Case(.named("UP"), [[]], .property("volume", .add(5), .group), .repeats),
        Case(.named("UP"), [.control, [.control, .shift]], .volume(.by(5), .tile), .repeats),
        Case(.named("UP"), [.shift], .property("key", .add(1), .group), .repeats),
        Case(.named("DOWN"), [[]], .property("volume", .add(-5), .group), .repeats),
        Case(.named("DOWN"), [.control, [.control, .shift]], .volume(.by(-5), .tile), .repeats),
        Case(.named("DOWN"), [.shift], .property("key", .add(-1), .group), .repeats),
        Case(.named("HOME"), [[], .shift], .home(.group), .once),
        Case(.named("HOME"), [.control, [.control, .shift]], .home(.tileAlone), .once),
        Case(.named("END"), [[], .shift], .end(.group), .once),
        Case(.named("END"), [.control, [.control, .shift]], .end(.tileAlone), .once),
        Case(.sign("["), [[]], .rate(.slower, .group), .repeats),
        Case(.sign("["), [.control], .rate(.slower, .tileAlone), .repeats),
        Case(.sign("["), [.shift], .property("speed", .multiply(0.5), .group), .once),
        Case(.sign("["), [[.control, .shift]], .property("speed", .multiply(0.5), .tileAlone), .once),
        Case(.sign("]"), [[]], .rate(.faster, .group), .repeats),
        Case(.sign("]"), [.control], .rate(.faster, .tileAlone), .repeats),
        Case(.sign("]"), [.shift], .property("speed", .multiply(2), .group), .once),
        Case(.sign("]"), [[.control, .shift]], .property("speed", .multiply(2), .tileAlone), .once),
        Case(.sign("{"), [[], .shift], .property("speed", .multiply(0.5), .group), .once),
        Case(.sign("{"), [.control, [.control, .shift]], .property("speed", .multiply(0.5), .tileAlone), .once),
        Case(.sign("}"), [[], .shift], .property("speed", .multiply(2), .group), .once),
        Case(.sign("}"), [.control, [.control, .shift]], .property("speed", .multiply(2), .tileAlone), .once),
        Case(Key(typed: "(")!, [[], .shift], .property("balance", .add(-0.125), .group), .repeats),
        Case(Key(typed: ")")!, [[], .shift], .property("balance", .add(0.125), .group), .repeats),
        Case(.plus, [[], .shift], .magnify(.steps(1), at: nil), .repeats),
        Case(.plus, [.control, [.control, .shift]], .property("audio-delay", .add(0.01), .group), .repeats),
        Case(.sign("-"), [[], .shift], .magnify(.steps(-1), at: nil), .repeats),
        Case(.sign("-"), [.control, [.control, .shift]], .property("audio-delay", .add(-0.01), .group), .repeats),
        Case(.sign("?"), [[], .shift], .window(.help), .once),
        Case(.backspace, [[], .shift], .property("speed", .set(.text("1")), .group), .once),
        Case(.backspace, [.control, [.control, .shift]], .property("speed", .set(.text("1")), .tileAlone), .once),
        Case(.tab, [[]], .property("focus", .cycle(isUp: true), .group), .repeats),
        Case(.tab, [.shift], .property("focus", .cycle(isUp: false), .group), .repeats),
        Case(.escape, [[], .shift], .program(.escape), .once),
        Case(.named("F11"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
    ]

    private static let view: [Case] = [
        Case(.digit(0), [[], .shift], .magnify(.all, at: nil), .once),
        Case(.digit(1), [[], .shift], .focus(.number(1)), .repeats),
        Case(.digit(2), [[], .shift], .focus(.number(2)), .repeats),
        Case(.digit(3), [[], .shift], .focus(.number(3)), .repeats),
        Case(.digit(4), [[], .shift], .focus(.number(4)), .repeats),
        Case(.digit(5), [[], .shift], .focus(.number(5)), .repeats),
        Case(.digit(6), [[], .shift], .focus(.number(6)), .repeats),
        Case(.digit(7), [[], .shift], .focus(.number(7)), .repeats),
        Case(.digit(8), [[], .shift], .focus(.number(8)), .repeats),
        Case(.digit(9), [[], .shift], .focus(.number(9)), .repeats),
        Case(.letter("a"), [[], .shift], .property("aid", .cycle(isUp: true), .group), .once),
        Case(.letter("b"), [[], .shift], .abLoop(.next, .group), .once),
        Case(.letter("b"), [.control, [.control, .shift]], .abLoop(.next, .tileAlone), .once),
        Case(.letter("c"), [[], .shift], .compare(.toggle), .once),
        Case(
            .letter("c"), [.control, [.control, .shift], [.control, .alt], [.control, .alt, .shift]], .window(.quit(0)),
            .once),
        Case(.letter("f"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
        Case(.letter("g"), [[]], .compare(.gainDoubled), .once),
        Case(.letter("g"), [.shift], .compare(.gainHalved), .once),
        Case(.letter("h"), [[], .shift], .window(.help), .once),
        Case(.letter("j"), [[]], .property("sid", .cycle(isUp: true), .group), .once),
        Case(.letter("j"), [.shift], .property("sid", .cycle(isUp: false), .group), .once),
        Case(.letter("i"), [[], .shift], .window(.info), .once),
        Case(.letter("l"), [[], .shift], .stems([Change.StemChange(.number(0), mute: .toggle)]), .once),
        Case(.letter("m"), [[]], .mute(.toggle, .tile), .once),
        Case(.letter("m"), [.shift], .property("mute", .cycle(isUp: true), .group), .once),
        Case(.letter("n"), [[]], .item(by: 1), .once),
        Case(.letter("n"), [.shift], .nextWorst, .once),
        Case(.letter("p"), [[], .shift], .item(by: -1), .once),
        Case(.letter("q"), [[], .shift], .window(.quit(0)), .once),
        Case(.letter("r"), [[]], .compare(.turnLine), .once),
        Case(.letter("r"), [.shift], .record(.toggle), .once),
        Case(.letter("s"), [[]], .program(.screenshot(.wall, to: nil)), .once),
        Case(.letter("s"), [.control, [.control, .shift]], .window(.saveLayout), .once),
        Case(.letter("s"), [.shift], .solo(.toggle), .once),
        Case(.letter("t"), [[]], .nudgeByFrame(1), .repeats),
        Case(.letter("t"), [.control], .nudge(by: .milliseconds(1)), .repeats),
        Case(.letter("t"), [.shift], .nudgeByFrame(-1), .repeats),
        Case(.letter("t"), [[.control, .shift]], .nudge(by: -.milliseconds(1)), .repeats),
        Case(.letter("v"), [[]], .compare(.mode(by: 1)), .once),
        Case(.letter("v"), [.shift], .compare(.mode(by: -1)), .once),
        Case(.letter("w"), [[], .shift], .window(.pictureInPicture), .once),
        Case(.letter("x"), [[], .shift], .compare(.changeSides), .once),
        Case(.letter("y"), [[], .shift], .property("figures", .cycle(isUp: true), .group), .once),
        Case(.letter("z"), [[], .shift], .zoom(.toggle), .once),
        Case(KeyPress(name: "F5")!.key, [[], .shift], .retry(.all), .once),
        Case(KeyPress(name: "KP9")!.key, [[], .shift], .focus(.number(9)), .repeats),
    ]

    private static let blind: [Case] = [
        Case(.space, [[], .shift], .property("pause", .cycle(isUp: true), .group), .once),
        Case(.sign("."), [[], .shift], .step(by: 1, .group), .repeats),
        Case(.sign(","), [[], .shift], .step(by: -1, .group), .repeats),
        Case(.named("LEFT"), [[]], .seek(.by(-.seconds(5)), .group), .repeats),
        Case(.named("LEFT"), [.shift], .seek(.by(-.seconds(1)), .group), .repeats),
        Case(.named("RIGHT"), [[]], .seek(.by(.seconds(5)), .group), .repeats),
        Case(.named("RIGHT"), [.shift], .seek(.by(.seconds(1)), .group), .repeats),
        Case(.named("HOME"), [[], .shift], .home(.group), .once),
        Case(.sign("["), [[], .shift], .rate(.slower, .group), .repeats),
        Case(.sign("]"), [[], .shift], .rate(.faster, .group), .repeats),
        Case(.plus, [[], .shift], .magnify(.steps(1), at: nil), .repeats),
        Case(.sign("-"), [[], .shift], .magnify(.steps(-1), at: nil), .repeats),
        Case(.sign("?"), [[], .shift], .window(.help), .once),
        Case(.backspace, [[], .shift], .property("speed", .set(.text("1")), .group), .once),
        Case(.enter, [[], .shift], .blind(.answer), .once),
        Case(.escape, [[], .shift], .program(.escape), .once),
        Case(.named("F11"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
        Case(.digit(0), [[], .shift], .magnify(.all, at: nil), .once),
        Case(.letter("a"), [[], .shift], .blind(.show(.a)), .once),
        Case(.letter("b"), [[], .shift], .blind(.show(.b)), .once),
        Case(
            .letter("c"), [.control, [.control, .shift], [.control, .alt], [.control, .alt, .shift]], .window(.quit(0)),
            .once),
        Case(.letter("f"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
        Case(.letter("h"), [[], .shift], .window(.help), .once),
        Case(.letter("q"), [[], .shift], .window(.quit(0)), .once),
        Case(.letter("x"), [[], .shift], .blind(.show(.x)), .once),
    ]

    private static let byEye: [Case] = [
        Case(.named("UP"), [[], .shift], .property("audio-delay", .add(0.005), .group), .repeats),
        Case(.named("UP"), [.control, [.control, .shift]], .property("audio-delay", .add(0.001), .group), .repeats),
        Case(.named("DOWN"), [[], .shift], .property("audio-delay", .add(-0.005), .group), .repeats),
        Case(
            .named("DOWN"), [.control, [.control, .shift]], .property("audio-delay", .add(-0.001), .group), .repeats),
        Case(.sign("?"), [[], .shift], .window(.help), .once),
        Case(.enter, [[], .shift], .keepDelay, .once),
        Case(.escape, [[], .shift], .window(.quit(1)), .once),
        Case(.named("F11"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
        Case(
            .letter("c"), [.control, [.control, .shift], [.control, .alt], [.control, .alt, .shift]], .window(.quit(0)),
            .once),
        Case(.letter("f"), [[], .shift], .property("fullscreen", .cycle(isUp: true), .group), .once),
        Case(.letter("h"), [[], .shift], .window(.help), .once),
        Case(.letter("q"), [[], .shift], .window(.quit(1)), .once),
    ]
}
