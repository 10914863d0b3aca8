import Base
import Commands
import Feeds

extension Properties {
    /// The sound of a tile's item.
    static let sound: [TileProperty] = [
        Property(
            "track-list", .tile, "video, sound and subtitles of its item", idle: .value(.list([])), inObjects: .absent,
            get: { .list($0.tracks + $0.subtitleTracks) }),
        Property(
            "aid", .tile, takes: .other("a sound track's number, from 1, auto, or no"),
            "the sound track that is heard, from 1", cycle: { _ in .track(.next) },
            get: {
                if $0.item == nil { return nil }
                return $0.heardTrack(among: $0.facts?.soundTracks.count ?? 0).map { .integer($0) } ?? .flag(false)
            },
            set: { given in
                given.track("sound", automatic: .track(.number(1)), among: { $0.playing.soundTrackCount }) {
                    .track(.number($0))
                }
            }),
        Property(
            "audio-track", .tile, "the sound track that is heard: its number, title and language, or `no`",
            idle: .value(.text("no")), get: { .text($0.wordsOnTrack ?? "no") }),
        Property(
            "key", .tile, takes: .integer(Item.keys), "semitones by which its sound is higher",
            get: {
                let playing = $0.playing
                return playing.item.map { _ in .integer(playing.tile.look(ofItem: playing.presentItem).key) }
            },
            set: { $0.change(\.asInteger) { .key(.to($0)) } }),
        Property(
            "stems", .tile,
            takes: .parts("a list of objects with name, and volume or mute", ["volume": .volume, "mute": .flag]),
            "what its sound is made of: name, volume, mute; also stems/NAME/volume and stems/NAME/mute alone",
            idle: .value(.list([])),
            get: {
                .list(
                    $0.audioStems.map {
                        ["name": .text($0.name), "volume": .number(Double($0.volume)), "mute": .flag($0.isMuted)]
                    })
            },
            set: changeStems),
    ]

    /// Changes stems by a list of objects with `name`, and `volume`, `mute` or both, or one stem by the path
    /// `stems/NAME/volume` or `stems/NAME/mute`. A number from 0 is a name, too. Refuses changes of stems that the tile's
    /// item does not have.
    @Sendable private static func changeStems(_ given: NamedProperty) -> NamedProperty.Outcome {
        let path = given.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var stems: [PropertyValue] = []
        if path.count == 3, ["volume", "mute"].contains(path[2]) {
            stems = [.object([PropertyField("name", .text(path[1])), PropertyField(path[2], given.value)])]
        } else if path.count > 1 {
            return .refused(.propertyNotFound)
        } else if case .list(let values) = given.value {
            stems = values
        }
        if stems.isEmpty { return .refused(given.value.refusal) }
        var changes: [Change.StemChange] = []
        for stem in stems {
            guard let name = stem["name"]?.asText else { return .refused(.propertyError) }
            let (mute, volume) = (stem["mute"], stem["volume"])
            guard mute == nil || mute?.asFlag != nil, volume == nil || volume?.asVolume != nil else {
                return .refused(.propertyError)
            }
            changes.append(
                Change.StemChange(
                    .named(name), mute: mute?.asFlag.map { $0 ? .on : .off }, volume: volume?.asVolume.map { .to($0) }))
        }
        guard let reader = given.reader else { return .refused(.propertyUnavailable) }
        for change in changes {
            if case .named(let name) = change.stem, Stems.place(of: change.stem, in: reader.audioStems) == nil {
                return .refused(ControlError(.propertyUnavailable, because: reader.complaint(aboutStem: name)))
            }
        }
        return .change(.stems(changes))
    }
}

extension PropertyReader<TileID> {
    /// Returns the number of the track that is heard, from 1. nil if none is. `count`: number of tracks.
    fileprivate func heardTrack(among count: Int) -> Int? {
        guard count > 0, let presentItem else { return nil }
        let number: Int? =
            switch tile.look(ofItem: presentItem).audio {
            case .track(let number): number
            case .other(let other): other.track?.number ?? 1
            case .language: 1
            case .silent, .stems: nil
            }
        guard let heard = tile.track ?? number, heard > 0 else { return nil }
        return min(heard, count)
    }

    /// Number of sound tracks among which the tile chooses; nil while its source is not open, and if its sound is that of
    /// other files.
    fileprivate var soundTrackCount: Int? {
        guard let presentItem, let facts else { return nil }
        switch tile.look(ofItem: presentItem).audio {
        case .stems: return nil
        case .other(let other) where other.source != nil: return nil
        case .track, .language, .other, .silent: return facts.soundTracks.count
        }
    }

    /// Number and title of the track that is heard; nil if none is.
    fileprivate var wordsOnTrack: String? {
        let tracks = facts?.soundTracks ?? []
        return heardTrack(among: tracks.count).map { "\($0): \(tracks[$0 - 1].words)" }
    }

    fileprivate var tracks: [PropertyValue] {
        guard let facts else { return [] }
        let video: PropertyValue = [
            "id": .integer(1), "type": .text("video"), "selected": .flag(true), "codec": .text(facts.codec),
            "demux-w": .integer(facts.natural.width), "demux-h": .integer(facts.natural.height),
        ]
        let heard = heardTrack(among: facts.soundTracks.count)
        return (facts.kind == .sound ? [] : [video])
            + facts.soundTracks.enumerated().map { place, track in
                let entry: PropertyValue = [
                    "id": .integer(place + 1), "type": .text("audio"), "title": .textOrNull(track.title),
                    "lang": .textOrNull(track.language), "selected": .flag(heard == place + 1),
                    "codec": .text(track.codec), "demux-channel-count": .integer(track.channels),
                    "demux-samplerate": .integer(track.rate),
                ]
                return entry.withoutNulls
            }
    }

    fileprivate var audioStems: [ItemAudio.Stem] { playing.item?.audio.stems ?? [] }

    /// Returns the message that the tile's item has no stem of this name, with the stems that it has.
    func complaint(aboutStem name: String) -> String {
        let names = audioStems.map(\.name)
        if names.isEmpty { return "\(tile.name) has no stem \(name.quoted); its item has none" }
        return "\(tile.name) has no stem \(name.quoted); there are \(names.listed)"
    }
}
