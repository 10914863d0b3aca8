import Base

extension KeyTable {
    /// Keys of a blind test: those that reveal nothing about the two clips.
    public static let blind = KeyTable(
        [
            KeyRow(
                "a  b", "see A, see B",
                [KeyBinding(.letter("a"), .blind(.show(.a))), KeyBinding(.letter("b"), .blind(.show(.b)))]),
            KeyRow("x", "see X, which is one of them", [KeyBinding(.letter("x"), .blind(.show(.x)))]),
            KeyRow("Enter", "X is what is seen now: A or B", [KeyBinding(.enter, .blind(.answer))]),
            KeyRow("Space", "pause or go on", [KeyBinding(.space, .pause(.toggle, .group))]),
            KeyRow(
                ".  ,", "one frame on, one back",
                [
                    KeyBinding(.period, .step(by: 1, .group), .repeats),
                    KeyBinding(.comma, .step(by: -1, .group), .repeats),
                ]),
            KeyRow(
                "\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s",
                [
                    KeyBinding(.left, .seek(.by(-.seconds(5)), .group), .repeats, shift: .released),
                    KeyBinding(.right, .seek(.by(.seconds(5)), .group), .repeats, shift: .released),
                    KeyBinding(.left, .seek(.by(-.seconds(1)), .group), .repeats, shift: .pressed),
                    KeyBinding(.right, .seek(.by(.seconds(1)), .group), .repeats, shift: .pressed),
                ]),
            KeyRow("Home", "to the start", [KeyBinding(.home, .home(.group))]),
            KeyRow(
                "[  ]", "slower, faster",
                [
                    KeyBinding(.leftBracket, .rate(.slower, .group), .repeats),
                    KeyBinding(.rightBracket, .rate(.faster, .group), .repeats),
                ]),
            KeyRow("Backspace", "rate 1", [KeyBinding(.backspace, .rate(.reset, .group))]),
            KeyRow(
                "+  \u{2212}", "frames larger, smaller",
                [
                    KeyBinding(.plus, .magnify(.steps(1), at: nil), .repeats),
                    KeyBinding(.minus, .magnify(.steps(-1), at: nil), .repeats),
                ]),
            KeyRow("0", "all of the frames", [KeyBinding(.digit(0), .magnify(.all, at: nil))]),
            KeyRow("Wheel, pinch", "frames larger, smaller there; right drag: move"),
            KeyRow(
                "f  F11", "full screen",
                [
                    KeyBinding(.letter("f"), .window(.fullscreen(.toggle))),
                    KeyBinding(.f11, .window(.fullscreen(.toggle))),
                ]),
            KeyRow(
                "h  ?", "these keys",
                [KeyBinding(.letter("h"), .window(.help)), KeyBinding(.questionMark, .window(.help))]),
            KeyRow(
                "Esc  q", "the end, and the score so far",
                [KeyBinding(.escape, .window(.escape)), KeyBinding(.letter("q"), .window(.quit(0)))]),
        ], pointer: .magnifying)
}
