import Base
import Heard
import Threads

/// Brings the wall's sound scene to the voices and the mixer, on a thread of its own.
///
/// Asks for the sound scene when woken, and ten times a second while something may be heard. `soundScene` locks the
/// wall. The director holds no other lock meanwhile. Ended by `stop`.
public final class SoundDirector: Sendable {
    /// True once the director is to end. Each post makes it look again.
    private let isStopping = Mailbox(false, .withoutPipe)
    private let worker: Worker

    /// Notices for the program.
    public enum Notice: Sendable {
        /// Title of what the focused tile plays.
        case title(String)
        /// State of each sound. Emitted when one of them changes.
        case conditions([SoundID: SoundCondition])
        /// A sound of this source had samples that were no numbers or absurd. Emitted once for each sound and source.
        case mended(SoundID, String)
        /// Nothing has played for two seconds.
        case rest
        case wake
        /// True while a captured input is heard.
        case prompt(Bool)
        /// The microphone to be played back to the singer; nil if none.
        case monitored(SoundScene.Monitored?)
        /// The samples in the server's buffer are out of date and must be made again.
        case revised
    }

    public init(
        mixer: Mixer, soundScene: @escaping @Sendable () -> SoundScene,
        notice: @escaping @Sendable (Notice) -> Void
    ) throws(NoThread) {
        let isStopping = isStopping
        worker = try Worker("sound director") {
            let voices = Voices(mixer: mixer, notice: notice) { isStopping.post { _ in } }
            // The first look is at once.
            var wakesAt: Int64 = 0
            while true {
                _ = isStopping.wait(until: wakesAt)
                if isStopping.take({ $0 }) ?? false { break }
                let isBusy = voices.play(soundScene())
                wakesAt = isBusy ? monotonicNanoseconds() + 100_000_000 : .max
            }
            voices.dismiss()
        }
    }

    /// Makes the director look again. Any thread may call it, with any lock held.
    public func wake() { isStopping.post { _ in } }

    /// Joins its threads, in at most `limit` nanoseconds. The mixer is silent then.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        isStopping.post { $0 = true }
        return worker.join(within: limit)
    }
}
