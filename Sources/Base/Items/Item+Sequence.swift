extension Item {
    /// A copy without the settings that belong to the tile: crop, sound, key, lyrics, and how it is fetched. Items are
    /// the same in a sequence if these copies are equal.
    public var sequenced: Item {
        var same = self
        same.look = ItemLook()
        (same.look.turn, same.look.flip) = (look.turn, look.flip)
        (same.maxBitrate, same.ahead) = (nil, .seconds(5))
        return same
    }

    /// Takes over what `sequenced` resets.
    public mutating func takeLook(of other: Item) {
        let (turn, flip) = (look.turn, look.flip)
        look = other.look
        (look.turn, look.flip) = (turn, flip)
        (maxBitrate, ahead) = (other.maxBitrate, other.ahead)
    }
}

extension Item {
    public var playedOnce: Item {
        var once = sequenced
        once.rounds = 1
        return once
    }
}
