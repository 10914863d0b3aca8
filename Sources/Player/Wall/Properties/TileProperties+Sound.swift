import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// The sound of a tile's item.
    static let sound: [TileProperty] = [
        Property(
            "track-list", .tile, "video, sound and subtitles of its item", idle: .value(.list([])), inObjects: .absent,
            get: { report, tile in .list(report.tracks(of: tile) + report.subtitleTracks(of: tile)) }),
        Property(
            "aid", .tile, takes: .other("a sound track's number, from 1, auto, or no"),
            "the sound track that is heard, from 1",
            cycle: { _ in .track(.next) },
            get: { report, tile in
                guard report.currentItem(of: tile) != nil, let present = report.snapshot.tileFeeds.presentItem(of: tile)
                else {
                    return nil
                }
                let tracks = report.snapshot.facts(of: report.feed(of: tile))?.soundTracks.count ?? 0
                guard tracks > 0, let track = report.heardTrack(of: tile, item: present) else { return .flag(false) }
                return .integer(min(track, tracks))
            },
            set: { given in
                if given.value.asFlag == false { return .change(.track(.number(nil))) }
                if given.value.asText == "auto" { return .change(.track(.number(1))) }
                return given.track("sound", among: { $0.soundTrackCount(of: $1) }) { .track(.number($0)) }
            }),
        Property(
            "audio-track", .tile, "the sound track that is heard: its number, title and language, or `no`",
            idle: .value(.text("no")),
            get: { report, tile in .text(report.words(onTrackOf: tile) ?? "no") }),
        Property(
            "key", .tile, takes: .integer(Item.keys), "semitones by which its sound is higher",
            get: { report, tile in
                let player = report.snapshot.tiles.playingTile(for: tile)
                guard report.currentItem(of: player) != nil else { return nil }
                return .integer(
                    report.snapshot.tiles[player].look(ofItem: report.snapshot.tileFeeds.presentItem(of: player)).key)
            },
            set: { given in given.change(\.asInteger) { .key(.to($0)) } }),
        Property(
            "stems", .tile,
            takes: .parts("a list of objects with name, and volume or mute", ["volume": .volume, "mute": .flag]),
            "what its sound is made of: name, volume, mute; also stems/NAME/volume and stems/NAME/mute alone",
            idle: .value(.list([])),
            get: { report, tile in .list(report.stems(of: tile)) },
            set: { $0.path == "stems" ? Self.changeStems($0) : Self.changeStem($0) }),
    ]

    /// Changes stems by a list of objects with `name`, and `volume`, `mute` or both.
    private static func changeStems(_ given: PropertySetting) -> PropertySetting.Outcome {
        guard case .list(let stems) = given.value, !stems.isEmpty else { return .refused(given.value.refusal) }
        var changes: [Change.StemChange] = []
        for stem in stems {
            guard let name = stem["name"]?.asText else { return .refused(.propertyError) }
            let (mute, volume) = (stem["mute"], stem["volume"])
            guard mute == nil || mute?.asFlag != nil, volume == nil || volume?.asVolume != nil else {
                return .refused(.propertyError)
            }
            changes.append(
                Change.StemChange(
                    .named(name), mute: mute?.asFlag.map { $0 ? .on : .off },
                    volume: volume?.asVolume.map { .to($0) }))
        }
        return change(changes, given)
    }

    /// Changes a stem by the path `stems/NAME/volume` or `stems/NAME/mute`, with a name or a number from 0.
    private static func changeStem(_ given: PropertySetting) -> PropertySetting.Outcome {
        let parts = given.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return .refused(.propertyNotFound) }
        var wanted = Change.StemChange(.named(parts[1]))
        switch parts[2] {
        case "mute": wanted.mute = given.value.asFlag.map { $0 ? .on : .off }
        case "volume": wanted.volume = given.value.asVolume.map { .to($0) }
        default: return .refused(.propertyNotFound)
        }
        if wanted.mute == nil, wanted.volume == nil { return .refused(given.value.refusal) }
        return change([wanted], given)
    }

    /// Refuses changes of stems that the tile's item does not have.
    private static func change(
        _ changes: [Change.StemChange], _ given: PropertySetting
    ) -> PropertySetting.Outcome {
        let report = given.report
        guard let tile = given.tile ?? report.snapshot.focus, report.snapshot.tiles.contains(tile) else {
            return .refused(.propertyUnavailable)
        }
        let stems = report.audioStems(of: tile)
        for change in changes {
            if case .named(let name) = change.stem, Stems.place(of: change.stem, in: stems) == nil {
                let complaint = report.complaint(aboutStem: name, of: tile)
                return .refused(ControlError(.propertyUnavailable, because: complaint))
            }
        }
        return .change(.stems(changes))
    }
}

extension PropertyReport {
    /// Returns the number of the track that is heard, from 1. nil if none is.
    fileprivate func heardTrack(of tile: TileID, item: ItemPlace) -> Int? {
        if let track = snapshot.tiles[tile].track { return track > 0 ? track : nil }
        return switch snapshot.tiles[tile].look(ofItem: item).audio {
        case .track(let number): number
        case .other(let other): other.track?.number ?? 1
        case .language: 1
        case .silent, .stems: nil
        }
    }

    /// Returns the number of sound tracks among which a tile chooses; nil while its source is not open, and if its
    /// sound is that of other files.
    fileprivate func soundTrackCount(of tile: TileID) -> Int? {
        let playing = snapshot.tiles.playingTile(for: tile)
        guard let item = snapshot.tileFeeds.presentItem(of: playing), let facts = snapshot.facts(of: feed(of: playing))
        else { return nil }
        switch snapshot.tiles[playing].look(ofItem: item).audio {
        case .stems: return nil
        case .other(let other) where other.source != nil: return nil
        case .track, .language, .other, .silent: return facts.soundTracks.count
        }
    }

    /// Returns the number and the title of the track that is heard; nil if none is.
    fileprivate func words(onTrackOf tile: TileID) -> String? {
        let tracks = snapshot.facts(of: feed(of: tile))?.soundTracks ?? []
        guard !tracks.isEmpty, let item = snapshot.tileFeeds.presentItem(of: tile),
            let heard = heardTrack(of: tile, item: item)
        else {
            return nil
        }
        let number = min(heard, tracks.count)
        return "\(number): \(tracks[number - 1].words)"
    }

    fileprivate func tracks(of tile: TileID) -> [PropertyValue] {
        guard let facts = snapshot.facts(of: feed(of: tile)) else { return [] }
        var tracks: [PropertyValue] = []
        if facts.kind != .sound {
            tracks.append(
                .object([
                    PropertyField("id", .integer(1)), PropertyField("type", .text("video")),
                    PropertyField("selected", .flag(true)), PropertyField("codec", .text(facts.codec)),
                    PropertyField("demux-w", .integer(facts.natural.width)),
                    PropertyField("demux-h", .integer(facts.natural.height)),
                ]))
        }
        let heard = snapshot.tileFeeds.presentItem(of: tile).flatMap { heardTrack(of: tile, item: $0) }.map {
            min($0, facts.soundTracks.count)
        }
        for (place, track) in facts.soundTracks.enumerated() {
            let language = [("title", track.title), ("lang", track.language)].compactMap { name, text in
                text.map { PropertyField(name, .text($0)) }
            }
            tracks.append(
                .object(
                    [PropertyField("id", .integer(place + 1)), PropertyField("type", .text("audio"))] + language + [
                        PropertyField("selected", .flag(heard == place + 1)),
                        PropertyField("codec", .text(track.codec)),
                        PropertyField("demux-channel-count", .integer(track.channels)),
                        PropertyField("demux-samplerate", .integer(track.rate)),
                    ]))
        }
        return tracks
    }

    fileprivate func stems(of tile: TileID) -> [PropertyValue] {
        audioStems(of: tile).map {
            .object([
                PropertyField("name", .text($0.name)), PropertyField("volume", .number(Double($0.volume))),
                PropertyField("mute", .flag($0.isMuted)),
            ])
        }
    }

    fileprivate func audioStems(of tile: TileID) -> [ItemAudio.Stem] {
        currentItem(of: snapshot.tiles.playingTile(for: tile))?.audio.stems ?? []
    }

    /// Returns the message that the tile's item has no stem of this name, with the stems that it has.
    func complaint(aboutStem name: String, of tile: TileID) -> String {
        let names = audioStems(of: tile).map(\.name)
        if names.isEmpty { return "\(snapshot.tiles[tile].name) has no stem \(name.quoted); its item has none" }
        return "\(snapshot.tiles[tile].name) has no stem \(name.quoted); there are \(names.listed)"
    }
}
