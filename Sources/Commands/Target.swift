import Base

/// The part of the wall that a change is for.
public enum Target: Hashable, Sendable {
    /// The wall, or the focused tile. A nudge is for the comparison over the wall, if there is one.
    case focused
    /// The wall, or this tile in the place of the focused one.
    case inHand(TileID)
    /// This tile. A property is the tile's, even if the wall has one of the same name.
    case tile(TileID)
    /// The tile of this name.
    case named(String)
    /// Each of these tiles, which follow one clock. A change of their time is made once.
    case tiles([TileID])
    /// The clock of a group, with all tiles that follow it.
    case clock(GroupID)

    /// The tile that was named; nil for the focused one, and for several.
    public var tile: TileID? { if case .tile(let tile) = self { tile } else { nil } }
}

/// A change that only Player can name: it states the type of `body`. Equal to itself alone.
public final class PlayerChange: Hashable, Sendable {
    public let body: any Sendable

    public init(_ body: any Sendable) { self.body = body }

    public static func == (a: PlayerChange, b: PlayerChange) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
