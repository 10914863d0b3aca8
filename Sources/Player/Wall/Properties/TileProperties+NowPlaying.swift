import Base
import Commands
import Feeds
import Layout

extension Properties {
    static let nowPlaying: [TileProperty] = [
        Property(
            "now-playing", .tile, "what a remote control shows of it, as one object", inObjects: .absent,
            get: { $0.playing.nowPlaying(on: $0.tile.name) })
    ]
}

extension PropertyReader<TileID> {
    /// Returns the item of a tile, its place in it, and what commands can change, all of one instant. nil if the tile
    /// plays nothing. Fields without a value are left out, and sources are named without their secrets. `name`: that of
    /// the tile for which this one plays.
    fileprivate func nowPlaying(on name: String) -> PropertyValue? {
        let feed = feed
        guard let place = presentItem, let item, let source else { return nil }
        let facts = feed.sources.facts(of: source), (position, length) = positionByClock
        let (hasNext, hasPrevious) = neighbours
        let fields: PropertyValue = [
            "tile": .text(name), "place": .text("\(place.isOnTop ? "top" : "")\(place.item)"),
            "path": .text(SourceName.withoutSecrets(source)), "title": .text(title(playing: source)),
            "artist": .textOrNull(snapshot.names(of: owner)?.artist), "album": .textOrNull(facts?.names.album),
            "poster": .textOrNull(tile.layout.poster.map { SourceName.withoutSecrets($0) }),
            "position": .numberOrNull(feed.isLive ? nil : position?.seconds),
            "duration": .numberOrNull(feed.isLive ? nil : length?.seconds), "state": .text(state.rawValue),
            "speed": rate(of: feed.group), "live": .flag(feed.isLive), "loop": .text(loop(of: item)),
            "next": .flag(hasNext), "previous": .flag(hasPrevious),
        ]
        return fields.withoutNulls
    }

    private var state: MotionState {
        if feed.phase == .ended { return .ended }
        if snapshot.clocks.motionWanted(of: feed.group) == .paused { return .paused }
        return feed.phase == .playing && group.reportedState == .playing ? .playing : .waiting
    }

    /// The place in the item, and the item's length: by the clock while the clock moves, else of the frame on the screen.
    /// The clock is as good as the frame that is due, and moves on while a still is shown.
    private var positionByClock: (position: Time?, length: Time?) {
        guard state == .playing, let place = snapshot.placeByClock(of: feed) else { return placeOfFrame }
        return (max(.zero, place.position), place.length)
    }

    /// Returns `file` while the item is repeated, `playlist` while its sequence is, else `none`.
    private func loop(of item: Item) -> String {
        if item.rounds != 1 { return "file" }
        return tile.layout.loop == .iterations(1) ? "none" : "playlist"
    }

    /// Whether another item follows, and whether another one comes before, as `playlist-next` and `playlist-prev` count
    /// them.
    private var neighbours: (next: Bool, previous: Bool) {
        let count = feed.timeline.items.count
        guard count > 1, let run = feed.slots.first?.run ?? feed.screen.lastRun else { return (false, false) }
        let place = run.iteration * count + run.item
        return (feed.timeline.takesPart(inIteration: (place + 1) / count), place > 0)
    }
}

private enum MotionState: String { case playing, waiting, paused, ended }
