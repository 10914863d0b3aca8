/// Who is heard: focus, mutes and volumes, as the layout began and as they were changed since.
public struct Hearing: Sendable, Equatable {
    public let mode: AudioMode
    public internal(set) var isMuted: Bool
    public internal(set) var volume: Int
    public internal(set) var mutes: [Bool]
    public internal(set) var volumes: [Int]
    /// By tile: the track that was asked for by hand, from 1.
    public internal(set) var tracks: [Int: Int] = [:]
    public internal(set) var outlet = Outlet.open
    /// By feed: what became of its sound.
    public internal(set) var conditions: [FeedID: SoundCondition] = [:]

    /// Where the sound goes.
    public enum Outlet: Sendable {
        case open, muted
        /// The server is not there.
        case away
        /// Nobody looks for one.
        case unwanted
    }

    public init(_ layout: Layout) {
        (mode, isMuted, volume) = (layout.audio.mode, false, layout.audio.volume)
        mutes = layout.tiles.map(\.isMuted)
        volumes = layout.tiles.map(\.volume)
    }

    /// The gain of a tile, or why it is not heard. Muting the focused tile promotes nobody.
    public func verdict(on tile: Int, focus: Int) -> Verdict {
        if mode == .focus, tile != focus { return .unheard(.notFocused) }
        if isMuted { return .unheard(.wallMuted) }
        if mutes[tile] { return .unheard(.muted) }
        if volume == 0 || volumes[tile] == 0 { return .unheard(.volumeZero) }
        return .heard(Loudness.gain(ofVolume: volume) * Loudness.gain(ofVolume: volumes[tile]))
    }

    public enum Verdict: Sendable, Equatable {
        case heard(Float)
        case unheard(Unheard)
    }

    /// What is under everything: only the wall's own volume and mute hold for it.
    public func bedGain(_ bed: AudioLayout.Bed) -> Float {
        isMuted ? 0 : Loudness.gain(ofVolume: volume) * Loudness.gain(ofVolume: bed.volume)
    }
}

/// What became of the sound of a feed's present run.
public enum SoundCondition: Sendable, Hashable {
    case unknown
    case sounding(tracks: Int)
    /// It has sound, but not the track that is wanted.
    case noTrack(tracks: Int)
    case soundless
    /// It can't be opened, or not be played.
    case failed(source: String, SourceTrouble)
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
