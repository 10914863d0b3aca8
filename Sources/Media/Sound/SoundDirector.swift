import Base
import Heard
import Threads

/// Brings the wall's sound scene to the voices and the mixer, on a thread of its own.
///
/// Asks for the sound scene when woken, and ten times a second while something may be heard. `soundScene` locks the
/// wall. The director holds no other lock meanwhile. Ended by `stop`.
public final class SoundDirector: Sendable {
    /// Each post makes the director look again.
    private let mailbox = Mailbox((), .withoutPipe)

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
        try mailbox.start("sound director", .usual) { [mailbox] in
            let voices = Voices(mixer: mixer, notice: notice) { mailbox.post { _ in } }
            // The first look is at once.
            var wakesAt: Int64 = 0
            while true {
                mailbox.wait(until: wakesAt)
                if mailbox.isStopping { break }
                mailbox.take { _ in }
                let isBusy = voices.play(soundScene())
                wakesAt = isBusy ? monotonicNanoseconds() + 100_000_000 : .max
            }
            voices.dismiss()
        }
    }

    /// Makes the director look again. Any thread may call it, with any lock held.
    public func wake() { mailbox.post { _ in } }

    /// Joins its threads, in at most `limit` nanoseconds. The mixer is silent then. Returns the name of the director's
    /// thread if it has not ended.
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        mailbox.stop(within: limit)
    }
}

/// The voices, and which of them play. Never leaves the director's thread.
final class Voices {
    private let mixer: Mixer
    private let notice: (SoundDirector.Notice) -> Void
    private let filled: @Sendable () -> Void
    private var voices: [SoundID: Voice] = [:]
    private var leaving: [Voice] = []
    /// Sounds without a voice, since the system had no thread for one.
    private var refused: [SoundID: SoundCondition] = [:]
    private var noticed = Noticed()
    /// Time since which nothing has played; nil while something does.
    private var quietSince: Int64?

    /// Values of the last notices.
    private struct Noticed {
        /// nil until there was one.
        var title: String?
        var monitored: SoundScene.Monitored?
        var isPrompt = false
        var conditions: [SoundID: SoundCondition] = [:]
        /// True while the sound server may sleep.
        var isResting = false
    }

    /// Time in nanoseconds after which the server may sleep.
    private static let restAfter: Int64 = 2_000_000_000
    /// Longest time that a change waits for samples of all voices, so that all voices change at once. In nanoseconds.
    private static let patience: Int64 = 12_000_000

    /// `filled`: called when missing samples have come, to make the director look again. Any thread calls it.
    init(mixer: Mixer, notice: @escaping (SoundDirector.Notice) -> Void, filled: @escaping @Sendable () -> Void) {
        (self.mixer, self.notice, self.filled) = (mixer, notice, filled)
    }

    /// Plays the scene. Returns true if the director must look again soon.
    func play(_ soundScene: SoundScene) -> Bool {
        pass(soundScene.title, \.title) { .title($0 ?? "") }
        pass(soundScene.monitored, \.monitored) { .monitored($0) }
        let parts = soundScene.allParts
        let isPrompt = parts.contains { !$0.gain.isSilent && $0.plan.runs.contains(where: \.isCaptured) }
        pass(isPrompt, \.isPrompt) { .prompt($0) }
        let horizon = Time.now + Voice.reach
        let now = monotonicNanoseconds()
        var hasChanged = mixer.lacks(after: horizon)
        // Loud parts first: `fill` waits for the voices that begin to be heard.
        for part in parts.sorted(by: { $0.gain.largest > $1.gain.largest })
        where play(part, soundScene.delay, horizon: horizon) {
            hasChanged = true
        }
        for id in voices.keys where !parts.contains(where: { $0.sound == id }) && dismiss(id) { hasChanged = true }
        if hasChanged {
            let deadline = now + Self.patience
            for voice in voices.values { voice.fill(until: deadline) }
            notice(.revised)
        }
        leaving.removeAll { $0.hasEnded && $0.join(within: .max).isEmpty }
        pass(voices.mapValues(\.condition).merging(refused) { $1 }, \.conditions) { .conditions($0) }
        for (id, voice) in voices {
            for source in voice.takeMended() { notice(.mended(id, source)) }
        }
        let isGoing = parts.contains { $0.plan.clock.motion == .running }
        quietSince = isGoing ? nil : quietSince ?? now
        let rests = quietSince.map { noticed.isResting || now - $0 > Self.restAfter } ?? false
        pass(rests, \.isResting) { $0 ? .rest : .wake }
        return isGoing || !leaving.isEmpty || !noticed.isResting
    }

    /// Passes a notice on if its value has changed.
    private func pass<Value: Equatable>(
        _ value: Value, _ last: WritableKeyPath<Noticed, Value>, _ make: (Value) -> SoundDirector.Notice
    ) {
        guard value != noticed[keyPath: last] else { return }
        noticed[keyPath: last] = value
        notice(make(value))
    }

    /// Returns true if samples that were already mixed change.
    private func play(_ part: SoundScene.Part, _ delay: Time, horizon: Time) -> Bool {
        guard let voice = voice(for: part) else { return false }
        let isHeard = !part.gain.isSilent || !mixer.isSilent(part.sound)
        let hasChanged = voice.follow(part.plan, isHeard ? .heard : .ready, horizon: horizon - delay)
        guard isHeard else { return false }
        let isSet = mixer.set(
            part.sound,
            MixChannel.Order(
                voice: voice, clock: part.plan.clock, delay: delay, gain: part.gain, levels: part.plan.levels))
        return isSet || hasChanged
    }

    /// nil if the system has no thread for the voice. The next look retries.
    private func voice(for part: SoundScene.Part) -> Voice? {
        if let voice = voices[part.sound] { return voice }
        do throws(NoThread) {
            let id = part.sound, number = id.stem == 0 ? "\(id.number)" : "\(id.number).\(id.stem)"
            let voice = try Voice(id == .bed ? "bed" : number, filled: filled)
            (voices[part.sound], refused[part.sound]) = (voice, nil)
            return voice
        } catch {
            let source = part.plan.runs.first?.source.location ?? ""
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

    /// Removes all voices at once.
    func dismiss() {
        for (id, voice) in voices {
            _ = mixer.remove(id)
            voice.stop()
        }
        for voice in leaving + voices.values { _ = voice.join(within: 500_000_000) }
    }
}
