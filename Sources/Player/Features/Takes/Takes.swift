import Base
import Commands
import Feeds
import Heard
import Layout
import Scene

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

    // MARK: the feature

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .record(.off): end(at: snapshot.now)
        case .record(.toggle) where isRecording && tile != nil: end(at: snapshot.now)
        case .record(.toggle) where !offersTakes(snapshot): .refused(because: reason)
        case .record: tile.map { begin($0, snapshot) } ?? .refused(because: reason)
        case .useTake: use(of: tile, snapshot)
        default: nil
        }
    }

    /// Why nothing is recorded.
    private var reason: String { recorder == .present ? "it can't be recorded" : "there is no sound server" }

    static let wallProperties: [WallProperty] = [
        Property(
            "recording", .wall, "the tile that is recorded, or `none`", inObjects: .absent,
            get: { .text($0.features[Takes.self].session?.name ?? "none") }),
        Property(
            "last-take", .wall, "the last recording's file, or null", inObjects: .absent,
            get: { .textOrNull($0.features[Takes.self].latest?.file) }),
    ]

    var follows: PlayerChanges { session == nil ? [] : .all }

    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        session == nil ? [] : update(player.snapshot(at: now))
    }

    /// A tile that is recorded has a mark of its own, also while other marks are hidden.
    func add(to marks: inout Marks, of view: View, _ context: MarksContext, _ snapshot: Snapshot) -> Time? {
        guard let session, session.tile == view.tile else { return nil }
        mark(&marks, at: snapshot.now)
        return session.signalEnds.flatMap { $0 > snapshot.now ? $0 : nil }
    }

    /// Marks another tile as recording if the tile with the open microphone is not on the screen.
    func complete(_ scene: inout Scene) {
        guard let tile = session?.tile, !scene.views.isEmpty, !scene.views.contains(where: { $0.tile == tile }) else {
            return
        }
        mark(&scene.views[0].marks, at: nil)
    }

    /// `now`: nil if the marks are those of another tile, which do not say that the signal is missing.
    private func mark(_ marks: inout Marks, at now: Time?) {
        guard let session else { return }
        marks.states.removeAll { $0 == .microphone }
        marks.states.insert(.recording, at: 0)
        marks.performance.level = session.level
        if let now, session.endsAt == nil, let end = session.signalEnds, now >= end {
            marks.reasons.insert(.noSignal, at: 0)
        }
    }

    /// True if the key begins a take on this wall.
    private func offersTakes(_ snapshot: Snapshot) -> Bool {
        isOffered || snapshot.layout.audio.input != nil
            || snapshot.tiles.playing.contains {
                snapshot.tiles[$0].play.contains { if case .shown = $0.lyrics { true } else { false } }
            }
    }

    /// Begins a take. Refuses if nothing can record.
    private mutating func begin(_ tile: TileID, _ snapshot: Snapshot) -> FeatureAnswer {
        if isRecording, session?.tile == tile { return .done() }
        guard recorder == .present else {
            return .refused("nothing can be recorded: there is no sound server", because: reason)
        }
        sessionCount += 1
        session = TakeSession(
            number: sessionCount, tile: tile, name: snapshot.tiles[tile].name, source(of: tile, snapshot),
            at: snapshot.now)
        return FeatureAnswer(isDone: true, changes: [.recordFrames(of: tile), .wakeRecorder] + update(snapshot))
    }

    /// Ends the take. Succeeds even if there is none.
    mutating func end(at now: Time) -> FeatureAnswer {
        guard isRecording else { return .done() }
        session?.endsAt = now
        return .done(.recordFrames(of: nil), .wakeRecorder)
    }

    /// Notes the song plan, the delay and the sound input that hold for the take from now on.
    mutating func update(_ snapshot: Snapshot) -> [Change] {
        session?.hasFrames = !snapshot.needs.recorded.isEmpty
        guard let tile = session?.tile, isRecording else { return [] }
        guard snapshot.tiles.contains(tile) else { return end(at: snapshot.now).changes }
        session?.history.note(snapshot.songPlan(of: tile), at: snapshot.now)
        session?.delay = .milliseconds(Int64(snapshot.audioState.delayMilliseconds))
        // A camera's own sound is recorded to the end, whatever its tile plays meanwhile.
        if session?.source == .ownSound, !snapshot.layout.audio.asksForMicrophone { return [] }
        let source = TakeSource.microphone(snapshot.layout.audio.input)
        guard session?.source != source else { return [] }
        session?.source = source
        return [.wakeRecorder]
    }

    /// Returns what a take of this tile records. Of a camera, the microphone is recorded only if the layout asks for it.
    private func source(of tile: TileID, _ snapshot: Snapshot) -> TakeSource {
        let feed = snapshot.feed(of: snapshot.tiles.playingTile(for: tile))
        let isCamera = feed.frontIsLive || feed.mayBeLive
        return isCamera && !snapshot.layout.audio.asksForMicrophone
            ? .ownSound : .microphone(snapshot.layout.audio.input)
    }

    /// Adds the last take of this tile, or of any tile, to the item that the take was sung to. Refuses if there is
    /// none.
    func use(of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer {
        guard let tile, let take = last[tile] ?? latest, let item = item(of: tile, sungTo: take, snapshot) else {
            return .refused(because: "nothing has been recorded that this tile could play")
        }
        let tiles = snapshot.tiles, name = tiles[tile].name
        if snapshot.feeds[tiles[snapshot.tiles.playingTile(for: tile)].feed].isLive {
            return .refused("\(name): its take already has the video in a file of its own")
        }
        guard tiles[tile].item(at: item)?.takesTakes ?? false else {
            return .refused("\(name): a take can't be added to several files with their own sound")
        }
        let track = tiles[tile].track
        return .done(
            .changeItem(item, of: tile) { $0.add(take: take.file, track: track == 0 ? nil : track) },
            .notice("\(name): \(SourceName.fileName(of: take.file))"))
    }

    /// Returns the item that a take was sung to, else an item of the same film, preferably the item on screen.
    private func item(of tile: TileID, sungTo take: Take, _ snapshot: Snapshot) -> ItemPlace? {
        let tileState = snapshot.tiles[tile]
        func plays(_ place: ItemPlace) -> Bool {
            guard let item = tileState.item(at: place) else { return false }
            return item.song == take.source || item.segments.contains { $0.source == take.source }
        }
        // The item index of another tile's take has no meaning for this tile.
        func isTheOne(_ place: ItemPlace) -> Bool { last[tile] == take && place == ItemPlace(take.item) }
        let candidates = tileState.places.filter(plays)
        return candidates.first(where: isTheOne)
            ?? snapshot.tileFeeds.presentItem(of: tile).flatMap { candidates.contains($0) ? $0 : nil }
            ?? candidates.first
    }

    private static let announcementTime = Time.seconds(4)

    /// Notes that a file was begun, is over, or could not be written. `item`: index in the tile's sequence.
    mutating func note(_ file: String, of session: TakeSession, item: Int, _ state: Event.TakeState) -> [Change] {
        var changes = [Change.emit(.take(tile: session.name, file: file, state)), .draw]
        switch state {
        case .ended:
            end(file, of: session.tile)
            changes.append(.announce("recorded: \(SourceName.fileName(of: file))", for: Self.announcementTime))
        // A file that could not be continued, as on a full disk, can be used up to its end.
        case .failed(let reason, let kept):
            if kept > .zero { end(file, of: session.tile) }
            changes.append(.notice("no recording: \(reason)"))
        case .started(_, let source): current = Take(file: file, source: source, item: item)
        }
        return changes
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
