import Base
import Layout
import Scene

/// Sound settings of the whole wall, and the state of its sounds. Tiles have their own mutes and volumes.
public struct AudioState: Sendable, Equatable {
    public private(set) var mode = AudioMode.focus
    public private(set) var isMuted = false
    /// True if only the focused tile is heard, in either mode.
    public private(set) var isSolo = false
    public private(set) var volume = 100
    /// Delay of the sound if positive, of the frames if negative.
    public private(set) var delayMilliseconds = 0
    public private(set) var outlet = Outlet.open
    /// State of the monitored microphone.
    public private(set) var monitored = Monitored.closed
    /// Condition of each sound.
    public private(set) var conditions: [SoundID: SoundCondition] = [:]

    private var soundCount = 0

    public enum Monitored: Sendable, Equatable {
        case closed
        /// Open, with a latency that is not known yet.
        case open
        case heard(after: Time)
    }

    /// State of the sound output.
    public enum Outlet: Sendable {
        case open, muted
        /// There is no sound server.
        case away
        /// Sound is switched off.
        case unwanted
    }

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

    /// Returns the id of a new sound.
    mutating func nextSound() -> SoundID {
        soundCount += 1
        return SoundID(number: soundCount - 1)
    }

    mutating func setMode(_ mode: AudioMode) { self.mode = mode }
    mutating func setMuted(_ isMuted: Bool) { self.isMuted = isMuted }
    mutating func setVolume(_ volume: Int) { self.volume = min(100, max(0, volume)) }
    mutating func setSolo(_ isSolo: Bool) { self.isSolo = isSolo }
    mutating func setDelay(_ milliseconds: Int) { delayMilliseconds = min(1000, max(-1000, milliseconds)) }
    mutating func setMonitored(_ monitored: Monitored) { self.monitored = monitored }
    mutating func setOutlet(_ outlet: Outlet) { self.outlet = outlet }
    mutating func note(_ conditions: [SoundID: SoundCondition]) { self.conditions = conditions }
}
