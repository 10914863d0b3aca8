import Base
import Layout
import Scene

// Breaks: items on top of the sequences of some tiles, until they have been played.
extension PlayerCore {
    /// Returns the wall time at which the next break is due, or comes on.
    mutating func updateBreaks(at now: Time) -> Time? {
        guard !breaks.all.isEmpty, beganAt != nil else { return nil }
        var next = Earliest()
        for playing in breaks.all where playing.isOn {
            let entering = playing.entering.filter(tiles.contains)
            breaks.entered(playing.layout.name, entering.subtracting(tilesReached(by: playing, of: entering)))
            // A layout may have removed the tiles of a break, or changed their sequences.
            endIfOver(playing.layout.name, at: now)
        }
        if !breaks.onTiles.isEmpty { settleBreaks(at: now) }
        let itemsOn = breaksWithItemOn(at: now)
        next.add(breaks.queueDue(at: now, itemsOn: itemsOn))
        beginBreaks(at: now)
        for playing in breaks.all where playing.isOn && !playing.entering.isEmpty {
            next.add(enterBreak(playing, at: now))
        }
        return next.instant
    }

    /// Returns the names of breaks that come after a number of items, and whose first tile plays an item to its end.
    private func breaksWithItemOn(at now: Time) -> Set<String> {
        let after = breaks.all.map(\.layout).filter { $0.afterItems != nil }
        return Set(after.filter { hasItemOn($0, at: now) }.map(\.name))
    }

    private func hasItemOn(_ due: BreakLayout, at now: Time) -> Bool {
        guard let tile = layout.tiles(of: due).first.flatMap(tiles.id(ofLayout:)) else { return false }
        let feed = playbacks.feeds[tiles[tile].feed]
        guard feed.phase == .playing, feed.hasSeat, !feed.frontIsLive, let front = feed.slots.first else {
            return false
        }
        return !front.isOver(at: context(of: feed.id, at: now).dueTime)
    }

    /// Counts an item of a tile that has ended. Items of a break do not count, nor does the last frame that is held
    /// after one.
    mutating func noteItemEnd(of tile: TileID, _ item: PlayedItem) {
        guard !breaks.all.isEmpty else { return }
        if item.isOnTop || item.beginning == .break { return }
        let id = tiles[tile].layout.id
        for known in breaks.all where layout.tiles(of: known.layout).first == id {
            breaks.itemEnded(before: known.layout.name)
        }
    }

    /// Starts the break called `name` as soon as it can. If `name` is nil, ends the breaks that play. Returns false if
    /// there is none.
    mutating func changeBreak(_ name: String?, at now: Time) -> Bool {
        if let name { return breaks.ask(name, at: now) }
        let interrupted = tiles.order.filter { breaks.onTiles[$0] != nil }
        let isEntering = breaks.all.contains { $0.isOn && !$0.entering.isEmpty }
        breaks.stopEntering()
        for tile in interrupted { leaveBreak(of: tile, at: now) }
        return isEntering || !interrupted.isEmpty
    }

    // MARK: how they end

    /// Takes each break off its tile when it is over.
    private mutating func settleBreaks(at now: Time) {
        var over: [TileID] = []
        for (tile, onBreak) in breaks.onTiles.sorted(by: { $0.key < $1.key }) {
            if isOver(onBreak, in: playbacks.feeds[tiles[tile].feed]) { over.append(tile) }
        }
        if over.isEmpty { return }
        var lastIterations: [FeedID: Int] = [:]
        for tile in over {
            let feed = playbacks.feeds[tiles[tile].feed]
            guard let onBreak = breaks.onTiles[tile], let top = feed.timeline.top, let front = feed.slots.first,
                let begin = front.begin
            else { continue }
            let isLast = feed.phase == .ended && front.run.part == .top
            if isLast { lastIterations[feed.id] = front.run.iteration }
            // A live feed follows another clock than the break.
            guard !feed.isLive, isLast || top.isOver(at: front.run) else { continue }
            playbacks.clocks[feed.group].noteEnd(
                ofBreak: onBreak.name, at: isLast ? front.end ?? begin : begin + front.fade)
        }
        let names = Set(over.compactMap { breaks.onTiles[$0]?.name })
        takeOff(over, at: now)
        for (feed, iteration) in lastIterations.sorted(by: { $0.key < $1.key }) {
            let groupTime = playbacks.clocks[playbacks.feeds[feed].group].clock.position(at: now)
            playbacks.feeds[feed].comeBackToEnd(ofIteration: iteration, at: groupTime, &playbacks.effects)
        }
        for name in names.sorted() { endIfOver(name, at: now) }
    }

    /// True if the break of a tile is over and still on top.
    var hasBreakToSettle: Bool { breaks.onTiles.contains { isOver($0.value, in: playbacks.feeds[tiles[$0.key].feed]) } }

    /// What follows a break is on the screen of its tile, or never will be.
    private func isOver(_ onBreak: BreakOnTile, in feed: Feed) -> Bool {
        guard let front = feed.slots.first, let top = feed.timeline.top else {
            // A feed that is off the stage resumes where its timeline is, so its break may still come.
            return !playsItems(feed.id) && (feed.phase != .playing || isOnStage(feed.id))
        }
        // Nothing follows the break, or the sequence stopped at an item that can't be played.
        if feed.phase == .ended { return true }
        // The item before the break turned out to be live, or was reconnected, and does not end.
        let isBefore = front.run.part == .sequence && front.run.isOfItem(of: top.place.run)
        if isBefore, feed.frontIsLive, front.end == nil { return true }
        // True while an item of the break still fades out.
        let isFading = feed.seam.fadeOut?.slot?.run.part == .top
        // The front of a hidden feed is heard, and nothing of it comes on the screen.
        let isOn = front.isOnScreen || !feed.hasSeat && !isOnStage(feed.id)
        return top.isOver(at: front.run) && isOn && !isFading
    }

    /// Notes the breaks whose first item has taken over, and emits their start.
    mutating func noteBreaks(at now: Time) {
        for (tile, onBreak) in breaks.onTiles where !onBreak.isShown {
            let feed = playbacks.feeds[tiles[tile].feed]
            if feed.slots.first?.run.part == .top { noteShown(onBreak, of: tile, at: now) }
        }
    }

    private mutating func noteShown(_ onBreak: BreakOnTile, of tile: TileID, at now: Time) {
        breaks.onTiles[tile]?.isShown = true
        if breaks.noteShown(onBreak.name) { emit(.breakChange(name: onBreak.name, .started), at: now) }
    }

    private mutating func endIfOver(_ name: String, at now: Time) {
        let isEntering = breaks.entering(name).contains(where: tiles.contains)
        guard !isEntering, !breaks.onTiles.values.contains(where: { $0.name == name }) else { return }
        if breaks.end(name, at: now) { emit(.breakChange(name: name, .ended), at: now) }
        for group in clocks.ids {
            guard let length = playbacks.clocks[group].endBreak(name) else { continue }
            for feed in feeds.ids where playbacks.feeds[feed].group == group && !playbacks.feeds[feed].isLive {
                playbacks.feeds[feed].windBack(by: length)
            }
        }
    }

    /// Takes what is on top of these tiles off their sequences.
    private mutating func takeOff(_ past: [TileID], at now: Time) {
        let uncovered = Set(past.map { tiles[$0].feed }).sorted()
        for tile in past {
            if playbacks.feeds[tiles[tile].feed].screen.last?.item?.isOnTop ?? false { noteLook(of: tile) }
            takeOff(of: tile)
        }
        for feed in uncovered {
            playbacks.endABLoop(of: playbacks.feeds[feed].group, at: now)
            emit(playbacks.feeds[feed].uncover(&playbacks.effects), of: feed, at: now)
        }
        sequencesHaveChanged(of: past)
    }

    /// Ends the break that a tile is in or waits for. The tile goes on at once with the item that follows, or with the
    /// interrupted item where it stopped.
    mutating func leaveBreak(of tile: TileID, at now: Time) {
        guard let onBreak = breaks.onTiles[tile] else { return }
        let feed = tiles[tile].feed, group = playbacks.feeds[feed].group
        let (front, top) = (playbacks.feeds[feed].slots.first?.run, playbacks.feeds[feed].timeline.top)
        let groupTime = playbacks.clocks[group].clock.position(at: now)
        playbacks.clocks[group].noteEnd(ofBreak: onBreak.name, at: groupTime)
        takeOff(playbacks.feeds[feed].tiles.filter { breaks.onTiles[$0] != nil }, at: now)
        if let front, let top, front.part == .top {
            playbacks.feeds[feed].goOn(behind: top, at: groupTime, &playbacks.effects)
        }
        endIfOver(onBreak.name, at: now)
    }
}

extension TopSequence {
    /// True if it is over when this run is on.
    fileprivate func isOver(at run: RunID) -> Bool { run.iteration != iteration || isBefore(run) }
}

extension Slot {
    /// True if a frame of the slot was shown, or if the slot has failed and its place is held.
    fileprivate var isOnScreen: Bool {
        let isHeld = hasFailed && (length ?? .zero) > .zero
        return isStill || frames.contains(where: \.isShown) || dueIndex > 0 || isHeld
    }
}
