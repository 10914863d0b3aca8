import Base
import Layout
import Scene

// Sound: the plan of what is heard, and of which tiles.
extension PlayerCore {
    /// Gives one sound to tiles that view the same feed and want the same sound of it. It is heard once.
    mutating func shareSounds() {
        guard soundShares.update(tiles) else { return }
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

    // MARK: changes by users

    /// Selects the tile's next track. The first track follows the last.
    mutating func nextTrack(of tile: TileID) {
        let feed = playbacks.feeds[tiles[tile].feed]
        let count: Int
        switch audioState.conditions[tiles[tile].sound] {
        case .sounding(let tracks), .noTrack(let tracks): count = tracks
        case .soundless, .failed, .unknown, nil: return
        }
        guard count > 0 else { return }
        guard let run = feed.slots.first?.run else { return }
        var current = 1
        switch tiles[tile].look(ofItem: run.place).audio {
        case .track(let number): current = number
        case .other(let other): current = other.track ?? 1
        case .language, .silent: current = 0
        case .stems: return
        }
        tiles[tile].track = (tiles[tile].track ?? current) % count + 1
    }

    /// Selects a track. If `number` is nil, no sound of the tile is heard.
    mutating func setTrack(_ number: Int?, of tile: TileID) {
        tiles[tile].track = number ?? 0
    }

    // MARK: state of the sound

    /// Notes the state of the monitored microphone. Emits its latency once each time that it begins to be heard.
    public mutating func note(_ monitored: AudioState.Monitored, at now: Time) {
        if case .heard(let latency) = monitored, audioState.monitored != monitored {
            emit(.monitor(latency: latency), at: now)
        }
        audioState.setMonitored(monitored)
    }

    public mutating func outlet(is outlet: AudioState.Outlet) {
        audioState.setOutlet(outlet)
    }

    /// Notes the condition of each sound.
    public mutating func note(_ conditions: [SoundID: SoundCondition], at now: Time) {
        for (sound, condition) in conditions where audioState.conditions[sound] != condition {
            if case .failed(let source, let trouble) = condition { report(sound, source, trouble, at: now) }
        }
        audioState.note(conditions)
        noteSoundsWithoutFrames(at: now)
    }

    /// An item without frames counts as shown when it is heard.
    private mutating func noteSoundsWithoutFrames(at now: Time) {
        for tile in tiles.playing {
            let feed = tiles[tile].feed
            guard playbacks.feeds[feed].playsOnlySound, let location = playbacks.feeds[feed].location,
                let condition = audioState.conditions[tiles[tile].sound]
            else { continue }
            switch condition {
            case .failed(location, let trouble):
                report(trouble, of: feed, location, item: playbacks.feeds[feed].slots[0].run.place, at: now)
                playbacks.feeds[feed].screen.noteSound(.failed, restsSince: restsSince, at: now)
            case .sounding:
                if playbacks.feeds[feed].trouble.source == location {
                    playbacks.feeds[feed].trouble.noteFrame(of: location)
                }
                playbacks.feeds[feed].screen.noteSound(.heard, restsSince: restsSince, at: now)
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
            if playbacks.feeds[feed].playsOnlySound, playbacks.feeds[feed].location == source { continue }
            guard tiles[tile].troubledSounds[source] == nil, !playbacks.feeds[feed].trouble.wasReported(of: source)
            else {
                continue
            }
            tiles[tile].troubledSounds[source] = trouble
            let place = items(at: now).place(
                ofItem: playbacks.feeds[feed].slots.first?.run.place ?? ItemPlace(0), of: feed)
            emit(
                .trouble(tile: tiles[tile].name, source: source, item: place, pts: nil, trouble: trouble), at: now)
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
