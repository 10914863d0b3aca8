import Base
import Commands
import Feeds
import Layout

// Changes by hand of the sequence of a tile. A tile that shared its feed leaves it.
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
