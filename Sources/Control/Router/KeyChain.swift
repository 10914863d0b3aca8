import Commands
import Threads

/// The keys with running commands that all follow from one key press. A command may press further keys, but no key's
/// command runs within itself. The presses of one chain are limited to `mostPresses`.
///
/// Keys that were bound over the socket take precedence over the layout's keys, those over the user's, and those over
/// `KeyTable`.
public struct KeyChain: Sendable {
    /// Most presses that commands may cause after one press of a key.
    static let mostPresses = 100

    private var keys: Set<KeyPress> = []
    /// Shared by all chains that come from one press.
    private let presses = Count()

    private final class Count: Sendable {
        let value = Monitor(0)
    }

    public init() {}

    /// Returns the chain with `key` added; nil if the key's command is running already.
    func entering(_ key: KeyPress) -> KeyChain? {
        guard !keys.contains(key) else { return nil }
        var chain = self
        chain.keys.insert(key)
        return chain
    }

    /// True if the chain has exceeded `mostPresses`, so that no further command runs.
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
                .commandError, because: "the commands of one key press more than \(KeyChain.mostPresses) keys")
        }
    }
}
