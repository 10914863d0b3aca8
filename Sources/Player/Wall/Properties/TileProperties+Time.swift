import Base

extension Properties {
    /// A tile's group, and its place in its item.
    static let time: [TileProperty] = [
        Property(
            "pause", .tile, takes: .flag, "its group's clock stands", idle: .mainGroup,
            cycle: { _ in .pause(.toggle, .group) }, get: { $0.isPaused($0.feed.group) },
            set: { given in given.change(\.asFlag) { .pause($0 ? .on : .off, given.scope) } }),
        Property(
            "speed", .tile, takes: .rate, "its group's rate", idle: .mainGroup, get: { $0.rate(of: $0.feed.group) },
            set: { given in given.change(\.asRate) { .rate(.to($0), given.scope) } }),
        Property(
            "time-pos", .tile, takes: .time, "seconds into its item, of the frame on the screen", get: position,
            set: seek),
        Property("playback-time", .tile, takes: .time, "`time-pos` by another name", get: position, set: seek),
        Property(
            "duration", .tile, "length of its item, in seconds",
            get: { $0.placeInItem?.length.map { .number($0.seconds) } }),
        Property(
            "percent-pos", .tile, takes: .number(0...100), "its place in its item, in hundredths",
            get: {
                guard let (position, length) = $0.placeInKnownLength, length > .zero else { return nil }
                return .number(min(100, Double(position.ticks) * 100 / Double(length.ticks)))
            },
            set: { given in given.change(\.asNumber) { .seek(.toPercent($0), given.scope) } }),
        Property(
            "time-remaining", .tile, "seconds until its item ends",
            get: { $0.placeInKnownLength.map { .number(max(.zero, $0.length - $0.position).seconds) } }),
    ]

    private static let position: TileProperty.Getter = { $0.placeInItem?.position.map { .number($0.seconds) } }

    private static let seek: TileProperty.Setter = { given in given.change(\.asTime) { .seek(.to($0), given.scope) } }

    /// Whether a tile plays.
    static let motion: [TileProperty] = [
        Property(
            "eof-reached", .tile, "it stays on its last frame",
            get: { $0.feed.timeline.items.isEmpty ? nil : .flag($0.feed.phase == .ended) }),
        Property(
            "seeking", .tile, "its clock waits for frames after a jump",
            get: {
                if $0.feed.timeline.items.isEmpty { return nil }
                if case .waiting = $0.group.phase, $0.group.hasStarted { return .flag(true) }
                return .flag($0.group.jump.pending != nil)
            }),
        Property(
            "core-idle", .tile, "its clock does not move", idle: .value(.flag(true)),
            get: { .flag($0.feed.phase != .playing || $0.group.clock.motion == .paused || $0.group.phase != .going) }),
        Property(
            "idle-active", .tile, "it has nothing to play", idle: .value(.flag(true)),
            get: { .flag($0.feed.timeline.items.isEmpty) }),
    ]

    static let nowPlaying: [TileProperty] = [
        Property(
            "now-playing", .tile, "what a remote control shows of it, as one object", inObjects: .absent,
            get: { $0.playing.nowPlaying(on: $0.tile.name) })
    ]
}

extension PropertyReader<TileID> {
    /// The tile's place in its item, and the item's length; nil if it has nothing to play.
    fileprivate var placeInItem: (position: Time?, length: Time?)? { feed.timeline.items.isEmpty ? nil : placeOfFrame }

    /// The same; nil if the place or the length is unknown.
    fileprivate var placeInKnownLength: (position: Time, length: Time)? {
        guard let place = placeInItem, let position = place.position, let length = place.length else { return nil }
        return (position, length)
    }

    /// The place in its item of the frame on the screen. A still and a sound without frames have no such frame: for them,
    /// and if there is no frame yet, the place by the clock. At the end of the sequence, that is the end of the item.
    var placeOfFrame: (position: Time?, length: Time?) {
        let feed = feed, isStill = feed.slots.first?.isStill ?? false
        if !isStill, let presented = feed.screen.presented, feed.timeline.item(of: presented.run) != nil {
            let before = feed.timeline.length(ofSegmentsBefore: presented.run)
            return (before + presented.offset, feed.timeline.itemLength(at: presented.run.place))
        }
        guard let place = snapshot.placeByClock(of: feed) else { return (nil, nil) }
        let position = isStill && feed.phase == .ended ? place.length ?? place.position : place.position
        return (max(.zero, position), place.length)
    }

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
