import Base
import Commands
import Feeds
import Scene

// Moves through time that start from a tile: from the item on its screen.
extension PlayerCore {
    /// Seeks to a place in the item on screen, or by an amount. The others of its group move by the same amount.
    /// `toKeyFrame`: seeks to a key frame of this tile, but not where feeds loop together.
    mutating func seek(
        _ tile: TileID, _ seek: Command.Seek, _ scope: Command.Scope, toKeyFrame: Bool = false, at now: Time
    ) -> Bool {
        let group = group(of: tile, scope)
        let from = playbacks.clocks[group].destination(at: now)
        let feed = playbacks.feeds[tiles[tile].feed]
        guard var target = playbacks.target(of: seek, from: from, in: feed.itemOnScreen) else { return false }
        if toKeyFrame, !playbacks.clocks[group].isTogether {
            target = feed.course.keyFrame(near: target, feed.sources) ?? target
        }
        playbacks.jump(group, by: target - from, at: now)
        return true
    }

    /// Goes to the last frame of the tile's item.
    mutating func goToEnd(_ tile: TileID, _ scope: Command.Scope, at now: Time) -> Bool {
        guard playbacks.feeds[tiles[tile].feed].itemOnScreen != nil else { return false }
        _ = group(of: tile, scope)
        let feed = tiles[tile].feed
        guard let item = playbacks.feeds[feed].itemOnScreen else { return false }
        playbacks.goToEnd(of: feed, item, at: now)
        return true
    }

    // MARK: events

    /// Emits an event for each clock that has changed. Where a clock stands now, compared frames are decoded again in
    /// their native size.
    mutating func reportClocks(at now: Time) {
        for group in clockReports.update(clocks, at: now) {
            if playbacks.clocks[group].phase == .going, playbacks.clocks[group].clock.motion == .standing {
                playbacks.sharpenCompared(in: group, context(at: now))
            }
            emit(
                .clock(
                    group: playbacks.clocks[group].name, state: playbacks.clocks[group].reportedState,
                    position: playbacks.clocks[group].reportedPosition(at: now),
                    rate: playbacks.clocks[group].clock.rate,
                    isFocused: focusedFeed.map { playbacks.feeds[$0].group == group } ?? false),
                at: now)
        }
    }
}
