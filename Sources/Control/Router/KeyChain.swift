import Commands
import Threads

/// The keys whose commands run now, all caused by one key press. A command may press further keys, but no key's command
/// runs within itself. The presses of one chain are limited to `mostPresses`.
///
/// Bindings of a key, by precedence: `keybind`, the layout's keys, the user's keys, `KeyTable`.
public struct KeyChain: Sendable {
    /// Most presses that commands may cause after one press of a key.
    static let mostPresses = 100

    private var keys: Set<KeyPress> = []
    /// Shared by all chains that come from one press.
    private let presses = Locked(0)

    public init() {}

    /// Returns the chain with `key` added; nil if the key's command is running already.
    func entering(_ key: KeyPress) -> KeyChain? {
        guard !keys.contains(key) else { return nil }
        var chain = self
        chain.keys.insert(key)
        return chain
    }

    /// True if the chain has exceeded `mostPresses`, so that no further command runs.
    var isSpent: Bool { presses.locked { $0 > KeyChain.mostPresses } }

    func countPress() throws(ControlError) {
        // No key's command runs, so a client of the socket caused this press. Only presses by keys' commands count.
        if keys.isEmpty { return }
        let count = presses.locked { presses in
            presses += 1
            return presses
        }
        if count > KeyChain.mostPresses {
            throw ControlError(
                .commandError, because: "the commands of one key press more than \(KeyChain.mostPresses) keys")
        }
    }
}
