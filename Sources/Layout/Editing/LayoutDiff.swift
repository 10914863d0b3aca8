/// Changes of a wall's tiles when another layout replaces the current one. Tiles with the same id are the same tile.
/// Pure.
///
/// A value that was changed by hand stays if the old and new layout agree on it (`merging`).
public struct LayoutDiff: Sendable, Equatable {
    /// Ids in the order of the old layout.
    public private(set) var removed: [String] = []
    /// Tiles in the order of the new layout.
    public private(set) var added: [TileLayout] = []
    /// Tiles that stay, changed or not, in the order of the new layout.
    public private(set) var staying: [TileEdit] = []

    public init(from before: Layout, to after: Layout) {
        let kinds = Dictionary(uniqueKeysWithValues: after.tiles.map { ($0.id, $0.compare == nil) })
        // A tile that compares and one that plays are different tiles, even with the same id.
        removed = before.tiles.filter { kinds[$0.id] != ($0.compare == nil) }.map(\.id)
        let known = Dictionary(uniqueKeysWithValues: before.tiles.map { ($0.id, $0) })
        for tile in after.tiles {
            if let old = known[tile.id], (old.compare == nil) == (tile.compare == nil) {
                staying.append(TileEdit(from: old, to: tile))
            } else {
                added.append(tile)
            }
        }
    }

    /// Numbers of tiles without those that play compared sources. `kept`: tiles that continue without a change of what
    /// they play.
    public var addedCount: Int { added.count { $0.comparedBy == nil } }
    public var removedCount: Int { removed.count { !$0.contains("/") } }
    public var kept: Int { staying.count { $0.after.comparedBy == nil && $0.changes.isEmpty } }
    public var changed: Int { staying.count { $0.after.comparedBy == nil && !$0.changes.isEmpty } }
}

/// Changes of a tile that stays, as far as they concern what it plays.
public struct TileEdit: Sendable, Equatable {
    public let before: TileLayout
    public let after: TileLayout
    public let changes: PlaybackChanges

    public init(from before: TileLayout, to after: TileLayout) {
        (self.before, self.after) = (before, after)
        var changes: PlaybackChanges = []
        for field in TileLayout.fields.all where !changes.isSuperset(of: field.effect) {
            if !field.isSame(before, after) { changes.formUnion(field.effect) }
        }
        self.changes = changes
    }
}

extension Layout {
    /// Returns this layout, which plays, after `new` replaced `old` as the loaded layout. A value that was changed by
    /// hand stays unless `new` and `old` differ in it.
    public func merging(_ new: Layout, over old: Layout) -> Layout {
        var next = new
        for field in Self.fields.all { field.merge?(&next, self, old) }
        next.audio = audio.merging(new.audio, over: old.audio)
        // Neither layout needs to state the delay.
        if old.audio.delayMilliseconds == new.audio.delayMilliseconds {
            next.audio.delayMilliseconds = audio.delayMilliseconds
        }
        for place in next.tiles.indices {
            let id = next.tiles[place].id
            guard let present = tiles.first(where: { $0.id == id }),
                let loaded = old.tiles.first(where: { $0.id == id })
            else { continue }
            next.tiles[place] = present.merging(new.tiles[place], over: loaded)
        }
        return next
    }
}

extension TileContent {
    func merging(_ new: TileContent, over old: TileContent) -> TileContent {
        switch (old, new) {
        case (let old, let new) where old == new: self
        case (.sequence(let old), .sequence(let new)):
            .sequence(items.keepingChanges(in: items.merging(new, over: old), over: old))
        case (.sequence, _), (.comparison, _): new
        }
    }
}
