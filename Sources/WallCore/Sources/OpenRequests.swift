/// A source that is to be opened, on a thread of its own, early enough.
public struct OpenOrder: Sendable {
    public let ticket: Int
    public let location: String
    public let turn: Turn
    public let flip: Flip
    public let limit: FrameLimit
    public let variant: VariantChoice
}

/// Who waits for a source.
struct OpenRequest {
    let feed: FeedID
    let location: String
    /// In the feed's sequence, as it was when this was asked for.
    fileprivate(set) var item: Int
    /// As its frames are turned.
    let turn: Turn
    let flip: Flip
    let maxBitrate: Int?
    var purpose: Purpose
    let since: Time
    /// Of an image that is there already.
    var isForMore: Bool { if case .sharper = purpose { true } else { false } }
    /// It has failed for the wall, though its thread is not back yet.
    fileprivate(set) var hangs = false

    enum Purpose: Equatable {
        case slot(Int)
        case preview(Int)
        /// Only its length is wanted.
        case probe
        /// The first item of a break that is to interrupt the feed.
        case breakAhead(String)
        /// The slot's still image is wanted larger, or with its frame.
        case sharper(Int)
    }

    init(of run: RunID, in timeline: Timeline, for feed: FeedID, _ purpose: Purpose, since: Time) {
        let item = timeline.items[run.item]
        (self.feed, location, self.item) = (feed, timeline.segment(of: run).source, run.item)
        (turn, flip, maxBitrate) = (item.turn, item.flip, item.maxBitrate)
        (self.purpose, self.since) = (purpose, since)
    }

    /// Opens the first item of a break that is not in the feed's sequence yet.
    init(ahead due: BreakLayout, for feed: FeedID, since: Time) {
        let item = due.play[0]
        (self.feed, location, self.item) = (feed, item.segments[0].source, 0)
        (turn, flip, maxBitrate) = (item.turn, item.flip, item.maxBitrate)
        (purpose, self.since) = (.breakAhead(due.name), since)
    }
}

/// The openings that are under way, each on a thread of its own.
struct OpenRequests {
    private var underWay: [Int: OpenRequest] = [:]
    private var ticketCount = 0

    /// At most so many sources are being opened at once; one that is slow is not counted for long.
    static let most = 8
    static let slowAfter = Time.seconds(1)
    /// What could not be opened is asked for again after this.
    static let whileBusy = Time.milliseconds(20)
    /// An opening that has not come back by then has failed. Sources end their calls by themselves at the same time:
    /// what does not is held by the kernel.
    static let hangsAfter = Time.seconds(10)
    /// So many threads at most stand in openings that do not come back.
    static let mostHanging = 24

    static let noAnswer = SourceTrouble(.timeout, "opening: no answer in time")

    // MARK: what is asked for

    enum Start {
        case ordered(OpenOrder)
        /// Too many are under way: asked again at this wall time.
        case busy(until: Time)
    }

    mutating func start(_ opening: OpenRequest, limit: FrameLimit, room: Size, at now: Time) -> Start {
        guard !isBusy(at: now), underWay.count < Self.most + Self.mostHanging else {
            return .busy(until: now + Self.whileBusy)
        }
        ticketCount += 1
        underWay[ticketCount] = opening
        return .ordered(
            OpenOrder(
                ticket: ticketCount, location: opening.location, turn: opening.turn, flip: opening.flip, limit: limit,
                variant: VariantChoice(room: room, maxBitrate: opening.maxBitrate)))
    }

    /// As many are under way as may be, and none of them is slow.
    func isBusy(at now: Time) -> Bool {
        underWay.count >= Self.most && underWay.values.count { now - $0.since < Self.slowAfter } >= Self.most
    }

    /// Why this source is not opened now: it hangs, or too many do.
    func refusal(of location: String) -> SourceTrouble? {
        let hanging = underWay.values.filter(\.hangs)
        if hanging.contains(where: { $0.location == location }) { return Self.noAnswer }
        guard hanging.count >= Self.mostHanging else { return nil }
        return SourceTrouble(.timeout, "not opened: \(hanging.count) other sources give no answer")
    }

    /// An opening under way for the same feed whose slot or preview is gone is for this one from now on; answers since
    /// when it is under way, nil if there is none.
    mutating func takeOver(_ wanted: OpenRequest, unless isAwaited: (OpenRequest.Purpose) -> Bool) -> Time? {
        let spare = underWay.first { _, opening in
            opening.feed == wanted.feed && opening.location == wanted.location && !opening.hangs
                && (opening.turn, opening.flip) == (wanted.turn, wanted.flip) && !isAwaited(opening.purpose)
        }
        guard let ticket = spare?.key else { return nil }
        (underWay[ticket]!.purpose, underWay[ticket]!.item) = (wanted.purpose, wanted.item)
        return underWay[ticket]!.since
    }

    // MARK: what becomes of it

    /// It is back, whatever came of it; nil: nobody asked.
    mutating func end(_ ticket: Int) -> OpenRequest? { underWay.removeValue(forKey: ticket) }

    /// What has not been opened in time has failed; its thread is counted until it comes back. Answers those, and when
    /// the next one would be too late.
    mutating func giveUp(at now: Time) -> (late: [OpenRequest], next: Time?) {
        var late: [OpenRequest] = []
        var next: Time?
        for (ticket, opening) in underWay.sorted(by: { $0.key < $1.key }) where !opening.hangs {
            let end = opening.since + Self.hangsAfter
            if now < end {
                next = next.map { min($0, end) } ?? end
            } else {
                underWay[ticket]!.hangs = true
                late.append(opening)
            }
        }
        return (late, next)
    }

    /// Its answer is not waited for any more: its source is taken for one that hangs until its thread comes back.
    mutating func giveUp(_ purpose: OpenRequest.Purpose, of feed: FeedID) {
        for (ticket, opening) in underWay where opening.feed == feed && opening.purpose == purpose {
            underWay[ticket]!.hangs = true
        }
    }

    // MARK: what is under way

    /// Since when this is being opened for the feed, in wall time; nil: it is not.
    func began(_ purpose: OpenRequest.Purpose, of feed: FeedID) -> Time? {
        underWay.values.first { $0.feed == feed && $0.purpose == purpose && !$0.hangs }?.since
    }

    /// What the opening is for; nil: nobody asked.
    subscript(ticket: Int) -> OpenRequest? { underWay[ticket] }

    /// Some thread opens a source for the feed, late or not.
    func concern(_ feed: FeedID) -> Bool { underWay.values.contains { $0.feed == feed } }

    /// An answer for the feed is still awaited.
    func isAwaited(by feed: FeedID) -> Bool { underWay.values.contains { $0.feed == feed && !$0.hangs } }

    /// A length of one of its sources is still awaited.
    func isProbing(_ feed: FeedID) -> Bool {
        underWay.values.contains { $0.feed == feed && $0.purpose == .probe && !$0.hangs }
    }

    /// Something of the feed has been asked for after this wall time.
    func began(for feed: FeedID, after now: Time) -> Bool {
        underWay.values.contains { $0.feed == feed && $0.since > now }
    }
}
