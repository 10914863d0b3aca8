import Base
import Layout
import Scene

// Playback contexts of the feeds, and what the wall does with their answers.
extension PlayerCore {
    // MARK: updates

    /// Updates a feed: drops runs that are over, plans the next ones, asks for sources. Returns the wall time of the
    /// feed's next update.
    mutating func update(_ feed: FeedID, at now: Time) -> Time? {
        // On a wall with far more feeds than pipelines these are most of the feeds.
        if playbacks.feeds[feed].restsWithoutSeat, isOnStage(feed) { return askForSources(feed, at: now) }
        playbacks.settleClock(of: feed, at: now)
        playbacks.feeds[feed].settleABLoop(group(of: feed), &playbacks.effects)
        if playbacks.feeds[feed].timeline.fades { limitFades(of: feed) }
        guard playbacks.feeds[feed].retry(context(of: feed, at: now)) else {
            // Its last frame fades in, or stands and is reported each hour.
            advance(feed, context(of: feed, at: now), memory: memoryShare)
            return playbacks.feeds[feed].nextUpdate(context(of: feed, at: now))
        }
        var next = Earliest()
        playbacks.feeds[feed].begin(context(of: feed, at: now))
        advance(feed, context(of: feed, at: now), memory: memoryShare)
        playbacks.settleClock(of: feed, at: now)
        next.add(giveUpBreakItems(feed, at: now))
        let context = context(of: feed, at: now)
        if playbacks.feeds[feed].hasSeat {
            let keepsABLoop = playbacks.feeds[feed].keepsABLoop(in: memoryShare)
            playbacks.feeds[feed].plan(context, keepingABLoop: keepsABLoop, &playbacks.effects)
        } else {
            if playbacks.feeds[feed].tiles.contains(where: { tiles[$0].poster.image == nil }) {
                playbacks.feeds[feed].planPreview()
            }
            if !isOnStage(feed), !playbacks.feeds[feed].tiles.isEmpty {
                playbacks.feeds[feed].listen(context, &playbacks.effects)
            }
        }
        next.add(askForLength(feed, at: now))
        next.add(askForSources(feed, at: now))
        next.add(sharpenStill(feed, at: now))
        next.add(playbacks.feeds[feed].nextUpdate(self.context(of: feed, at: now)))
        return next.instant
    }

    /// `memory`: the feed's part of the layout's memory, in bytes.
    mutating func advance(_ feed: FeedID, _ context: PlaybackContext, memory: Int) {
        let isSeen =
            output.shows(anyOf: playbacks.feeds[feed].tiles) || output.shows(anyOf: playbacks.feeds[feed].watchers)
        let changes = playbacks.feeds[feed].advance(
            context, memory: memory, isSeen: isSeen, lag: soundLag, &playbacks.effects)
        emit(changes, of: feed, at: context.now)
    }

    private mutating func limitFades(of feed: FeedID) {
        let basis = FadeBasis(
            memory: memoryShare, rects: playbacks.feeds[feed].viewers.map { output.rectToDecode(of: $0) })
        // The closure reads the feed while its copy changes.
        var known = playbacks.feeds[feed]
        known.limitFades(basis) { decodeSize($0, of: feed, item: $1) }
        playbacks.feeds[feed] = known
    }

    /// Removes feeds that no tile views, once no thread works for them.
    mutating func removeUnseenFeeds() {
        for feed in feeds.ids where playbacks.feeds[feed].tiles.isEmpty {
            guard playbacks.feeds[feed].slots.isEmpty, !openRequests.concern(feed), !pool.works(for: feed) else {
                continue
            }
            playbacks.feeds[feed].release(&playbacks.effects)
            playbacks.feeds.remove(feed)
        }
    }

    // MARK: events

    mutating func emit(_ changes: [FeedScreen.ItemChange], of feed: FeedID, at now: Time) {
        for change in changes {
            switch change {
            case .began(let run, var source):
                let items = playbacks.feeds[feed].timeline.items
                if items.indices.contains(run.item), let song = items[run.item].song {
                    playbacks.feeds[feed].screen.nameItem(song)
                    source = song
                }
                emit(run, of: feed, at: now) { .itemStart(tile: $0, run: $1, source: source) }
            case .ended(let item, let reason):
                if reason == .eof { for tile in playbacks.feeds[feed].tiles { noteItemEnd(of: tile, item) } }
                let reported = settled(ended(item, of: feed, at: now), of: feed, isWhole: reason == .eof, at: now)
                for tile in playbacks.feeds[feed].tiles {
                    emit(.itemEnd(standing(reported, on: tile), tile: tiles[tile].name, reason: reason), at: now)
                }
            case .stands(let item):
                let reported = settled(item, of: feed, at: now)
                for tile in playbacks.feeds[feed].tiles {
                    emit(.stands(standing(reported, on: tile), tile: tiles[tile].name), at: now)
                }
            }
        }
    }

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    /// `isWhole`: true if the item came to its end.
    private func settled(
        _ item: PlayedItem, of feed: FeedID, isWhole: Bool = false, at now: Time
    ) -> PlayedItem {
        var item = item
        let due = item.due ?? playbacks.feeds[feed].due(of: item)
        // Length on the wall, at the rate of the group's clock.
        let length = due.length?.lasting(at: group(of: feed).clock.rate)
        (item.length, item.isBroken) = (length, due.isBroken)
        if item.isHeld {
            item.frames = 0
        } else if item.isInterrupted, !item.isStill {
            // The rest of the item is reported after the break.
            item.frames = item.distinct
        } else if let frames = due.frames {
            item.frames = max(0, frames - item.cut - (item.isStill ? 0 : item.before))
            if frames > 1, let length {
                item.frames = min(item.frames, Int(length.ticks / max(1, output.refreshInterval.ticks)) + 1)
            }
        } else {
            item.frames = item.distinct + item.dropped + item.lost
            // While an item that came to its end was not seen, its frames were due at the same rate.
            let seen = item.shown(until: now)
            if isWhole, let length, seen > .zero, seen < length * 99 / 100 {
                item.frames = Int(Double(item.frames) * length.seconds / seen.seconds)
            }
        }
        return item
    }

    /// Emits the end of the items on a tile that leaves its feed.
    mutating func endItem(of tile: TileID, at now: Time) {
        guard tiles[tile].comparison == nil else { return }
        let feed = tiles[tile].feed
        for item in playbacks.feeds[feed].screen.itemsOnScreen {
            let item = standing(settled(ended(item, of: feed, at: now), of: feed, at: now), on: tile)
            emit(.itemEnd(item, tile: tiles[tile].name, reason: .stop), at: now)
        }
    }

    /// Emits the end of all items on the screen, when the program ends.
    public mutating func endItems(at now: Time) {
        for feed in feeds.ids { emit(playbacks.feeds[feed].screen.close(), of: feed, at: now) }
    }

    /// Emits an event for each tile of a feed, with the run as `reported` numbers it.
    mutating func emit(_ run: RunID, of feed: FeedID, at now: Time, _ what: (String, RunID) -> Event.What) {
        for tile in playbacks.feeds[feed].tiles { emit(what(tiles[tile].name, reported(run, on: tile)), at: now) }
    }

    /// Returns an item with its run as `reported` numbers it. An item of a break that is over keeps its place in the
    /// break.
    private func standing(_ item: PlayedItem, on tile: TileID) -> PlayedItem {
        var item = item
        if let place = item.placeInBreak { item.run.item = place } else { item.run = reported(item.run, on: tile) }
        return item
    }

    /// Returns a run numbered without the break among a tile's items. Items of the break count from 0.
    func reported(_ run: RunID, on tile: TileID) -> RunID {
        guard let onBreak = breaks.onTiles[tile] else { return run }
        if let placed = onBreak.placed(run) { return placed }
        var run = run
        if onBreak.items.contains(run.item) { run.item -= onBreak.items.lowerBound }
        return run
    }

    /// Emits an event for each tile of a feed.
    mutating func emit(of feed: FeedID, at now: Time, _ what: (String) -> Event.What) {
        for tile in playbacks.feeds[feed].tiles { emit(what(tiles[tile].name), at: now) }
    }

    /// Emits a trouble once for each source, until the source has played or fails in another way. The trace thus has
    /// the text of each card.
    mutating func report(
        _ trouble: SourceTrouble, of feed: FeedID, _ source: String, item: Int, pts: Time? = nil, at now: Time
    ) {
        guard playbacks.feeds[feed].trouble.note(trouble, of: source) else { return }
        playbacks.feeds[feed].liveness.leave(
            source, since: absenceBegin(of: source, playbacks.feeds[feed], at: now), lostAt: now)
        let place = place(ofItem: item, of: feed)
        // Some tiles emitted the same trouble when its sound was to be heard.
        for tile in playbacks.feeds[feed].tiles where tiles[tile].troubledSounds[source] != trouble {
            emit(
                .trouble(tile: tiles[tile].name, source: source, item: place, pts: pts, trouble: trouble), at: now)
        }
    }

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem item: Int, of feed: FeedID) -> Event.TroublePlace {
        guard let onBreak = playbacks.feeds[feed].tiles.lazy.compactMap({ breaks.onTiles[$0] }).first else {
            return .item(item)
        }
        if onBreak.items.contains(item) { return .ofBreak(onBreak.name) }
        return .item(onBreak.placed(RunID(iteration: onBreak.run.iteration, item: item))?.item ?? item)
    }

    /// Emits the damage of a source that plays nevertheless, once until the damage is gone.
    mutating func report(
        _ damage: FilmDamage, isThere: Bool, of feed: FeedID, _ source: String, item: Int, at now: Time
    ) {
        guard playbacks.feeds[feed].trouble.note(damage, isThere: isThere, in: source) else { return }
        let place = place(ofItem: item, of: feed)
        emit(of: feed, at: now) {
            .trouble(tile: $0, source: source, item: place, pts: nil, trouble: damage.trouble)
        }
    }
}
