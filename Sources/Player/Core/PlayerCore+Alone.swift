import Base
import Commands
import Feeds
import Layout

// Tiles that were moved alone, and their return to the group.
extension PlayerCore {
    /// Returns the group that a command acts on. A tile that is moved alone gets a group of its own.
    mutating func group(of tile: TileID, _ scope: Command.Scope) -> GroupID {
        let tile = scope == .group ? player(of: tile) : movable(tile)
        let group = playbacks.feeds[tiles[tile].feed].group
        if scope == .group || playbacks.clocks[group].isAlone { return group }
        let own = playbacks.clocks.add(alone: tiles[tile].name, of: group)
        var feed = tiles[tile].feed
        if playbacks.feeds[feed].tiles.count > 1 { feed = divided(feed, for: [tile]) }
        playbacks.feeds[feed].follow(own)
        return own
    }

    /// The group that the layout gives the tile.
    func groupAtHome(of tile: TileID) -> GroupID { namedGroup(tiles[tile].layout.group) }

    /// Seeks the group to its beginning. Tiles that had left it return to it and to the feeds that they shared.
    mutating func comeHome(_ home: GroupID, at now: Time) {
        for tile in tiles.playing where groupAtHome(of: tile) == home { playbacks.feeds[tiles[tile].feed].follow(home) }
        joinFeeds(of: home, at: now)
        for feed in feeds.ids where playbacks.feeds[feed].group == home {
            playbacks.feeds[feed].beginAnew()
            playbacks.feeds[feed].dropSlots(&playbacks.effects)
            leaveFrame(of: feed)
        }
        playbacks.clocks[home].beginAnew()
        playbacks.seek(home, to: .zero, at: now)
        playbacks.removeUnusedClocks()
    }

    /// Merges feeds that play the same sequence on the same clock and will be at the same place.
    mutating func joinFeeds(of group: GroupID, at now: Time) {
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
            for feed in [original, feed] { emit(playbacks.feeds[feed].endItem(.skipped), of: feed, at: now) }
            playbacks.feeds[original].add(joining)
            for tile in joining {
                tiles[tile].feed = original
                leave(feed, tile)
            }
        }
    }
}

/// Feeds with equal values play the same, on top of their sequences too.
private struct Joinable: Hashable {
    let sequence: FeedKey
    let onTop: [Item]?
    let place: TopSequence.Place?
}
