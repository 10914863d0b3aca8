import Base
import Commands
import Feeds
import Opened

extension Properties {
    /// The item that a tile plays.
    static let item: [TileProperty] = [
        Property(
            "path", .tile, "what it plays", inObjects: .withoutSecrets, get: { $0.source.map { .text($0) } }),
        Property(
            "filename", .tile, "the last part of `path`",
            get: { $0.source.map { .text(SourceName.fileName(of: $0)) } }),
        Property(
            "media-title", .tile, "its item's label, else the title of its song or in its file, else the file's name",
            get: { reader in reader.source.map { .text(reader.title(playing: $0)) } }),
        Property(
            "artist", .tile, "the artist of its song or in its file",
            get: { $0.snapshot.names(of: $0.owner)?.artist.map { .text($0) } }),
    ]

    /// The sequence of a tile.
    static let sequence: [TileProperty] = [
        Property("playlist", .tile, "its sequence", idle: .value(.list([])), inObjects: .absent, get: { $0.playlist }),
        Property(
            "playlist-pos", .tile, takes: .other("an item's number, from 0"), "its item, from 0; -1 for none",
            idle: .value(.integer(-1)),
            get: { .integer($0.snapshot.tileFeeds.presentItemOfSequence(of: $0.owner) ?? -1) },
            set: { $0.change(\.asInteger) { .goToItem($0) } }),
        Property(
            "playlist-count", .tile, "how many items it has", idle: .value(.integer(0)),
            get: { .integer($0.tile.play.count) }),
    ]

    /// Chapters of the item, and loops.
    static let loops: [TileProperty] = [
        Property(
            "chapter", .tile, takes: .other("a chapter's number, from 0"), "its chapter, from 0",
            get: { reader in
                let chapters = reader.chapters
                guard reader.item != nil, let position = reader.placeOfFrame.position, !chapters.isEmpty else {
                    return nil
                }
                return .integer(chapters.lastIndex { $0.start <= position } ?? 0)
            },
            set: { given in
                let chapters = given.reader?.chapters ?? []
                if chapters.isEmpty { return .refused(.propertyUnavailable) }
                return given.change(\.asInteger) {
                    chapters.indices.contains($0) ? .seek(.to(chapters[$0].start), given.scope) : nil
                }
            }),
        Property(
            "chapter-list", .tile, "the chapters of its item's file", idle: .value(.list([])), inObjects: .absent,
            get: { .list($0.chapters.map { ["title": .text($0.title ?? ""), "time": .number($0.start.seconds)] }) }),
        Property(
            "loop-file", .tile, takes: .count("how often it is repeated"), "how often its item is repeated",
            noticed: true,
            get: {
                $0.item.map {
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
                if value.asText == "inf" || value.asFlag == true { return .change(.sequence(.rounds(Item.mostRounds))) }
                return given.change(\.asInteger) { $0 >= 0 && $0 < Item.mostRounds ? .sequence(.rounds($0 + 1)) : nil }
            }),
        Property(
            "loop-playlist", .tile, takes: .count("number of iterations"), "how often its sequence is played",
            noticed: true,
            get: {
                switch $0.tile.layout.loop {
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
            idle: .value(.text("no")), get: { $0.mark { $0.a?.lowerBound } }, set: { setMark($0) { .a($0) } }),
        Property(
            "ab-loop-b", .tile, takes: placeOrNo, "end of that A-B loop", idle: .value(.text("no")),
            get: { $0.mark { $0.b?.upperBound } }, set: { setMark($0) { .b($0) } }),
    ]

    private static var placeOrNo: PropertyKind { .other("seconds into its item, or no") }

    private static func setMark(
        _ given: NamedProperty, _ change: (Time?) -> Change.ABLoopChange
    ) -> NamedProperty.Outcome {
        if given.value.asFlag == false { return .change(.abLoop(change(nil), given.scope)) }
        return given.change(\.asTime) { .abLoop(change($0), given.scope) }
    }
}

extension Item {
    /// Largest number of rounds that a layout may state.
    static let mostRounds = 1_000_000
}

extension PropertyReader<TileID> {
    /// Returns the title of the item that a tile plays: the item's label, that of its song or in its file, or the
    /// file's name.
    func title(playing source: String) -> String { snapshot.names(of: owner)?.title ?? SourceName.fileName(of: source) }

    /// The song, or the file or URL, that the tile plays.
    var source: String? { item.map { $0.song ?? feed.location ?? $0.name(of: 0) } }

    fileprivate var chapters: [Chapter] { snapshot.chapters(of: feed) }

    /// Returns the place in the tile's item of a mark of its group's A-B loop.
    fileprivate func mark(_ mark: (ABLoopMarks) -> Time?) -> PropertyValue {
        let place = mark(group.marks).flatMap { snapshot.placeInItem($0, of: feed) }
        return place.map { .number($0.seconds) } ?? .text("no")
    }

    fileprivate var playlist: PropertyValue {
        let current = snapshot.tileFeeds.presentItemOfSequence(of: owner), feed = feed
        return .list(
            tile.play.enumerated().map { place, item in
                let names = snapshot.names(of: item, in: feed)
                let mark: PropertyValue = place == current ? .flag(true) : .null
                let entry: PropertyValue = [
                    "filename": .text(item.name(of: 0)), "title": .textOrNull(names?.title),
                    "artist": .textOrNull(names?.artist), "current": mark, "playing": mark, "id": .integer(place + 1),
                ]
                return entry.withoutNulls
            })
    }
}
