import Base
import Commands

/// Test in which the user makes a flash and a click meet.
struct Eye {
    /// nil on a wall without such a test.
    private(set) var test: EyeTest?

    mutating func begin(_ test: EyeTest) -> [Edit] {
        self.test = test
        return [.notice("\u{2191} \u{2193} until flash and click meet, then Enter; h: the keys")]
    }

    mutating func keepDelay(_ snapshot: Snapshot) -> CommandAnswer {
        guard test != nil else { return .refused() }
        test?.delay = snapshot.audioState.delayMilliseconds
        return .done(.window(.quit(0)))
    }
}
