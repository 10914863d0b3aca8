import Base
import Feeds
import Scene

// Scrubbing: a drag over a tile moves its group's clock within the item under it.
extension Playbacks {
    /// Starts a scrub. A tile that is not ready, or has no length, does not scrub. During a jump the scrub starts at
    /// the position to which the jump goes. `position`: group time that the bar under the pointer shows; nil if there
    /// is no bar. `width`: pixels that stand for the length of the item.
    mutating func grab(_ tile: TileID, of feed: FeedID, at position: Time?, width: Int, now: Time) {
        guard clocks.scrub == nil, let item = feeds[feed].itemOnScreen else { return }
        let group = feeds[feed].group
        guard clocks[group].hasStarted else { return }
        clocks.grab(
            HeldScrub(
                of: tile, group, at: position ?? clocks[group].destination(at: now), item: item, width: max(1, width),
                tolerance: clocks[group].dueTolerance, then: clocks[group].motionToCome),
            at: now)
    }

    mutating func drag(by pixels: Int, at now: Time) {
        guard let scrub = clocks.scrub else { return }
        clocks[scrub.group].setPendingJump(.position(scrub.position(movedBy: pixels)))
        continueJump(scrub.group, at: now)
    }

    /// Ends a scrub. The clock goes to the newest position, and then on as before.
    mutating func endScrub(at now: Time) {
        guard let ended = clocks.endScrub() else { return }
        if let wanted = clocks[ended.group].pendingJump?.position { seek(ended.group, to: wanted, at: now) }
        if ended.motion == .running {
            clocks[ended.group].run(at: now, after: startDelay)
        } else {
            clocks[ended.group].pause(at: now)
        }
    }
}
