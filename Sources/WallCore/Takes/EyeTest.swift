/// How late the screen is, by somebody's eye: a flash and a click, and a delay of the sound that makes them meet.
public struct EyeTest: Equatable, Sendable {
    /// Milliseconds; nil: nobody has said yet that they meet.
    public internal(set) var delay: Int?

    public init() {}
}

extension KeyTable {
    /// Of a flash and a click.
    public static let byEye = KeyTable(
        [
            KeyLine(
                "\u{2191}  \u{2193}", "the click later, earlier: 5 ms; Ctrl: 1 ms",
                [
                    KeyBinding(.up, .audioDelay(.by(5)), control: .audioDelay(.by(1)), .repeats),
                    KeyBinding(.down, .audioDelay(.by(-5)), control: .audioDelay(.by(-1)), .repeats),
                ]),
            KeyLine("Enter", "they meet: keep it", [KeyBinding(.enter, .keepDelay)]),
            KeyLine(
                "f  F11", "full screen",
                [
                    KeyBinding(.letter("f"), .window(.fullscreen(.toggle))),
                    KeyBinding(.f11, .window(.fullscreen(.toggle))),
                ]),
            KeyLine(
                "h  ?", "these keys",
                [KeyBinding(.letter("h"), .window(.help)), KeyBinding(.questionMark, .window(.help))]),
            KeyLine(
                "Esc  q", "the end; nothing is kept",
                [KeyBinding(.escape, .window(.quit(1))), KeyBinding(.letter("q"), .window(.quit(1)))]),
        ], pointer: .magnifying)
}
