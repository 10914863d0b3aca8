/// What a tile compares instead of playing, as it was written.
public struct ComparisonLayout: Sendable, Equatable {
    /// 2 to 9 of them; the others are held against the first.
    public var members: [Member]
    public var mode = ComparisonMode.wipe
    /// What differences are multiplied by.
    public var gain = 4.0
    /// Where the line of a wipe stands, from 0 to 1.
    public var at = 0.5
    /// Of that line, in degrees clockwise; 0: it is upright, the first on its left.
    public var angle = 0.0

    public static let mostMembers = 9

    public init(members: [Member]) { self.members = members }

    public enum Member: Sendable, Equatable {
        /// What a tile with this id shows.
        case tile(String)
        /// What no tile plays, so far ahead of the group's clock: an item, or those that a folder holds.
        case source([Item], offset: Time)

        static func source(_ item: Item, offset: Time) -> Member { .source([item], offset: offset) }
    }
}

public enum ComparisonMode: String, Sendable, Hashable, CaseIterable {
    case wipe, difference, signed, heat, blink, overlay

    /// The one that comes so many places after it, around the end.
    public func moved(by count: Int) -> ComparisonMode {
        let all = ComparisonMode.allCases, place = all.firstIndex(of: self)!
        return all[((place + count) % all.count + all.count) % all.count]
    }
}

extension TileLayout {
    /// Tiles that are never drawn: they play the sources that this one compares. Ids have no "/", so theirs are like
    /// no other tile's.
    public var memberTiles: [TileLayout] { memberTilesByPlace.map(\.tile) }

    /// With each its source's place among those that are compared, from 0.
    var memberTilesByPlace: [(place: Int, tile: TileLayout)] {
        guard let compare else { return [] }
        return compare.members.enumerated().compactMap { place, member in
            guard case .source(let items, let offset) = member else { return nil }
            var tile = TileLayout(id: memberName(place), place: .pixels(Rect(0, 0, 0, 0)), play: items)
            (tile.group, tile.offset, tile.loop, tile.onError) = (group, offset + self.offset, loop, onError)
            tile.comparedBy = id
            return (place, tile)
        }
    }

    /// As it is called outside: what plays the first of the sources that a tile compares speaks for that tile.
    public var name: String {
        guard let comparedBy, id == comparedBy + "/1" else { return id }
        return comparedBy
    }

    /// Name for people. A tile that plays a compared source is named after the comparing tile and that source.
    public var words: String {
        guard let comparedBy, let source = play.first?.segments.first?.source else { return id }
        return "\(comparedBy) (\(SourceName.fileName(of: source)))"
    }

    /// The tile that plays a member: the one that is named, or one of its own.
    func memberName(_ place: Int) -> String {
        switch compare?.members[place] {
        case .tile(let id): id
        case .source, nil: "\(id)/\(place + 1)"
        }
    }
}

extension Layout {
    /// All that play something: instead of a tile that compares those that play its sources.
    public var playingTiles: [TileLayout] { tiles.flatMap { $0.compare == nil ? [$0] : $0.memberTiles } }

    /// With those tiles alone; a tile that compares leaves the focus to the first that it compares.
    public var ofPlayingTiles: Layout {
        guard tiles.contains(where: { $0.compare != nil }) else { return self }
        var playing = self
        playing.tiles = tiles.flatMap { tile in
            tile.compare == nil
                ? [tile]
                : tile.memberTiles.map {
                    var member = $0
                    (member.isMuted, member.volume) = (tile.isMuted, tile.volume)
                    return member
                }
        }
        let focused = tiles.indices.contains(audio.focus) ? tiles[audio.focus] : nil
        let name = focused.map { $0.compare == nil ? $0.id : $0.memberName(0) }
        playing.audio.focus = playing.tiles.firstIndex { $0.id == name } ?? 0
        return playing
    }

    /// Of the tiles that are compared; nil where all are sources, which follow their tile's.
    func group(of comparison: ComparisonLayout) -> String? {
        comparison.members.lazy.compactMap { member in
            if case .tile(let id) = member { tiles.first { $0.id == id }?.group } else { nil }
        }.first
    }

    /// With the tiles that play compared sources, at the end.
    var withMembers: Layout {
        guard tiles.contains(where: { $0.compare != nil }) else { return self }
        var whole = self
        whole.tiles += tiles.flatMap(\.memberTiles)
        return whole
    }

    var withoutMembers: Layout {
        var visible = self
        visible.tiles.removeAll { $0.comparedBy != nil }
        return visible
    }
}
