import Base
import Layout
import Scene

// Tiles that compare other tiles: the feeds that they watch, which of these belong together, and the frames that they
// show.
extension PlayerCore {
    // MARK: which feeds they look at

    /// Adds a tile that compares. Its members are on the wall already.
    mutating func addComparing(_ layout: TileLayout) {
        let first = layout.compare.flatMap { _ in tiles.id(ofLayout: layout.memberName(0)) }
        guard let feed = (first ?? tiles.playing.first).map({ tiles[$0].feed }) else { return }
        _ = tiles.add { Tile(id: $0, layout, feed: feed) }
    }

    /// Makes comparing tiles watch the feeds that their members play now. Feeds may have been divided, joined or
    /// replaced.
    mutating func settleComparisons() {
        let comparing = tiles.comparing
        guard !comparing.isEmpty || feeds.contains(where: { !$0.compared.watchers.isEmpty }) else { return }
        var watchers: [FeedID: [TileID]] = [:]
        for tile in comparing {
            let layout = tiles[tile].layout
            var members = (layout.compare?.members ?? []).indices.compactMap {
                tiles.id(ofLayout: layout.memberName($0))
            }
            if tiles[tile].comparison!.isSwapped, members.count > 1 { members.swapAt(0, 1) }
            tiles[tile].comparison!.members = members
            // The frames of a removed member go with it, before they are looked up by its tile.
            tiles[tile].comparison!.shown = tiles[tile].comparison!.shown.filter { tiles.contains($0.member) }
            if let first = members.first { tiles[tile].feed = tiles[first].feed }
            for feed in Set(members.map { tiles[$0].feed }) { watchers[feed, default: []].append(tile) }
        }
        for feed in feeds.ids { playbacks.feeds[feed].compared.watch(by: (watchers[feed] ?? []).sorted()) }
    }

    /// Decodes the compared or measured frames of a paused group again, in their native size.
    mutating func sharpenCompared(in group: GroupID, at now: Time) {
        for feed in feeds.ids
        where playbacks.feeds[feed].group == group
            && (!playbacks.feeds[feed].compared.watchers.isEmpty || needs.keepsSamples)
        {
            sharpen(feed, at: now)
        }
    }

    // MARK: what is shown

    /// Replaces the frames of a comparison by those of one instant, all in one present. While one member lacks its
    /// frame, the others keep theirs. Members that can't be played are left out.
    mutating func keepFrames(of tile: TileID, _ parts: [FeedID: Feed.ScenePart], at now: Time) {
        func shown(_ member: TileID) -> FeedScreen.Shown? { parts[tiles[member].feed]?.shown }
        let members = tiles[tile].comparison!.members.filter {
            lastingTrouble(of: playbacks.feeds[tiles[$0].feed]) == nil
        }
        let lacks = members.contains { member in
            let feed = playbacks.feeds[tiles[member].feed]
            if parts[feed.id]?.shown == nil { return mayStillShow(feed) }
            // A late frame belongs to an earlier instant.
            return feed.screen.lack != nil || feed.showsAnotherInstant(at: context(of: feed.id, at: now).dueTime)
        }
        let isSame = tiles[tile].comparison!.shown.map(\.member) == members.filter { shown($0) != nil }
        if lacks, isSame { return }
        tiles[tile].comparison!.shown = members.compactMap { member in
            shown(member).map { TileComparison.Shown(member: member, frame: $0) }
        }
    }

    /// Returns true if a feed without a frame may still get one.
    private func mayStillShow(_ feed: Feed) -> Bool {
        feed.phase == .playing && feed.hasSeat && feed.trouble.latest == nil && !feed.playsOnlySound
    }

    /// Returns true if a tile shows this frame, or will in this present. A frame that only comparisons show may have to
    /// wait for other frames.
    func isShown(_ frame: Output.Drawn) -> Bool {
        let feed = playbacks.feeds[frame.feed]
        if feed.tiles.contains(where: { tiles[$0].layout.comparedBy == nil }) { return true }
        return feed.compared.watchers.contains { tile in
            tiles[tile].comparison!.shown.contains {
                tiles[$0.member].feed == frame.feed && $0.frame.serial == frame.serial
            }
        }
    }

    /// Makes the overlaid comparison follow the focus: the tile that has it against the one that had it.
    mutating func compareFocused() {
        guard let overlaid = tiles.overlaid, let focus, let former = tiles.formerFocus,
            [focus, former].allSatisfy({ tiles[$0].comparison == nil })
        else { return }
        let members = [focus, former].map { ComparisonLayout.Member.tile(tiles[$0].name) }
        tiles[overlaid].layout.compare?.members = members
        tiles[overlaid].comparison!.side = nil
        settleComparisons()
    }

    /// Removes the overlaid comparison.
    mutating func endOverlay() {
        guard let tile = tiles.overlaid else { return }
        output.overlay(nil)
        tiles.remove(tile)
    }
}
