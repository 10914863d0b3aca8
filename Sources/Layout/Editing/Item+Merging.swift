import Base

extension [Item] {
    /// Merges `new`, which replaces `old`, into the items that play. An item that is the same in both keeps changes
    /// made by hand.
    func merging(_ new: [Item], over old: [Item]) -> [Item] {
        let isChanged = zip(self, old).contains { Item.fields.isChanged($0, since: $1) }
        guard isChanged else { return new }
        let places = old.places
        return new.enumerated().map { place, item in
            let isInPlace = old.indices.contains(place) && old[place].sequenced == item.sequenced
            guard let loaded = isInPlace ? place : places[item.sequenced], indices.contains(loaded),
                self[loaded].sequenced == old[loaded].sequenced
            else { return item }
            return self[loaded].merging(item, over: old[loaded])
        }
    }

    // A sequence with folders, in which files come and go while the user has changed the sequence.

    /// Returns `new`, which replaces `old`, with the changes by hand of this sequence. If the layout states the same as
    /// before, only files of its folders have come or gone: the order, items added by hand and removed items stay. If
    /// it states something else, `new` holds.
    func keepingChanges(in new: [Item], over old: [Item]) -> [Item] {
        let isChanged = count != old.count || zip(self, old).contains { $0.sequenced != $1.sequenced }
        guard isChanged, old.stated == new.stated else { return new }
        let former = Set(old.map(\.sequenced)), places = new.places
        // The user plays something else.
        guard contains(where: { former.contains($0.sequenced) }) else { return self }
        var next = compactMap { item -> Item? in
            if let place = places[item.sequenced] { return new[place] }
            return former.contains(item.sequenced) ? nil : item
        }
        var place = 0
        for item in new {
            if let known = next.firstIndex(where: { $0.sequenced == item.sequenced }) {
                place = known + 1
            } else if !former.contains(item.sequenced) {
                next.insert(item, at: place)
                place += 1
            }
        }
        return next
    }

    private var places: [Item: Int] {
        Dictionary(enumerated().map { ($1.sequenced, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The items as the layout states them: one for each folder.
    private var stated: [Item] {
        var stated: [Item] = []
        for item in self {
            var same = item.sequenced
            if let folder = item.folder, case .media(var segment) = item.content {
                segment.source = folder
                same.content = .media(segment)
                if same == stated.last { continue }
            }
            stated.append(same)
        }
        return stated
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
