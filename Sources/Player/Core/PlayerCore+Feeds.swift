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
        if playbacks.feeds[feed].restsWithoutSeat, isOnStage(feed) {
            return supply.askForSources(feed, &playbacks, self.context(at: now))
        }
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
        let wall = self.context(at: now)
        next.add(supply.askForLength(feed, &playbacks, wall))
        next.add(supply.askForSources(feed, &playbacks, wall))
        next.add(supply.sharpenStill(feed, &playbacks, wall))
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
        guard !changes.isEmpty else { return }
        playbacks.emit(changes, of: feed, context(at: now))
    }

    /// Emits the end of the items on a tile that leaves its feed.
    mutating func endItem(of tile: TileID, at now: Time) {
        guard tiles[tile].comparison == nil else { return }
        let feed = tiles[tile].feed
        for item in playbacks.feeds[feed].screen.itemsOnScreen {
            let item = playbacks.ended(item, of: feed, context(at: now))
            emit(.itemEnd(item, tile: tiles[tile].name, reason: .stop), at: now)
        }
    }

    /// Emits an event for each tile of a feed.
    mutating func emit(of feed: FeedID, at now: Time, _ what: (String) -> Event.What) {
        for tile in playbacks.feeds[feed].tiles { emit(what(tiles[tile].name), at: now) }
    }
}
