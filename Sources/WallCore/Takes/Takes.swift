/// Who records what, and what has been recorded.
public struct Takes: Sendable {
    /// Whether anything could record.
    public internal(set) var recorder = Recorder.absent
    /// `R` begins a recording, though neither the layout nor its songs ask for it.
    public internal(set) var isOffered = false
    public internal(set) var session: TakeSession?
    /// What is being written.
    private var current: Take?
    /// The last one of each tile.
    private(set) var last: [TileID: Take] = [:]
    /// The last one of all; nil: there was none.
    private(set) var latest: Take?
    private var sessionCount = 0

    public enum Recorder: Sendable { case absent, present }

    /// A file that was begun.
    struct Take: Equatable, Sendable {
        let file: String
        let source: String
        /// Of its tile's sequence.
        let item: Int
    }

    mutating func begin(_ tile: TileID, _ name: String) {
        sessionCount += 1
        session = TakeSession(number: sessionCount, tile: tile, name: name)
    }

    mutating func begin(_ take: Take) { current = take }

    /// What was begun can be used.
    mutating func end(_ file: String, of tile: TileID) {
        guard let take = current, take.file == file else { return }
        (last[tile], latest, current) = (take, take, nil)
    }
}

/// A frame of what is live, and where it belongs among the samples that are recorded beside it.
public struct TakeFrame: Sendable {
    public let frame: any WallFrame
    /// On the line that `TakeCutter.Beginning.start` lies on.
    public let place: Time

    public init(_ frame: any WallFrame, at place: Time) { (self.frame, self.place) = (frame, place) }
}

/// A microphone is open for a tile, from one `record` to the next.
public struct TakeSession: Sendable {
    public let number: Int
    public let tile: TileID
    /// The tile's.
    public let name: String
    public private(set) var history = SongHistory()
    /// What is sung from then on is not wanted any more; nil: it goes on.
    public internal(set) var endsAt: Time?
    /// So much later than the clock sound is heard.
    public internal(set) var delay = Time.zero
    /// The sound input's name; nil: the server's default.
    public internal(set) var input: String?

    /// Of what is live, in the order in which they came, until the recorder takes them.
    private var frames: [TakeFrame] = []
    /// A recorder that does not come for them has no use for more.
    private static let mostFrames = 32

    mutating func note(_ plan: SongPlan?, at now: Time) { history.note(plan, at: now) }

    /// Something has come since they were taken last.
    public var hasFrames: Bool { !frames.isEmpty }

    mutating func note(_ frame: TakeFrame) {
        if frames.count < Self.mostFrames { frames.append(frame) }
    }

    mutating func takeFrames() -> [TakeFrame] {
        defer { frames = [] }
        return frames
    }

    init(number: Int, tile: TileID, name: String) { (self.number, self.tile, self.name) = (number, tile, name) }
}
