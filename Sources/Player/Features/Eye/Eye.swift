import Base
import Commands

/// Test in which the user makes a flash and a click meet.
struct Eye: Feature {
    /// nil on a wall without such a test.
    private(set) var test: EyeTest?

    mutating func begin(_ test: EyeTest) -> [Edit] {
        self.test = test
        return [.notice("\u{2191} \u{2193} until flash and click meet, then Enter; h: the keys")]
    }

    var keys: KeyTable? { test == nil ? nil : .byEye }

    func reason(against command: Command, _ snapshot: Snapshot) -> String? {
        if case .keepDelay = command { "there is no test by eye" } else { nil }
    }

    mutating func carryOut(_ command: Command, of tile: TileID?, _ snapshot: Snapshot) -> CommandAnswer? {
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
