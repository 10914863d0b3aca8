import Base
import Commands
import Layout
import Measurement
import Scene

// Properties of a wall by name, as PropertyTable lists them.
extension Wall {
    public typealias Reading = Result<PropertyValue, ControlError>

    /// Returns a property of the wall or of a tile. `tile`: nil if the wall or the focused tile is meant.
    public func property(_ name: String, of tile: TileID? = nil, at now: Time) -> Reading {
        if let spec = PropertyTable.spec(name, [.wall]), tile == nil { return .success(ofWall(spec.name, at: now)) }
        guard PropertyTable.spec(name, tile == nil ? [.tile] : [.tile, .namedTile]) != nil else {
            return .failure(.propertyNotFound)
        }
        guard let tile = tile ?? focus, tiles.contains(tile) else { return withoutTile(name, at: now) }
        return ofTile(name, tile, at: now).map { .success($0) } ?? .failure(.propertyUnavailable)
    }

    /// Returns a property of a group, by the group's name.
    public func property(_ name: String, ofGroup group: String, at now: Time) -> Reading {
        guard let id = clocks.id(named: group) else {
            return .failure(.propertyNotFound)
        }
        return ofGroup(name, id, at: now).map { .success($0) } ?? .failure(.propertyNotFound)
    }

    public func tile(named name: String) -> TileID? { tiles.id(named: name) }

    // MARK: the wall

    private func ofWall(_ name: String, at now: Time) -> PropertyValue {
        switch name {
        case "volume": return .number(Double(audioState.volume))
        case "volume-max": return .number(100)
        case "mute": return .flag(audioState.isMuted)
        case "audio-delay": return .number(Double(audioState.delayMilliseconds) / 1000)
        case "focus": return .text(focus.map { tiles[$0].name } ?? "none")
        case "zoomed": return .text(zoomedTile.map { tiles[$0].name } ?? "none")
        case "figures": return .flag(figures.isOn)
        case "display": return .text(output.isDisplayOff ? "off" : "on")
        case "recording": return .text(takes.session?.name ?? "none")
        case "last-take": return takes.latest.map { .text($0.file) } ?? .null
        case "monitor-latency":
            return if case .heard(let latency) = audioState.monitored { .number(latency.seconds) } else { .null }
        case "tiles": return .list(tiles.order.map { wholeTile($0, at: now) })
        case "groups": return .object(namedGroups.map { PropertyField(clocks[$0].name, wholeGroup($0, at: now)) })
        case "health": return health(at: now)
        case "wall":
            let names = ["display", "focus", "zoomed", "volume", "mute", "tiles", "groups", "health"]
            return .object(
                [PropertyField("layout", .text(layout.title))] + names.map { PropertyField($0, ofWall($0, at: now)) })
        default: preconditionFailure("\(name) is in the table and not answered")
        }
    }

    private var namedGroups: [GroupID] { clocks.ids.filter { !clocks[$0].isAlone } }

    private func wholeTile(_ tile: TileID, at now: Time) -> PropertyValue {
        let names =
            ["id"]
            + PropertyTable.ofTile.filter {
                !["id", "playlist", "vo-drop-frame-count", "drop-frame-count", "mistimed-frame-count"].contains($0)
                    && !$0.hasSuffix("-list")
            }
        return .object(
            names.compactMap { name in
                guard let value = ofTile(name, tile, at: now) else { return nil }
                // The path keeps its secrets only if it is read by itself.
                if name == "path", case .text(let path) = value {
                    return PropertyField(name, .text(SourceName.withoutSecrets(path)))
                }
                return PropertyField(name, value)
            })
    }

    private func wholeGroup(_ group: GroupID, at now: Time) -> PropertyValue {
        .object(
            PropertyTable.ofGroup.compactMap { name in ofGroup(name, group, at: now).map { PropertyField(name, $0) } })
    }

    private func ofGroup(_ name: String, _ group: GroupID, at now: Time) -> PropertyValue? {
        switch name {
        case "time-pos": .number(clocks[group].reportedPosition(at: now).seconds)
        case "pause": .flag(clocks.motionWanted(of: group) == .standing)
        case "speed": .number(clocks[group].clock.rate.value)
        default: nil
        }
    }

    // MARK: tiles

    /// Returns the values that mpv has while it plays nothing.
    private func withoutTile(_ name: String, at now: Time) -> Reading {
        switch name {
        case "pause", "speed":
            ofGroup(name, clocks.main, at: now).map { .success($0) } ?? .failure(.propertyUnavailable)
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
    private func ofTile(_ name: String, _ tile: TileID, at now: Time) -> PropertyValue? {
        let feed = feeds[tiles[tile].feed]
        if let value = ofTime(name, feed, at: now) ?? ofSequence(name, tile, feed) { return value }
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
        case "psnr-average", "psnr-y", "psnr-u", "psnr-v", "ssim":
            return FrameFigures.Name(rawValue: name).flatMap { figure($0, of: tile) }.map { .number($0) }
        case "seat": return .flag(feed.hasSeat)
        case "degraded": return .integer(feed.decoding.step.rawValue)
        case "width": return frame.map { .integer($0.width) }
        case "height": return frame.map { .integer($0.height) }
        case "codec": return facts(of: feed).map { .text($0.codec) }
        case "fps", "container-fps":
            return facts(of: feed)?.frameLength.map {
                .number(Double(Time.ticksPerSecond) / Double(max(1, $0.ticks)))
            }
        default: return nil
        }
    }

    private func ofTime(_ name: String, _ feed: Feed, at now: Time) -> PropertyValue? {
        let group = clocks[feed.group]
        switch name {
        case "pause", "speed": return ofGroup(name, feed.group, at: now)
        case "idle-active": return .flag(feed.timeline.items.isEmpty)
        case "core-idle":
            return .flag(feed.phase != .playing || group.clock.motion == .standing || group.phase != .going)
        default: break
        }
        guard !feed.timeline.items.isEmpty else { return nil }
        let (position, length) = place(of: feed, at: now)
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
    private func place(of feed: Feed, at now: Time) -> (Time?, length: Time?) {
        if let presented = feed.screen.presented, presented.run.item < feed.timeline.items.count {
            let before = feed.timeline.length(ofSegmentsBefore: presented.run)
            return (before + presented.offset, feed.timeline.itemLength(presented.run.item))
        }
        guard let place = placeByClock(of: feed, at: now) else { return (nil, nil) }
        return (max(.zero, place.position), place.length)
    }

    private func facts(of feed: Feed) -> OpenedFacts? { feed.location.flatMap { feed.sources.facts(of: $0) } }

    private func ofSequence(_ name: String, _ tile: TileID, _ feed: Feed) -> PropertyValue? {
        let present = presentItem(of: tile)
        // Counted without breaks, as commands count them.
        let (items, current) = (layoutWithoutBreak(of: tile).play, presentItemWithoutBreak(of: tile))
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
        guard let present else { return nil }
        let item = tiles[tile].play[present]
        let source = item.song ?? feed.location ?? item.name(of: 0)
        switch name {
        case "key": return .integer(tiles[player(of: tile)].look(ofItem: presentItem(of: player(of: tile))).key)
        case "path": return .text(source)
        case "filename": return .text(SourceName.fileName(of: source))
        case "media-title": return .text(feed.sources.facts(of: source)?.title ?? SourceName.fileName(of: source))
        case "loop-file":
            let rounds = tiles[tile].play[present].rounds
            return rounds == 1 ? .flag(false) : .integer(rounds - 1)
        case "aid":
            let tracks = facts(of: feed)?.soundTracks.count ?? 0
            guard tracks > 0, let track = heardTrack(of: tile, item: present) else { return .flag(false) }
            return .integer(min(track, tracks))
        case "chapter":
            let (position, _) = place(of: feed, at: .zero)
            let chapters = chapters(of: feed)
            guard let position, !chapters.isEmpty else { return nil }
            return .integer((chapters.lastIndex { $0.start <= position } ?? 0))
        default: return nil
        }
    }

    /// Returns the number of the track that is heard, from 1. nil if none is.
    private func heardTrack(of tile: TileID, item: Int) -> Int? {
        if let track = tiles[tile].track { return track > 0 ? track : nil }
        return switch tiles[tile].look(ofItem: item).audio {
        case .track(let number): number
        case .other(let other): other.track ?? 1
        case .language: 1
        case .silent, .stems: nil
        }
    }

    private func tracks(of tile: TileID, _ feed: Feed) -> [PropertyValue] {
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

    /// Returns the chapters that begin within the current item, counted from its in-point.
    func chapters(of feed: Feed) -> [Chapter] {
        guard let run = feed.slots.first?.run, let facts = facts(of: feed) else { return [] }
        let segment = feed.timeline.segment(of: run)
        return facts.chapters.filter { $0.start >= segment.start && $0.start < segment.end ?? .distantFuture }.map {
            chapter in
            Chapter(
                start: (chapter.start - segment.start).lasting(at: feed.timeline.rate(of: run)), title: chapter.title)
        }
    }
}
