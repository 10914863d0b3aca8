import Base
import Commands

/// Test in which the user makes a flash and a click meet: the screen's latency is the delay of the click.
struct Eye: Feature {
    /// True on a wall with such a test.
    private var isOn = false
    /// Delay of the sound, in milliseconds; nil until the user has confirmed that flash and click meet.
    private(set) var delay: Int?

    mutating func begin() -> [Change] {
        isOn = true
        return [.notice("\u{2191} \u{2193} until flash and click meet, then Enter; h: the keys")]
    }

    var keys: KeyTable? { isOn ? .byEye : nil }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .keepDelay = command else { return nil }
        guard isOn else { return .refused(because: "there is no test by eye") }
        delay = snapshot.audioState.delayMilliseconds
        return .done(.window(.quit(0)))
    }
}

extension Wall {
    /// Delay of the sound, in milliseconds, at which the user has seen flash and click meet; nil until then.
    public var delayByEye: Int? { features[Eye.self].delay }

    /// Starts a test in which the user makes a flash and a click meet.
    public mutating func beginTestByEye(at now: Time) {
        change(at: now) { $0.features.change(Eye.self) { $0.begin() } }
    }
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
