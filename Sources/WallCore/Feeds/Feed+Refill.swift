// Steps and drags that go back little by little: what is before the frames that a slot holds is decoded while those
// are shown.
extension Feed {
    /// With fewer frames behind a clock that goes back, more are decoded.
    private static var fewBehind: Int { Depth.keptBehind / 2 }

    /// The slot that shows `groupTime` is given the frames before those that it has. Its lease ends, and the next one
    /// decodes what is missing; then the run goes on where it was.
    mutating func refill(at groupTime: Time, _ effects: inout Effects) {
        guard let index = slots.lastIndex(where: { $0.instant.map { $0 <= groupTime } ?? false }) else { return }
        let slot = slots[index]
        guard !slot.isStill, slot.refill == nil, let start = slot.start, let first = slot.frames.first,
            first.offset > .zero, start + first.offset > abLoop?.begin ?? -.distantFuture,
            slot.frames.count(where: { start + $0.offset <= groupTime }) <= Self.fewBehind
        else { return }
        switch slot.loading {
        case .planned, .opening, .failed: return
        case .ready, .leased, .whole: retire(slot, &effects)
        }
        // They wait for the same pipeline.
        dropSlots(from: index + 1, &effects)
        slots[index].beginRefill(id: newSlotID(), from: max(.zero, first.offset - Depth.behind), to: first.offset)
    }

    /// The slot that a lease refills; nil: it does not refill any.
    func refilledIndex(of lease: Lease) -> Int? { index(of: lease).flatMap { slots[$0].refill == nil ? nil : $0 } }

    /// All that was missing is there: the run goes on as before.
    mutating func endRefill(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) {
        slots[index].endRefill()
        dropWhereNothingIs(context, &effects)
    }

    /// A clock that went back to what was to be there by then finds nothing.
    mutating func dropWhereNothingIs(_ context: PlaybackContext, _ effects: inout Effects) {
        if !covers(context.groupTime) { dropSlots(&effects) }
    }
}
