import Base
import Layout
import Opened

/// Order to open a source on a thread of its own.
public struct OpenOrder: Sendable {
    public let ticket: Int
    public let terms: OpenTerms
}

/// A request to open a source, and what the source is for.
public struct OpenRequest {
    public let feed: FeedID
    public let location: String
    /// Index in the feed's sequence at the time of the request.
    public fileprivate(set) var item: ItemPlace
    let decoding: DecodeSettings
    let fetching: FetchSettings
    /// File of lyrics that the item names; nil if it names none.
    let lyrics: String?
    public internal(set) var purpose: Purpose
    public let since: Time
    /// True if a still is already shown and is reopened for a larger or a kept frame.
    public var isForMore: Bool { if case .reopenedStill = purpose { true } else { false } }
    /// True once the wall has counted the opening as failed, although its thread has not returned.
    public fileprivate(set) var hangs = false

    public enum Purpose: Equatable {
        case slot(Int)
        case preview(Int)
        /// Only the length of the source is needed.
        case probe
        /// The source of an item that is about to be put on top of the feed. The text is the name of the item's break.
        case ahead(String)
        /// Reopens the still of this slot, to scale it larger or to keep its decoded frame.
        case reopenedStill(Int)
    }

    public init(of run: RunID, in timeline: Timeline, for feed: FeedID, _ purpose: Purpose, since: Time) {
        let item = timeline.item(of: run)
        (self.feed, location, self.item) = (feed, timeline.segment(of: run).source, run.place)
        (decoding, fetching) = (item?.look.decoding ?? DecodeSettings(), item?.fetching ?? FetchSettings())
        (lyrics, self.purpose, self.since) = (item?.lyrics.file, purpose, since)
    }
}

/// The openings in progress, each on a thread of its own.
public struct OpenRequests {
    private var underWay: [Int: OpenRequest] = [:]
    private var ticketCount = 0

    public init() {}

    /// Most sources that are opened at once; openings slower than `slowAfter` are not counted.
    static let most = 8
    public static let slowAfter = Time.seconds(1)
    /// Delay before a request is made again that was refused because too many were in progress.
    public static let whileBusy = Time.milliseconds(20)
    /// An opening that takes longer has failed. Sources interrupt their own calls at the same time; a call that still
    /// does not return is blocked in the kernel.
    static let hangsAfter = Time.seconds(10)
    /// Most threads that may be blocked in openings that do not return.
    static let mostHanging = 24

    public static let noAnswer = SourceTrouble(.timeout, "no answer within 10 s of opening")
    /// Time after which a due item on top that is not open is skipped, with the next items from its server.
    public static let patienceOnTop = Time.seconds(2)
    public static let noAnswerOnTop = SourceTrouble(.timeout, "no answer 2 s after it was due")

    // MARK: requests

    /// Returns the order to open a source; nil if too many openings are in progress (`busy`).
    public mutating func start(_ opening: OpenRequest, limit: FrameLimit, tileSize: Size, at now: Time) -> OpenOrder? {
        guard busy(at: now) == nil else { return nil }
        ticketCount += 1
        underWay[ticketCount] = opening
        return OpenOrder(
            ticket: ticketCount,
            terms: OpenTerms(
                opening.location, decoding: opening.decoding, limit: limit,
                variant: VariantChoice(tileSize: tileSize, fetching: opening.fetching), lyrics: opening.lyrics))
    }

    /// Returns the wall time at which to ask again if too many openings are in progress; nil otherwise.
    public func busy(at now: Time) -> Time? {
        isBusy(at: now) || underWay.count >= Self.most + Self.mostHanging ? now + Self.whileBusy : nil
    }

    /// True if `most` openings are in progress that are not slow yet.
    public func isBusy(at now: Time) -> Bool {
        underWay.count >= Self.most && underWay.values.count { now - $0.since < Self.slowAfter } >= Self.most
    }

    /// Returns why this source is not opened now: an opening of it hangs, or too many others do. nil if it may be
    /// opened.
    public func refusal(of location: String) -> SourceTrouble? {
        let hanging = underWay.values.filter(\.hangs)
        if hanging.contains(where: { $0.location == location }) { return Self.noAnswer }
        guard hanging.count >= Self.mostHanging else { return nil }
        return SourceTrouble(.timeout, "not opened: \(hanging.count) other sources do not answer")
    }

    /// Reassigns an opening of the same feed and source to this request if its own slot or preview is gone. Returns the
    /// wall time at which that opening began; nil if there is none.
    public mutating func takeOver(_ wanted: OpenRequest, unless isAwaited: (OpenRequest.Purpose) -> Bool) -> Time? {
        let spare = underWay.first { _, opening in
            opening.feed == wanted.feed && opening.location == wanted.location && !opening.hangs
                && opening.decoding == wanted.decoding && !isAwaited(opening.purpose)
        }
        guard let ticket = spare?.key else { return nil }
        (underWay[ticket]!.purpose, underWay[ticket]!.item) = (wanted.purpose, wanted.item)
        return underWay[ticket]!.since
    }

    // MARK: results

    /// Removes an opening that returned, whether it succeeded or not; nil if the ticket is unknown.
    public mutating func end(_ ticket: Int) -> OpenRequest? { underWay.removeValue(forKey: ticket) }

    /// Counts overdue openings as failed; their threads count until they return. Returns the overdue openings, and the
    /// wall time at which the next one will be overdue.
    public mutating func giveUp(at now: Time) -> (late: [OpenRequest], next: Time?) {
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

    /// Stops waiting for an opening: the source counts as hanging until its thread returns.
    public mutating func giveUp(_ purpose: OpenRequest.Purpose, of feed: FeedID) {
        for (ticket, opening) in underWay where opening.feed == feed && opening.purpose == purpose {
            underWay[ticket]!.hangs = true
        }
    }

    // MARK: in progress

    /// Wall time at which the feed's opening for this purpose began; nil if there is none.
    public func began(_ purpose: OpenRequest.Purpose, of feed: FeedID) -> Time? {
        underWay.values.first { $0.feed == feed && $0.purpose == purpose && !$0.hangs }?.since
    }

    /// nil if the ticket is unknown.
    public subscript(ticket: Int) -> OpenRequest? { underWay[ticket] }

    /// True while a thread opens a source for the feed, overdue or not.
    public func concern(_ feed: FeedID) -> Bool { underWay.values.contains { $0.feed == feed } }

    /// True while the feed waits for an opening that is not overdue.
    public func isAwaited(by feed: FeedID) -> Bool { underWay.values.contains { $0.feed == feed && !$0.hangs } }

    /// Openings in progress that are not overdue.
    public var awaited: [OpenRequest] { underWay.values.filter { !$0.hangs } }

    /// True while the length of one of the feed's sources is being looked up.
    public func isProbing(_ feed: FeedID) -> Bool { began(.probe, of: feed) != nil }

    /// True if the feed has an opening that was requested after `now`.
    public func began(for feed: FeedID, after now: Time) -> Bool {
        underWay.values.contains { $0.feed == feed && $0.since > now }
    }
}
