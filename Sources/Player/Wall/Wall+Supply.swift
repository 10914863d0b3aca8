import Base
import Decoded
import Feeds
import Opened

// Calls of pipelines and openers. `DecodeSupply` gives out tasks and decides on frames, and `Playout` takes the frames.
// The wall is updated if something became due.
extension Wall {
    // MARK: pipelines

    /// Returns the next task of a pipeline. nil if there is none yet.
    public mutating func takeTask(_ pipeline: Int) -> PipelineTask? { player.supply.takeTask(pipeline, player.feeds) }

    /// Returns the wall time at which a slot runs out of decoded frames. Pipelines get the cores in this order. nil
    /// while the clock is paused: the user waits for all tiles alike.
    public func deadline(of lease: Lease, at now: Time) -> Time? {
        player.transport.deadline(of: lease, focused: player.focusedFeed, at: now)
    }

    /// Returns true while the slot of a lease exists. Called during the search for the first frame: a jump elsewhere
    /// drops the slot.
    public func isWanted(_ lease: Lease) -> Bool { player.transport.isWanted(lease) }

    /// Returns whether to decode on. Called before each frame that follows a delivered one.
    public func leaseDecision(_ lease: Lease, at now: Time) -> LeaseDecision {
        player.supply.decision(on: lease, player.transport, at: now)
    }

    /// Returns whether to deliver a decoded frame, and in what size. Called before the frame is
    /// scaled, unless an expected decision has scaled it.
    public mutating func decide(_ lease: Lease, _ frame: DecodedFrame, at now: Time) -> FrameDecision {
        // The update that was due decides first what is still to be decoded.
        if player.isAfterStop(at: now) { return .wait(until: now + .milliseconds(5)) }
        return player.supply.decide(lease, frame, player.playout(at: now))
    }

    /// Takes a frame, and answers what its pipeline does next. `expected`: decision by which the frame was scaled before
    /// the wall has decided on it, which the wall does now; nil if `decide` has admitted the frame. `next`: the frame that
    /// follows, with the length that it probably has; nil if it is not decoded yet.
    public mutating func deliver(
        _ lease: Lease, _ frame: Frame, of decoded: DecodedFrame, expecting expected: FrameDecision?,
        stillness: Stillness, before next: DecodedFrame?, at now: Time
    ) -> NextStep {
        if let expected, case let decision = decide(lease, decoded, at: now), decision != expected {
            return NextStep(
                lease: .decodes, decision: nil, expectsDelivery: false, refusal: decision, watchesStillness: false,
                deadline: deadline(of: lease, at: now))
        }
        player.changes.insert(.frames)
        player.take(frame, of: lease, pts: decoded.pts, length: decoded.length, stillness, at: now)
        let decision = leaseDecision(lease, at: now), playout = player.playout(at: now)
        let goesOn = decision == .decodes
        return NextStep(
            lease: decision, decision: goesOn ? next.flatMap { player.supply.decideAhead(lease, $0, playout) } : nil,
            expectsDelivery: goesOn && player.supply.expectsDelivery(by: lease, frame.natural, playout), refusal: nil,
            watchesStillness: playout.watchesStillness(lease), deadline: deadline(of: lease, at: now))
    }

    // MARK: openers

    /// Returns true if the image that this order opens is to be judged by the one before it.
    public func watchesStillness(_ order: OpenOrder) -> Bool {
        guard let opening = player.openRequests[order.ticket], !opening.isForMore else { return false }
        let feed = player.feeds[opening.feed]
        return feed.sources.isPolled(opening.location) && player.playout(at: .zero).reportsFreezes(of: feed)
    }

    /// Returns the plan for the image that this order opens. `natural`: its whole size, upright and not turned.
    public func stillPlan(_ order: OpenOrder, natural: Size) -> StillPlan {
        let opening = player.openRequests[order.ticket]
        guard let opening, case let feed = player.feeds[opening.feed], feed.timeline.item(at: opening.item) != nil
        else { return stillPlan(natural: natural, turn: order.terms.decoding.turn) }
        return player.playout(at: .zero).stillPlan(natural, of: feed, item: opening.item)
    }

    /// Returns the plan for an image of no feed, such as a poster.
    public func stillPlan(natural: Size, turn: Turn) -> StillPlan {
        player.playout(at: .zero).stillPlan(natural: natural, turn: turn)
    }
}

extension PlayerCore {
    fileprivate mutating func take(
        _ frame: Frame, of lease: Lease, pts: Time, length: Time, _ stillness: Stillness, at now: Time
    ) {
        let playout = playout(at: now)
        let isWaitedFor = playout.deliver(lease, frame, pts: pts, length: length)
        if lease.purpose == .preview { return }
        if stillness != .unknown { playout.note(stillness, of: playout.feeds[lease.feed], lease.location) }
        if playout.needs.recordedTile != nil, let place = playout.takePlace(of: lease, pts: pts) {
            tileFeeds.needs.record(TakeFrame(frame: frame, place: place))
        }
        if isWaitedFor { update(at: now) }
    }
}

/// Answer to a delivered frame: what its pipeline does next.
public struct NextStep {
    public let lease: LeaseDecision
    /// Decision on the frame that follows: to deliver it, or to wait for room. nil if the pipeline asks when it has that
    /// frame.
    public let decision: FrameDecision?
    /// True if the frame that follows, from a live source, may be scaled by the decision on this one. Its delivery
    /// decides on it.
    public let expectsDelivery: Bool
    /// Decision on the frame itself if it was not taken; nil if it was.
    public let refusal: FrameDecision?
    /// True if the frames of the lease are to be compared with those before them.
    public let watchesStillness: Bool
    /// Wall time at which the lease's decoded frames run out; nil while the clock is paused.
    public let deadline: Time?
}
