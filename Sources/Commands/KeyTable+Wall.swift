import Base

extension KeyTable {
    /// Keys of a wall.
    public static let wall = KeyTable([
        KeyRow("Space", "pause or go on", [KeyBinding(.space, time: { .pause(.toggle, $0) })]),
        KeyRow(
            ".  ,", "one frame on, back; Alt: of any tile",
            [
                KeyBinding(.period, time: { .step(by: 1, $0) }, alt: .stepOfAny(by: 1), .repeats),
                KeyBinding(.comma, time: { .step(by: -1, $0) }, alt: .stepOfAny(by: -1), .repeats),
            ]),
        KeyRow(
            "\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s",
            [
                KeyBinding(.left, time: { .seek(.by(-.seconds(5)), $0) }, .repeats, shift: .released),
                KeyBinding(.right, time: { .seek(.by(.seconds(5)), $0) }, .repeats, shift: .released),
                KeyBinding(.left, time: { .seek(.by(-.seconds(1)), $0) }, .repeats, shift: .pressed),
                KeyBinding(.right, time: { .seek(.by(.seconds(1)), $0) }, .repeats, shift: .pressed),
            ]),
        KeyRow("Home", "to the start, all in step", [KeyBinding(.home, time: { .home($0) })]),
        KeyRow("End", "to the last frame, and pause", [KeyBinding(.end, time: { .end($0) })]),
        KeyRow(
            "[  ]", "slower, faster",
            [
                KeyBinding(.leftBracket, time: { .rate(.slower, $0) }, .repeats, shift: .released),
                KeyBinding(.rightBracket, time: { .rate(.faster, $0) }, .repeats, shift: .released),
            ]),
        KeyRow(
            "{  }", "half the rate, double",
            [
                KeyBinding(.leftBrace, time: { .rate(.halved, $0) }),
                KeyBinding(.rightBrace, time: { .rate(.doubled, $0) }),
                // With Ctrl many keyboards report the bracket on the same key.
                KeyBinding(.leftBracket, time: { .rate(.halved, $0) }, shift: .pressed),
                KeyBinding(.rightBracket, time: { .rate(.doubled, $0) }, shift: .pressed),
            ]),
        KeyRow("Backspace", "rate 1", [KeyBinding(.backspace, time: { .rate(.reset, $0) })]),
        KeyRow(
            "b", "A-B loop: A, then B, then off", [KeyBinding(.letter("b"), time: { .abLoop(.next, $0) })]),
        KeyRow("Ctrl + \u{2026}", "the focused tile alone"),
        KeyRow(
            "n  p", "next or previous item",
            [KeyBinding(.letter("n"), .item(by: 1)), KeyBinding(.letter("p"), .item(by: -1))]),
        KeyRow("Drag", "scrub; on a bar: from there"),
        KeyRow(
            "1 \u{2026} 9", "focus on that tile", (1...9).map { KeyBinding(.digit($0), .focus(.number($0)), .repeats) }),
        KeyRow(
            "Tab", "focus on the next tile",
            [
                KeyBinding(.tab, .focus(.next), .repeats, shift: .released),
                KeyBinding(.tab, .focus(.previous), .repeats, shift: .pressed),
            ]),
        KeyRow("Click", "focus there; on a bar: go there"),
        KeyRow(
            "m  M", "mute the tile, the wall",
            [
                KeyBinding(.letter("m"), .mute(.toggle, .tile), shift: .released),
                KeyBinding(.letter("m"), .mute(.toggle, .wall), shift: .pressed),
            ]),
        KeyRow("S", "hear this tile alone, and back", [KeyBinding(.letter("s"), .solo(.toggle), shift: .pressed)]),
        KeyRow(
            "s", "screenshot; Ctrl: save the layout",
            [
                KeyBinding(
                    .letter("s"), .window(.screenshot), control: .window(.saveLayout), shift: .released)
            ]),
        KeyRow(
            "\u{2191}  \u{2193}", "volume; Ctrl: the tile's; Shift: its key",
            [
                KeyBinding(
                    .up, .volume(.by(5), .wall), control: .volume(.by(5), .tile), .repeats, shift: .released),
                KeyBinding(
                    .down, .volume(.by(-5), .wall), control: .volume(.by(-5), .tile), .repeats, shift: .released),
                KeyBinding(.up, .key(.by(1)), control: .volume(.by(5), .tile), .repeats, shift: .pressed),
                KeyBinding(.down, .key(.by(-1)), control: .volume(.by(-5), .tile), .repeats, shift: .pressed),
            ]),
        KeyRow(
            "+  \u{2212}", "magnify, reduce; Ctrl: sound later, earlier",
            [
                KeyBinding(.plus, .magnify(.steps(1), at: nil), control: .audioDelay(.by(10)), .repeats),
                KeyBinding(.minus, .magnify(.steps(-1), at: nil), control: .audioDelay(.by(-10)), .repeats),
            ]),
        KeyRow("0", "whole frames again", [KeyBinding(.digit(0), .magnify(.all, at: nil))]),
        KeyRow("Wheel, pinch", "magnify there; right drag: move"),
        KeyRow("a", "next sound track", [KeyBinding(.letter("a"), .track(.next))]),
        KeyRow(
            "l", "mute its first stem, and back",
            [KeyBinding(.letter("l"), .stems([Command.StemChange(.number(0), mute: .toggle)]))]),
        KeyRow("z", "fill the wall, and back", [KeyBinding(.letter("z"), .zoom(.toggle))]),
        KeyRow(
            "c", "compare with the tile focused before", [KeyBinding(.letter("c"), .compare(.toggle))]),
        KeyRow(
            "v  V", "comparing: next, previous mode",
            [
                KeyBinding(.letter("v"), .compare(.mode(by: 1)), shift: .released),
                KeyBinding(.letter("v"), .compare(.mode(by: -1)), shift: .pressed),
            ]),
        KeyRow("x", "comparing: change sides", [KeyBinding(.letter("x"), .compare(.changeSides))]),
        KeyRow(
            "r", "wipe: turn the line; a drag moves it",
            [KeyBinding(.letter("r"), .compare(.turnLine), shift: .released)]),
        KeyRow(
            "R", "record the microphone, and end it", [KeyBinding(.letter("r"), .record(.toggle), shift: .pressed)]),
        KeyRow(
            "g  G", "difference: gain doubled, halved",
            [
                KeyBinding(.letter("g"), .compare(.gainDoubled), shift: .released),
                KeyBinding(.letter("g"), .compare(.gainHalved), shift: .pressed),
            ]),
        KeyRow(
            "t  T", "offset by one frame; Ctrl: by 1 ms",
            [
                KeyBinding(
                    .letter("t"), .nudgeByFrame(1), control: .nudge(by: .milliseconds(1)), .repeats, shift: .released),
                KeyBinding(
                    .letter("t"), .nudgeByFrame(-1), control: .nudge(by: -.milliseconds(1)), .repeats,
                    shift: .pressed),
            ]),
        KeyRow("y", "figures: PSNR, SSIM, plot, values", [KeyBinding(.letter("y"), .figures)]),
        KeyRow("w", "picture in picture", [KeyBinding(.letter("w"), .window(.pictureInPicture))]),
        KeyRow(
            "f  F11", "full screen",
            [KeyBinding(.letter("f"), .window(.fullscreen(.toggle))), KeyBinding(.f11, .window(.fullscreen(.toggle)))]),
        KeyRow("Esc", "back", [KeyBinding(.escape, .window(.escape))]),
        KeyRow("i", "information on each tile", [KeyBinding(.letter("i"), .window(.info))]),
        KeyRow(
            "h  ?", "these keys", [KeyBinding(.letter("h"), .window(.help)), KeyBinding(.questionMark, .window(.help))]),
        KeyRow("q", "quit", [KeyBinding(.letter("q"), .window(.quit(0)))]),
    ])
}
