import Base

/// The comparison that a tile shows instead of playing, as the layout states it.
public struct ComparisonLayout: Sendable, Equatable {
    /// 2 to 9 members. The others are compared with the first.
    public var members: [Member]
    public var mode = ComparisonMode.wipe
    /// True if the first two have changed sides.
    public var isSwapped = false
    /// nil for the usual gain of the mode.
    public var gain: Gain?
    /// Position of a wipe's line, from 0 to 1.
    public var at = 0.5
    /// Angle of that line in degrees clockwise. At 0 it is upright, with the first member on its left.
    public var angle = 0.0

    public static let mostMembers = 9
    public static let usualGain = 4.0
    public static let gains = 0.125...64.0

    /// Factor by which differences are multiplied.
    public enum Gain: Sendable, Hashable {
        /// Chosen from each frame.
        case automatic
        case times(Double)
    }

    /// Factor by which differences are multiplied; nil if it is chosen from each frame.
    public var factor: Double? {
        switch gain {
        case .times(let factor): factor
        case .automatic: nil
        case nil: mode == .heat ? nil : Self.usualGain
        }
    }

    public init(members: [Member]) { self.members = members }

    /// Id of the tile that is this member; empty for a source.
    public func name(ofMember place: Int) -> String { if case .tile(let id) = members[place] { id } else { "" } }

    public enum Member: Sendable, Equatable {
        /// The sequence of the tile with this id.
        case tile(String)
        /// Items that no tile plays: one item, or those of a folder. `offset`: how far they are ahead of the group's
        /// clock.
        case source([Item], offset: Time)

        static func source(_ item: Item, offset: Time) -> Member { .source([item], offset: offset) }
    }
}

extension TileLayout {
    /// Tiles that play the compared sources and are never drawn. Ids have no "/", so theirs can't clash with another
    /// tile's.
    public var memberTiles: [TileLayout] { memberTilesByPlace.map(\.tile) }

    /// The same tiles, each with the place of its source among the members, from 0.
    public var memberTilesByPlace: [(place: Int, tile: TileLayout)] {
        guard let compare else { return [] }
        return compare.members.enumerated().compactMap { place, member in
            guard case .source(let items, let offset) = member else { return nil }
            var tile = TileLayout(id: memberName(place), place: .pixels(Rect(0, 0, 0, 0)), play: items)
            (tile.group, tile.offset, tile.decoding, tile.comparedBy) = (group, offset + self.offset, decoding, id)
            (tile.loop, tile.onError) = (course.loop, course.onError)
            return (place, tile)
        }
    }

    /// Name in commands and events. The tile that plays the first compared source has the name of the comparing tile.
    public var name: String {
        guard let comparedBy, id == comparedBy + "/1" else { return id }
        return comparedBy
    }

    /// Name for people. A tile that plays a compared source is named after the comparing tile and that source.
    public var words: String {
        guard let comparedBy, let source = play.first?.segments.first.source else { return id }
        return "\(comparedBy) (\(SourceName.fileName(of: source)))"
    }

    /// Id of the tile that plays a member: the named tile, or a member tile of its own.
    public func memberName(_ place: Int) -> String {
        switch compare?.members[place] {
        case .tile(let id): id
        case .source, nil: "\(id)/\(place + 1)"
        }
    }
}

extension Layout {
    /// All tiles that play. A comparing tile is replaced by the tiles that play its sources.
    public var playingTiles: [TileLayout] { tiles.flatMap { $0.compare == nil ? [$0] : $0.memberTiles } }

    /// This layout with those tiles only. If a comparing tile had the focus, its first member gets it.
    public var ofPlayingTiles: Layout {
        guard tiles.contains(where: { $0.compare != nil }) else { return self }
        var playing = self
        playing.tiles = tiles.flatMap { tile in
            tile.compare == nil
                ? [tile]
                : tile.memberTiles.map { member in
                    var member = member
                    member.sound = tile.sound
                    return member
                }
        }
        let focused = tiles.indices.contains(audio.focus) ? tiles[audio.focus] : nil
        let name = focused.map { $0.compare == nil ? $0.id : $0.memberName(0) }
        playing.audio.focus = playing.tiles.firstIndex { $0.id == name } ?? 0
        return playing
    }

    /// Group of the compared tiles; nil if all members are sources, which follow the comparing tile's group.
    func group(of comparison: ComparisonLayout) -> String? {
        comparison.members.lazy.compactMap { member in
            if case .tile(let id) = member { tiles.first { $0.id == id }?.group } else { nil }
        }.first
    }

    /// This layout with the tiles that play compared sources, at the end.
    public var withMembers: Layout {
        guard tiles.contains(where: { $0.compare != nil }) else { return self }
        var whole = self
        whole.tiles += tiles.flatMap(\.memberTiles)
        return whole
    }

    public var withoutMembers: Layout {
        var visible = self
        visible.tiles.removeAll { $0.comparedBy != nil }
        return visible
    }
}
