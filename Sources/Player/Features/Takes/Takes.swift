import Base
import Feeds
import Heard

/// Recordings: the one in progress and the finished ones.
public struct Takes: Feature {
    /// State of the sound server that records.
    public internal(set) var recorder = Recorder.absent
    /// True if `R` starts a recording even if neither the layout nor its songs ask for one.
    public internal(set) var isOffered = false
    public internal(set) var session: TakeSession?
    /// The recording that is being written.
    var current: Take?
    /// Last finished recording of each tile.
    private(set) var last: [TileID: Take] = [:]
    /// Last finished recording of any tile; nil until there is one.
    private(set) var latest: Take?
    var sessionCount = 0

    public enum Recorder: Sendable { case absent, present }

    /// A recording's file.
    struct Take: Equatable, Sendable {
        let file: String
        let source: String
        /// Index in its tile's sequence.
        let item: Int
    }

    /// True from the start of a recording until the user ends it.
    var isRecording: Bool { session.map { $0.endsAt == nil } ?? false }

    /// Makes the current recording the last one: its file is complete.
    mutating func end(_ file: String, of tile: TileID) {
        guard let take = current, take.file == file else { return }
        (last[tile], latest, current) = (take, take, nil)
    }
}

/// A microphone that is open for a tile, from one `record` command to the next.
public struct TakeSession: Sendable {
    public let number: Int
    public let tile: TileID
    /// Name of the tile.
    public let name: String
    public internal(set) var history = SongHistory()
    /// Wall time at which the recording ends; nil until the user ends it.
    public internal(set) var endsAt: Time?
    /// Delay of the sound after the clock.
    public internal(set) var delay = Time.zero
    /// Sound that the take records.
    public internal(set) var source: TakeSource
    /// True if frames of a live source have come since the recorder took them last.
    public internal(set) var hasFrames = false
    /// Level of the microphone; nil until samples have come.
    private(set) var level: InputLevel?
    /// Wall time of the last sample that was not silence, or of the session's begin.
    private var lastSound: Time

    /// Greatest sample of silence: a microphone that is muted or unplugged.
    private static let silence: Float = 0.0005
    /// Time of silence after which the user is told that there is no signal.
    private static let patience = Time.seconds(3)

    /// Wall time at which a microphone that stays silent has no signal; nil for a camera, which may be silent.
    var signalEnds: Time? { source == .ownSound ? nil : lastSound + Self.patience }

    /// `peak`: greatest sample since the last call.
    mutating func note(peak: Float, at now: Time) {
        level = InputLevel(peak: peak)
        if peak > Self.silence { lastSound = now }
    }

    init(number: Int, tile: TileID, name: String, _ source: TakeSource, at now: Time) {
        (self.number, self.tile, self.name, self.source, lastSound) = (number, tile, name, source, now)
    }
}

/// Sound that a take records.
public enum TakeSource: Sendable, Equatable {
    /// A sound input by its name; nil for the server's default.
    case microphone(String?)
    /// The sound that belongs to what the tile plays, whether it is heard or not.
    case ownSound
}

extension Wall {
    public var takes: Takes { features[Takes.self] }

    /// Notes that takes can be recorded. `isOffered`: true if the key `R` begins a take whatever the layout states.
    public mutating func takesCanBeRecorded(isOffered: Bool) {
        features.change(Takes.self) { ($0.recorder, $0.isOffered) = (.present, isOffered) }
    }

    /// Called when the recorder is done with a take, and its microphone is closed.
    public mutating func recordingHasEnded(_ number: Int, at now: Time) {
        guard takes.session?.number == number else { return }
        features.change(Takes.self) { $0.session = nil }
        make([.recordFrames(of: nil), .draw], at: now)
        // No recorder takes the frames that are left.
        _ = player.takeRecordedFrames()
    }

    /// Notes the greatest sample of the microphone since the last call, from 0 to 1.
    public mutating func recordingHas(peak: Float, of number: Int, at now: Time) {
        guard takes.session?.number == number else { return }
        features.change(Takes.self) { $0.session?.note(peak: peak, at: now) }
        make([.draw], at: now)
    }

    /// Returns the frames that came since the last call for the take of this number.
    public mutating func takeRecordedFrames(_ number: Int) -> [TakeFrame] {
        takes.session?.number == number ? player.takeRecordedFrames() : []
    }

    /// Notes that a file was begun, is over, or could not be written. `item`: index in the tile's sequence.
    public mutating func take(
        _ file: String, of session: TakeSession, item: Int = 0, _ state: Event.TakeState, at now: Time
    ) { make(features.change(Takes.self) { $0.note(file, of: session, item: item, state) }, at: now) }
}
