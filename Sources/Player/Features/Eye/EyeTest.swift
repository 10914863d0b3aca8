import Commands
import Feeds

/// Measures the screen's latency by eye: the user delays the click until it meets the flash.
public struct EyeTest: Equatable, Sendable {
    /// Delay of the sound in milliseconds; nil until the user confirmed that flash and click meet.
    public internal(set) var delay: Int?

    public init() {}
}

extension KeyTable {
    /// Keys while flash and click are shown.
    public static let byEye = KeyTable(
        [
            KeyRow(
                "\u{2191}  \u{2193}", "the click 5 ms later, earlier; Ctrl: 1 ms",
                [
                    KeyBinding(.up, .audioDelay(.by(5)), control: .audioDelay(.by(1)), .repeats),
                    KeyBinding(.down, .audioDelay(.by(-5)), control: .audioDelay(.by(-1)), .repeats),
                ]),
            KeyRow("Enter", "in step: save the delay", [KeyBinding(.enter, .keepDelay)]),
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
                "Esc  q", "quit without saving",
                [KeyBinding(.escape, .window(.quit(1))), KeyBinding(.letter("q"), .window(.quit(1)))]),
        ], pointer: .magnifying)
}
