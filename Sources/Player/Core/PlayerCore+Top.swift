import Base
import Feeds
import Layout
import Scene

// Items on top of the sequences of tiles.
extension PlayerCore {
    /// Puts items on top of the sequences of tiles. Tiles that share a feed go on sharing it.
    mutating func cover(_ covers: [Cover], at now: Time) {
        let covered = Dictionary(grouping: covers, by: { tiles[$0.tile].feed }).sorted { $0.key < $1.key }
        for (feed, sharing) in covered {
            for cover in sharing { tiles[cover.tile].onTop = cover.items }
            let isShared = playbacks.feeds[feed].tiles.count > sharing.count
            let own = isShared ? divided(feed, for: sharing.map(\.tile)) : feed
            playbacks.endABLoop(of: playbacks.feeds[own].group, at: now)
            let top = TopSequence(sharing[0], transition: playbacks.feeds[own].timeline.transition)
            playbacks.feeds[own].cover(
                with: top, from: sharing[0].begin, context(of: own, at: now), &playbacks.effects)
        }
        sequencesHaveChanged(of: covers.map(\.tile))
        playbacks.effects.wakePipelines(pool.pipelines.indices)
    }

    /// Takes what is on top of these tiles, and is over, off their sequences.
    mutating func uncover(_ tiles: [TileID], at now: Time) {
        for feed in takeOff(tiles, at: now) {
            let state = playbacks.feeds[feed]
            let isLast = state.phase == .ended && state.slots.first?.run.part == .top
            let iteration = state.slots.first?.run.iteration ?? 0
            uncover(feed, at: now)
            guard isLast else { continue }
            let groupTime = playbacks.clocks[state.group].clock.position(at: now)
            playbacks.feeds[feed].comeBackToEnd(ofIteration: iteration, at: groupTime, &playbacks.effects)
        }
        sequencesHaveChanged(of: tiles)
    }

    /// Takes off what is on top of a tile, or is to come. The tile goes on at once with the item that follows, or with
    /// the interrupted item where it stopped.
    mutating func leaveTop(of tile: TileID, at now: Time) {
        let feed = tiles[tile].feed
        guard let top = playbacks.feeds[feed].timeline.top else { return }
        let (front, sharing) = (playbacks.feeds[feed].slots.first?.run, playbacks.feeds[feed].tiles)
        let groupTime = playbacks.clocks[playbacks.feeds[feed].group].clock.position(at: now)
        for feed in takeOff(sharing, at: now) { uncover(feed, at: now) }
        sequencesHaveChanged(of: sharing)
        if front?.part == .top { playbacks.feeds[feed].goOn(behind: top, at: groupTime, &playbacks.effects) }
    }

    private mutating func uncover(_ feed: FeedID, at now: Time) {
        playbacks.endABLoop(of: playbacks.feeds[feed].group, at: now)
        emit(playbacks.feeds[feed].uncover(&playbacks.effects), of: feed, at: now)
    }

    /// Forgets the items on top of these tiles. Returns their feeds.
    private mutating func takeOff(_ past: [TileID], at now: Time) -> [FeedID] {
        for tile in past {
            if playbacks.feeds[tiles[tile].feed].screen.last?.item?.isOnTop ?? false { noteLook(of: tile) }
            tiles[tile].onTop = []
        }
        return Set(past.map { tiles[$0].feed }).sorted()
    }

    /// The runs that follow in the groups of these tiles depend on the end of the iteration.
    private mutating func sequencesHaveChanged(of changed: [TileID]) {
        for group in Set(changed.map { playbacks.feeds[tiles[$0].feed].group }) {
            playbacks.sequenceHasChanged(in: group)
        }
    }

    /// Sets the clock of a group, whose position stood, back by this time.
    mutating func releasePosition(of group: GroupID, settingBackBy length: Time?) {
        guard playbacks.clocks[group].releasePosition(settingBackBy: length), let length else { return }
        for feed in feeds.ids where playbacks.feeds[feed].group == group && !playbacks.feeds[feed].isLive {
            playbacks.feeds[feed].windBack(by: length)
        }
    }

    // MARK: items on top that do not come

    /// Time after which a due item on top that is not open is skipped, with the next items from its server.
    private static var patienceOnTop: Time { .seconds(2) }

    /// Returns the wall time at which the next item is skipped.
    mutating func giveUpItemsOnTop(of feed: FeedID, at now: Time) -> Time? {
        guard playbacks.feeds[feed].hasSeat, playbacks.feeds[feed].timeline.top != nil else { return nil }
        var next = Earliest()
        let context = context(of: feed, at: now)
        for index in playbacks.feeds[feed].slots.indices {
            let slot = playbacks.feeds[feed].slots[index]
            guard slot.run.part == .top, slot.isUnopened else { continue }
            if playbacks.feeds[feed].slots.followsSilence(slot: index) {
                giveUp(feed, slot: index, at: now)
                next.add(now)
                continue
            }
            // The start is unknown after a skipped item.
            let due = slot.start == nil ? slot.times.asked : slot.start.flatMap { context.wallTime(of: $0) }
            guard let end = due.map({ $0 + Self.patienceOnTop }) else { continue }
            if now >= end { giveUp(feed, slot: index, at: now) }
            // The run behind an item that was given up may begin now.
            next.add(max(now, end))
        }
        return next.instant
    }

    private mutating func giveUp(_ feed: FeedID, slot index: Int, at now: Time) {
        let slot = playbacks.feeds[feed].slots[index]
        let wall = context(at: now)
        supply.giveUp(.slot(slot.id), of: feed)
        playbacks.report(OpenRequests.noAnswer, of: feed, slot.location, item: slot.run.place, wall)
        playbacks.fail(feed, slot: index, OpenRequests.noAnswer, wall)
    }

    /// Opens the source of an item before the item is put on top.
    mutating func openAhead(_ item: Item, of feed: FeedID, for name: String, at now: Time) {
        let opening = OpenRequest(ahead: item, of: name, for: feed, since: now)
        if case .ordered(let order) = supply.open(opening, playbacks, context(at: now)) {
            playbacks.effects.open(order)
        }
    }
}

extension TopSequence {
    fileprivate init(_ cover: Cover, transition: Transition) {
        self.init(cover.items, named: cover.name, at: cover.place, isCut: cover.isCut, transition)
    }
}
