/// The decoded pictures of one run. A feed's first slot is its front (on screen), the next its back.
struct Slot {
    var id: Int
    var run: RunID
    /// What it reads.
    let location: String
    /// When the run begins, in group time; nil while something before it has no known end.
    var start: Time?
    /// Group time from which it is on screen, where that is not its beginning: a pass of a group that loops together,
    /// or the first picture of a tile that has not begun.
    var takesOverAt: Time?
    /// How long it plays, in group time; nil while unknown.
    var length: Time?
    /// Group time at which the next pass takes over, however much is left.
    var cut: Time?
    /// Pictures that end before this offset are not wanted: the run is entered here.
    var entry: Time
    /// Whether it continues the run before it, or was entered by a start, a seek or a new seat.
    var arrival = Arrival.follows
    var loading: Loading
    var how: SeamManner = .reopened
    /// By offset. While the run is kept for replay, `first` walks over them; else they are dropped from the front.
    var pictures: [Entry] = []
    /// The picture that is due, or will be first.
    var first = 0
    /// Where the next picture to be decoded begins.
    var decodedTo: Time
    /// Where the picture ended that was skipped last, since it was over.
    var skippedTo: Time?
    /// Whether the pipeline is filling the slot (up to its depth) or letting it drain (by a burst).
    var isFilling = true
    /// When its source was there, when a pipeline took it and when it had its first picture, in wall time.
    var openedAt: Time?
    var leasedAt: Time?
    var readyAt: Time?
    /// A still image or a sound: nothing is ever decoded for it again.
    var isStill = false
    /// What is decoded to stand before its pictures, and is shown when all of it is there.
    var refill: Refill?

    struct Refill {
        /// By offset: to the first of the slot's pictures.
        let from: Time
        let to: Time
        /// The run had been decoded to its end.
        let wasWhole: Bool
        var pictures: [Entry] = []
        var decodedTo = Time.zero
    }

    enum Arrival { case follows, entered }

    enum Loading {
        /// Not asked for yet.
        case planned
        case opening
        /// Opened: costs no pipeline.
        case ready(any WallSource)
        case leased(pipeline: Int)
        /// All that it will ever hold is here.
        case whole
        case failed(SourceTrouble)
    }

    struct Entry {
        /// Group time from the run's beginning to the picture's.
        var offset: Time
        /// Media time, for the trace.
        var pts: Time
        var serial: Int
        var picture: any WallPicture
        var isShown = false
    }

    /// All of it begins so much later.
    mutating func shift(by change: Time) {
        start = start.map { $0 + change }
        takesOverAt = takesOverAt.map { $0 == -.distantFuture ? $0 : $0 + change }
        cut = cut.map { $0 + change }
    }

    var end: Time? {
        guard let start, let length else { return cut }
        return cut.map { min($0, start + length) } ?? (start + length)
    }

    func isOver(at now: Time) -> Bool { end.map { $0 <= now } ?? false }

    var isWhole: Bool {
        switch loading {
        case .whole, .failed: true
        default: false
        }
    }

    var wasOpened: Bool {
        switch loading {
        case .planned, .opening, .failed: false
        case .ready, .leased, .whole: true
        }
    }

    var hasFailed: Bool {
        if case .failed = loading { true } else { false }
    }

    var isLeased: Bool { pipeline != nil }

    var pipeline: Int? {
        if case .leased(let pipeline) = loading { pipeline } else { nil }
    }

    /// How many pictures wait to be shown, the one that is due included.
    var waiting: Int { pictures.count - first }

    /// How much was decoded beyond `now`, in group time; from the run's own beginning where that is not known.
    func ahead(of now: Time) -> Time {
        guard let start else { return decodedTo - entry }
        return start + decodedTo - max(now, start + entry)
    }

    /// The picture for `now` is being decoded to stand before those that are here.
    func isRefilled(at now: Time) -> Bool {
        guard let refill, let start, let first = pictures.first else { return false }
        return start + refill.from <= now && now < start + first.offset
    }

    /// Until when its pictures are here, in group time; nil: it has none.
    var knownTo: Time? {
        pictures.isEmpty ? nil : start.map { $0 + decodedTo }
    }

    /// When it is to take over from the slot before it.
    var instant: Time? { takesOverAt ?? start.map { $0 + entry } }

    /// Whether it can take over from the slot before it.
    func canTakeOver(at now: Time) -> Bool {
        guard let instant, instant <= now else { return false }
        return isWhole || !pictures.isEmpty
    }

    /// Its last pictures alone, to be entered again from behind; nil: there are none, or `count` is 0.
    func tail(of count: Int) -> Slot? {
        guard count > 0, isWhole, start != nil else { return nil }
        var tail = self
        tail.pictures = pictures.suffix(count)
        guard let first = tail.pictures.first else { return nil }
        (tail.loading, tail.arrival, tail.takesOverAt) = (.whole, .entered, nil)
        (tail.entry, tail.first) = (first.offset, 0)
        return tail
    }

    /// Walks to the picture that is due, forwards or backwards; says how many went by unseen.
    /// `behind`: how many pictures before it stay.
    mutating func advance(to now: Time, keeping behind: Int) -> Int {
        guard let start else { return 0 }
        var missed = 0
        while first + 1 < pictures.count, start + pictures[first + 1].offset <= now {
            if !pictures[first].isShown { missed += 1 }
            first += 1
        }
        while first > 0, start + pictures[first].offset > now { first -= 1 }
        if first > behind {
            pictures.removeFirst(first - behind)
            first = behind
        }
        return missed
    }
}

/// How a run came to follow the one before it.
public enum SeamManner: String, Sendable {
    /// The decoder stayed open.
    case continued
    /// The pipeline closed its decoder and opened another.
    case reopened
    /// Another pipeline had warmed it.
    case swapped
    /// From memory, or nothing had to be decoded.
    case replayed
}
