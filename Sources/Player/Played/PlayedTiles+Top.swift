import Base
import Feeds
import Layout
import Scene

/// Items to be put on top of the sequence of a tile.
struct Cover {
    let tile: TileID
    /// Name of what the items belong to, for events.
    let name: String
    let items: [Item]
    let place: TopSequence.Place
    /// Group time at which they begin at the earliest; nil if that is where the sequence is left.
    let begin: Time?
    /// True to begin and end with a cut. Fades differ in length between tiles that begin at one instant.
    let isCut: Bool
}

// Items on top of the sequences of tiles.
extension PlayedTiles {
    /// Puts items on top of the sequences of tiles. Tiles that share a feed go on sharing it.
    mutating func cover(_ covers: [Cover], at now: Time) {
        let covered = Dictionary(grouping: covers, by: { tiles[$0.tile].feed }).sorted { $0.key < $1.key }
        for (feed, sharing) in covered {
            for cover in sharing { tiles[cover.tile].cover(with: cover.items) }
            let isShared = playbacks.feeds[feed].tiles.count > sharing.count
            let own = isShared ? divide(feed, for: sharing.map(\.tile)) : feed
            playbacks.endABLoop(of: feeds[own].group, at: now)
            let top = TopSequence(sharing[0], transition: feeds[own].timeline.transition)
            playbacks.feeds[own].cover(
                with: top, from: sharing[0].begin, context(of: own, at: now), &playbacks.effects)
        }
        sequencesHaveChanged(of: covers.map(\.tile))
    }

    /// Takes what is on top of these tiles, and is over, off their sequences.
    mutating func uncover(_ past: [TileID], _ wall: WallConditions) {
        for feed in takeOff(past) {
            let state = playbacks.feeds[feed]
            let isLast = state.phase == .ended && state.slots.first?.run.part == .top
            let iteration = state.slots.first?.run.iteration ?? 0
            uncover(feed, wall)
            guard isLast else { continue }
            let groupTime = playbacks.clocks[state.group].clock.position(at: wall.now)
            playbacks.feeds[feed].comeBackToEnd(ofIteration: iteration, at: groupTime, &playbacks.effects)
        }
        sequencesHaveChanged(of: past)
    }

    /// Takes off what is on top of a tile, or is to come. The tile goes on at once with the item that follows, or with
    /// the interrupted item where it stopped.
    mutating func leaveTop(of tile: TileID, _ wall: WallConditions) {
        let feed = tiles[tile].feed
        guard let top = playbacks.feeds[feed].timeline.top else { return }
        let (front, sharing) = (playbacks.feeds[feed].slots.first?.run, playbacks.feeds[feed].tiles)
        let groupTime = playbacks.clocks[playbacks.feeds[feed].group].clock.position(at: wall.now)
        for feed in takeOff(sharing) { uncover(feed, wall) }
        sequencesHaveChanged(of: sharing)
        if front?.part == .top { playbacks.feeds[feed].goOn(behind: top, at: groupTime, &playbacks.effects) }
    }

    private mutating func uncover(_ feed: FeedID, _ wall: WallConditions) {
        playbacks.endABLoop(of: feeds[feed].group, at: wall.now)
        playbacks.emit(playbacks.feeds[feed].uncover(&playbacks.effects), of: feed, context(wall))
    }

    /// Forgets the items on top of these tiles. Returns their feeds.
    private mutating func takeOff(_ past: [TileID]) -> [FeedID] {
        for tile in past {
            if playbacks.feeds[tiles[tile].feed].screen.last?.item?.isOnTop ?? false { keepLook(of: tile) }
            tiles[tile].uncover()
        }
        return Set(past.map { tiles[$0].feed }).sorted()
    }

    /// The runs that follow in the groups of these tiles depend on the end of the iteration.
    private mutating func sequencesHaveChanged(of changed: [TileID]) {
        for group in Set(changed.map { playbacks.feeds[tiles[$0].feed].group }) {
            playbacks.sequenceHasChanged(in: group)
        }
    }
}

extension TopSequence {
    fileprivate init(_ cover: Cover, transition: Transition) {
        self.init(cover.items, named: cover.name, at: cover.place, isCut: cover.isCut, transition)
    }
}
