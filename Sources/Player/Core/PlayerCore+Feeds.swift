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
        playbacks.feeds[feed].reel.begin(context(of: feed, at: now))
        advance(feed, context(of: feed, at: now), memory: memoryShare)
        playbacks.settleClock(of: feed, at: now)
        next.add(giveUpItemsOnTop(of: feed, at: now))
        let context = context(of: feed, at: now)
        if playbacks.feeds[feed].hasSeat {
            let keepsABLoop = playbacks.feeds[feed].reel.keepsABLoop(in: memoryShare)
            playbacks.feeds[feed].plan(context, keepingABLoop: keepsABLoop, &playbacks.effects)
        } else {
            if playbacks.feeds[feed].tiles.contains(where: { tiles[$0].poster.image == nil }) {
                playbacks.feeds[feed].planPreview()
            }
            if !isOnStage(feed), !playbacks.feeds[feed].tiles.isEmpty {
                playbacks.feeds[feed].reel.listen(context)
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
            output.shows(anyOf: playbacks.feeds[feed].tiles)
            || output.shows(anyOf: playbacks.feeds[feed].compared.watchers)
        let changes = playbacks.feeds[feed].advance(
            context, memory: memory, isSeen: isSeen, lag: soundLag, &playbacks.effects)
        emit(changes, of: feed, at: context.now)
    }

    private mutating func limitFades(of feed: FeedID) {
        let basis = FadeBasis(
            memory: memoryShare, rects: playbacks.feeds[feed].viewers.map { output.rectToDecode(of: $0) })
        // The closure reads the feed while its copy changes.
        var known = playbacks.feeds[feed]
        known.limitFades(basis) { sizes.decodeSize($0, of: feed, item: $1) }
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
                if let song = playbacks.feeds[feed].timeline.item(of: run)?.song {
                    playbacks.feeds[feed].screen.nameItem(song)
                    source = song
                }
                emit(of: feed, at: now) { .itemStart(tile: $0, run: run, source: source) }
            case .ended(let item, let reason):
                let items = items(at: now)
                let reported = items.settled(items.ended(item, of: feed), of: feed, isWhole: reason == .eof)
                for tile in playbacks.feeds[feed].tiles {
                    emit(.itemEnd(reported, tile: tiles[tile].name, reason: reason), at: now)
                }
            case .stands(let item):
                let items = items(at: now), reported = items.settled(item, of: feed)
                emit(of: feed, at: now) { .stands(reported, tile: $0) }
            }
        }
    }

    /// Emits the end of the items on a tile that leaves its feed.
    mutating func endItem(of tile: TileID, at now: Time) {
        guard tiles[tile].comparison == nil else { return }
        let feed = tiles[tile].feed
        for item in playbacks.feeds[feed].screen.itemsOnScreen {
            let items = items(at: now)
            let item = items.settled(items.ended(item, of: feed), of: feed)
            emit(.itemEnd(item, tile: tiles[tile].name, reason: .stop), at: now)
        }
    }

    /// Emits the end of all items on the screen, when the program ends.
    public mutating func endItems(at now: Time) {
        for feed in feeds.ids { emit(playbacks.feeds[feed].screen.close(), of: feed, at: now) }
    }

    /// Emits an event for each tile of a feed.
    mutating func emit(of feed: FeedID, at now: Time, _ what: (String) -> Event.What) {
        for tile in playbacks.feeds[feed].tiles { emit(what(tiles[tile].name), at: now) }
    }

    /// Emits a trouble once for each source, until the source has played or fails in another way. The trace thus has
    /// the text of each card.
    mutating func report(
        _ trouble: SourceTrouble, of feed: FeedID, _ source: String, item: ItemPlace, pts: Time? = nil, at now: Time
    ) {
        guard playbacks.feeds[feed].trouble.note(trouble, of: source) else { return }
        playbacks.feeds[feed].reel.liveness.leave(
            source, since: absenceBegin(of: source, playbacks.feeds[feed], at: now), lostAt: now)
        let place = items(at: now).place(ofItem: item, of: feed)
        // Some tiles emitted the same trouble when its sound was to be heard.
        for tile in playbacks.feeds[feed].tiles where tiles[tile].troubledSounds[source] != trouble {
            emit(
                .trouble(tile: tiles[tile].name, source: source, item: place, pts: pts, trouble: trouble), at: now)
        }
    }

    /// Emits the damage of a source that plays nevertheless, once until the damage is gone.
    mutating func report(
        _ damage: FilmDamage, isThere: Bool, of feed: FeedID, _ source: String, item: ItemPlace, at now: Time
    ) {
        guard playbacks.feeds[feed].trouble.note(damage, isThere: isThere, in: source) else { return }
        let place = items(at: now).place(ofItem: item, of: feed)
        emit(of: feed, at: now) {
            .trouble(tile: $0, source: source, item: place, pts: nil, trouble: damage.trouble)
        }
    }
}
