import Base
import Commands
import Feeds
import Layout

// Moves through time that start from a tile. A tile may move alone, until it comes home to its group.
extension TileFeeds {
    /// Change that a command makes to the clock of a tile that it moves alone.
    enum Move { case time, pause, item }

    /// Prepares and returns the group that a command moves. A tile that is moved alone is split off: it gets a clock of
    /// its own, and a feed of its own if it shares one. The only tile of a group moves the group itself. Callers check
    /// first whether the command is refused.
    @discardableResult mutating func prepareGroup(of tile: TileID, for scope: Change.Scope, _ move: Move = .time)
        -> GroupID
    {
        let tile = scope == .group ? tiles.playingTile(for: tile) : tiles.tileMovedAlone(for: tile)
        let feed = feed(of: tile), group = feed.group
        if scope == .group || clocks[group].isAlone || movesGroup(group, with: tile, move) { return group }
        let own = transport.clocks.add(alone: tiles[tile].name, of: group)
        (feed.tiles.count > 1 ? divide(feed, for: [tile]) : feed).group = own
        return own
    }

    /// True if a tile moves its group's clock when it is moved alone, as no other tile is moved by that.
    private func movesGroup(_ group: GroupID, with tile: TileID, _ move: Move) -> Bool {
        guard isOnlyTile(tile, of: group, besideLive: move != .pause) else { return false }
        guard move == .item else { return true }
        // An item that begins now would not fit the group's iteration, its A-B loop, or the end of a break.
        let clock = clocks[group]
        return !clock.isTogether && clock.marks == ABLoopMarks() && clock.heldFrom == nil
    }

    /// Seeks the group to its beginning. Tiles that had left the group return to it, and to the feeds that they shared.
    mutating func comeHome(_ home: GroupID, at now: Time) {
        for tile in tiles.playing where groupAtHome(of: tile) == home { feed(of: tile).group = home }
        joinFeeds(of: home, at: now)
        // A live source has no beginning. It stays connected.
        for feed in feeds where feed.group == home && !feed.isLive {
            feed.reel.course.beginAnew()
            feed.dropSlots()
            leaveFrame(of: feed)
        }
        transport.clocks[home].beginAnew()
        transport.seek(home, to: .zero, at: now)
        transport.removeUnusedClocks()
    }

    /// Seeks to a place in the item on screen, or by an amount. The other tiles of the group move by the same amount.
    /// `toKeyFrame`: true to seek to a key frame of this tile; ignored if the group's iterations begin together.
    /// Returns false if the seek needs an item of known length and none is on the screen; the tile then stays in its
    /// group.
    mutating func seek(
        _ tile: TileID, _ seek: Change.Seek, _ scope: Change.Scope, toKeyFrame: Bool = false, at now: Time
    ) -> Bool {
        let item = feed(of: tile).itemOnScreen
        guard transport.target(of: seek, from: .zero, in: item) != nil else { return false }
        let group = prepareGroup(of: tile, for: scope)
        let from = transport.origin(ofJumpOf: group, at: now)
        guard var target = transport.target(of: seek, from: from, in: item) else { return false }
        let feed = feed(of: tile)
        if toKeyFrame, !clocks[group].isTogether { target = feed.course.keyFrame(near: target, feed.sources) ?? target }
        transport.jump(group, to: target, at: now)
        return true
    }

    /// Goes to the last frame of the tile's item.
    mutating func goToEnd(_ tile: TileID, _ scope: Change.Scope, at now: Time) -> Bool {
        guard feed(of: tile).itemOnScreen != nil else { return false }
        prepareGroup(of: tile, for: scope)
        let feed = feed(of: tile)
        guard let item = feed.itemOnScreen else { return false }
        transport.goToEnd(of: feed, item, at: now)
        return true
    }

    // MARK: items

    /// Moves a tile to the beginning of its next or previous item, alone.
    mutating func goToItem(by count: Int, _ tile: TileID, at now: Time) -> Bool {
        let feed = feed(of: tile)
        guard let run = feed.slots.first?.run ?? feed.screen.lastRun else { return false }
        let items = feed.timeline.items.count
        guard items > 0 else { return false }
        var place = run.iteration * items + run.item + count
        // Items that can't be played are skipped.
        for _ in 1..<items where place > 0 && feed.timeline.sequence.itemLength(place % items) == .zero {
            place += count
        }
        let (iteration, item) = place < 0 ? (0, 0) : (place / items, place % items)
        guard feed.timeline.takesPart(inIteration: iteration) else { return false }
        go(tile, to: RunID(iteration: iteration, item: item), at: now)
        return true
    }

    /// Moves a tile to an item of the current iteration. Layers end.
    mutating func goToItem(_ item: Int, _ tile: TileID, at now: Time) -> Bool {
        guard tiles[tile].play.indices.contains(item) else { return false }
        pop(of: feed(of: tile).tiles, at: now)
        let feed = feed(of: tile)
        guard feed.timeline.items.indices.contains(item) else { return false }
        let present = feed.slots.first?.run ?? feed.screen.lastRun
        go(tile, to: RunID(iteration: present?.iteration ?? 0, item: item), at: now)
        return true
    }

    /// Moves a tile to the beginning of a run, alone. A live source that the tile plays already has no beginning. It
    /// stays connected.
    private mutating func go(_ tile: TileID, to run: RunID, at now: Time) {
        if feed(of: tile).connectedLiveItem == run.place { return }
        let group = prepareGroup(of: tile, for: .tileAlone, .item)
        // The clock goes on. The item begins now.
        feed(of: tile).go(to: run, at: clocks[group].clock.position(at: now))
        transport.waitForFrames(group, atMost: Transport.longestSeekWait, at: now)
    }
}
