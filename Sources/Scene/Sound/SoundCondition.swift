import Base

/// Condition of a sound.
public enum SoundCondition: Sendable, Hashable {
    case unknown
    case sounding(tracks: Int)
    /// The file has sound, but not the requested track.
    case noTrack(tracks: Int)
    case soundless
    /// The live source is connected and has sent no sound for a while.
    case stalled(tracks: Int)
    /// The file can't be opened or played.
    case failed(source: String, SourceTrouble)

    /// Reason why the sound is not heard; nil if the sound is heard, or if that is unknown.
    public var failure: Unheard? {
        switch self {
        case .soundless: .soundless
        case .failed: .unplayable
        case .noTrack: .noTrack
        case .stalled: .stalled
        case .sounding, .unknown: nil
        }
    }
}

/// Why a tile is not heard.
public enum Unheard: String, Sendable, Hashable, CaseIterable {
    case notFocused, muted, wallMuted, volumeZero, noTrack, soundless, stalled, unplayable, sinkMuted, noServer
    case switchedOff

    /// Text for a mark or a message.
    public var words: String {
        switch self {
        case .notFocused: "another tile has the focus"
        case .muted: "muted"
        case .wallMuted: "the wall is muted"
        case .volumeZero: "volume 0"
        case .noTrack: "no such sound track"
        case .soundless: "no sound"
        case .stalled: "its source sends no sound"
        case .unplayable: "its sound can't be played"
        case .sinkMuted: "the output is muted"
        case .noServer: "no sound server"
        case .switchedOff: "--no-audio"
        }
    }
}
