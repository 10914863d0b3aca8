import Base
import Feeds
import Layout

// Tiles that watch other tiles: the feeds that they watch, which of these belong together, and the frames that they show.
extension Tiles {
    // MARK: watched feeds

    /// Adds a tile that watches others. Its members are on the wall already. Adds none if no tile plays: a tile needs a
    /// feed.
    mutating func addWatching(_ layout: TileLayout) {
        guard let feed = (id(ofLayout: layout.memberName(0)) ?? playing.first).map({ self[$0].feed }) else { return }
        _ = add { Tile(id: $0, layout, feed: feed) }
    }

    /// Makes tiles watch the feeds that their members play now. Feeds may have been divided, joined or replaced.
    mutating func settleWatches(_ transport: Transport) {
        guard !watching.isEmpty || transport.feeds.contains(where: { !$0.watched.watchers.isEmpty }) else { return }
        var watchers: [FeedID: [TileID]] = [:]
        for tile in watching {
            let layout = self[tile].layout
            var members = (layout.compare?.members ?? []).indices.compactMap { id(ofLayout: layout.memberName($0)) }
            if layout.compare?.isSwapped == true, members.count > 1 { members.swapAt(0, 1) }
            self[tile].watch?.members = members
            // Drops the frames of members that were removed, since their tiles can't be looked up any more.
            let left = self[tile].watch!.shown.filter { contains($0.member) }
            self[tile].watch?.shown = left
            if let first = members.first { self[tile].feed = self[first].feed }
            for feed in Set(members.map { self[$0].feed }) { watchers[feed, default: []].append(tile) }
        }
        for feed in transport.feeds { feed.watched.watch(by: (watchers[feed.id] ?? []).sorted()) }
    }

    // MARK: shown frames

    /// Replaces the frames of a watching tile by those of one instant, all in one present. While one member lacks its
    /// frame, the others keep theirs. Members that can't be played are left out.
    mutating func keepFrames(of tile: TileID, _ parts: [FeedID: Feed.ScenePart], _ transport: Transport, at now: Time) {
        func shown(_ member: TileID) -> FeedShowing.Shown? { parts[self[member].feed]?.shown }
        let members = self[tile].watch!.members.filter { transport.feeds[self[$0].feed].lastingTrouble == nil }
        let lacks = members.contains { member in
            let feed = transport.feeds[self[member].feed]
            if parts[feed.id]?.shown == nil { return mayStillShow(feed) }
            return transport.isOutOfStep(feed, at: now)
        }
        let isSame = self[tile].watch!.shown.map(\.member) == members.filter { shown($0) != nil }
        if lacks, isSame { return }
        let frames = members.compactMap { member in
            shown(member).map { TileWatch.Shown(member: member, frame: $0) }
        }
        self[tile].watch?.shown = frames
    }

    /// Returns true if a feed without a frame may still get one.
    private func mayStillShow(_ feed: Feed) -> Bool {
        feed.phase == .playing && feed.hasSeat && feed.trouble.latest == nil && !feed.playsOnlySound
    }

    /// Returns true if a tile shows this frame, or will in this present. A frame that only watching tiles show may have
    /// to wait for other frames.
    func shows(_ frame: DrawnFrame, _ transport: Transport) -> Bool {
        let feed = transport.feeds[frame.feed]
        if feed.tiles.contains(where: { self[$0].layout.comparedBy == nil }) { return true }
        return feed.watched.watchers.contains { tile in
            self[tile].watch!.shown.contains {
                self[$0.member].feed == frame.feed && $0.frame.serial == frame.serial
            }
        }
    }
}
