import Threads
import WallCore

/// The keys whose commands are being carried out because one key was pressed: what one of them presses may have a
/// command of its own, but no key's command runs within itself, and all together press a bounded number of keys.
public struct KeyChain: Sendable {
    /// Presses by commands that one press of a key may cause.
    static let mostPresses = 100

    private var keys: Set<KeyPress> = []
    /// All that follow from one press count together.
    private let presses = Count()

    private final class Count: Sendable {
        let value = Monitor(0)
    }

    public init() {}

    /// nil if the key's command is being carried out.
    func entering(_ key: KeyPress) -> KeyChain? {
        guard !keys.contains(key) else { return nil }
        var chain = self
        chain.keys.insert(key)
        return chain
    }

    /// Whether the chain has exceeded `mostPresses`, so that no further command runs.
    var isSpent: Bool { presses.value.locked { $0 > KeyChain.mostPresses } }

    func countPress() throws(ControlError) {
        // Only presses that a key caused are counted here.
        if keys.isEmpty { return }
        let count = presses.value.locked { count in
            count += 1
            return count
        }
        if count > KeyChain.mostPresses {
            throw ControlError(
                .commandError, because: "one key presses more than \(KeyChain.mostPresses) others by its command")
        }
    }
}
