import Commands

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
                    "UP": "add audio-delay 0.005", "DOWN": "add audio-delay -0.005",
                    "Ctrl+UP": "add audio-delay 0.001", "Ctrl+DOWN": "add audio-delay -0.001",
                ]),
            KeyRow("Enter", "in step: save the delay", ["ENTER": "keep-delay"]),
            KeyRow("f  F11", "full screen", ["f": "cycle fullscreen", "F11": "cycle fullscreen"]),
            KeyRow("h  ?", "these keys", ["h": "cycle-help", "?": "cycle-help"]),
            KeyRow("Esc  q", "quit without saving", ["ESC": "quit 1", "q": "quit 1"]),
        ], pointer: .magnifying)
}
