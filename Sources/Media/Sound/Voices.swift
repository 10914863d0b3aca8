import Base
import Heard
import Threads

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
        leaving.removeAll { $0.hasEnded && $0.join(within: .max) == .joined }
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
