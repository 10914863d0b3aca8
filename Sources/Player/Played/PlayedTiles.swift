import Base
import Feeds
import Layout
import Scene

/// The tiles of a wall and what plays on them: which tile views which feed, and which clock the feed follows.
///
/// Tiles of equal sequence share a feed. A tile leaves the shared feed when it is changed by hand, moved alone, or
/// covered by other items. Tiles share a feed again when they come home. Each function keeps tiles and feeds in
/// agreement.
struct PlayedTiles: PlayedParts {
    var tiles = Tiles()
    var playbacks = Playbacks()
    /// Health of tiles that were removed.
    private(set) var departed = Health()

    var clocks: Clocks { playbacks.clocks }
    var feeds: Table<FeedID, Feed> { playbacks.feeds }
    var startDelay: Time { playbacks.startDelay }
    var soundLag: Time { playbacks.soundLag }

    func context(_ conditions: WallConditions) -> WallContext {
        WallContext(conditions, tiles, beganAt: playbacks.beganAt, restsSince: playbacks.restsSince)
    }

    // MARK: tiles that come and go

    /// Adds a tile. Its card is shown at once. If its group's clock runs, the tile begins with its first frame.
    /// `cause`: reason why its items begin.
    mutating func add(_ layout: TileLayout, _ sound: SoundID, because cause: ItemBeginning) -> TileID {
        let group = namedGroup(layout.group)
        let shared = feeds.firstID { feed in
            feed.group == group && !feed.tiles.isEmpty && feed.timeline.top == nil
                && FeedKey(tiles[feed.tiles[0]].layout) == FeedKey(layout)
        }
        let feed = shared ?? playbacks.feeds.add { Feed(id: $0, tile: layout, group: group) }
        if shared == nil { playbacks.feeds[feed].screen.items.enter(because: cause) }
        if shared == nil, playbacks.clocks[group].hasStarted, !playbacks.clocks[group].isTogether {
            playbacks.feeds[feed].course.awaitFirstFrame()
        }
        let tile = tiles.add { Tile(id: $0, layout, feed: feed, sound: sound) }
        playbacks.feeds[feed].add([tile])
        return tile
    }

    /// Removes a tile from the next present on, and releases everything that only this tile used.
    mutating func remove(_ tile: TileID, _ output: inout Output, _ conditions: WallConditions) {
        if clocks.scrub?.tile == tile { playbacks.endScrub(at: conditions.now) }
        if tiles[tile].comparison == nil { endItems(of: tile, context(conditions)) }
        if tiles.overlaid.map({ tiles[$0].comparison?.members.contains(tile) ?? false }) ?? false {
            tiles.endOverlay(&output)
        }
        if output.remove(tile) { playbacks.effects.window(.pictureInPicture) }
        if tiles[tile].comparison == nil { leave(tiles[tile].feed, tile) }
        tiles.remove(tile)
    }

    /// Emits the end of the items on a tile that leaves its feed.
    private mutating func endItems(of tile: TileID, _ context: WallContext) {
        let feed = tiles[tile].feed
        let name = tiles[tile].name
        for item in feeds[feed].screen.items.onScreen {
            playbacks.emit(
                .itemEnd(playbacks.ended(item, of: feed, context), tile: name, reason: .stop), context)
        }
        if let item = feeds[feed].screen.items.interrupted {
            playbacks.emit(.left(playbacks.ended(item, of: feed, context), tile: name), context)
        }
    }

    /// Removes a tile from its feed. A feed without tiles releases everything.
    private mutating func leave(_ feed: FeedID, _ tile: TileID) {
        playbacks.feeds[feed].remove([tile])
        if playbacks.feeds[feed].tiles.isEmpty {
            departed = departed + playbacks.feeds[feed].screen.health
            playbacks.feeds[feed].release(&playbacks.effects)
        }
    }

    // MARK: shared feeds

    /// Moves some of a feed's tiles to a new feed, which shows the same frame and plays on.
    mutating func divide(_ feed: FeedID, for moving: [TileID]) -> FeedID {
        let before = playbacks.feeds[feed]
        playbacks.feeds[feed].remove(moving)
        let own = playbacks.feeds.add { before.divided(as: $0, for: moving) }
        for tile in moving { tiles[tile].feed = own }
        return own
    }

    /// Merges feeds that play the same sequence on the same clock and will be at the same place.
    mutating func joinFeeds(of group: GroupID, _ conditions: WallConditions) {
        var known: [Joinable: FeedID] = [:]
        for feed in feeds.ids where playbacks.feeds[feed].group == group && !playbacks.feeds[feed].tiles.isEmpty {
            let top = playbacks.feeds[feed].timeline.top
            let key = Joinable(
                sequence: FeedKey(tiles[playbacks.feeds[feed].tiles[0]].layout),
                onTop: top?.items.map(\.sequenced), place: top?.place)
            guard let original = known[key] else {
                known[key] = feed
                continue
            }
            let joining = playbacks.feeds[feed].tiles
            // The items on the screen end here: from now on the tiles share one item.
            for feed in [original, feed] {
                let changes =
                    playbacks.feeds[feed].screen.items.end(.skipped)
                    + playbacks.feeds[feed].screen.items.leaveInterrupted()
                playbacks.emit(changes, of: feed, context(conditions))
            }
            playbacks.feeds[original].add(joining)
            for tile in joining {
                tiles[tile].feed = original
                leave(feed, tile)
            }
        }
    }

    // MARK: comparisons

    /// Makes comparing tiles watch the feeds that their members play now.
    mutating func settleComparisons() { tiles.settleComparisons(&playbacks) }

    /// Gives comparing tiles the frames of one instant.
    mutating func keepComparedFrames(_ parts: [FeedID: Feed.ScenePart], at now: Time) {
        for tile in tiles.comparing { tiles.keepFrames(of: tile, parts, playbacks, at: now) }
    }

    /// Returns true if a tile shows this frame, or will in this present.
    func shows(_ frame: DrawnFrame) -> Bool { tiles.comparing.isEmpty || tiles.shows(frame, playbacks) }
}

/// Tiles and the feeds that they play, to read.
protocol PlayedParts: PlaybackParts, TileParts {}

extension PlayedParts {
    /// The group that the layout gives the tile.
    func groupAtHome(of tile: TileID) -> GroupID { namedGroup(tiles[tile].layout.group) }

    /// True if no tile but this one follows the group's clock, or would after Home. `besideLive`: true if tiles of live
    /// sources do not count, since seeks and rates leave them as they are.
    func isOnlyTile(_ tile: TileID, of group: GroupID, besideLive: Bool) -> Bool {
        !tiles.playing.contains { other in
            guard other != tile, !(besideLive && feeds[tiles[other].feed].isLive) else { return false }
            return feeds[tiles[other].feed].group == group || groupAtHome(of: other) == group
        }
    }

    /// Returns the place of the current item, or of the last one. nil if the tile plays nothing.
    func presentItem(of tile: TileID) -> ItemPlace? {
        let feed = feeds[tiles[tile].feed]
        guard let place = (feed.slots.first?.run ?? feed.screen.lastRun)?.place, tiles[tile].item(at: place) != nil
        else {
            return tiles[tile].play.isEmpty ? nil : ItemPlace(0)
        }
        return place
    }

    /// Returns the index of the current item in the tile's sequence. While items are on top, returns
    /// the item before them.
    func presentItemOfSequence(of tile: TileID) -> Int? {
        guard let present = presentItem(of: tile) else { return nil }
        return present.isOnTop ? feeds[tiles[tile].feed].timeline.top?.place.leftRun.item ?? 0 : present.item
    }
}

/// Feeds with equal values play the same, on top of their sequences too.
private struct Joinable: Hashable {
    let sequence: FeedKey
    let onTop: [Item]?
    let place: TopSequence.Place?
}
