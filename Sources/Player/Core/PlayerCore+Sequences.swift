import Base
import Commands
import Feeds
import Layout
import Scene

// Changes by hand of the sequence of a tile. A tile that shared its feed leaves it.
extension PlayerCore {
    mutating func carryOut(_ change: Command.SequenceChange, of tile: TileID, at now: Time) -> Bool {
        let present = presentItemOfSequence(of: tile)
        // Items on top end together with the item that they follow.
        if change.takesAway(present) { leaveTop(of: tile, at: now) }
        var items = tiles[tile].play
        switch change {
        case .replace(let new):
            // If the new film is the same, it begins anew.
            edit(tile, at: now) { $0.play = [] }
            items = new
        case .append(let new): items += new
        case .appendAndPlay(let new):
            let isOver = playbacks.feeds[tiles[tile].feed].phase != .playing
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

    /// Changes a tile by hand, whatever its layout states. What is on top stays.
    mutating func edit(_ tile: TileID, at now: Time, _ body: (inout TileLayout) -> Void) {
        let before = tiles[tile].layout
        var after = before
        body(&after)
        replace(before, by: after, of: tile, at: now)
    }

    /// Adds a tile that plays `items`, on a wall that has none.
    public mutating func addTile(playing items: [Item], at now: Time) {
        var next = layouts.loaded
        next.tiles = [TileLayout(id: "tile1", place: .cell(column: 0, row: 0, columns: 1, rows: 1), play: items)]
        apply(next, at: now)
    }

    // MARK: items

    /// Moves a tile to the beginning of its next or previous item, alone.
    mutating func goToItem(by count: Int, _ tile: TileID, at now: Time) -> Bool {
        let feed = tiles[tile].feed
        guard let run = playbacks.feeds[feed].slots.first?.run ?? playbacks.feeds[feed].screen.lastRun else {
            return false
        }
        let items = playbacks.feeds[feed].timeline.items.count
        guard items > 0 else { return false }
        var place = run.iteration * items + run.item + count
        // Items that can't be played are skipped.
        for _ in 1..<items where place > 0 && playbacks.feeds[feed].timeline.itemLength(place % items) == .zero {
            place += count
        }
        let (iteration, item) = place < 0 ? (0, 0) : (place / items, place % items)
        guard playbacks.feeds[feed].timeline.takesPart(inIteration: iteration) else { return false }
        go(tile, to: RunID(iteration: iteration, item: item), at: now)
        return true
    }

    /// Moves a tile to an item of the current iteration. What is on top ends.
    mutating func goToItem(_ item: Int, _ tile: TileID, at now: Time) -> Bool {
        guard tiles[tile].play.indices.contains(item) else { return false }
        leaveTop(of: tile, at: now)
        let feed = tiles[tile].feed
        guard playbacks.feeds[feed].timeline.items.indices.contains(item) else { return false }
        go(
            tile,
            to: RunID(
                iteration: (playbacks.feeds[feed].slots.first?.run ?? playbacks.feeds[feed].screen.lastRun)?.iteration
                    ?? 0, item: item),
            at: now)
        return true
    }

    /// Moves a tile to the beginning of a run, alone.
    mutating func go(_ tile: TileID, to run: RunID, at now: Time) {
        let group = group(of: tile, .tileAlone)
        let alone = tiles[tile].feed
        // The clock goes on. The item begins now.
        playbacks.feeds[alone].go(to: run, at: playbacks.clocks[group].clock.position(at: now), &playbacks.effects)
        let motion = playbacks.clocks[group].motionToCome
        playbacks.clocks[group].wait(at: now, until: now + Playbacks.longestSeekWait, then: motion)
    }
}

extension Command.SequenceChange {
    /// Returns true if the change removes the current item, at index `present`.
    fileprivate func takesAway(_ present: Int?) -> Bool {
        switch self {
        case .replace, .stop: true
        case .remove(let place): place == nil || place == present
        case .append, .appendAndPlay, .insertNext, .move, .clear, .rounds, .loop: false
        }
    }
}
