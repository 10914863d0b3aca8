import Base
import Feeds
import Layout

/// The tiles of a wall, their places on the output, and what plays on them: which tile views which feed, and which clock
/// the feed follows. Also what layouts and features ask of them.
///
/// Tiles of equal sequence share a feed. A tile leaves the shared feed when it is changed by hand, moved alone, or
/// gets a layer on top. Tiles share a feed again when they come home. Each function keeps tiles and feeds in
/// agreement.
struct TileFeeds: TilesOnWall {
    var tiles = Tiles()
    var output: Output
    let transport = Transport()
    var layouts: Layouts
    /// Requests of features, beside the frames that are shown.
    var needs = FeatureNeeds()
    /// Health of tiles that were removed.
    private(set) var departed = Health()

    /// The wall without tiles, on which `layout` will be the first layout.
    init(before layout: Layout) {
        output = Output(size: layout.window.size)
        layouts = Layouts(title: layout.title)
    }

    func playout(at now: Time) -> Playout {
        Playout(
            now: now, limits: .init(layouts.applied), needs: needs, output: output, tiles: tiles, transport: transport)
    }

    // MARK: tiles that come and go

    /// Adds a tile. Its card is shown at once. If its group's clock runs, the tile begins with its first frame.
    /// `cause`: reason why its items begin.
    mutating func add(_ layout: TileLayout, _ sound: SoundID, because cause: ItemBeginning) -> TileID {
        let group = transport.namedGroup(layout.group)
        let shared = feeds.firstID { feed in
            feed.group == group && !feed.tiles.isEmpty && feed.timeline.layer == nil
                && FeedKey(tiles[feed.tiles[0]].layout) == FeedKey(layout)
        }
        let id = shared ?? transport.feeds.add { Feed(id: $0, tile: layout, group: group, transport.outbox) }
        let feed = feeds[id]
        if shared == nil { feed.screen.items.enter(because: cause) }
        if shared == nil, clocks[group].hasStarted, !clocks[group].isTogether { feed.reel.course.awaitFirstFrame() }
        let tile = tiles.add { Tile(id: $0, layout, feed: id, sound: sound) }
        feed.add([tile])
        return tile
    }

    /// Removes a tile from the next present on, and releases everything that only this tile used.
    mutating func remove(_ tile: TileID, at now: Time) {
        if clocks.scrub?.tile == tile { transport.endScrub(at: now) }
        if tiles[tile].watch == nil { endItems(of: tile, playout(at: now)) }
        if tiles.overlaid.map({ tiles[$0].watch?.members.contains(tile) ?? false }) ?? false { endOverlay() }
        if output.remove(tile) { transport.outbox.window(.pictureInPicture) }
        if tiles[tile].watch == nil { leave(feed(of: tile), tile) }
        tiles.remove(tile)
        transport.itemEnds[tile] = nil
    }

    /// Emits the end of the items on a tile that leaves its feed.
    private func endItems(of tile: TileID, _ playout: Playout) {
        let feed = feed(of: tile), name = tiles[tile].name
        for item in feed.screen.items.onScreen {
            playout.emit(.itemEnd(playout.ended(item, of: feed), tile: name, reason: .stop))
        }
        for item in feed.screen.items.interrupted {
            playout.emit(.left(playout.ended(item, of: feed), tile: name))
        }
    }

    /// Removes a tile from its feed. A feed without tiles releases everything.
    private mutating func leave(_ feed: Feed, _ tile: TileID) {
        feed.remove([tile])
        if feed.tiles.isEmpty {
            departed = departed + feed.screen.health
            feed.release()
        }
    }

    // MARK: shared feeds

    /// Moves some of a feed's tiles to a new feed, which shows the same frame and plays on.
    mutating func divide(_ feed: Feed, for moving: [TileID]) -> Feed {
        feed.remove(moving)
        let own = transport.feeds.add { Feed(id: $0, divided: feed, for: moving) }
        for tile in moving { tiles[tile].feed = own }
        return feeds[own]
    }

    /// Merges feeds that play the same sequence on the same clock and will be at the same place.
    mutating func joinFeeds(of group: GroupID, at now: Time) {
        var known: [Joinable: Feed] = [:]
        for feed in feeds where feed.group == group && !feed.tiles.isEmpty {
            let layers = feed.timeline.layers
            let key = Joinable(
                sequence: FeedKey(tiles[feed.tiles[0]].layout), layers: layers.map { $0.items.map(\.sequenced) },
                places: layers.map(\.place))
            guard let original = known[key] else {
                known[key] = feed
                continue
            }
            let joining = feed.tiles
            // The items on the screen end here: from now on the tiles share one item.
            for feed in [original, feed] {
                let changes = feed.screen.items.end(.skipped) + feed.screen.items.leaveInterrupted()
                playout(at: now).emit(changes, of: feed)
            }
            original.add(joining)
            for tile in joining {
                tiles[tile].feed = original.id
                leave(feed, tile)
            }
        }
    }

    // MARK: places of tiles

    /// The group that the layout gives the tile.
    func groupAtHome(of tile: TileID) -> GroupID { transport.namedGroup(tiles[tile].layout.group) }

    /// True if no tile but this one follows the group's clock, or would after Home. `besideLive`: true if tiles of live
    /// sources do not count, since seeks and rates leave them as they are.
    func isOnlyTile(_ tile: TileID, of group: GroupID, besideLive: Bool) -> Bool {
        !tiles.playing.contains { other in
            guard other != tile, !(besideLive && feed(of: other).isLive) else { return false }
            return feed(of: other).group == group || groupAtHome(of: other) == group
        }
    }

    /// Returns the place of the current item, or of the last one. nil if the tile plays nothing.
    func presentItem(of tile: TileID) -> ItemPlace? {
        let feed = feed(of: tile)
        guard let place = (feed.slots.first?.run ?? feed.screen.lastRun)?.place, tiles[tile].item(at: place) != nil
        else { return tiles[tile].play.isEmpty ? nil : ItemPlace(0) }
        return place
    }

    /// Returns the index of the current item in the tile's sequence. While a layer is on top, returns the item below it.
    func presentItemOfSequence(of tile: TileID) -> Int? {
        guard let present = presentItem(of: tile) else { return nil }
        return present.isOnTop ? feed(of: tile).timeline.layer?.place.leftRun.item ?? 0 : present.item
    }
}

/// Feeds with equal values play the same, in all layers.
private struct Joinable: Hashable {
    let sequence: FeedKey
    let layers: [[Item]]
    let places: [Layer.Place]
}
