import Base
import Scene

// Steps and drags that go back little by little. While the frames of a slot are shown, those before them are decoded.
extension Feed {
    /// Largest number of frames behind the clock at which a clock that goes back causes a refill.
    private static var fewBehind: Int { Depth.keptBehind / 2 }

    /// Starts to decode the frames before those of the slot that shows `groupTime`. Its lease ends. The next lease
    /// decodes the missing frames, then the run goes on where it was.
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
        // The later slots wait for the same pipeline.
        dropSlots(from: index + 1, &effects)
        slots[index].beginRefill(id: newSlotID(), from: max(.zero, first.offset - Depth.behind), to: first.offset)
    }

    /// Returns the index of the slot that a lease refills; nil if it refills none.
    func refilledIndex(of lease: Lease) -> Int? { index(of: lease).flatMap { slots[$0].refill == nil ? nil : $0 } }

    /// Called when all missing frames are there. The run goes on as before.
    mutating func endRefill(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) {
        slots[index].endRefill()
        dropWhereNothingIs(context, &effects)
    }

    /// Drops the slots if a clock that went back finds no frame.
    mutating func dropWhereNothingIs(_ context: PlaybackContext, _ effects: inout Effects) {
        if !covers(context.dueTime) { dropSlots(&effects) }
    }
}
