import Base
import Layout
import Scene

// Breaks: items that are inserted into some tiles' sequences, and removed when they have been played.
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
        if item.placeInBreak != nil || item.beginning == .break { return }
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

    /// Restores each tile's own sequence when its break is over.
    private mutating func settleBreaks(at now: Time) {
        var over: [TileID] = []
        for (tile, onBreak) in breaks.onTiles.sorted(by: { $0.key < $1.key }) {
            if isOver(onBreak, in: playbacks.feeds[tiles[tile].feed]) { over.append(tile) }
        }
        if over.isEmpty { return }
        var lastIterations: [FeedID: Int] = [:]
        for tile in over {
            let feed = playbacks.feeds[tiles[tile].feed]
            guard let onBreak = breaks.onTiles[tile], let front = feed.slots.first, let start = front.start else {
                continue
            }
            let isLast = feed.phase == .ended && onBreak.placed(front.run) == nil
            if isLast { lastIterations[feed.id] = front.run.iteration }
            // A live feed follows another clock than the break.
            guard !feed.isLive, isLast || onBreak.isOver(at: front.run) else { continue }
            playbacks.clocks[feed.group].noteEnd(
                ofBreak: onBreak.name, at: isLast ? front.end ?? start : start + front.fade)
        }
        let names = Set(over.compactMap { breaks.onTiles[$0]?.name })
        restore(over, at: now)
        for (feed, iteration) in lastIterations.sorted(by: { $0.key < $1.key }) {
            let groupTime = playbacks.clocks[playbacks.feeds[feed].group].clock.position(at: now)
            playbacks.feeds[feed].comeBackToEnd(ofIteration: iteration, at: groupTime, &playbacks.effects)
        }
        for name in names.sorted() { endIfOver(name, at: now) }
    }

    /// True if the break of a tile is over and still in its sequence.
    var hasBreakToSettle: Bool { breaks.onTiles.contains { isOver($0.value, in: playbacks.feeds[tiles[$0.key].feed]) } }

    /// What follows a break is on the screen of its tile, or never will be.
    private func isOver(_ onBreak: TileBreak, in feed: Feed) -> Bool {
        guard let front = feed.slots.first else {
            // A feed that is off the stage resumes where its timeline is, so its break may still come.
            return !playsItems(feed.id) && (feed.phase != .playing || isOnStage(feed.id))
        }
        // Nothing follows the break, or the sequence stopped at an item that can't be played.
        if feed.phase == .ended { return true }
        // The item before the break turned out to be live, or was reconnected, and does not end.
        let isBefore = (front.run.iteration, front.run.item) == (onBreak.run.iteration, onBreak.run.item)
        if isBefore, feed.frontIsLive, front.end == nil { return true }
        // True while an item of the break still fades out.
        let isFading = feed.fadeOut?.slot.map { onBreak.placed($0.run) == nil } ?? false
        // The front of a hidden feed is heard, and nothing of it comes on the screen.
        let isOn = front.isOnScreen || !feed.hasSeat && !isOnStage(feed.id)
        return onBreak.isOver(at: front.run) && isOn && !isFading
    }

    /// Notes the breaks whose first item has taken over, and emits their start.
    mutating func noteBreaks(at now: Time) {
        for (tile, onBreak) in breaks.onTiles where !onBreak.isShown {
            guard let run = playbacks.feeds[tiles[tile].feed].slots.first?.run, onBreak.items.contains(run.item),
                run.iteration == onBreak.run.iteration
            else { continue }
            noteShown(onBreak, of: tile, at: now)
        }
    }

    private mutating func noteShown(_ onBreak: TileBreak, of tile: TileID, at now: Time) {
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

    private mutating func restore(_ past: [TileID], at now: Time) {
        var former: [FeedID: TileBreak] = [:]
        var placing: Placing = [:]
        var unplayable: [FeedID: Feed.Phase] = [:]
        let edits = past.map { tile -> TileEdit in
            let before = tiles[tile].layout, feed = tiles[tile].feed
            switch playbacks.feeds[feed].phase {
            case .barren, .hopeless: unplayable[feed] = playbacks.feeds[feed].phase
            case .playing, .ended: break
            }
            if former[feed] == nil, let front = playbacks.feeds[feed].slots.first?.run,
                let onBreak = breaks.onTiles[tile]
            {
                if let played = onBreak.playedBefore(front) {
                    playbacks.feeds[feed].goOn(
                        after: played, with: onBreak.interruption?.isHeld == true ? .lastFrame : .rest)
                } else if front == onBreak.run, let interruption = onBreak.interruption {
                    playbacks.feeds[feed].goOn(instead: interruption, &playbacks.effects)
                }
            }
            former[feed] = breaks.onTiles[tile]
            if let onBreak = former[feed] { placing[tile] = { onBreak.placed($0) } }
            tiles[tile].layout = layoutWithoutBreak(of: tile)
            breaks.onTiles[tile] = nil
            return TileEdit(from: before, to: tiles[tile].layout)
        }
        resequence(edits, placing: placing, at: now)
        // Unplayable feeds keep their phase and are retried when that is due.
        for (feed, phase) in unplayable { playbacks.feeds[feed].phase = phase }
        for feed in former.keys.sorted() { playbacks.feeds[feed].relearnFront() }
    }

    /// Ends the break that a tile is in or waits for. The tile goes on at once with the item that follows, or with the
    /// interrupted item where it stopped.
    mutating func leaveBreak(of tile: TileID, at now: Time) {
        guard let onBreak = breaks.onTiles[tile] else { return }
        let feed = tiles[tile].feed, sharing = playbacks.feeds[feed].tiles
        let front = playbacks.feeds[feed].slots.first?.run
        let group = playbacks.feeds[feed].group
        let groupTime = playbacks.clocks[group].clock.position(at: now)
        playbacks.clocks[group].noteEnd(ofBreak: onBreak.name, at: groupTime)
        restore(sharing.filter { breaks.onTiles[$0] != nil }, at: now)
        if let front, onBreak.placed(front) == nil, let interruption = onBreak.interruption {
            playbacks.feeds[feed].goOn(with: interruption, at: groupTime, &playbacks.effects)
        } else if let front, onBreak.placed(front) == nil {
            let next = RunID(iteration: front.iteration, item: onBreak.run.item + 1)
            let run = next.item < onBreak.base.count ? next : RunID(iteration: front.iteration + 1)
            if playbacks.feeds[feed].timeline.takesPart(inIteration: run.iteration) {
                playbacks.feeds[feed].go(to: run, at: groupTime, &playbacks.effects)
            } else {
                playbacks.feeds[feed].comeBackToEnd(ofIteration: front.iteration, at: groupTime, &playbacks.effects)
            }
        }
        endIfOver(onBreak.name, at: now)
    }
}

extension Feed {
    /// Makes the front resume the interrupted item after `played`, the part of it that was played before.
    fileprivate mutating func goOn(after played: Time, with resumed: FeedScreen.Resumed) {
        slots[0].comeBack(after: played)
        screen.resumeItem(resumed)
    }

    /// Resumes the interrupted item as soon as its next frame is decoded.
    fileprivate mutating func goOn(with interruption: Interruption, at groupTime: Time, _ effects: inout Effects) {
        let run = interruption.run
        dropSlots(&effects)
        phase = .playing
        screen.enter(because: .command)
        screen.resumeNextItem(interruption.isHeld ? .lastFrame : .rest)
        if timeline.length(of: run) == nil, let left = interruption.left {
            timeline.learn(interruption.played + left, of: run)
        }
        anchor.set(run.iteration, at: groupTime - (timeline.offset(of: run) ?? .zero) - interruption.played)
        anchor.awaitFirstFrame()
        slots = [makeSlot(run, start: nil, entry: interruption.kind == .live ? .zero : interruption.played)]
        slots[0].enter()
    }

    /// Goes back to the last frame of an iteration, which nothing follows.
    fileprivate mutating func comeBackToEnd(ofIteration iteration: Int, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        anchor.endAwaiting()
        anchor.set(iteration, at: groupTime - (timeline.length(ofIteration: iteration) ?? .zero))
    }

    /// Cancels the interruption of the front.
    fileprivate mutating func goOn(instead interruption: Interruption, _ effects: inout Effects) {
        guard slots[0].shortenedTo != nil else { return }
        // The pipeline may have skipped frames that were not wanted.
        if slots[0].isLeased { retire(slots[0], &effects) }
        slots[0].lengthen(to: interruption.left.map { interruption.played + $0 }, id: newSlotID())
        screen.goOnWithItem()
    }

    /// Enters the whole length of the interrupted item into the feed's own sequence.
    fileprivate mutating func relearnFront() {
        guard let front = slots.first, timeline.length(of: front.run) == nil else { return }
        timeline.learn(front.length, of: front.run)
    }
}

extension Slot {
    /// True if a frame of the slot was shown, or if the slot has failed and its place is held.
    fileprivate var isOnScreen: Bool {
        let isHeld = hasFailed && (length ?? .zero) > .zero
        return isStill || frames.contains(where: \.isShown) || dueIndex > 0 || isHeld
    }
}
