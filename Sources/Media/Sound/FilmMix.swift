import Base
import Heard
import Threads

/// The wall's sound for a rendered film: the voices and rules of a running wall, sample by sample and without a clock.
/// The sound is shifted by the layout's delay, and as long as the frames. Belongs to one thread, which waits for files.
public final class FilmMix {
    /// Wall time of the film's first sample.
    private let beginning: Time
    private var voices: [SoundID: FilmVoice] = [:]
    private var limiter = Limiter()
    /// Sounds whose samples had to be mended, with their sources, which are not reported yet.
    private var mended: [(sound: SoundID, source: String)] = []
    /// Number of the sample that is mixed next, without the delay.
    private var next: Int64 = 0
    /// Samples still to be cut at the beginning, where frames are held back.
    private var surplus: Int
    /// Samples that belong to later frames.
    private var waiting: [Float]
    private var written = 0
    private var length = 0

    /// `delay`: number of samples by which the sound comes later than its frames; below zero if it comes earlier.
    public init(beginning: Time, delay: Int = 0) {
        (self.beginning, surplus) = (beginning, max(0, -delay))
        waiting = [Float](repeating: 0, count: max(0, delay) * 2)
    }

    /// Returns the samples to add to the film. The film's sound then lasts until `now` or a little less.
    public func mix(_ soundScene: SoundScene, until now: Time) -> [Float] {
        let end = SoundGrid.sample(at: now - beginning)
        var result: [Float] = []
        let isFirst = next == 0
        let parts = soundScene.allParts
        for part in parts where !part.gain.isSilent || voices[part.sound] != nil {
            // Only a sound with which the film begins is at full volume at once.
            let voice = voices[part.sound] ?? FilmVoice(part, from: isFirst ? part.gain : 0)
            voice.follow(part)
            voices[part.sound] = voice
        }
        for (id, voice) in voices where !parts.contains(where: { $0.sound == id }) { voice.gain.turn(to: 0) }
        while next < end { result += limiter.limit(block()) }
        for (id, voice) in voices { mended += voice.takeMended().map { (id, $0) } }
        voices = voices.filter { !$0.value.gain.isSilent }
        length = Int(end)
        return fitted(result)
    }

    /// Returns the sounds whose samples were no numbers or absurd, each source of a sound once.
    public func takeMended() -> [(sound: SoundID, source: String)] { exchange(&mended, with: []) }

    /// Returns the remaining samples.
    public func finish() -> [Float] {
        let rest = fitted(limiter.limit([Float](repeating: 0, count: Mix.block * 2)))
        return rest + [Float](repeating: 0, count: max(0, length - written) * 2)
    }

    private func fitted(_ samples: [Float]) -> [Float] {
        let cut = min(surplus, samples.count / 2)
        surplus -= cut
        waiting += samples.dropFirst(cut * 2)
        let count = min(waiting.count / 2, length - written)
        defer { waiting.removeFirst(count * 2) }
        written += count
        return Array(waiting[..<(count * 2)])
    }

    private func block() -> [Float] {
        var mix = [Float](repeating: 0, count: Mix.block * 2)
        let now = beginning + SoundGrid.time(of: next)
        for id in voices.keys.sorted() { voices[id]?.add(to: &mix, heardAt: now) }
        next += Int64(Mix.block)
        return mix
    }
}

/// One feed's sound, decoded on the caller's thread.
private final class FilmVoice {
    private let state: Locked<VoiceState>
    private let hand: VoiceDecoder
    private var plan: SoundPlan
    var gain: ChannelGain
    private var hasPlayed = false
    private var buffer = [Float](repeating: 0, count: Mix.block * 2)

    init(_ part: SoundScene.Part, from gain: StereoGain) {
        state = Locked(VoiceState())
        (hand, plan, self.gain) = (VoiceDecoder(state), part.plan, ChannelGain(at: gain, presence: 1))
    }

    func follow(_ part: SoundScene.Part) {
        plan = part.plan
        gain.turn(to: part.gain)
    }

    func takeMended() -> [String] { state.locked { $0.report.takeMended() } }

    func add(to mix: inout [Float], heardAt now: Time) {
        guard plan.clock.motion == .running, !gain.isSilent else { return }
        let sample = plan.sample(heardAt: now)
        _ = state.locked { $0.follow(plan, .heard, horizon: now) }
        var available = 0
        while true {
            available = buffer.withUnsafeMutableBufferPointer { buffer in
                state.locked { state in
                    _ = state.want(sample)
                    return state.samples.copy(from: sample, Mix.block, to: buffer.baseAddress!)
                }
            }
            guard available < Mix.block, case .done(let task?) = state.locked({ $0.nextTask() }) else { break }
            hand.work(task)
        }
        gain.level.follow(plan.levels, at: sample, hasPlayed ? .continuing : .entering)
        hasPlayed = true
        gain.add(buffer, available, at: sample, to: &mix)
    }
}
