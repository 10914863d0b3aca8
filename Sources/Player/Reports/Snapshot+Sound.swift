import Base
import Feeds
import Heard

// Makes the sound scene: the plan and the gain of each sound.
extension Snapshot {
    /// Returns the sound scene of this instant.
    public func soundScene() -> SoundScene {
        var soundScene = SoundScene(title: focus.map(title) ?? layout.title)
        soundScene.delay = .milliseconds(Int64(audioState.delayMilliseconds))
        var gains: [SoundID: StereoGain] = [:]
        var first: [SoundID: TileID] = [:]
        for tile in tiles.order where !feed(of: tile).slots.isEmpty {
            let owner = tiles.playingTile(for: tile), sound = tiles[owner].sound
            if case .heard(let gain) = verdict(on: tile) {
                let sides = StereoGain(gain, balance: tiles[tile].layout.balance)
                gains[sound] = sides.joined(gains[sound] ?? 0)
            }
            if first[sound] == nil { first[sound] = owner }
        }
        for (sound, tile) in first.sorted(by: { $0.key < $1.key }) {
            soundScene.parts += SoundOfTile(snapshot: self, tile: tile).parts(of: sound, gain: gains[sound] ?? 0)
        }
        if layout.audio.monitorsInput {
            soundScene.monitored = SoundScene.Monitored(input: layout.audio.input, gain: audioState.monitorGain)
        }
        if let bed = layout.audio.bed {
            let run = SoundRun(source: bed.source, start: .zero, repetition: .forever)
            var clock = Clock(position: .zero, rate: .one)
            if bed.clock == .wall {
                clock = clocks[clocks.main].clock
                clock.shift(by: clocks[clocks.main].totalSetBack)
            } else if let beganAt {
                clock.run(at: beganAt, after: transport.startDelay)
            }
            let plan = SoundPlan(runs: [run], clock: clock)
            soundScene.bed = SoundScene.Part(sound: .bed, plan: plan, gain: StereoGain(audioState.bedGain(bed)))
        }
        return soundScene
    }

    /// Returns the sound of one tile alone, at full volume and on time, whether the tile is heard or not.
    public func soundScene(of tile: TileID) -> SoundScene {
        var soundScene = SoundScene(title: "")
        guard tiles.contains(tile), case let owner = tiles.playingTile(for: tile), !feed(of: owner).slots.isEmpty else {
            return soundScene
        }
        soundScene.parts = SoundOfTile(snapshot: self, tile: owner).parts(of: tiles[owner].sound, gain: 1)
        return soundScene
    }

    /// Returns what a tile plays, for desktop mixers: the title of its source, or its file name.
    private func title(of tile: TileID) -> String {
        let feed = feed(of: tile)
        guard let source = feed.location ?? feed.firstSource else { return layout.title }
        return names(of: tile)?.title ?? feed.sources.facts(of: source)?.names.title
            ?? SourceName.fileName(of: source)
    }
}

/// The plans of a tile's sound.
private struct SoundOfTile {
    let snapshot: Snapshot
    let tile: TileID

    func parts(of sound: SoundID, gain: StereoGain) -> [SoundScene.Part] {
        let feed = snapshot.feed(of: tile), group = snapshot.group(of: feed), heard = feed.heardRuns
        // All stems lie on one line of samples.
        return (0..<stemCount).map { stem in
            let plan = SoundPlan(runs: heard.compactMap { soundRun($0, stem: stem) }, clock: group.clock)
                .withoutNeedlessSilence
            return SoundScene.Part(sound: sound.stem(stem), plan: plan.shifted(by: group.totalSetBack), gain: gain)
        }
    }

    /// Returns the largest number of files that an item's sound is made of.
    private var stemCount: Int { snapshot.tiles[tile].play.reduce(1) { max($0, $1.audio.stems.count) } }

    /// `stem`: index of the file. Sounds other than stems have one file.
    private func soundRun(_ heard: HeardRun, stem: Int) -> SoundRun? {
        let look = snapshot.tiles[tile].look(ofItem: heard.item)
        var run = heard.sound
        // Only a file can play in another key, not a live source.
        if run.source.origin == nil { run.key = look.key }
        let track = snapshot.tiles[tile].track
        switch look.audio {
        // Other items of the sequence have this stem, and may fade into this run.
        case _ where stem > 0 && !look.audio.stems.indices.contains(stem): run.isSilent = true
        case .stems(let stems):
            let file = stems.files[stem]
            run.source = SoundSource(
                file.source, SoundChoice(file.track, channel: stems.channel),
                isSeparateFile: file.source != heard.sound.source.location)
            run.level = file.level
            run.from = (heard.songStart ?? run.from) - stems.offset - file.offset
            run.gain = Loudness.gain(ofVolume: stems.volume)
            return track == 0 ? nil : run
        case .silent: run.isSilent = track == nil
        case .track(let number): run.source.choice.track = .number(number)
        case .language(let language): run.source.choice.track = .language(language)
        case .other(let other):
            if let source = other.source { run.source = SoundSource(source, isSeparateFile: true) }
            run.source.choice = SoundChoice(other.track ?? .number(1), channel: other.channel)
            if other.source != nil, let songStart = heard.songStart { run.from = songStart }
            run.from -= other.offset
            run.gain = Loudness.gain(ofVolume: other.volume)
        }
        if let track { run.source.choice.track = .number(track) }
        return track == 0 ? nil : run
    }
}
