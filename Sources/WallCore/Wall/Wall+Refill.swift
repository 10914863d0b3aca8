// Hands that go back little by little: what is before the pictures that a slot holds is decoded while those are shown.
extension Wall {
    /// With fewer pictures behind a clock that goes back, more are decoded.
    private static var fewBehind: Int { Depth.keptBehind / 2 }

    /// The slot that shows `now` is given the pictures before those that it has. Its lease ends, and the next one
    /// decodes what is missing; then the run goes on where it was.
    mutating func refill(_ feed: FeedID, at now: Time) {
        guard let index = feeds[feed].slots.lastIndex(where: { $0.instant.map { $0 <= now } ?? false }) else { return }
        let slot = feeds[feed].slots[index]
        guard !slot.isStill, slot.refill == nil, let start = slot.start, let first = slot.pictures.first,
            first.offset > .zero, slot.pictures.count(where: { start + $0.offset <= now }) <= Self.fewBehind
        else { return }
        switch slot.loading {
        case .planned, .opening, .failed: return
        case .ready, .leased, .whole: retire(slot, of: feed)
        }
        // They wait for the same pipeline.
        for next in feeds[feed].slots[(index + 1)...] { retire(next, of: feed) }
        feeds[feed].slots.removeSubrange((index + 1)...)
        feeds[feed].slots[index].id = feeds[feed].nextSlot()
        feeds[feed].slots[index].refill = .init(
            from: max(.zero, first.offset - Depth.behind), to: first.offset, wasWhole: slot.isWhole)
        feeds[feed].slots[index].loading = .planned
    }

    /// What comes back from a pipeline for a slot that is being refilled: nil where it is not.
    func refilling(_ lease: Lease) -> (index: Int, Slot.Refill)? {
        guard let index = slotIndex(of: lease), let refill = feeds[lease.feed].slots[index].refill else { return nil }
        return (index, refill)
    }

    /// All that was missing is there: the run goes on as before.
    mutating func endRefill(_ index: Int, of feed: FeedID, at wall: Time) {
        guard let refill = feeds[feed].slots[index].refill else { return }
        feeds[feed].slots[index].refill = nil
        feeds[feed].slots[index].loading = refill.wasWhole ? .whole : .planned
        if refill.decodedTo >= refill.to {
            feeds[feed].slots[index].pictures.insert(contentsOf: refill.pictures, at: 0)
            feeds[feed].slots[index].first += refill.pictures.count
        }
        enterWhereNothingIs(feed, at: wall)
    }

    /// A clock that went back to what was to be there by then finds nothing.
    mutating func enterWhereNothingIs(_ feed: FeedID, at wall: Time) {
        if !feeds[feed].covers(now(of: feeds[feed], at: wall)) { dropSlots(of: feed) }
    }
}
