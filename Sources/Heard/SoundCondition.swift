import Base
import func Glibc.log10

/// Condition of a sound. Thrown if the sound can't be opened.
public enum SoundCondition: Error, Sendable, Hashable {
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

/// Level of a microphone on a meter: steps of two decibels up to full scale.
public struct InputLevel: Hashable, Sendable {
    /// From 0, for silence, to `steps`.
    public let step: Int

    public static let steps = 24
    private static let decibelsPerStep = 2.0

    /// `peak`: greatest sample, from 0 to 1.
    public init(peak: Float) {
        let level = Double(Self.steps) + 20 * log10(Double(peak)) / Self.decibelsPerStep
        step = level.isFinite ? Int(max(0, min(Double(Self.steps), level.rounded(.down)))) : 0
    }

    public var fraction: Double { Double(step) / Double(Self.steps) }
    /// True if the sound is at full scale, where it is distorted.
    public var isFull: Bool { step == Self.steps }
}
