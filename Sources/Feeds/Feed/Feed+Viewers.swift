import Base

// The tiles that show a feed, the group that it follows, and its seat.
extension Feed {
    // MARK: tiles

    /// Shows the feed in these tiles too.
    public func add(_ tiles: [TileID]) { self.tiles = (self.tiles + tiles).sorted() }

    /// The tiles show another feed, or are gone.
    public func remove(_ tiles: [TileID]) { self.tiles.removeAll(where: tiles.contains) }

    // MARK: its group

    /// Follows the clock of this group from now on.
    public func follow(_ group: GroupID) { self.group = group }

    // MARK: its seat

    /// Gives the feed a seat, or takes it away. Its slots are planned anew.
    public func seat(_ has: Bool, at now: Time) {
        hasSeat = has
        reel.liveness.seat(has, at: now)
        if has { dropPreview() }
        dropSlots()
    }
}
