import Base
import Layout
import Scene

// Sound: the plan of what is heard, and of which tiles.
extension Wall {
    /// Delay between the start of a clock and the first moving frame, for a negative `audio.delay`. The sound is as far
    /// ahead of the clock, so it begins at once, and neither loses its beginning.
    var frameHold: Time { .milliseconds(Int64(max(0, -audioState.delayMilliseconds))) }

    /// Delay of the sound after its instant on the clock, for a positive `audio.delay`. Sound of runs that are over is
    /// delayed too.
    var soundLag: Time { .milliseconds(Int64(max(0, audioState.delayMilliseconds))) }

    /// Returns everything that the sound needs to know, at this instant.
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
            // All stems lie on one line of samples.
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
        // In a mix the sound of a comparison is heard already, from its player.
        if audioState.mode == .mix, !audioState.isSolo, player != tile, tiles.order.contains(player) {
            return verdict(on: player)
        }
        return audioState.verdict(on: tiles[tile].layout, hasFocus: tile == focus)
    }

    /// Gives one sound to tiles that view the same feed and want the same sound of it. It is heard once.
    mutating func shareSounds() {
        var owners: [SoundKey: SoundID] = [:]
        var taken: Set<SoundID> = []
        // The heard tile comes first, so that its sound does not begin anew.
        let heard = focus.map { player(of: $0) }
        for tile in tiles.playing.filter({ $0 == heard }) + tiles.playing.filter({ $0 != heard }) {
            let key = SoundKey(
                feed: tiles[tile].feed, choices: tiles[tile].play.map(\.audio), keys: tiles[tile].play.map(\.key),
                track: tiles[tile].track)
            if owners[key] == nil {
                // A tile keeps its own sound, so that playback goes on, unless an earlier tile has taken that sound.
                let own = tiles[tile].sound
                owners[key] = taken.contains(own) ? audioState.nextSound() : own
                taken.insert(owners[key]!)
            }
            tiles[tile].sound = owners[key]!
        }
    }

    /// Returns the largest number of files that an item's sound is made of.
    private func stemCount(of tile: TileID) -> Int { tiles[tile].play.reduce(1) { max($0, $1.audio.stems.count) } }

    /// `stem`: index of the file. Sounds other than stems have one file.
    private func soundRun(_ heard: HeardRun, for tile: TileID, stem: Int) -> SoundRun? {
        let look = tiles[tile].look(ofItem: heard.item)
        var run = SoundRun(
            source: heard.segment.source, from: heard.segment.start, start: heard.start, end: heard.end,
            rate: heard.rate)
        (run.origin, run.fade) = (heard.origin, heard.fade)
        // A live source plays in its own key.
        if heard.origin == nil { run.key = look.key }
        let track = tiles[tile].track
        switch look.audio {
        // Other items of the sequence have this stem, and may fade into this run.
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

    /// Returns what a tile plays, for desktop mixers: the title of its source, or its file name.
    private func title(of tile: TileID) -> String {
        let feed = feeds[tiles[tile].feed]
        let first = feed.timeline.items.first?.segments.first?.source
        guard let source = feed.slots.first?.location ?? first else { return layout.title }
        return feed.sources.facts(of: source)?.title ?? SourceName.fileName(of: source)
    }

    // MARK: changes by users

    /// Selects the tile's next track. The first track follows the last.
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

    /// Selects a track. If `number` is nil, no sound of the tile is heard.
    mutating func setTrack(_ number: Int?, of tile: TileID) {
        tiles[tile].track = number ?? 0
        shareSounds()
    }

    // MARK: state of the sound

    /// Notes the state of the monitored microphone. Emits its latency once each time that it begins to be heard.
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

    /// Notes the condition of each sound.
    public mutating func note(_ conditions: [SoundID: SoundCondition], at now: Time) {
        for (sound, condition) in conditions where audioState.conditions[sound] != condition {
            if case .failed(let source, let trouble) = condition { report(sound, source, trouble, at: now) }
        }
        audioState.note(conditions)
        noteSoundsWithoutFrames(at: now)
        effects.wakeScreen()
    }

    /// An item without frames counts as shown when it is heard.
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

    /// Reports a trouble once for each source, as troubles of frames are. The bed belongs to no tile.
    private mutating func report(_ sound: SoundID, _ source: String, _ trouble: SourceTrouble, at now: Time) {
        if sound == .bed {
            return emit(.trouble(tile: nil, source: source, item: .item(0), pts: nil, trouble: trouble), at: now)
        }
        for tile in tiles.playing where tiles[tile].sound.number == sound.number {
            let feed = tiles[tile].feed
            // This is reported as the tile's own trouble.
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

    /// Returns why a tile is not heard. nil if it is heard.
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
