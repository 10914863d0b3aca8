import Base
import Heard
import Layout

/// The sound of the wall: its settings, which tiles share a sound, and the last reported condition of each sound.
struct Sounds {
    var state = AudioState()
    /// Sounds that tiles asked for when they shared them last.
    private var wishes: [Wish] = []

    /// The sound that a tile asks for.
    private struct Wish: Equatable {
        let tile: TileID
        let feed: FeedID
        let play: [Item]
        let track: Int?
    }

    // MARK: changes

    /// Gives one sound to tiles that view the same feed and want the same sound of it. The sound is heard once.
    mutating func share(among tiles: inout Tiles) {
        let wishes = tiles.playing.map { tile in
            Wish(tile: tile, feed: tiles[tile].feed, play: tiles[tile].layout.play, track: tiles[tile].track)
        }
        guard wishes != self.wishes else { return }
        self.wishes = wishes
        var owners: [SoundKey: SoundID] = [:]
        var taken: Set<SoundID> = []
        // The heard tile comes first, so that its sound does not begin anew.
        let heard = tiles.focus.map { tiles.playingTile(for: $0) }
        for tile in tiles.playing.filter({ $0 == heard }) + tiles.playing.filter({ $0 != heard }) {
            let key = SoundKey(
                feed: tiles[tile].feed, choices: tiles[tile].play.map(\.audio), keys: tiles[tile].play.map(\.key),
                track: tiles[tile].track)
            if owners[key] == nil {
                // A tile keeps its own sound, so that playback goes on, unless an earlier tile has taken that sound.
                let own = tiles[tile].sound
                owners[key] = taken.contains(own) ? state.makeSound() : own
                taken.insert(owners[key]!)
            }
            tiles[tile].sound = owners[key]!
        }
    }

    /// Returns the number of the track after the one that a tile plays. The first track follows the last. nil if the
    /// tile has no tracks. `run`: the run that the tile plays.
    func trackAfter(thatOf tile: Tile, playing run: RunID?) -> Int? {
        let count: Int
        switch state.conditions[tile.sound] {
        case .sounding(let tracks), .stalled(let tracks), .noTrack(let tracks): count = tracks
        case .soundless, .failed, .unknown, nil: return nil
        }
        guard count > 0, let run else { return nil }
        var current = 1
        switch tile.look(ofItem: run.place).audio {
        case .track(let number): current = number
        case .other(let other): current = other.track?.number ?? 1
        case .language, .silent: current = 0
        case .stems: return nil
        }
        return (tile.track ?? current) % count + 1
    }

    // MARK: reports

    /// Notes the state of the monitored microphone. Emits the latency when the microphone begins to be heard, and when
    /// the latency has changed.
    mutating func note(_ monitored: SoundScene.Monitored.State, _ playout: Playout) {
        if case .heard(let latency) = monitored, state.monitored != monitored {
            playout.emit(.monitor(latency: latency))
        }
        state.monitored = monitored
    }

    /// Notes the condition of each sound.
    mutating func note(_ conditions: [SoundID: SoundCondition], _ tiles: inout Tiles, _ playout: Playout) {
        for (sound, condition) in conditions where state.conditions[sound] != condition {
            if case .failed(let source, let trouble) = condition { report(trouble, of: sound, source, &tiles, playout) }
        }
        let failed = conditions.filter { $0.value.failure == .unplayable }
        state.failedSince = failed.reduce(into: [:]) { $0[$1.key] = state.failedSince[$1.key] ?? playout.now }
        state.conditions = conditions
        noteSoundsWithoutFrames(playout)
    }

    /// An item without frames counts as shown when it is heard.
    private func noteSoundsWithoutFrames(_ playout: Playout) {
        for tile in playout.tiles.playing {
            let feed = playout.feed(of: tile)
            guard feed.playsOnlySound, let location = feed.location,
                let condition = state.conditions[playout.tiles[tile].sound]
            else { continue }
            let (rests, now) = (playout.restsSince, playout.now)
            switch condition {
            case .failed(location, let trouble):
                playout.report(trouble, of: feed, location, item: feed.slots[0].run.place)
                feed.noteSound(.failed, of: location, restsSince: rests, at: now)
            case .sounding: feed.noteSound(.heard, of: location, restsSince: rests, at: now)
            default: break
            }
        }
    }

    /// Reports the damage of a sound that is heard nevertheless, as damages of frames are reported.
    func note(_ damage: FilmDamage, of sound: SoundID, _ source: String, _ playout: Playout) {
        if sound == .bed {
            let trouble = damage.trouble
            playout.emit(.trouble(tile: nil, source: source, item: .item(0), pts: nil, trouble: trouble))
        }
        for tile in playout.tiles.playing where playout.tiles[tile].sound.number == sound.number {
            let feed = playout.feed(of: tile), item = feed.slots.first?.run.place ?? ItemPlace(0)
            playout.report(damage, isThere: true, of: feed, source, item: item)
        }
    }

    /// Reports a trouble once for each source, as troubles of frames are. The bed belongs to no tile.
    private func report(
        _ trouble: SourceTrouble, of sound: SoundID, _ source: String, _ tiles: inout Tiles, _ playout: Playout
    ) {
        if sound == .bed {
            playout.emit(.trouble(tile: nil, source: source, item: .item(0), pts: nil, trouble: trouble))
            return
        }
        for tile in tiles.playing where tiles[tile].sound.number == sound.number {
            let feed = playout.feed(of: tile)
            // A feed without frames reports the trouble itself.
            if feed.playsOnlySound, feed.location == source { continue }
            guard tiles[tile].troubledSounds[source] == nil, feed.trouble.trouble(of: source) == nil else { continue }
            tiles[tile].troubledSounds[source] = trouble
            let place = playout.place(ofItem: feed.slots.first?.run.place ?? ItemPlace(0), of: feed)
            playout.emit(.trouble(tile: tiles[tile].name, source: source, item: place, pts: nil, trouble: trouble))
        }
    }
}

/// Tiles with equal keys are heard as one.
private struct SoundKey: Hashable {
    let feed: FeedID
    let choices: [ItemAudio]
    let keys: [Int]
    let track: Int?
}
