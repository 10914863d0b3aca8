import Base
import Commands
import Feeds
import Layout

// The focus, the tile under a finger, and which tiles are on the screen. The output follows. Tiles that watch other tiles:
// the feeds that they watch, which of these belong together, and the frames that they show.
extension TileFeeds {
    /// Gives a tile the focus, and emits an event if the focus has moved.
    mutating func setFocus(_ tile: TileID?, at now: Time) {
        // The overlaid tile is not a tile of the layout.
        if let tile, tile == tiles.overlaid { return }
        let before = tiles.focus
        tiles.setFocus(tile ?? tiles.order.first)
        guard let focus = tiles.focus, focus != before else { return }
        output.follow(focus: focus)
        let playout = playout(at: now)
        if output.isZoomed { playout.sharpen(feed(of: focus)) }
        if transport.beganAt != nil || before != nil { playout.emit(.focus(tile: tiles[focus].name)) }
    }

    mutating func moveFocus(_ move: Change.FocusMove, at now: Time) {
        let tile: TileID? =
            switch move {
            case .number(let number): number <= tiles.count ? tiles.order[number - 1] : nil
            case .next: tiles.focus(movedBy: 1)
            case .previous: tiles.focus(movedBy: -1)
            // The caller states the tile.
            case .target: nil
            case .tile(let tile): tiles.contains(tile) ? tile : nil
            case .at(let point): self.tile(at: point)
            }
        if let tile { setFocus(tile, at: now) }
    }

    /// Gives the tapped tile the focus. A tap on the focused tile toggles the pause.
    mutating func tap(_ point: Point, at now: Time) {
        guard var tile = tile(at: point) else { return }
        if let focus = tiles.focus, tile == tiles.overlaid { tile = focus }
        tiles.tapped = tile == tiles.focus ? tile : nil
        if tile == tiles.focus {
            transport.pause(prepareGroup(of: tile, for: .group), .toggle, at: now)
        } else {
            moveFocus(.at(point), at: now)
        }
    }

    /// Toggles the zoom, and undoes the pause or resume by the first of the two taps.
    mutating func doubleTap(_ point: Point, at now: Time) {
        guard let tile = tile(at: point) else { return }
        if tile == tiles.tapped { transport.pause(feed(of: tile).group, .toggle, at: now) }
        tiles.tapped = nil
        if tiles.focus != tile { moveFocus(.at(point), at: now) }
        toggleZoom(at: now)
    }

    // MARK: the stage

    /// Makes the focused tile fill the wall, or restores the wall. Other tiles keep their places in time.
    mutating func toggleZoom(at now: Time) {
        guard let focus = tiles.focus else { return }
        output.toggleZoom(of: focus, at: now)
        if let tile = output.zoomed { playout(at: now).sharpen(feed(of: tile)) }
    }

    /// Makes a tile fill the wall, and gives it the focus.
    mutating func zoom(_ tile: TileID, at now: Time) {
        if output.zoomed == tile { return }
        if tile != tiles.focus { setFocus(tile, at: now) }
        if !output.isZoomed { toggleZoom(at: now) }
    }

    /// Shows only this tile, for picture in picture; nil shows all tiles again.
    mutating func show(only tile: TileID?) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        endOverlay()
        output.show(only: present)
    }

    /// Shows a tile that watches others over the wall, in place of an earlier one; nil removes it.
    mutating func overlay(_ layout: TileLayout?, at now: Time) {
        endOverlay()
        guard let layout, let feed = tiles.focusedFeed else { return }
        let tile = tiles.overlay { Tile(id: $0, layout, feed: feed) }
        output.overlay(tile)
        settleWatches()
        let members = tiles[tile].watch?.members ?? [], playout = playout(at: now)
        for feed in Set(members.map { tiles[$0].feed }).sorted() { playout.sharpen(feeds[feed]) }
    }

    /// Removes the tile that is over the wall.
    mutating func endOverlay() {
        guard let tile = tiles.overlaid else { return }
        output.overlay(nil)
        tiles.remove(tile)
    }

    /// Magnifies the frames of a group; nil shows them whole.
    mutating func magnify(_ group: String, _ zoom: FrameZoom?, at now: Time) {
        output.magnified[group] = zoom
        let playout = playout(at: now)
        playout.sharpen { $0.viewers.contains { playout.tiles[$0].layout.group == group } }
    }

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
