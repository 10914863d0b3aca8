import Base
import Scene

// The tiles that show a feed, the group that it follows, and its seat.
extension Feed {
    // MARK: tiles

    /// Shows the feed in these tiles too.
    public mutating func add(_ tiles: [TileID]) { self.tiles = (self.tiles + tiles).sorted() }

    /// The tiles show another feed, or are gone.
    public mutating func remove(_ tiles: [TileID]) { self.tiles.removeAll(where: tiles.contains) }

    /// `tiles`: the tiles that compare this feed with another, ascending.
    public mutating func compare(in tiles: [TileID]) { compared.watch(by: tiles) }

    /// `phase`: offset of its frame times from those of the film that it is compared with.
    public mutating func pairFrames(at phase: Time) { compared.shift(to: phase) }

    // MARK: its group

    /// Follows the clock of this group from now on.
    public mutating func follow(_ group: GroupID) { self.group = group }

    // MARK: its seat

    /// Gives the feed a seat, or takes it away. Its slots are planned anew.
    public mutating func seat(_ has: Bool, at now: Time, _ effects: inout Effects) {
        hasSeat = has
        reel.liveness.seat(has, at: now)
        if has { dropPreview(&effects) }
        dropSlots(&effects)
    }

    /// Notes whether the feed waits for a seat.
    public mutating func awaitSeat(_ waits: Bool, at now: Time) { reel.liveness.wait(waits, at: now) }

    // MARK: how far it degrades

    /// Returns true if the step has changed.
    public mutating func degrade(to step: DegradingStep) -> Bool { reel.decoding.setStep(step) }
}
