import Base
import Commands
import Layout

// Tiles that were moved alone, and their return to the group.
extension PlayerCore {
    /// Returns the group that a command acts on. A tile that is moved alone gets a group of its own.
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

    /// Seeks the group to its beginning. Tiles that had left it return to it and to the feeds that they shared.
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

    /// Merges feeds that play the same sequence on the same clock and will be at the same place.
    mutating func joinFeeds(of group: GroupID, at now: Time) {
        var known: [FeedKey: FeedID] = [:]
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].tiles.isEmpty {
            let key = FeedKey(tiles[feeds[feed].tiles[0]].layout)
            guard let original = known[key] else {
                known[key] = feed
                continue
            }
            let joining = feeds[feed].tiles
            // The items on the screen end here: from now on the tiles share one item.
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
