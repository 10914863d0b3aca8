import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// Properties of a tile that are named only as tiles/ID/NAME. mpv lacks them, or their bare names belong to the
    /// wall.
    static let named: [TileProperty] = [
        Property("id", .namedTile, "its name", get: { report, tile in .text(report.snapshot.tiles[tile].name) }),
        Property(
            "label", .namedTile, "the text on it",
            get: { report, tile in
                .text(report.snapshot.tiles[tile].label(ofItem: report.snapshot.tileFeeds.presentItem(of: tile)) ?? "")
            }),
        Property(
            "mute", .namedTile, takes: .flag, "it is not heard",
            get: { report, tile in .flag(report.snapshot.tiles[tile].layout.isMuted) },
            set: { given in given.change(\.asFlag) { .mute($0 ? .on : .off, .tile) } }),
        Property(
            "volume", .namedTile, takes: .volume, "its volume",
            get: { report, tile in .number(Double(report.snapshot.tiles[tile].layout.volume)) },
            set: { given in given.change(\.asVolume) { .volume(.to($0), .tile) } }),
        Property(
            "offset", .namedTile, takes: .time, "seconds ahead of its group",
            get: { report, tile in
                .number(report.snapshot.tiles[report.snapshot.tiles.tileMovedAlone(for: tile)].layout.offset.seconds)
            },
            set: { given in
                let report = given.report
                guard let tile = given.tile ?? report.snapshot.tiles.overlaid ?? report.snapshot.focus,
                    report.snapshot.tiles.contains(tile)
                else {
                    return .refused(.propertyUnavailable)
                }
                return given.change(\.asTime) {
                    .nudge(
                        by: $0 - report.snapshot.tiles[report.snapshot.tiles.tileMovedAlone(for: tile)].layout.offset)
                }
            }),
        Property(
            "presented", .namedTile, "frames that were put on the screen",
            get: { report, tile in .integer(report.feed(of: tile).screen.health.presented) }),
        Property(
            "missed", .namedTile, "frames that were due and never shown",
            get: { report, tile in .integer(report.feed(of: tile).screen.health.dropped) }),
        Property("late", .namedTile, "frames shown too late", get: late),
        Property(
            "stalls", .namedTile, "how often it waited for a frame while playing",
            get: { report, tile in .integer(report.feed(of: tile).screen.health.stalls) }),
        Property(
            "trouble", .namedTile, "why it does not play, or null",
            get: { report, tile in report.troubleText(of: tile).map { .text($0) } ?? .null }),
        Property(
            "seat", .namedTile, "it has a seat: its turn to play",
            get: { report, tile in .flag(report.feed(of: tile).hasSeat) }),
        Property(
            "degraded", .namedTile, "how much is left out: 0 nothing, to 3",
            get: { report, tile in .integer(report.feed(of: tile).decoding.step.rawValue) }),
        Property("fps", .namedTile, "`container-fps` by another name", get: frameRate),
        Property(
            "codec", .namedTile, "FFmpeg's name of its codec",
            get: { report, tile in report.snapshot.facts(of: report.feed(of: tile)).map { .text($0.codec) } }),
    ]
}

extension PropertyReport {
    /// Returns why a tile, or a tile that it compares, is not played. nil if it is played.
    func troubleText(of tile: TileID) -> String? {
        guard snapshot.tiles[tile].comparison == nil else { return snapshot.missingMembers(of: tile).first?.text }
        let feed = feed(of: tile)
        return feed.presentTrouble.map { feed.cardText(for: $0) }
    }
}
