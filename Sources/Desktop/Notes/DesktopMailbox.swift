import Base
import Commands
import Glibc
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

    /// Read end of a pipe, readable while there are notes.
    let wakeFile: Int32
    private let wakingFile: Int32
    private let state: Locked<State>

    /// Returns nil if no pipe can be made.
    init?(_ listing: DesktopListing) {
        var files: [Int32] = [-1, -1]
        guard pipe(&files) == 0 else { return nil }
        (wakeFile, wakingFile) = (files[0], files[1])
        state = Locked(State(content: Content(listing: listing)))
        for file in files {
            _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(wakeFile)
        close(wakingFile)
    }

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
            // Written under the lock: the pipe holds one byte while the thread is woken, else none.
            var byte: UInt8 = 1
            _ = write(wakingFile, &byte, 1)
        }
    }

    // MARK: the thread "desktop"

    func takeAll() -> Content {
        state.locked { state in
            if state.isWoken {
                var byte: UInt8 = 0
                _ = read(wakeFile, &byte, 1)
                state.isWoken = false
            }
            defer {
                (state.content.answers, state.content.hasChanged, state.content.hasEvent) = ([], false, false)
            }
            return state.content
        }
    }

    func set(isListed: Bool) { state.locked { $0.isListed = isListed } }
}
