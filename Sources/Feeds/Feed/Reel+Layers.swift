import Base
import Decoded
import Layout

// Runs that a layer interrupts. Their frames beyond the cut wait below the layer, so that a film returns without a seam,
// even on one pipeline.
extension Reel {
    /// Cuts the front at `offset`, where a layer follows. The frames decoded after `offset` are kept for its rest. A
    /// front that is cut already can be cut earlier, until it is decoded to the cut.
    func shortenFront(to offset: Time) {
        guard let front = slots.first, front.shortenedTo.map({ offset < $0 && !isDecodedToCut }) ?? true else { return }
        if !isLive(front.run) {
            let length = front.shortenedTo == nil ? front.length : timeline.length(of: front.run)
            forgetWaiting(from: front.run.layer)
            waiting.append(front.rest(from: offset, as: front.run.whole, id: front.id))
            waiting[waiting.count - 1].setLength(length)
        }
        let isDecoded = front.decodedTo >= offset
        slots[0].shorten(to: offset)
        guard isDecoded, !front.isLeased, !front.isWhole, front.refill == nil else { return }
        sources.retire(front)
        slots[0].end(offset)
    }

    /// True if the front is decoded to the place at which it is interrupted.
    var isDecodedToCut: Bool {
        slots.first.map { front in front.isWhole || front.shortenedTo.map { front.decodedTo >= $0 } ?? false } ?? false
    }

    /// Cancels the interruption of the front.
    func lengthenFront() {
        // The pipeline may have skipped frames that were not wanted.
        if slots[0].isLeased { sources.retire(slots[0]) }
        slots[0].lengthen(to: timeline.length(of: slots[0].run), id: slots.makeID())
    }

    // MARK: waiting runs

    /// Returns the slot with the frames of an interrupted run beyond its cut; nil if the run does not wait.
    func waitingSlot(of run: RunID) -> Slot? { waiting.last { $0.run == run } }

    /// Number of frames of the waiting runs.
    var waitingFrames: Int { waiting.reduce(0) { $0 + $1.frames.count } }

    /// Forgets the waiting runs of this layer and of those above it.
    func forgetWaiting(from layer: Int) { waiting.removeAll { $0.run.layer >= layer } }

    /// Drops all slots from this one on. The rests of interrupted runs wait on, with their frames.
    func setAside(from index: Int) {
        for slot in slots.remove(from: index) {
            sources.retire(slot)
            guard slot.run.isRest, !isLive(slot.run), !slot.hasFailed, !slot.frames.isEmpty else { continue }
            waiting.append(slot.rest(from: slot.entry, as: slot.run.whole, id: slot.id))
        }
        waiting.sort { $0.run.layer < $1.run.layer }
    }

    /// Returns a slot for the rest of a waiting run, with its frames; nil if `run` is another run.
    func resume(_ run: RunID, from entry: Time) -> Slot? {
        guard let index = waiting.lastIndex(where: { $0.run == run.whole && $0.entry == entry }) else { return nil }
        return waiting.remove(at: index).rest(from: entry, as: run, id: slots.makeID())
    }

    /// True if frames of the run that is due are still to be decoded and kept after its cut: while few are kept and
    /// there is time before the cut. When the run resumes, these frames are shown while the decoder seeks to the
    /// preceding key frame and catches up.
    func keepsFrames(of run: RunID, behind cut: Time, _ context: PlaybackContext) -> Bool {
        guard context.isRunning, let slot = waitingSlot(of: run) else { return false }
        return slot.decodedTo - slot.entry < Depth.usual.played(at: context.rate)
            && cut - context.dueTime > (Depth.burst / 2).played(at: context.rate)
    }
}
