import Base
import Feeds

// Decides whether a live tile shows the present frames of its source, for marks and health.
extension Snapshot {
    /// Reason why the frame of a live tile may be outdated.
    enum Staleness: Equatable {
        /// Other tiles have the pipelines. `age`: time since the newest frame was presented; nil until the first.
        case waits(age: Time?)
        case noFrame(age: Time?)
        /// The source has repeated one frame for this long.
        case frozen(Time)
    }

    /// Returns why a tile's frame may be outdated. nil if the tile is fresh or not live. `next`: wall time at which
    /// that changes without an event.
    func staleness(of tile: TileID, _ feed: Feed) -> (Staleness?, next: Time?) {
        guard let source = feed.liveSource else { return (nil, nil) }
        let age = transport.age(of: feed, showing: source, at: now)
        if !feed.hasSeat, feed.phase != .ended {
            guard isOnStage(feed) else { return (nil, nil) }
            return (.waits(age: age), age.flatMap { nextSecond(after: $0, of: feed) })
        }
        let limit = staleLimit(of: tile, feed)
        var next = transport.isLiveClockRunning(feed) ? limit.map { now + $0 } : nil
        // Judge the age, unless a new frame is about to be presented.
        if !feed.showsNewFrame, let limit {
            if let age, age >= limit { return (.noFrame(age: age), nextSecond(after: age, of: feed)) }
            next = transport.isLiveClockRunning(feed) ? age.map { now + (limit - $0) } : nil
            // The frame is from before the seat was lost, or was decoded while the feed waited for a seat.
            if feed.liveness.hasLostSeat || feed.screen.last == nil { return (.noFrame(age: nil), next) }
        }
        guard let still = stillFor(feed, tile) else { return (nil, next) }
        return (.frozen(still), nextSecond(after: still, of: feed))
    }

    /// Returns how long the source of a tile has repeated one frame. nil unless that was reported.
    private func stillFor(_ feed: Feed, _ tile: TileID) -> Time? {
        guard let since = feed.liveness.stillSince, frozenLimit(of: tile) != nil,
            feed.liveness.frozenTiles.contains(tile)
        else { return nil }
        return max(.zero, clocks[feed.group].liveClock.position(at: now) - since)
    }

    /// Returns the wall time at which the text of an age changes. nil while the clock is paused.
    private func nextSecond(after age: Time, of feed: Feed) -> Time? {
        guard transport.isLiveClockRunning(feed) else { return nil }
        let second = Time.ticksPerSecond
        return now + Time(ticks: second - age.ticks % second)
    }
}
