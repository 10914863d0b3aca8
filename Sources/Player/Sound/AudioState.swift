import Base
import Commands
import Heard
import Layout

/// Sound settings of the whole wall, and the state of its sounds. Tiles have their own mutes and volumes.
public struct AudioState: Sendable, Equatable {
    public private(set) var mode = AudioMode.focus
    public private(set) var isMuted = false
    /// True if only the focused tile is heard, in either mode.
    public private(set) var isSolo = false
    public private(set) var volume = 100
    /// Delay of the sound if positive, of the frames if negative.
    public private(set) var delayMilliseconds = 0
    /// Why nothing can be heard at present, whatever the wall plays; nil while the sound output is open.
    public internal(set) var outage: Unheard?
    /// State of the monitored microphone.
    public internal(set) var monitored = SoundScene.Monitored.State.closed
    /// Condition of each sound.
    public internal(set) var conditions: [SoundID: SoundCondition] = [:]
    /// Wall time since which a sound can't be played.
    var failedSince: [SoundID: Time] = [:]

    private var soundCount = 0

    public init() {}

    /// Returns the gain of a tile, or why it is not heard. If the focused tile is muted, no other is heard instead.
    public func verdict(on tile: TileLayout, hasFocus: Bool) -> Verdict {
        if mode == .focus || isSolo, !hasFocus { return .unheard(.notFocused) }
        if isMuted { return .unheard(.wallMuted) }
        if tile.isMuted { return .unheard(.muted) }
        if volume == 0 || tile.volume == 0 { return .unheard(.volumeZero) }
        return .heard(Loudness.gain(ofVolume: volume) * Loudness.gain(ofVolume: tile.volume))
    }

    public enum Verdict: Sendable, Equatable {
        case heard(Float)
        case unheard(Unheard)
    }

    /// Returns why no file of a sound can be heard; nil if one can, or nothing is known yet.
    func failure(of sound: SoundID, files: Int) -> Unheard? {
        let reasons = (0..<max(1, files)).map { conditions[sound.stem($0)]?.failure }
        return reasons.contains(nil) ? nil : reasons[0]
    }

    /// Returns the gain of the bed. Only the wall's volume and mute apply to it.
    public func bedGain(_ bed: AudioLayout.Bed) -> Float {
        isMuted ? 0 : Loudness.gain(ofVolume: volume) * Loudness.gain(ofVolume: bed.volume)
    }

    /// Gain of a monitored microphone. Only the wall's volume and mute apply to it.
    var monitorGain: Float { isMuted ? 0 : Loudness.gain(ofVolume: volume) }

    mutating func makeSound() -> SoundID {
        soundCount += 1
        return SoundID(number: soundCount - 1)
    }

    /// Takes over the settings of a layout.
    mutating func follow(_ layout: AudioLayout) {
        mode = layout.mode
        turn(to: layout.volume)
        delay(by: layout.delayMilliseconds)
    }

    /// Makes a change of the sound of the whole wall. Returns false if it is another one.
    mutating func apply(_ change: Change) -> Bool {
        switch change {
        case .mute(let switching, .wall): isMuted = switching.applied(to: isMuted)
        case .volume(let amount, .wall): turn(to: amount.applied(to: volume))
        case .audioDelay(let amount): delay(by: amount.applied(to: delayMilliseconds))
        case .solo(let switching): isSolo = switching.applied(to: isSolo)
        default: return false
        }
        return true
    }

    private mutating func turn(to volume: Int) { self.volume = min(100, max(0, volume)) }
    private mutating func delay(by milliseconds: Int) { delayMilliseconds = min(1000, max(-1000, milliseconds)) }
}
