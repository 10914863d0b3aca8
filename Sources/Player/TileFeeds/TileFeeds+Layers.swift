import Base
import Feeds
import Layout

/// Items to be put on top of what a tile plays, as a layer.
struct Push {
    let tile: TileID
    /// Name of the layer, for its owner and for events: that of a break.
    let name: String
    let items: [Item]
    let place: Layer.Place
    /// Earliest group time at which the items begin; nil if they begin where what lies below is left.
    let begin: Time?
    /// True to begin and end with a cut. Tiles that begin at one instant may have fades of different lengths.
    let isCut: Bool
}

// Layers on top of what tiles play.
extension TileFeeds {
    /// Puts layers on top of what tiles play. Tiles that share a feed go on sharing it. Layers above the run that the new
    /// one follows or interrupts are over, or have not begun: they are taken off first.
    mutating func push(_ pushes: [Push], at now: Time) {
        let pushed = Dictionary(grouping: pushes, by: { tiles[$0.tile].feed }).sorted { $0.key < $1.key }
        for (feed, sharing) in pushed {
            let shared = feeds[feed], isShared = shared.tiles.count > sharing.count
            let own = isShared ? divide(shared, for: sharing.map(\.tile)) : shared
            let first = sharing[0], below = first.place.leftRun.layer
            pop(own, to: below, at: now)
            // The layer that is to be interrupted was taken off meanwhile.
            guard own.timeline.layers.count == below else { continue }
            for push in sharing { tiles[push.tile].layers.append(push.items) }
            transport.endABLoop(of: own.group, at: now)
            let layer = Layer(
                first.items, named: first.name, at: first.place, isCut: first.isCut, own.timeline.transition)
            own.push(layer, from: first.begin, transport.context(of: own, at: now))
        }
        sequencesHaveChanged(of: pushes.map(\.tile))
    }

    /// Takes the layer of this name off what tiles play, with those above it, even if it has not begun. Without a name,
    /// takes off all layers. If what follows is not on the screen yet, the tiles go on with it at once.
    mutating func pop(_ name: String? = nil, of past: [TileID], at now: Time) {
        for feed in Set(past.map { tiles[$0].feed }).sorted().map({ feeds[$0] }) {
            let number = if let name { feed.timeline.number(ofLayer: name) } else { Int?(1) }
            if let number { pop(feed, to: number - 1, at: now) }
        }
        sequencesHaveChanged(of: past)
    }

    private mutating func pop(_ feed: Feed, to count: Int, at now: Time) {
        guard feed.timeline.layer(count + 1) != nil else { return }
        for tile in feed.tiles {
            if feed.screen.last?.item.map({ $0.layer > count }) ?? false { keepLook(of: tile) }
            tiles[tile].layers = Array(tiles[tile].layers.prefix(count))
        }
        transport.endABLoop(of: feed.group, at: now)
        let groupTime = clocks[feed.group].clock.position(at: now)
        playout(at: now).emit(feed.pop(to: count, at: groupTime), of: feed)
    }

    /// Computes the ends of iterations again for the groups of these tiles, since the next runs depend on them.
    private mutating func sequencesHaveChanged(of changed: [TileID]) {
        for group in Set(changed.map { feed(of: $0).group }) { transport.sequenceHasChanged(in: group) }
    }
}
