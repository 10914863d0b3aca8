extension Item {
    public static let keys = -12...12

    func merging(_ new: Item, over old: Item) -> Item {
        var next = new
        if old.key == new.key { next.key = look.key }
        next.audio = look.audio.merging(new.audio, over: old.audio)
        return next
    }
}

extension [Item] {
    /// Merges `new`, which replaces `old`, into the items that play. An item that is the same in both keeps changes
    /// made by hand.
    public func merging(_ new: [Item], over old: [Item]) -> [Item] {
        let isChanged = zip(self, old).contains { $0.key != $1.key || $0.audio != $1.audio }
        guard isChanged else { return new }
        let places = Dictionary(old.enumerated().map { ($1.sequenced, $0) }, uniquingKeysWith: { first, _ in first })
        return new.enumerated().map { place, item in
            let isInPlace = old.indices.contains(place) && old[place].sequenced == item.sequenced
            guard let loaded = isInPlace ? place : places[item.sequenced], indices.contains(loaded),
                self[loaded].sequenced == old[loaded].sequenced
            else { return item }
            return self[loaded].merging(item, over: old[loaded])
        }
    }
}
