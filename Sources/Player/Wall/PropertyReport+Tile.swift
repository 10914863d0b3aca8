import Base
import Feeds
import Layout
import Measurement
import Scene

// Properties of tiles.
extension PropertyReport {
    /// Returns the values that mpv has while it plays nothing.
    func withoutTile(_ name: String) -> Reading {
        switch name {
        case "pause", "speed":
            ofGroup(name, clocks.main).map { .success($0) } ?? .failure(.propertyUnavailable)
        case "idle-active", "core-idle": .success(.flag(true))
        case "frame-drop-count", "vo-drop-frame-count", "decoder-frame-drop-count", "drop-frame-count",
            "vo-delayed-frame-count", "mistimed-frame-count":
            .success(.integer(0))
        case "playlist": .success(.list([]))
        case "playlist-count": .success(.integer(0))
        case "playlist-pos": .success(.integer(-1))
        case "track-list", "chapter-list", "stems": .success(.list([]))
        case "ab-loop-a", "ab-loop-b": .success(.text("no"))
        default: .failure(.propertyUnavailable)
        }
    }

    /// Returns a property of a tile. nil if it is not available.
    func ofTile(_ name: String, _ tile: TileID) -> PropertyValue? {
        let feed = feeds[tiles[tile].feed]
        if let value = ofTime(name, feed) ?? ofSequence(name, tile, feed) { return value }
        let frame = feed.screen.last?.frame.natural
        switch name {
        case "id": return .text(tiles[tile].name)
        case "label": return .text(tiles[tile].layout.label ?? "")
        case "mute": return .flag(tiles[tile].layout.isMuted)
        case "volume": return .number(Double(tiles[tile].layout.volume))
        case "offset": return .number(tiles[movable(tile)].layout.offset.seconds)
        case "presented": return .integer(feed.screen.health.presented)
        case "missed": return .integer(feed.screen.health.dropped)
        case "late": return .integer(feed.screen.health.late)
        case "stalls": return .integer(feed.screen.health.stalls)
        case "trouble": return troubleText(of: tile).map { .text($0) } ?? .null
        case "frame-drop-count", "vo-drop-frame-count":
            return .integer(feed.screen.health.dropped - feed.screen.health.undecoded)
        case "decoder-frame-drop-count", "drop-frame-count": return .integer(feed.screen.health.undecoded)
        case "vo-delayed-frame-count", "mistimed-frame-count": return .integer(feed.screen.health.late)
        case "seat": return .flag(feed.hasSeat)
        case "degraded": return .integer(feed.decoding.step.rawValue)
        case "width": return frame.map { .integer($0.width) }
        case "height": return frame.map { .integer($0.height) }
        case "codec": return facts(of: feed).map { .text($0.codec) }
        case "fps", "container-fps":
            return facts(of: feed)?.frameLength.map {
                .number(Double(Time.ticksPerSecond) / Double(max(1, $0.ticks)))
            }
        default: return features.firstAnswer { $0.property(name, of: tile, snapshot) }
        }
    }

    func ofTime(_ name: String, _ feed: Feed) -> PropertyValue? {
        let group = clocks[feed.group]
        switch name {
        case "pause", "speed": return ofGroup(name, feed.group)
        case "idle-active": return .flag(feed.timeline.items.isEmpty)
        case "core-idle":
            return .flag(feed.phase != .playing || group.clock.motion == .standing || group.phase != .going)
        default: break
        }
        guard !feed.timeline.items.isEmpty else { return nil }
        let (position, length) = place(of: feed)
        switch name {
        case "time-pos", "playback-time": return position.map { .number($0.seconds) }
        case "duration": return length.map { .number($0.seconds) }
        case "percent-pos":
            guard let position, let length, length > .zero else { return nil }
            return .number(min(100, Double(position.ticks) * 100 / Double(length.ticks)))
        case "time-remaining":
            guard let position, let length else { return nil }
            return .number(max(.zero, length - position).seconds)
        case "eof-reached": return .flag(feed.phase == .ended)
        case "seeking":
            if case .waiting = group.phase, group.hasStarted { return .flag(true) }
            return .flag(group.pendingJump != nil)
        default: return nil
        }
    }

    /// Returns the place in its item of the frame on the screen. If there is no frame, returns the place by the clock.
    func place(of feed: Feed) -> (Time?, length: Time?) {
        if let presented = feed.screen.presented, feed.timeline.item(of: presented.run) != nil {
            let before = feed.timeline.length(ofSegmentsBefore: presented.run)
            return (before + presented.offset, feed.timeline.itemLength(at: presented.run.place))
        }
        guard let place = placeByClock(of: feed, at: now) else { return (nil, nil) }
        return (max(.zero, place.position), place.length)
    }

    func ofSequence(_ name: String, _ tile: TileID, _ feed: Feed) -> PropertyValue? {
        let present = presentItem(of: tile)
        let (items, current) = (tiles[tile].play, presentItemOfSequence(of: tile))
        switch name {
        case "playlist":
            return .list(
                items.enumerated().map { place, item in
                    let marks =
                        place == current
                        ? [PropertyField("current", .flag(true)), PropertyField("playing", .flag(true))] : []
                    let fields = [PropertyField("filename", .text(item.name(of: 0)))] + marks
                    return .object(fields + [PropertyField("id", .integer(place + 1))])
                })
        case "playlist-pos": return .integer(current ?? -1)
        case "playlist-count": return .integer(items.count)
        case "ab-loop-a", "ab-loop-b":
            let marks = clocks[feed.group].marks
            let mark = name == "ab-loop-a" ? marks.a?.lowerBound : marks.b?.upperBound
            return mark.flatMap { placeInItem($0, of: feed) }.map { .number($0.seconds) } ?? .text("no")
        case "loop-playlist":
            switch tiles[tile].layout.loop {
            case .forever: return .text("inf")
            case .iterations(1): return .flag(false)
            case .iterations(let count): return .integer(count)
            }
        case "track-list": return .list(tracks(of: tile, feed))
        case "stems": return stemsProperty(of: tile)
        case "chapter-list":
            return .list(
                chapters(of: feed).map { chapter in
                    .object([
                        PropertyField("title", .text(chapter.title ?? "")),
                        PropertyField("time", .number(chapter.start.seconds)),
                    ])
                })
        default: break
        }
        guard let present, let item = tiles[tile].item(at: present) else { return nil }
        let source = item.song ?? feed.location ?? item.name(of: 0)
        switch name {
        case "key":
            let playing = playingTile(for: tile)
            return .integer(tiles[playing].look(ofItem: presentItem(of: playing)).key)
        case "path": return .text(source)
        case "filename": return .text(SourceName.fileName(of: source))
        case "media-title": return .text(feed.sources.facts(of: source)?.title ?? SourceName.fileName(of: source))
        case "loop-file":
            let rounds = item.rounds
            return rounds == 1 ? .flag(false) : .integer(rounds - 1)
        case "aid":
            let tracks = facts(of: feed)?.soundTracks.count ?? 0
            guard tracks > 0, let track = heardTrack(of: tile, item: present) else { return .flag(false) }
            return .integer(min(track, tracks))
        case "chapter":
            let (position, _) = place(of: feed)
            let chapters = chapters(of: feed)
            guard let position, !chapters.isEmpty else { return nil }
            return .integer((chapters.lastIndex { $0.start <= position } ?? 0))
        default: return nil
        }
    }

    /// Returns the number of the track that is heard, from 1. nil if none is.
    func heardTrack(of tile: TileID, item: ItemPlace) -> Int? {
        if let track = tiles[tile].track { return track > 0 ? track : nil }
        return switch tiles[tile].look(ofItem: item).audio {
        case .track(let number): number
        case .other(let other): other.track ?? 1
        case .language: 1
        case .silent, .stems: nil
        }
    }

    func tracks(of tile: TileID, _ feed: Feed) -> [PropertyValue] {
        guard let facts = facts(of: feed) else { return [] }
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
        let heard = presentItem(of: tile).flatMap { heardTrack(of: tile, item: $0) }.map {
            min($0, facts.soundTracks.count)
        }
        for (place, track) in facts.soundTracks.enumerated() {
            let language = track.language.map { [PropertyField("lang", .text($0))] } ?? []
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

    func stemsProperty(of tile: TileID) -> PropertyValue {
        let tile = playingTile(for: tile)
        let stems = presentItem(of: tile).flatMap { tiles[tile].item(at: $0)?.audio.stems } ?? []
        return .list(
            stems.map {
                .object([
                    PropertyField("name", .text($0.name)), PropertyField("volume", .number(Double($0.volume))),
                    PropertyField("mute", .flag($0.isMuted)),
                ])
            })
    }

    /// Returns why a tile, or a tile that it compares, is not played. nil if it is played.
    func troubleText(of tile: TileID) -> String? {
        guard tiles[tile].comparison == nil else { return missingMembers(of: tile).first?.text }
        let feed = feeds[tiles[tile].feed]
        return feed.trouble.latest.map { feed.words(for: $0) }
    }

}
