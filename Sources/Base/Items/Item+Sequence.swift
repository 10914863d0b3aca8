extension Item {
    /// A copy without the settings that belong to the tile: crop, sound, key, lyrics, and how it is fetched. Items are
    /// the same in a sequence if these copies are equal.
    public var sequenced: Item {
        var same = self
        same.look = ItemLook()
        same.look.decoding = look.decoding
        same.fetching = FetchSettings()
        same.folder = nil
        return same
    }

    /// Takes over the settings that `sequenced` resets.
    public mutating func takeLook(of other: Item) {
        let decoding = look.decoding
        look = other.look
        look.decoding = decoding
        fetching = other.fetching
        folder = other.folder
    }
}

extension Item {
    public var playedOnce: Item {
        var once = sequenced
        once.rounds = 1
        return once
    }
}
