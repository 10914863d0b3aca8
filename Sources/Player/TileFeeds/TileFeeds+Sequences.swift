import Base
import Commands
import Feeds
import Layout

// Changes by hand of the sequence of a tile, and layers on top. A tile that shared its feed leaves it.
extension TileFeeds {
    mutating func apply(_ change: Change.SequenceChange, to tile: TileID, at now: Time) -> Bool {
        let present = presentItemOfSequence(of: tile)
        // Layers end together with the item that the lowest one follows.
        if change.takesAway(present) { pop(of: feed(of: tile).tiles, at: now) }
        var items = tiles[tile].play
        switch change {
        case .replace(let new):
            // Empties the sequence first, so that an equal film begins anew.
            edit(tile, at: now) { $0.play = [] }
            items = new
        case .append(let new): items += new
        case .appendAndPlay(let new):
            let isOver = feed(of: tile).phase != .playing
            edit(tile, at: now) { $0.play = items + new }
            return isOver && !items.isEmpty ? goToItem(items.count, tile, at: now) : true
        case .insertNext(let new): items.insert(contentsOf: new, at: present.map { $0 + 1 } ?? 0)
        case .remove(let place):
            guard let place = place ?? present, items.indices.contains(place) else { return false }
            items.remove(at: place)
            if place == present, place < items.count {
                // The next item takes its place.
                edit(tile, at: now) { $0.play = items }
                return goToItem(place, tile, at: now)
            }
        case .move(let from, let to):
            guard items.indices.contains(from), (0...items.count).contains(to) else { return false }
            let item = items.remove(at: from)
            items.insert(item, at: from < to ? to - 1 : to)
        case .clear: items = present.map { [items[$0]] } ?? []
        case .stop: items = []
        case .rounds(let count):
            guard let present else { return false }
            items[present].rounds = count
        case .loop(let loop):
            edit(tile, at: now) { $0.loop = loop }
            return true
        }
        edit(tile, at: now) { $0.play = items }
        return true
    }

    // MARK: layers on top

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

extension Change.SequenceChange {
    /// Returns true if the change removes the current item, at index `present`.
    fileprivate func takesAway(_ present: Int?) -> Bool {
        switch self {
        case .replace, .stop: true
        case .remove(let place): place == nil || place == present
        case .append, .appendAndPlay, .insertNext, .move, .clear, .rounds, .loop: false
        }
    }
}

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
