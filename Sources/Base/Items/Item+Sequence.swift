extension Item {
    /// A copy without the settings that belong to the tile: crop, sound, key, lyrics, and how it is fetched. Items are
    /// the same in a sequence if these copies are equal.
    public var sequenced: Item {
        var same = self
        (same.crop, same.audio, same.key, same.maxBitrate, same.ahead) = (.all, .track(1), 0, nil, .seconds(5))
        (same.lyrics, same.voice) = (.unspecified, nil)
        return same
    }

    /// Takes over what `sequenced` resets.
    public mutating func takeLook(of other: Item) {
        (crop, audio, key, maxBitrate, ahead) = (other.crop, other.audio, other.key, other.maxBitrate, other.ahead)
        (lyrics, voice) = (other.lyrics, other.voice)
    }
}

extension Item {
    public var playedOnce: Item {
        var once = sequenced
        once.rounds = 1
        return once
    }
}
