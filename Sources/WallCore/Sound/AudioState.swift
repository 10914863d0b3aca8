/// Who is heard, and how loud: what holds for the wall as a whole. Mutes and volumes of tiles are theirs.
public struct AudioState: Sendable, Equatable {
    public private(set) var mode = AudioMode.focus
    public private(set) var isMuted = false
    /// Only the focused tile is heard, in whatever mode.
    public private(set) var isSolo = false
    public private(set) var volume = 100
    /// Positive: sound is held back; negative: frames are.
    public private(set) var delayMilliseconds = 0
    public private(set) var outlet = Outlet.open
    /// The microphone that who sings hears.
    public private(set) var monitored = Monitored.closed
    /// What became of each sound.
    public private(set) var conditions: [SoundID: SoundCondition] = [:]

    private var soundCount = 0

    public enum Monitored: Sendable, Equatable {
        case closed
        /// How late it is heard is not known yet.
        case open
        case heard(after: Time)
    }

    /// Where the sound goes.
    public enum Outlet: Sendable {
        case open, muted
        /// The server is not there.
        case away
        /// Nobody looks for one.
        case unwanted
    }

    public init() {}

    /// The gain of a tile, or why it is not heard. Muting the focused tile promotes nobody.
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

    /// What became of all files of a sound; nil: some of it can be heard, or nothing is known yet.
    func failure(of sound: SoundID, files: Int) -> Unheard? {
        let reasons = (0..<max(1, files)).map { conditions[sound.stem($0)]?.failure }
        return reasons.contains(nil) ? nil : reasons[0]
    }

    /// What is under everything: only the wall's own volume and mute hold for it.
    public func bedGain(_ bed: AudioLayout.Bed) -> Float {
        isMuted ? 0 : Loudness.gain(ofVolume: volume) * Loudness.gain(ofVolume: bed.volume)
    }

    /// Of a microphone that is monitored, for which the same holds.
    var monitorGain: Float { isMuted ? 0 : Loudness.gain(ofVolume: volume) }

    /// Of a sound that has not been heard yet.
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

/// What became of a sound.
public enum SoundCondition: Sendable, Hashable {
    case unknown
    case sounding(tracks: Int)
    /// It has sound, but not the track that is wanted.
    case noTrack(tracks: Int)
    case soundless
    /// It can't be opened, or not be played.
    case failed(source: String, SourceTrouble)

    /// Why nothing is heard of it.
    var failure: Unheard? {
        switch self {
        case .soundless: .soundless
        case .failed: .unplayable
        case .noTrack: .noTrack
        case .sounding, .unknown: nil
        }
    }
}

/// Why a tile is not heard.
public enum Unheard: String, Sendable, Hashable, CaseIterable {
    case notFocused, muted, wallMuted, volumeZero, noTrack, soundless, unplayable, sinkMuted, noServer, switchedOff

    /// In words, for a mark or a message.
    public var words: String {
        switch self {
        case .notFocused: "another tile has the focus"
        case .muted: "muted"
        case .wallMuted: "the wall is muted"
        case .volumeZero: "volume 0"
        case .noTrack: "no such sound track"
        case .soundless: "no sound"
        case .unplayable: "its sound can't be played"
        case .sinkMuted: "the output is muted"
        case .noServer: "no sound server"
        case .switchedOff: "--no-audio"
        }
    }
}
