import Base
import Heard
import Threads

/// The wall's sound for a rendered film: the voices and rules of a running wall, sample by sample and without a clock.
/// Belongs to one thread, which waits for files.
public final class FilmMix {
    /// Wall time of the film's first sample.
    private let beginning: Time
    private var voices: [SoundID: FilmVoice] = [:]
    private var limiter = Limiter()
    /// Sounds whose samples had to be mended, with their sources, which are not reported yet.
    private var mended: [(sound: SoundID, source: String)] = []
    /// The film's sample that is mixed next.
    private var next: Int64 = 0

    public init(beginning: Time) { self.beginning = beginning }

    /// Returns the samples from the last call up to `now`. The last two milliseconds come with the next call.
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
        return result
    }

    /// Returns the sounds whose samples were no numbers or absurd, each source of a sound once.
    public func takeMended() -> [(sound: SoundID, source: String)] { exchange(&mended, with: []) }

    /// Returns the remaining samples.
    public func finish() -> [Float] { limiter.limit([Float](repeating: 0, count: Mix.block * 2)) }

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
