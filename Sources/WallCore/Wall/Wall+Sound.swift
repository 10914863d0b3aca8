// What is to be heard, and who is.
extension Wall {
    /// With a negative `audio.delay`, so long after their clock was let go the frames begin to move. The sound is as
    /// far ahead of the clock, so it begins at once, and neither loses its beginning.
    var frameHold: Time { .milliseconds(Int64(max(0, -audioState.delayMilliseconds))) }

    /// With a positive one, sound is heard so long after its clock's instant: also that of runs that are over.
    var soundLag: Time { .milliseconds(Int64(max(0, audioState.delayMilliseconds))) }

    /// Everything that the sound needs to know, at this instant.
    public func soundScene(at now: Time) -> SoundScene {
        var soundScene = SoundScene(title: focus.map(title) ?? layout.title)
        soundScene.delay = .milliseconds(Int64(audioState.delayMilliseconds))
        var gains: [SoundID: Float] = [:]
        var first: [SoundID: TileID] = [:]
        for tile in tiles.order where !feeds[tiles[tile].feed].slots.isEmpty {
            let owner = player(of: tile), sound = tiles[owner].sound
            if case .heard(let gain) = verdict(on: tile) { gains[sound] = max(gain, gains[sound] ?? 0) }
            if first[sound] == nil { first[sound] = owner }
        }
        for (sound, tile) in first.sorted(by: { $0.key < $1.key }) {
            let feed = feeds[tiles[tile].feed]
            let group = group(of: feed)
            let heard = feed.heardRuns
            // All of them lie on one line of samples.
            for stem in 0..<stemCount(of: tile) {
                let plan = SoundPlan(
                    runs: heard.compactMap { soundRun($0, for: tile, stem: stem) }, clock: group.clock
                ).withoutNeedlessSilence
                soundScene.parts.append(
                    SoundScene.Part(
                        sound: sound.stem(stem), plan: plan.shifted(by: group.woundBack), gain: gains[sound] ?? 0))
            }
        }
        if layout.audio.monitorsInput {
            soundScene.monitored = SoundScene.Monitored(input: layout.audio.input, gain: audioState.monitorGain)
        }
        if let bed = layout.audio.bed {
            let run = SoundRun(source: bed.source, start: .zero, repetition: .forever)
            var clock = Clock(position: .zero, rate: .one)
            if bed.clock == .wall {
                clock = clocks[clocks.main].clock
                clock.shift(by: clocks[clocks.main].woundBack)
            } else if let beganAt {
                clock.run(at: beganAt, after: frameHold)
            }
            soundScene.bed = SoundScene.Part(
                sound: .bed, plan: SoundPlan(runs: [run], clock: clock), gain: audioState.bedGain(bed))
        }
        return soundScene
    }

    func verdict(on tile: TileID) -> AudioState.Verdict {
        let player = player(of: tile)
        // Where all are mixed, what it compares is heard already.
        if audioState.mode == .mix, !audioState.isSolo, player != tile, tiles.order.contains(player) {
            return verdict(on: player)
        }
        return audioState.verdict(on: tiles[tile].layout, hasFocus: tile == focus)
    }

    /// Tiles that look at the same feed, and want the same sound of it, are heard once.
    mutating func shareSounds() {
        var owners: [SoundKey: SoundID] = [:]
        var taken: Set<SoundID> = []
        // The one that is heard first: nothing begins anew in it.
        let heard = focus.map { player(of: $0) }
        for tile in tiles.playing.filter({ $0 == heard }) + tiles.playing.filter({ $0 != heard }) {
            let key = SoundKey(
                feed: tiles[tile].feed, choices: tiles[tile].play.map(\.audio), keys: tiles[tile].play.map(\.key),
                track: tiles[tile].track)
            if owners[key] == nil {
                // The one that it has, so that what is heard goes on; unless another sound goes on with that.
                let own = tiles[tile].sound
                owners[key] = taken.contains(own) ? audioState.nextSound() : own
                taken.insert(owners[key]!)
            }
            tiles[tile].sound = owners[key]!
        }
    }

    /// The most files that an item's sound is made of.
    private func stemCount(of tile: TileID) -> Int { tiles[tile].play.reduce(1) { max($0, $1.audio.stems.count) } }

    /// `stem`: of which of its files; other sounds than stems are one.
    private func soundRun(_ heard: HeardRun, for tile: TileID, stem: Int) -> SoundRun? {
        let look = tiles[tile].look(ofItem: heard.item)
        var run = SoundRun(
            source: heard.segment.source, from: heard.segment.start, start: heard.start, end: heard.end,
            rate: heard.rate)
        (run.origin, run.fade) = (heard.origin, heard.fade)
        // What is live plays as it comes.
        if heard.origin == nil { run.key = look.key }
        let track = tiles[tile].track
        switch look.audio {
        // Others of the sequence have it, and may fade into this one.
        case _ where stem > 0 && !look.audio.stems.indices.contains(stem): run.isSilent = true
        case .stems(let stems):
            let file = stems.files[stem]
            (run.source, run.origin, run.level) = (file.source, nil, file.level)
            run.liesBeside = file.source != heard.segment.source
            run.choice = SoundChoice(file.track, channel: stems.channel)
            run.from = (heard.segment.songStart ?? run.from) - stems.offset - file.offset
            run.gain = Loudness.gain(ofVolume: stems.volume)
            return track == 0 ? nil : run
        case .silent: run.isSilent = track == nil
        case .track(let number): run.choice.track = .number(number)
        case .language(let language): run.choice.track = .language(language)
        case .other(let other):
            run.source = other.source ?? heard.segment.source
            if other.source != nil { (run.origin, run.liesBeside) = (nil, true) }
            run.choice = SoundChoice(
                other.language.map { .language($0) } ?? .number(other.track ?? 1), channel: other.channel)
            if other.source != nil, let songStart = heard.segment.songStart { run.from = songStart }
            run.from -= other.offset
            run.gain = Loudness.gain(ofVolume: other.volume)
        }
        if let track { run.choice.track = .number(track) }
        return track == 0 ? nil : run
    }

    /// What a tile plays, for desktop mixers: its source's title, or its name without its folder.
    private func title(of tile: TileID) -> String {
        let feed = feeds[tiles[tile].feed]
        let first = feed.timeline.items.first?.segments.first?.source
        guard let source = feed.slots.first?.location ?? first else { return layout.title }
        return feed.sources.facts(of: source)?.title ?? SourceName.fileName(of: source)
    }

    // MARK: what people change

    /// The tile's next track; after the last the first.
    mutating func nextTrack(of tile: TileID) {
        let feed = feeds[tiles[tile].feed]
        let count: Int
        switch audioState.conditions[tiles[tile].sound] {
        case .sounding(let tracks), .noTrack(let tracks): count = tracks
        case .soundless, .failed, .unknown, nil: return
        }
        guard count > 0 else { return }
        guard let run = feed.slots.first?.run else { return }
        var current = 1
        switch tiles[tile].look(ofItem: run.item).audio {
        case .track(let number): current = number
        case .other(let other): current = other.track ?? 1
        case .language, .silent: current = 0
        case .stems: return
        }
        tiles[tile].track = (tiles[tile].track ?? current) % count + 1
        shareSounds()
    }

    /// nil: no sound of it is heard.
    mutating func setTrack(_ number: Int?, of tile: TileID) {
        tiles[tile].track = number ?? 0
        shareSounds()
    }

    // MARK: what is known of the sound

    /// What became of the microphone that is monitored. After how long it is heard is told once each time it begins.
    public mutating func note(_ monitored: AudioState.Monitored, at now: Time) {
        if case .heard(let latency) = monitored, audioState.monitored != monitored {
            emit(.monitor(latency: latency), at: now)
        }
        audioState.setMonitored(monitored)
        effects.wakeScreen()
    }

    public mutating func outlet(is outlet: AudioState.Outlet) {
        audioState.setOutlet(outlet)
        effects.wakeScreen()
    }

    /// What became of each sound.
    public mutating func note(_ conditions: [SoundID: SoundCondition], at now: Time) {
        for (sound, condition) in conditions where audioState.conditions[sound] != condition {
            if case .failed(let source, let trouble) = condition { report(sound, source, trouble, at: now) }
        }
        audioState.note(conditions)
        noteSoundsWithoutFrames(at: now)
        effects.wakeScreen()
    }

    /// What has no frame is on when it is heard.
    private mutating func noteSoundsWithoutFrames(at now: Time) {
        for tile in tiles.playing {
            let feed = tiles[tile].feed
            guard feeds[feed].playsOnlySound, let location = feeds[feed].location,
                let condition = audioState.conditions[tiles[tile].sound]
            else { continue }
            switch condition {
            case .failed(location, let trouble):
                report(trouble, of: feed, location, item: feeds[feed].slots[0].run.item, at: now)
                feeds[feed].screen.noteSound(.failed, restsSince: restsSince, at: now)
            case .sounding:
                if feeds[feed].trouble.source == location { feeds[feed].trouble.noteFrame(of: location) }
                feeds[feed].screen.noteSound(.heard, restsSince: restsSince, at: now)
            default: break
            }
        }
    }

    /// Said once a source, as that of frames is; the bed is no tile's.
    private mutating func report(_ sound: SoundID, _ source: String, _ trouble: SourceTrouble, at now: Time) {
        if sound == .bed {
            return emit(.trouble(tile: nil, source: source, item: .item(0), pts: nil, trouble: trouble), at: now)
        }
        for tile in tiles.playing where tiles[tile].sound.number == sound.number {
            let feed = tiles[tile].feed
            // That is the tile's own trouble.
            if feeds[feed].playsOnlySound, feeds[feed].location == source { continue }
            guard tiles[tile].troubledSounds[source] == nil, !feeds[feed].trouble.wasReported(of: source) else {
                continue
            }
            tiles[tile].troubledSounds[source] = trouble
            let place = place(ofItem: feeds[feed].slots.first?.run.item ?? 0, of: feed)
            emit(
                .trouble(tile: tiles[tile].name, source: source, item: place, pts: nil, trouble: trouble), at: now)
        }
    }

    /// Why a tile is not heard; nil: it is.
    public func whyUnheard(_ tile: TileID) -> Unheard? {
        if case .unheard(let reason) = verdict(on: tile) { return reason }
        let tile = player(of: tile)
        switch audioState.outlet {
        case .open: break
        case .muted: return .sinkMuted
        case .away: return .noServer
        case .unwanted: return .switchedOff
        }
        let feed = feeds[tiles[tile].feed]
        if tiles[tile].track == 0 { return .soundless }
        let audio = feed.slots.first.map { tiles[tile].look(ofItem: $0.run.item).audio }
        if audio == .silent, tiles[tile].track == nil { return .soundless }
        let stems = audio?.stems ?? []
        if !stems.isEmpty, stems.allSatisfy({ $0.level == 0 }) { return .muted }
        return audioState.failure(of: tiles[tile].sound, files: stems.count)
    }
}

/// Tiles with equal keys are heard as one.
private struct SoundKey: Hashable {
    let feed: FeedID
    let choices: [ItemAudio]
    let keys: [Int]
    let track: Int?
}
