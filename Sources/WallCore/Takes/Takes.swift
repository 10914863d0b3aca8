/// Who records what, and what has been recorded.
public struct Takes: Sendable {
    /// Whether anything could record.
    public internal(set) var recorder = Recorder.absent
    /// `R` begins a recording, though neither the layout nor its songs ask for it.
    public internal(set) var isOffered = false
    public internal(set) var session: TakeSession?
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

    mutating func note(_ take: Take, of tile: TileID) { (last[tile], latest) = (take, take) }
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

    mutating func note(_ plan: SongPlan?, at wall: Time) { history.note(plan, at: wall) }

    init(number: Int, tile: TileID, name: String) { (self.number, self.tile, self.name) = (number, tile, name) }
}
