import Base
import Layout

// Still images are decoded once, for any view that the window may have of them. They are decoded again if more is
// wanted.
extension PlayerCore {
    /// Returns the plan for the image that this order opens. `natural`: its whole size, upright and not turned.
    public func stillPlan(_ order: OpenOrder, natural: Size) -> StillPlan {
        guard let opening = openRequests[order.ticket],
            playbacks.feeds[opening.feed].timeline.item(at: opening.item) != nil
        else { return sizes.stillPlan(natural: natural, turn: order.turn) }
        return sizes.stillPlan(natural, of: opening.feed, item: opening.item)
    }

    /// Returns the plan for an image of no feed, such as a poster.
    public func stillPlan(natural: Size, turn: Turn) -> StillPlan { sizes.stillPlan(natural: natural, turn: turn) }

    /// Opens the image on screen again if it must be larger or keep its samples. The same plan is not tried again if it
    /// failed.
    /// Returns the wall time at which to try again.
    mutating func sharpenStill(_ feed: FeedID, at now: Time) -> Time? {
        guard let front = playbacks.feeds[feed].slots.first, case .still(let asked) = front.content,
            let frame = front.frames.first?.frame
        else { return nil }
        let isSideways = playbacks.feeds[feed].timeline.item(of: front.run)?.turn.isSideways ?? false
        let natural = frame.natural
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let plan = sizes.stillPlan(upright, of: feed, item: front.run.place)
        let isLarger = plan.size.width > frame.size.width + 1 || plan.size.height > frame.size.height + 1
        guard isLarger || !frame.keeps(plan.keeping), plan != asked else { return nil }
        let opening = open(front.run, of: feed, for: .sharper(front.id), at: now)
        if !opening.isBusy { playbacks.feeds[feed].reel.slots[0].noteAsked(plan) }
        return opening.asksAgain
    }
}
