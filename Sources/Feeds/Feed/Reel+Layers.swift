import Base
import Decoded
import Layout

// Runs that a layer interrupts.
extension Reel {
    /// Cuts the front at `offset`, where a layer follows. The frames decoded after `offset` are kept for its rest. A
    /// front that is cut already can be cut earlier, until it is decoded to the cut.
    func shortenFront(to offset: Time) {
        guard let front = slots.first, front.cutOffset.map({ offset < $0 && !isDecodedToCut }) ?? true else { return }
        if !isLive(front.run) {
            let length = front.cutOffset == nil ? front.length : timeline.length(of: front.run)
            let rest = front.rest(from: offset, as: front.run.whole, id: front.id)
            rest.timing.length = length
            waiting.forget(from: front.run.layer)
            waiting.add(rest)
        }
        let isDecoded = front.decodedTo >= offset
        slots[0].shorten(to: offset)
        guard isDecoded, !front.isLeased, !front.isWhole, front.refill == nil else { return }
        sources.retire(front)
        slots[0].end(offset)
    }

    /// True if the front is decoded to the place at which it is interrupted.
    var isDecodedToCut: Bool {
        slots.first.map { front in front.isWhole || front.cutOffset.map { front.decodedTo >= $0 } ?? false } ?? false
    }

    /// Cancels the interruption of the front.
    func lengthenFront() {
        // The pipeline may have skipped frames that were not wanted.
        if slots[0].isLeased { sources.retire(slots[0]) }
        slots[0].lengthen(to: timeline.length(of: slots[0].run), id: slots.makeID())
    }

    /// Drops all slots from this one on. The rests of interrupted runs wait on, with their frames.
    func setAside(from index: Int) {
        for slot in slots.remove(from: index) {
            sources.retire(slot)
            guard slot.run.isRest, !isLive(slot.run), !slot.hasFailed, !slot.frames.isEmpty else { continue }
            waiting.add(slot.rest(from: slot.entry, as: slot.run.whole, id: slot.id))
        }
    }
}
