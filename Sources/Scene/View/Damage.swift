import Base

/// Identifies a view across scenes. A tile can have more than one view.
public struct ViewKey: Hashable, Sendable {
    public var tile: TileID
    /// Number of views of the same tile beneath this one.
    public var nth: Int
}

extension Scene {
    /// The keys of `views`, in their order.
    public var keys: [ViewKey] {
        var seen: [TileID: Int] = [:]
        return views.map { view in
            defer { seen[view.tile, default: 0] += 1 }
            return ViewKey(tile: view.tile, nth: seen[view.tile, default: 0])
        }
    }

    /// Areas to draw anew if `old` is on the screen: rects within the window, none within another. They may overlap;
    /// drawing one leaves its pixels complete. `decorated`: areas in which the marks and words over the views, or those
    /// over the wall, look different.
    public func damage(since old: Scene?, decorated: [Rect] = []) -> [Rect] {
        var damage: [Rect] = []
        func add(_ rect: Rect) {
            let rect = rect.intersection(Rect(size))
            if rect.isEmpty || damage.contains(where: { $0.contains(rect) }) { return }
            damage.removeAll { rect.contains($0) }
            damage.append(rect)
        }
        guard let old, old.size == size, old.background == background else {
            add(Rect(size))
            return damage
        }
        let oldKeys = old.keys, newKeys = keys
        let oldPlaces = Dictionary(uniqueKeysWithValues: zip(oldKeys, oldKeys.indices))
        let newPlaces = Dictionary(uniqueKeysWithValues: zip(newKeys, newKeys.indices))

        for (place, key) in newKeys.enumerated() {
            let changed = views[place].changes(since: oldPlaces[key].map { old.views[$0] })
            for rect in changed where !isHidden(rect, above: place) { add(rect) }
        }
        for (place, key) in oldKeys.enumerated() where newPlaces[key] == nil {
            add(old.views[place].extent)
        }
        decorated.forEach(add)

        // Views whose order has changed are drawn again where they overlap.
        let stayed = oldKeys.filter { newPlaces[$0] != nil }
        guard stayed != newKeys.filter({ oldPlaces[$0] != nil }) else { return damage }
        for (index, lower) in stayed.enumerated() {
            for upper in stayed[(index + 1)...] where newPlaces[lower]! > newPlaces[upper]! {
                add(old.views[oldPlaces[lower]!].extent.intersection(old.views[oldPlaces[upper]!].extent))
                add(views[newPlaces[lower]!].extent.intersection(views[newPlaces[upper]!].extent))
            }
        }
        return damage
    }

    /// Layers to draw to make the pixels of `rect` complete.
    public func layers(in rect: Rect) -> Layers {
        for place in views.indices.reversed() where hides(rect, at: place) { return Layers(bare: [], first: place) }
        var bare = [rect]
        for place in views.indices where views[place].rect.intersects(rect) {
            let part = views[place].opaquePart
            bare = bare.flatMap { $0.subtracting(part) }
        }
        return Layers(bare: bare, first: 0)
    }

    /// True if views above the one at `place` hide the part of `rect` that is in the window.
    public func isHidden(_ rect: Rect, above place: Int) -> Bool {
        let seen = rect.intersection(Rect(size))
        return (place + 1..<views.count).contains { hides(seen, at: $0) }
    }

    /// Tests the view's rect first: that is cheap, and a wall has many views.
    private func hides(_ rect: Rect, at place: Int) -> Bool {
        views[place].rect.contains(rect) && views[place].opaquePart.contains(rect)
    }
}

/// Layers that draw a rect: the background first, then the views from `first` up.
public struct Layers: Equatable, Sendable {
    /// Areas where the background can be seen.
    public var bare: [Rect]
    /// Index of the lowest view that can be seen.
    public var first: Int
}

extension View {
    /// Area that the view draws on.
    public var extent: Rect {
        let isBare = label == nil && lyrics == nil && marks == Marks()
        return isBare ? content.target ?? rect : rect
    }

    /// Part of the view that hides everything beneath it.
    var opaquePart: Rect {
        switch content {
        case .frame(let placed), .poster(let placed): placed.frame.isOpaque ? placed.target : Rect(0, 0, 0, 0)
        case .fade(let fade): fade.isOpaque ? fade.target : Rect(0, 0, 0, 0)
        // Opaque, whatever its frames are.
        case .comparison(let frames): frames.target
        case .card: rect
        case .blank: Rect(0, 0, 0, 0)
        }
    }

    /// Areas that look different because of the content.
    fileprivate func changes(since old: View?) -> [Rect] {
        guard let old else { return [extent] }
        let isAlike =
            switch (content, old.content) {
            case let (.frame(placed), .frame(before)), let (.poster(placed), .poster(before)):
                placed.identity == before.identity
            case let (.comparison(frames), .comparison(before)): frames.identity == before.identity
            case let (.fade(fade), .fade(before)): fade.identity == before.identity
            case let (.card(card), .card(before)): card == before && rect == old.rect
            case (.blank, .blank): rect == old.rect
            default: false
            }
        return isAlike ? [] : [old, self].map { $0.content.target ?? $0.rect }
    }
}

extension Rect {
    /// Rest of this rect without `other`, in at most four rects that don't overlap.
    public func subtracting(_ other: Rect) -> [Rect] {
        let hole = intersection(other)
        guard !hole.isEmpty else { return [self] }
        return [
            Rect(x, y, width, hole.y - y),
            Rect(x, hole.y, hole.x - x, hole.height),
            Rect(hole.maxX, hole.y, maxX - hole.maxX, hole.height),
            Rect(x, hole.maxY, width, maxY - hole.maxY),
        ].filter { !$0.isEmpty }
    }
}
