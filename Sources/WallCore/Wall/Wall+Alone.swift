// Tiles that were moved alone, and how they come home.
extension Wall {
    /// The group whose clock a command changes. A tile alone gets a clock of its own.
    mutating func group(of tile: TileID, _ scope: Command.Scope) -> GroupID {
        let tile = scope == .group ? player(of: tile) : movable(tile)
        let group = feeds[tiles[tile].feed].group
        if scope == .group || clocks[group].isAlone { return group }
        let own = clocks.add(alone: tiles[tile].name, of: group)
        var feed = tiles[tile].feed
        if feeds[feed].tiles.count > 1 { feed = divided(feed, for: [tile]) }
        feeds[feed].group = own
        shareSounds()
        return own
    }

    /// The group that the layout gives the tile.
    func groupAtHome(of tile: TileID) -> GroupID { namedGroup(tiles[tile].layout.group) }

    /// The group to its beginning; every tile that had left it is in step again, in the feed that it shares.
    mutating func comeHome(_ home: GroupID, at now: Time) {
        for tile in tiles.playing where groupAtHome(of: tile) == home { feeds[tiles[tile].feed].group = home }
        joinFeeds(of: home, at: now)
        for feed in feeds.ids where feeds[feed].group == home {
            feeds[feed].beginAnew()
            feeds[feed].dropSlots(&effects)
            leaveFrame(of: feed)
        }
        clocks[home].beginAnew()
        seek(home, to: .zero, at: now)
        removeUnusedClocks()
    }

    /// Tiles that play the same on the same clock, and will be at the same place, look at one feed.
    mutating func joinFeeds(of group: GroupID, at now: Time) {
        var known: [FeedKey: FeedID] = [:]
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].tiles.isEmpty {
            let key = FeedKey(tiles[feeds[feed].tiles[0]].layout)
            guard let original = known[key] else {
                known[key] = feed
                continue
            }
            let joining = feeds[feed].tiles
            // What each of them had on is over: from now on they have one item on.
            for feed in [original, feed] { emit(feeds[feed].screen.endItem(.skipped), of: feed, at: now) }
            feeds[original].tiles = (feeds[original].tiles + joining).sorted()
            for tile in joining {
                tiles[tile].feed = original
                leave(feed, tile)
            }
        }
        shareSounds()
    }
}
