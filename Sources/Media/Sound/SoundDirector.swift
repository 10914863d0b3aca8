import Base
import Scene
import Threads

/// Brings the wall's sound scene to the voices and the mixer, on a thread of its own.
///
/// Asks for the sound scene when woken, and ten times a second while something may be heard. `soundScene` locks the
/// wall. The director holds no other lock meanwhile. Ended by `stop`.
public final class SoundDirector: Sendable {
    private let state = Monitor(State())
    private let wakeCondition: WakeCondition
    private let worker: Worker

    private struct State {
        var isStopping = false
        var rings = 0
    }

    /// Notices for the program.
    public enum Notice: Sendable {
        /// Title of what the focused tile plays.
        case title(String)
        /// State of each sound. Emitted when one of them changes.
        case conditions([SoundID: SoundCondition])
        /// Nothing has played for two seconds.
        case rest
        case wake
        /// FFmpeg has no filter for another key. Emitted once.
        case untransposed
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
                state.locked { $0.rings += 1 }
                wakeCondition.wake()
            }
            var rings = 0
            var wakesAt: Int64? = 0
            while true {
                let next = state.wait(on: wakeCondition) { state -> Wait<Int?> in
                    if state.isStopping { return .done(nil) }
                    if state.rings != rings { return .done(state.rings) }
                    if let wakesAt, monotonicNanoseconds() >= wakesAt { return .done(rings) }
                    return .again(deadline: wakesAt)
                }
                guard let next else { break }
                rings = next
                let isBusy = voices.play(soundScene())
                wakesAt = isBusy ? monotonicNanoseconds() + 100_000_000 : nil
            }
            voices.dismiss()
        }
    }

    /// Makes the director look again. Any thread may call it, with any lock held.
    public func wake() {
        state.locked { $0.rings += 1 }
        wakeCondition.wake()
    }

    /// Joins its threads, in at most `limit` nanoseconds. The mixer is silent then.
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        state.locked { $0.isStopping = true }
        wakeCondition.wake()
        return worker.join(within: limit)
    }
}

/// The voices, and which of them play. Never leaves the director's thread.
private final class Voices {
    private let mixer: Mixer
    private var delay = Time.zero
    private let notice: (SoundDirector.Notice) -> Void
    private var voices: [SoundID: Voice] = [:]
    private var leaving: [Voice] = []
    private var title: String?
    private var conditions: [SoundID: SoundCondition] = [:]
    /// Sounds that have no voice, since there was no thread for it.
    private var refused: [SoundID: SoundCondition] = [:]
    private var quietSince: Int64?
    private var isResting = false
    private var isPrompt = false
    private var isUntransposed = false
    private var monitored: SoundScene.Monitored?
    private static let restAfter: Int64 = 2_000_000_000
    /// Longest time that a change waits for the voices it concerns, so that all are heard to change at once. In
    /// nanoseconds.
    private static let patience: Int64 = 12_000_000
    private let filled: @Sendable () -> Void

    /// `filled`: called when missing samples have come, to make the director look again. Any thread calls it.
    init(
        mixer: Mixer, notice: @escaping (SoundDirector.Notice) -> Void,
        filled: @escaping @Sendable () -> Void
    ) {
        (self.mixer, self.notice, self.filled) = (mixer, notice, filled)
    }

    /// Plays the scene. Returns true if it must be looked at again soon.
    func play(_ soundScene: SoundScene) -> Bool {
        delay = soundScene.delay
        if title != soundScene.title {
            title = soundScene.title
            notice(.title(soundScene.title))
        }
        if monitored != soundScene.monitored {
            monitored = soundScene.monitored
            notice(.monitored(monitored))
        }
        let parts = soundScene.parts + (soundScene.bed.map { [$0] } ?? [])
        let isPrompt = parts.contains { $0.gain > 0 && $0.plan.runs.contains(where: \.isCaptured) }
        if isPrompt != self.isPrompt {
            self.isPrompt = isPrompt
            notice(.prompt(isPrompt))
        }
        let horizon = Time.now + Voice.reach
        var isOtherwise = mixer.lacks(after: horizon)
        // Loud parts first: `revise` waits for the voices that begin to be heard.
        for part in parts.sorted(by: { $0.gain > $1.gain }) where play(part, horizon: horizon) { isOtherwise = true }
        for id in voices.keys where !parts.contains(where: { $0.sound == id }) && dismiss(id) { isOtherwise = true }
        if isOtherwise { revise() }
        leaving.removeAll { $0.hasEnded && $0.join(within: .max) == .joined }
        let conditions = voices.mapValues(\.condition).merging(refused) { $1 }
        if conditions != self.conditions {
            self.conditions = conditions
            notice(.conditions(conditions))
        }
        if !isUntransposed, voices.values.contains(where: \.isUntransposed) {
            isUntransposed = true
            notice(.untransposed)
        }
        let isGoing = parts.contains { $0.plan.clock.motion == .running }
        rest(isGoing: isGoing)
        return isGoing || !leaving.isEmpty || !isResting
    }

    /// Returns true if that changes samples made already.
    private func play(_ part: SoundScene.Part, horizon: Time) -> Bool {
        guard let voice = voice(for: part) else { return false }
        let isHeard = part.gain > 0 || !mixer.isSilent(part.sound)
        let isOtherwise = voice.follow(part.plan, isHeard ? .heard : .ready, horizon: horizon - delay)
        guard isHeard else { return false }
        let isSet = mixer.set(
            part.sound, voice, clock: part.plan.clock, delay: delay, gain: part.gain, levels: part.plan.levels)
        return isSet || isOtherwise
    }

    /// nil if the system has no thread for the voice. The next look retries.
    private func voice(for part: SoundScene.Part) -> Voice? {
        if let voice = voices[part.sound] { return voice }
        do throws(NoThread) {
            let voice = try Voice(part.sound.voiceName, filled: filled)
            (voices[part.sound], refused[part.sound]) = (voice, nil)
            return voice
        } catch {
            let source = part.plan.runs.first?.source ?? ""
            refused[part.sound] = .failed(source: source, SourceTrouble(.unreadable, "\(error)"))
            return nil
        }
    }

    /// Fades the voice out, and removes it when it is silent. Returns true if the fade begins.
    private func dismiss(_ id: SoundID) -> Bool {
        let begins = mixer.remove(id)
        guard mixer.isSilent(id), let voice = voices.removeValue(forKey: id) else { return begins }
        voice.stop()
        leaving.append(voice)
        return begins
    }

    private func revise() {
        let deadline = monotonicNanoseconds() + Self.patience
        for voice in voices.values { voice.fill(until: deadline) }
        notice(.revised)
    }

    private func rest(isGoing: Bool) {
        let now = monotonicNanoseconds()
        if isGoing {
            quietSince = nil
            if isResting { notice(.wake) }
            isResting = false
        } else if let quietSince {
            if !isResting, now - quietSince > Self.restAfter {
                isResting = true
                notice(.rest)
            }
        } else {
            quietSince = now
        }
    }

    /// Removes all voices at once.
    func dismiss() {
        for (id, voice) in voices {
            _ = mixer.remove(id)
            voice.stop()
        }
        for voice in leaving + voices.values { _ = voice.join(within: 500_000_000) }
    }
}

extension SoundID {
    /// Name of the voice's thread.
    fileprivate var voiceName: String { self == .bed ? "bed" : stem == 0 ? "\(number)" : "\(number).\(stem)" }
}
