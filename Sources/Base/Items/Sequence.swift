/// Transition from one item to the next.
public enum Transition: Sendable, Hashable {
    case cut
    /// The later item fades in over the earlier one for this time.
    case fade(Time)

    public static let longest = Time.seconds(2)

    public var length: Time { if case .fade(let length) = self { length } else { .zero } }
}

/// Number of iterations in all.
public enum Loop: Sendable, Hashable { case forever, iterations(Int) }

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

    public var playedOnce: Item {
        var once = sequenced
        once.rounds = 1
        return once
    }
}
