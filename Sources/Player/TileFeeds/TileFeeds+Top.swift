import Base
import Feeds
import Layout

/// Items to be put on top of the sequence of a tile.
struct Cover {
    let tile: TileID
    /// Name of the items' break, for events.
    let name: String
    let items: [Item]
    let place: TopSequence.Place
    /// Earliest group time at which the items begin; nil if they begin where the sequence is left.
    let begin: Time?
    /// True to begin and end with a cut. Tiles that begin at one instant may have fades of different lengths.
    let isCut: Bool
}

// Items on top of the sequences of tiles.
extension TileFeeds {
    /// Puts items on top of the sequences of tiles. Tiles that share a feed go on sharing it.
    mutating func cover(_ covers: [Cover], at now: Time) {
        let covered = Dictionary(grouping: covers, by: { tiles[$0.tile].feed }).sorted { $0.key < $1.key }
        for (feed, sharing) in covered {
            for cover in sharing { tiles[cover.tile].onTop = cover.items }
            let isShared = feeds[feed].tiles.count > sharing.count
            let own = isShared ? divide(feed, for: sharing.map(\.tile)) : feed
            transport.endABLoop(of: feeds[own].group, at: now)
            let top = TopSequence(sharing[0], transition: feeds[own].timeline.transition)
            feeds[own].top.cover(with: top, from: sharing[0].begin, transport.context(of: own, at: now))
        }
        sequencesHaveChanged(of: covers.map(\.tile))
    }

    /// Removes the items on top of these tiles, which are over, from the sequences.
    mutating func uncover(_ past: [TileID], _ conditions: WallConditions) {
        for feed in takeOff(past) {
            let state = feeds[feed]
            let isLast = state.phase == .ended && state.slots.first?.run.part == .top
            let iteration = state.slots.first?.run.iteration ?? 0
            uncover(feed, conditions)
            guard isLast else { continue }
            let groupTime = clocks[state.group].clock.position(at: conditions.now)
            feeds[feed].top.comeBackToEnd(ofIteration: iteration, at: groupTime)
        }
        sequencesHaveChanged(of: past)
    }

    /// Removes the items on top of a tile, even if they have not begun. The tile goes on at once with the next item, or
    /// with the interrupted item where it stopped.
    mutating func leaveTop(of tile: TileID, _ conditions: WallConditions) {
        let feed = tiles[tile].feed
        guard let top = feeds[feed].timeline.top else { return }
        let (front, sharing) = (feeds[feed].slots.first?.run, feeds[feed].tiles)
        let groupTime = clocks[feeds[feed].group].clock.position(at: conditions.now)
        for feed in takeOff(sharing) { uncover(feed, conditions) }
        sequencesHaveChanged(of: sharing)
        if front?.part == .top { feeds[feed].top.continueAfter(top, at: groupTime) }
    }

    private mutating func uncover(_ feed: FeedID, _ conditions: WallConditions) {
        transport.endABLoop(of: feeds[feed].group, at: conditions.now)
        playout(conditions).emit(feeds[feed].top.uncover(), of: feed)
    }

    /// Forgets the items on top of these tiles. Returns their feeds.
    private mutating func takeOff(_ past: [TileID]) -> [FeedID] {
        for tile in past {
            if feeds[tiles[tile].feed].screen.last?.item?.isOnTop ?? false { keepLook(of: tile) }
            tiles[tile].onTop = []
        }
        return Set(past.map { tiles[$0].feed }).sorted()
    }

    /// Computes the ends of iterations again for the groups of these tiles, since the next runs depend on them.
    private mutating func sequencesHaveChanged(of changed: [TileID]) {
        for group in Set(changed.map { feeds[tiles[$0].feed].group }) { transport.sequenceHasChanged(in: group) }
    }
}

extension TopSequence {
    fileprivate init(_ cover: Cover, transition: Transition) {
        self.init(cover.items, named: cover.name, at: cover.place, isCut: cover.isCut, transition)
    }
}
