import Base
import Commands

/// Test in which the user makes a flash and a click meet.
struct Eye: Feature {
    /// nil on a wall without such a test.
    private(set) var test: EyeTest?

    mutating func begin(_ test: EyeTest) -> [Change] {
        self.test = test
        return [.notice("\u{2191} \u{2193} until flash and click meet, then Enter; h: the keys")]
    }

    var keys: KeyTable? { test == nil ? nil : .byEye }

    func reason(against command: Change, _ snapshot: Snapshot) -> String? {
        if case .keepDelay = command { "there is no test by eye" } else { nil }
    }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .keepDelay = command else { return nil }
        guard test != nil else { return .refused() }
        test?.delay = snapshot.audioState.delayMilliseconds
        return .done(.window(.quit(0)))
    }
}

extension Wall {
    /// Test in which the user makes a flash and a click meet; nil on other walls.
    public var eyeTest: EyeTest? { features[Eye.self].test }

    /// Starts a test in which the user makes a flash and a click meet.
    public mutating func begin(_ test: EyeTest, at now: Time) {
        change(at: now) { $0.features.change(Eye.self) { $0.begin(test) } }
    }
}

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
