import Base

extension [Item] {
    /// Merges `new`, which replaces `old`, into the items that play. An item that is the same in both keeps changes
    /// made by hand.
    func merging(_ new: [Item], over old: [Item]) -> [Item] {
        let isChanged = zip(self, old).contains { Item.fields.isChanged($0, since: $1) }
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

extension ItemAudio {
    /// Merges `new`, which replaces `old`, into these stems. A value that was changed by hand stays unless `new` and
    /// `old` differ in it.
    func merging(_ new: ItemAudio, over old: ItemAudio) -> ItemAudio {
        if new == old { return self }
        var next = new
        for (place, stem) in new.stems.enumerated() {
            guard let loaded = old.stems.first(where: { $0.name == stem.name }),
                let present = stems.first(where: { $0.name == stem.name })
            else { continue }
            next.changeStem(place) { $0 = present.merging(stem, over: loaded) }
        }
        if case .stems(var files) = next, let take = stems.first(where: \.isTake) {
            files.lay(take)
            next = .stems(files)
        }
        return next
    }
}
