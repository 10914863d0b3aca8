import Base
import Feeds
import Layout

// Tiles that watch other tiles: the feeds that they watch, which of these belong together, and the frames that they show.
extension TileFeeds {
    // MARK: watched feeds

    /// Adds a tile that watches others. Its members are on the wall already. Adds none if no tile plays: a tile needs a
    /// feed.
    mutating func addWatching(_ layout: TileLayout) {
        guard let first = tiles.id(ofLayout: layout.memberName(0)) ?? tiles.playing.first else { return }
        let feed = tiles[first].feed
        _ = tiles.add { Tile(id: $0, layout, feed: feed) }
    }

    /// Makes tiles watch the feeds that their members play now. Feeds may have been divided, joined or replaced.
    mutating func settleWatches() {
        guard !tiles.watching.isEmpty || feeds.contains(where: { !$0.watched.watchers.isEmpty }) else { return }
        var watchers: [FeedID: [TileID]] = [:]
        for tile in tiles.watching {
            let layout = tiles[tile].layout
            var members = (layout.compare?.members ?? []).indices.compactMap {
                tiles.id(ofLayout: layout.memberName($0))
            }
            if layout.compare?.isSwapped == true, members.count > 1 { members.swapAt(0, 1) }
            tiles[tile].watch?.members = members
            // Drops the frames of members that were removed, since their tiles can't be looked up any more.
            let left = tiles[tile].watch!.shown.filter { tiles.contains($0.member) }
            tiles[tile].watch?.shown = left
            if let first = members.first { tiles[tile].feed = tiles[first].feed }
            for feed in Set(members.map { tiles[$0].feed }) { watchers[feed, default: []].append(tile) }
        }
        for feed in feeds { feed.watched.watchers = (watchers[feed.id] ?? []).sorted() }
    }

    // MARK: shown frames

    /// Replaces the frames of tiles that watch others by those of one instant, all in one present. While one member
    /// lacks its frame, the others keep theirs. Members that can't be played are left out.
    mutating func keepWatchedFrames(_ parts: [FeedID: Feed.ScenePart], at now: Time) {
        for tile in tiles.watching {
            let members = tiles[tile].watch!.members.filter { feed(of: $0).lastingTrouble == nil }
            let lacks = members.contains { member in
                let feed = feed(of: member)
                if parts[feed.id]?.shown == nil { return mayStillShow(feed) }
                return transport.isOutOfStep(feed, at: now)
            }
            let frames = members.compactMap { member in
                parts[tiles[member].feed]?.shown.map { TileWatch.Shown(member: member, frame: $0) }
            }
            let isSame = tiles[tile].watch!.shown.map(\.member) == frames.map(\.member)
            if !lacks || !isSame { tiles[tile].watch?.shown = frames }
        }
    }

    /// Returns true if a feed without a frame may still get one.
    private func mayStillShow(_ feed: Feed) -> Bool {
        feed.phase == .playing && feed.hasSeat && feed.trouble.latest == nil && !feed.playsOnlySound
    }

    /// Returns true if a tile shows this frame, or will in this present. A frame that only watching tiles show may have
    /// to wait for other frames.
    func shows(_ frame: DrawnFrame) -> Bool {
        if tiles.watching.isEmpty { return true }
        let feed = feeds[frame.feed]
        if feed.tiles.contains(where: { tiles[$0].layout.comparedBy == nil }) { return true }
        return feed.watched.watchers.contains { tile in
            tiles[tile].watch!.shown.contains {
                tiles[$0.member].feed == frame.feed && $0.frame.serial == frame.serial
            }
        }
    }
}
