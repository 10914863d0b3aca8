import Base
import Commands
import Feeds
import Layout

extension Properties {
    static let nowPlaying: [TileProperty] = [
        Property(
            "now-playing", .tile, "what a remote control shows of it, as one object", inObjects: .absent,
            get: { report, tile in report.nowPlaying(of: tile) })
    ]
}

extension PropertyReport {
    /// Returns the item of a tile, its place in it, and what commands can change, all of one instant. nil if the tile
    /// plays nothing. Fields without a value are left out, and sources are named without their secrets.
    fileprivate func nowPlaying(of tile: TileID) -> PropertyValue? {
        let playing = snapshot.tiles.playingTile(for: tile), feed = feed(of: playing)
        guard let place = snapshot.tileFeeds.presentItem(of: playing),
            let item = snapshot.tiles[playing].item(at: place),
            let source = source(of: playing)
        else { return nil }
        let facts = feed.sources.facts(of: source), names = snapshot.names(of: playing)
        var fields = [
            PropertyField("tile", .text(snapshot.tiles[tile].name)),
            PropertyField("place", .text("\(place.isOnTop ? "top" : "")\(place.item)")),
            PropertyField("path", .text(SourceName.withoutSecrets(source))),
            PropertyField("title", .text(title(of: playing, playing: source))),
        ]
        func add(_ name: String, _ value: PropertyValue?) {
            if let value { fields.append(PropertyField(name, value)) }
        }
        add("artist", names?.artist.map { .text($0) })
        add("album", facts?.names.album.map { .text($0) })
        add("poster", snapshot.tiles[playing].layout.poster.map { .text(SourceName.withoutSecrets($0)) })
        let (position, length) = positionByClock(of: feed)
        if !feed.isLive {
            add("position", position.map { .number($0.seconds) })
            add("duration", length.map { .number($0.seconds) })
        }
        add("state", .text(state(of: feed).rawValue))
        add("speed", rate(of: feed.group))
        add("live", .flag(feed.isLive))
        add("loop", .text(loop(of: playing, item)))
        let (hasNext, hasPrevious) = neighbours(of: feed)
        add("next", .flag(hasNext))
        add("previous", .flag(hasPrevious))
        return .object(fields)
    }

    private enum State: String { case playing, waiting, paused, ended }

    private func state(of feed: Feed) -> State {
        if feed.phase == .ended { return .ended }
        if snapshot.clocks.motionWanted(of: feed.group) == .paused { return .paused }
        return feed.phase == .playing && snapshot.clocks[feed.group].reportedState == .playing ? .playing : .waiting
    }

    /// Returns the place in the item, and the item's length: by the clock while the clock moves, else of the frame on
    /// the screen. The clock is as good as the frame that is due, and moves on while a still is shown.
    private func positionByClock(of feed: Feed) -> (position: Time?, length: Time?) {
        guard state(of: feed) == .playing, let place = snapshot.placeByClock(of: feed, at: snapshot.now) else {
            return self.place(of: feed)
        }
        return (max(.zero, place.position), place.length)
    }

    /// Returns `file` while the item is repeated, `playlist` while its sequence is, else `none`.
    private func loop(of tile: TileID, _ item: Item) -> String {
        if item.rounds != 1 { return "file" }
        return snapshot.tiles[tile].layout.loop == .iterations(1) ? "none" : "playlist"
    }

    /// Returns whether another item follows, and whether another one comes before, as `playlist-next` and
    /// `playlist-prev` count them.
    private func neighbours(of feed: Feed) -> (next: Bool, previous: Bool) {
        let count = feed.timeline.items.count
        guard count > 1, let run = feed.slots.first?.run ?? feed.screen.lastRun else { return (false, false) }
        let place = run.iteration * count + run.item
        return (feed.timeline.takesPart(inIteration: (place + 1) / count), place > 0)
    }
}
