import Base
import Heard
import Threads

/// Brings the wall's sound scene to the voices and the mixer, on a thread of its own.
///
/// Asks for the sound scene when woken, and ten times a second while something may be heard. `soundScene` locks the
/// wall. The director holds no other lock meanwhile. Ended by `stop`.
public final class SoundDirector: Sendable {
    private let state = Locked(State())
    private let wakeCondition: WakeCondition
    private let worker: Worker

    private struct State {
        var isStopping = false
        /// True if the director is to look again.
        var isCalled = true
    }

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
        let (state, wakeCondition) = (state, WakeCondition())
        self.wakeCondition = wakeCondition
        worker = try Worker("sound director") {
            let voices = Voices(mixer: mixer, notice: notice) {
                state.locked { $0.isCalled = true }
                wakeCondition.wake()
            }
            var wakesAt: Int64?
            while true {
                let isOver = state.wait(on: wakeCondition) { state -> Wait<Bool> in
                    if state.isStopping { return .done(true) }
                    let isDue = wakesAt.map { monotonicNanoseconds() >= $0 } ?? false
                    guard state.isCalled || isDue else { return .again(deadline: wakesAt) }
                    state.isCalled = false
                    return .done(false)
                }
                if isOver { break }
                let isBusy = voices.play(soundScene())
                wakesAt = isBusy ? monotonicNanoseconds() + 100_000_000 : nil
            }
            voices.dismiss()
        }
    }

    /// Makes the director look again. Any thread may call it, with any lock held.
    public func wake() {
        state.locked { $0.isCalled = true }
        wakeCondition.wake()
    }

    /// Joins its threads, in at most `limit` nanoseconds. The mixer is silent then.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        state.locked { $0.isStopping = true }
        wakeCondition.wake()
        return worker.join(within: limit)
    }
}
