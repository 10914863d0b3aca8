import Base
import Scene

// Reports of the sound output and of the microphone.
extension PlayerCore {
    /// Notes the state of the monitored microphone. Emits its latency once each time that it begins to be heard.
    public mutating func note(_ monitored: AudioState.Monitored, at now: Time) {
        sounds.note(monitored, &playbacks.effects, context(at: now))
    }

    public mutating func outlet(is outlet: AudioState.Outlet) { sounds.note(outlet) }

    /// Notes the condition of each sound.
    public mutating func note(_ conditions: [SoundID: SoundCondition], at now: Time) {
        sounds.note(conditions, &tiles, &playbacks, context(at: now))
    }
}
