import Base
import Layout

extension Properties {
    /// Properties of a tile that are named only as tiles/ID/NAME. mpv lacks them, or their bare names belong to the
    /// wall.
    static let named: [TileProperty] = [
        Property("id", .namedTile, "its name", get: { .text($0.tile.name) }),
        Property(
            "label", .namedTile, "the text on it",
            get: { .text(ViewMaker(snapshot: $0.snapshot).presentLabel(of: $0.owner) ?? "") }),
        Property(
            "mute", .namedTile, takes: .flag, "it is not heard", get: { .flag($0.tile.layout.isMuted) },
            set: { $0.change(\.asFlag) { .mute($0 ? .on : .off, .tile) } }),
        Property(
            "volume", .namedTile, takes: .volume, "its volume", get: { .number(Double($0.tile.layout.volume)) },
            set: { $0.change(\.asVolume) { .volume(.to($0), .tile) } }),
        Property(
            "offset", .namedTile, takes: .time, "seconds ahead of its group", get: { .number($0.offset.seconds) },
            set: { given in
                let tiles = given.report.snapshot.tiles
                guard let tile = given.owner.tile ?? tiles.overlaid ?? tiles.focus, tiles.contains(tile) else {
                    return .refused(.propertyUnavailable)
                }
                return given.change(\.asTime) {
                    .nudge(by: $0 - PropertyReader(report: given.report, owner: tile).offset)
                }
            }),
        Property("presented", .namedTile, "frames that were put on the screen", get: { .integer($0.health.presented) }),
        Property("missed", .namedTile, "frames that were due and never shown", get: { .integer($0.health.dropped) }),
        Property("late", .namedTile, "frames shown too late", get: late),
        Property(
            "stalls", .namedTile, "how often it waited for a frame while playing", get: { .integer($0.health.stalls) }),
        Property("trouble", .namedTile, "why it does not play, or null", get: { .textOrNull($0.trouble) }),
        Property("seat", .namedTile, "it has a seat: its turn to play", get: { .flag($0.feed.hasSeat) }),
        Property(
            "degraded", .namedTile, "how much is left out: 0 nothing, to 3",
            get: { .integer($0.feed.decoding.step.rawValue) }),
        Property("fps", .namedTile, "`container-fps` by another name", get: frameRate),
        Property("codec", .namedTile, "FFmpeg's name of its codec", get: { $0.facts.map { .text($0.codec) } }),
    ]

    /// Fields of a tile's layout that are set by hand.
    static let settings: [TileProperty] = TileLayout.settings.map { setting in
        // The layout states what a tile that watches others decodes.
        let isOfFeed = setting.changes.contains(.decoding)
        return Property(
            setting.name, .tile, takes: setting.kind, setting.help, noticed: true,
            get: { isOfFeed && $0.tile.watch != nil ? nil : setting.value(of: $0.tile.layout) },
            set: { given in
                guard let change = setting.change(to: given.value) else { return .refused(given.value.refusal) }
                guard let reader = given.reader, !isOfFeed || reader.tile.watch == nil else {
                    return .refused(.propertyUnavailable)
                }
                return .change(.changeLayout(of: reader.owner, change))
            },
            reasonWithoutValue: { _ in "the layout states how a tile that compares is decoded" })
    }
}

extension PropertyReader<TileID> {
    /// Time by which the tile, or the one that moves alone for it, is ahead of its group.
    fileprivate var offset: Time { snapshot.tiles[snapshot.tiles.tileMovedAlone(for: owner)].layout.offset }

    /// Reason why the tile, or a tile that it watches, is not played. nil if it is played.
    fileprivate var trouble: String? {
        guard tile.watch == nil else { return snapshot.missingMembers(of: owner).first?.text }
        return feed.presentTrouble.map { feed.cardText(for: $0) }
    }
}
