import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// The item that a tile plays.
    static let item: [TileProperty] = [
        Property(
            "path", .tile, "what it plays", inObjects: .withoutSecrets,
            get: { report, tile in report.source(of: tile).map { .text($0) } }),
        Property(
            "filename", .tile, "the last part of `path`",
            get: { report, tile in report.source(of: tile).map { .text(SourceName.fileName(of: $0)) } }),
        Property(
            "media-title", .tile, "its item's label, else the title of its song or in its file, else the file's name",
            get: { report, tile in report.source(of: tile).map { .text(report.title(of: tile, playing: $0)) } }),
        Property(
            "artist", .tile, "the artist of its song or in its file",
            get: { report, tile in report.snapshot.names(of: tile)?.artist.map { .text($0) } }),
    ]

    /// The sequence of a tile.
    static let sequence: [TileProperty] = [
        Property(
            "playlist", .tile, "its sequence", idle: .value(.list([])), inObjects: .absent,
            get: { report, tile in report.playlist(of: tile) }),
        Property(
            "playlist-pos", .tile, takes: .other("an item's number, from 0"), "its item, from 0; -1 for none",
            idle: .value(.integer(-1)),
            get: { report, tile in .integer(report.snapshot.tileFeeds.presentItemOfSequence(of: tile) ?? -1) },
            set: { given in given.change(\.asInteger) { .goToItem($0) } }),
        Property(
            "playlist-count", .tile, "how many items it has", idle: .value(.integer(0)),
            get: { report, tile in .integer(report.snapshot.tiles[tile].play.count) }),
    ]

    /// Chapters of the item, and loops.
    static let loops: [TileProperty] = [
        Property(
            "chapter", .tile, takes: .other("a chapter's number, from 0"), "its chapter, from 0",
            get: { report, tile in
                guard report.currentItem(of: tile) != nil else { return nil }
                let feed = report.feed(of: tile), (position, _) = report.place(of: feed)
                let chapters = report.snapshot.chapters(of: feed)
                guard let position, !chapters.isEmpty else { return nil }
                return .integer(chapters.lastIndex { $0.start <= position } ?? 0)
            },
            set: { given in
                let report = given.report
                guard let tile = given.tile ?? report.snapshot.focus, report.snapshot.tiles.contains(tile) else {
                    return .refused(.propertyUnavailable)
                }
                let chapters = report.snapshot.chapters(of: report.feed(of: tile))
                if chapters.isEmpty { return .refused(.propertyUnavailable) }
                return given.change(\.asInteger) {
                    chapters.indices.contains($0) ? .seek(.to(chapters[$0].start), given.scope) : nil
                }
            }),
        Property(
            "chapter-list", .tile, "the chapters of its item's file", idle: .value(.list([])), inObjects: .absent,
            get: { report, tile in
                .list(
                    report.snapshot.chapters(of: report.feed(of: tile)).map { chapter in
                        .object([
                            PropertyField("title", .text(chapter.title ?? "")),
                            PropertyField("time", .number(chapter.start.seconds)),
                        ])
                    })
            }),
        Property(
            "loop-file", .tile, takes: .count("how often it is repeated"), "how often its item is repeated",
            noticed: true,
            get: { report, tile in
                report.currentItem(of: tile).map {
                    switch $0.rounds {
                    case 1: .flag(false)
                    case Item.mostRounds...: .text("inf")
                    case let rounds: .integer(rounds - 1)
                    }
                }
            },
            set: { given in
                let value = given.value
                if value.asFlag == false { return .change(.sequence(.rounds(1))) }
                if value.asText == "inf" || value.asFlag == true {
                    return .change(.sequence(.rounds(Item.mostRounds)))
                }
                return given.change(\.asInteger) {
                    $0 >= 0 && $0 < Item.mostRounds ? .sequence(.rounds($0 + 1)) : nil
                }
            }),
        Property(
            "loop-playlist", .tile, takes: .count("number of iterations"), "how often its sequence is played",
            noticed: true,
            get: { report, tile in
                switch report.snapshot.tiles[tile].layout.loop {
                case .forever: .text("inf")
                case .iterations(1): .flag(false)
                case .iterations(let count): .integer(count)
                }
            },
            set: { given in
                let value = given.value
                if value.asFlag == false { return .change(.sequence(.loop(.iterations(1)))) }
                if ["inf", "force"].contains(value.asText) || value.asFlag == true {
                    return .change(.sequence(.loop(.forever)))
                }
                return given.change(\.asInteger) { $0 > 0 ? .sequence(.loop(.iterations($0))) : nil }
            }),
        Property(
            "ab-loop-a", .tile, takes: placeOrNo, "start of its group's A-B loop, in seconds into its item, or `no`",
            idle: .value(.text("no")),
            get: { report, tile in report.mark(of: tile) { $0.a?.lowerBound } },
            set: { given in Self.setMark(given) { .a($0) } }),
        Property(
            "ab-loop-b", .tile, takes: placeOrNo, "end of that A-B loop", idle: .value(.text("no")),
            get: { report, tile in report.mark(of: tile) { $0.b?.upperBound } },
            set: { given in Self.setMark(given) { .b($0) } }),
    ]

    private static var placeOrNo: PropertyKind { .other("seconds into its item, or no") }

    private static func setMark(
        _ given: PropertySetting, _ change: (Time?) -> Change.ABLoopChange
    ) -> PropertySetting.Outcome {
        if given.value.asFlag == false { return .change(.abLoop(change(nil), given.scope)) }
        return given.change(\.asTime) { .abLoop(change($0), given.scope) }
    }
}

extension Item {
    /// Largest number of rounds that a layout may state.
    static let mostRounds = 1_000_000
}

extension PropertyReport {
    /// Returns the item that a tile plays, in its sequence or on top of it.
    func currentItem(of tile: TileID) -> Item? {
        snapshot.tileFeeds.presentItem(of: tile).flatMap { snapshot.tiles[tile].item(at: $0) }
    }

    /// Returns the title of the item that a tile plays: the item's label, that of its song or in its file, or the
    /// file's name.
    func title(of tile: TileID, playing source: String) -> String {
        snapshot.names(of: tile)?.title ?? SourceName.fileName(of: source)
    }

    /// Returns the song, or the file or URL, that a tile plays.
    func source(of tile: TileID) -> String? {
        currentItem(of: tile).map { $0.song ?? feed(of: tile).location ?? $0.name(of: 0) }
    }

    /// Returns the place in the tile's item of a mark of its group's A-B loop.
    fileprivate func mark(of tile: TileID, _ mark: (ABLoopMarks) -> Time?) -> PropertyValue {
        let feed = feed(of: tile)
        return mark(snapshot.clocks[feed.group].marks).flatMap { snapshot.placeInItem($0, of: feed) }.map {
            .number($0.seconds)
        }
            ?? .text("no")
    }

    fileprivate func playlist(of tile: TileID) -> PropertyValue {
        let current = snapshot.tileFeeds.presentItemOfSequence(of: tile)
        return .list(
            snapshot.tiles[tile].play.enumerated().map { place, item in
                let marks =
                    place == current
                    ? [PropertyField("current", .flag(true)), PropertyField("playing", .flag(true))] : []
                let names = snapshot.names(of: item, in: feed(of: tile))
                let fields =
                    [PropertyField("filename", .text(item.name(of: 0)))]
                    + [("title", names?.title), ("artist", names?.artist)].compactMap { name, text in
                        text.map { PropertyField(name, .text($0)) }
                    } + marks
                return .object(fields + [PropertyField("id", .integer(place + 1))])
            })
    }
}
