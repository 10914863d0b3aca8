import Base
import Commands
import Threads

/// Whether programs on the session's bus find the player.
public enum DesktopListing: Sendable { case listed, absent }

/// Notes of other threads for the thread "desktop". Any thread may call; no call blocks.
final class DesktopMailbox: Sendable {
    struct Content {
        var answers: [Answer] = []
        /// True if the wall may have changed.
        var hasChanged = false
        /// True if the position may have jumped.
        var hasEvent = false
        var isStopping = false
        // These hold until they are set again.
        var listing: DesktopListing
        var isPlaying = false
    }

    /// Answer to a command of a client of the bus.
    struct Answer {
        let ticket: Int
        let result: Result<PropertyValue?, ControlError>
    }

    private struct State {
        var content: Content
        var isWoken = false
        /// True while programs on the bus may find the player.
        var isListed = false
    }

    private let wakePipe: WakePipe
    private let state: Locked<State>

    /// Returns nil if no pipe can be made.
    init?(_ listing: DesktopListing) {
        guard let wakePipe = WakePipe() else { return nil }
        (self.wakePipe, state) = (wakePipe, Locked(State(content: Content(listing: listing))))
    }

    /// Readable while there are notes.
    var wakeFile: Int32 { wakePipe.file }

    func post(_ answer: Answer) {
        note {
            $0.content.answers.append(answer)
            return true
        }
    }

    func stop() {
        note {
            $0.content.isStopping = true
            return true
        }
    }

    func wallHasChanged() {
        note { state in
            guard state.isListed, !state.content.hasChanged else { return false }
            state.content.hasChanged = true
            return true
        }
    }

    func eventCame() {
        note { state in
            guard state.isListed, !state.content.hasEvent else { return false }
            state.content.hasEvent = true
            return true
        }
    }

    func set(_ listing: DesktopListing) {
        note { state in
            defer { state.content.listing = listing }
            return state.content.listing != listing
        }
    }

    func set(isPlaying: Bool) {
        note { state in
            defer { state.content.isPlaying = isPlaying }
            return state.content.isPlaying != isPlaying
        }
    }

    var isListed: Bool { state.locked { $0.isListed } }

    /// `change` returns true if the thread must be woken.
    private func note(_ change: (inout State) -> Bool) {
        state.locked { state in
            guard change(&state), !state.isWoken else { return }
            state.isWoken = true
            wakePipe.wake()
        }
    }

    // MARK: the thread "desktop"

    func takeAll() -> Content {
        state.locked { state in
            if state.isWoken { wakePipe.clear() }
            state.isWoken = false
            defer {
                (state.content.answers, state.content.hasChanged, state.content.hasEvent) = ([], false, false)
            }
            return state.content
        }
    }

    func set(isListed: Bool) { state.locked { $0.isListed = isListed } }
}
