// Tiles that were moved alone, and how they come home.
extension Wall {
    /// The group whose clock a command changes. A tile alone gets a clock of its own.
    mutating func group(of tile: TileID, _ scope: Command.Scope) -> GroupID {
        let group = feeds[tiles[tile].feed].group
        if scope == .group || clocks[group].isAlone { return group }
        let own = clocks.add(Group(alone: tiles[tile].name, of: clocks[group]))
        var feed = tiles[tile].feed
        if feeds[feed].views.count > 1 { feed = divided(feed, for: [tile]) }
        feeds[feed].group = own
        shareSounds()
        return own
    }

    /// Feeds that nobody views go when no thread works for them any more.
    mutating func removeUnseenFeeds() {
        for feed in feeds.ids where feeds[feed].views.isEmpty && isFree(feed) {
            for source in feeds[feed].parked.map(\.source) { orders.close(source) }
            feeds.remove(feed)
        }
    }

    private func isFree(_ feed: FeedID) -> Bool {
        feeds[feed].slots.isEmpty && !openings.concern(feed) && !pool.works(for: feed)
    }

    /// The group that the layout gives the tile.
    func groupAtHome(of tile: TileID) -> GroupID { namedGroup(tiles[tile].layout.group) }

    /// The group to its beginning; every tile that had left it is in step again, in the feed that it shares.
    mutating func comeHome(_ home: GroupID, at wall: Time) {
        for tile in tiles.order where groupAtHome(of: tile) == home { feeds[tiles[tile].feed].group = home }
        joinFeeds(of: home)
        for feed in feeds.ids where feeds[feed].group == home {
            (feeds[feed].pass, feeds[feed].origin) = (0, .zero - feeds[feed].offset)
            feeds[feed].awaitsFirstPicture = false
            dropSlots(of: feed)
            leavePicture(of: feed)
        }
        clocks[home].beginAnew()
        seek(home, to: .zero, at: wall)
        removeUnusedClocks()
    }

    /// Tiles that play the same on the same clock, and will be at the same place, look at one feed.
    mutating func joinFeeds(of group: GroupID) {
        var known: [FeedKey: FeedID] = [:]
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].views.isEmpty {
            let key = FeedKey(tiles[feeds[feed].views[0]].layout)
            guard let original = known[key] else {
                known[key] = feed
                continue
            }
            let views = feeds[feed].views
            feeds[original].views = (feeds[original].views + views).sorted()
            for tile in views {
                tiles[tile].feed = original
                leave(feed, tile)
            }
        }
        shareSounds()
    }

    /// A feed that nobody views gives everything back.
    mutating func release(_ feed: FeedID) {
        dropSlots(of: feed)
        dropPoster(of: feed)
        for source in feeds[feed].parked.map(\.source) { orders.close(source) }
        feeds[feed].parked = []
        feeds[feed].hasSeat = false
    }
}
