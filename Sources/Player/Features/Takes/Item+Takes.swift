import Base

extension Item {
    /// True if a take can be added to the item's sound; false if that sound comes from several files in turn.
    var takesTakes: Bool {
        switch look.audio {
        case .track, .language: Set(segments.map(\.source)).count == 1
        case .other(let other): other.source != nil || Set(segments.map(\.source)).count == 1
        case .silent, .stems: true
        }
    }

    /// Adds a take as one more stem, or replaces an earlier one. The JSON file beside the take states the take's place
    /// in the song. `track`: the song's track that the user chose; nil if the user chose none.
    mutating func add(take file: String, track: Int?) {
        let chosen = track.map { SoundChoice.Track.number($0) }
        var take = ItemAudio.Stem("take", file)
        take.isTake = true
        switch look.audio {
        case .stems(var stems):
            stems.lay(take)
            look.audio = .stems(stems)
        case .other(let other):
            var song = ItemAudio.Stem("song", other.source ?? segments[0].source)
            (song.offset, song.volume) = (other.offset, other.volume)
            song.track = chosen ?? other.track ?? .number(1)
            var stems = ItemAudio.Stems([song, take])
            stems.channel = other.channel
            look.audio = .stems(stems)
        case .track(let number): look.audio = .stems(ItemAudio.Stems([song(chosen ?? .number(number)), take]))
        case .language(let language): look.audio = .stems(ItemAudio.Stems([song(chosen ?? .language(language)), take]))
        case .silent: look.audio = .stems(ItemAudio.Stems([take]))
        }
    }

    private func song(_ track: SoundChoice.Track) -> ItemAudio.Stem {
        var song = ItemAudio.Stem("song", segments[0].source)
        song.track = track
        return song
    }
}
